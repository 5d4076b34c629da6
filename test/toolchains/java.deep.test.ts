import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { madeDefinitions, STRIMZI_KINDS } from '../../scripts/strimzi/generator';
import { cachedFile } from '../../scripts/strimzi/pinned-file';
import { strimziRelease } from '../../scripts/strimzi/strimzi-crds';
import { copyArtifact } from '../../scripts/strimzi/toolchain';
import { realRules } from '../../scripts/suites/real-rules';
import { StrimziVersion } from '../../src';
import { DEFINITIONS } from '../../src/installations/strimzi/installation.facts';
import { definitions } from '../installations/strimzi/operators';
import { FakeJava } from './fakes';

describe('pinned file', () => {
  const environment = process.env;
  const CONTENT = 'what is in it';
  let made = 0;
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  let java: FakeJava;

  beforeEach(() => {
    made = 0;
    java = new FakeJava();
    process.env = { ...environment, ...java.environment };
  });

  afterEach(() => {
    process.env = environment;
    java.remove();
  });

  const cache = () => join(java.caches, 'cdk8s-load-balancers');

  /** Has the file made somewhere else. */
  function cached(content = CONTENT): string {
    return cachedFile({ family: 'thing', file: 'thing.jar', sha256 }, () => {
      made++;
      const file = join(java.base, 'made');
      fs.writeFileSync(file, content);
      return file;
    });
  }

  test('a file is made once, outside of the work tree', () => {
    const file = cached();
    expect(file).toBe(join(cache(), `thing-${sha256.slice(0, 16)}`, 'thing.jar'));
    expect(fs.readFileSync(file, 'utf8')).toBe(CONTENT);
    expect([cached(), made]).toEqual([file, 1]);
    expect(fs.readdirSync(join(file, '..'))).toEqual(['thing.jar']);
  });

  test.each<[string, (file: string) => void]>([
    ['is cut short', (file) => fs.truncateSync(file, 4)],
    ['was changed', (file) => fs.writeFileSync(file, CONTENT.toUpperCase())],
    ['is gone', (file) => fs.rmSync(file)],
  ])('a file that %s is made again', (_, damage) => {
    const file = cached();
    damage(file);
    expect([cached(), made]).toEqual([file, 2]);
    expect(fs.readFileSync(file, 'utf8')).toBe(CONTENT);
  });

  test('another file than the known one is not taken', () => {
    expect(() => cached('something else')).toThrow(
      /^thing\.jar is not the file that is known: its SHA-256 is [0-9a-f]{64}, and [0-9a-f]{64} was expected; /,
    );
    expect(fs.readdirSync(join(cache(), `thing-${sha256.slice(0, 16)}`))).toEqual([]);
  });

  describe('Maven', () => {
    const jdk = { home: '/jdk', java: '/jdk/bin/java', version: 25 };
    const artifact = { group: 'example', name: 'thing', version: '1.0', sha256 };

    test('puts an artifact into a folder, by the JDK that was found', () => {
      java.installMaven('echo jar > "$folder/thing-1.0.jar"');
      const file = copyArtifact(artifact, jdk, java.caches);
      expect(fs.readFileSync(file, 'utf8')).toBe('jar\n');
      expect(fs.readFileSync(join(java.base, 'asked'), 'utf8')).toBe('/jdk example:thing:1.0\n');
    });

    test('is not asked for a version whose jars are not pinned', () => {
      expect(() => strimziRelease('0.45.0', jdk, java.base)).toThrow(
        'the jars of Strimzi 0.45.0 are not pinned; use one of 0.49.1, 0.50.1, 0.51.0, 1.2.0',
      );
    });
  });
});

describe('strimzi definitions', () => {
  let java: FakeJava;
  let answers: string;
  let folder: string;

  beforeEach(() => {
    java = new FakeJava();
    answers = join(java.base, 'answers');
    folder = join(java.base, 'definitions');
    fs.mkdirSync(answers);
  });

  afterEach(() => java.remove());

  /** A Java whose generator copies the definitions of a version, a file each, and records its arguments. */
  function generator(version: StrimziVersion, then = ''): string {
    const program = join(java.base, 'java');
    const files = Object.fromEntries(DEFINITIONS.map(({ name, file }) => [name, basename(file)]));
    for (const definition of definitions(version)) {
      fs.writeFileSync(join(answers, files[definition.metadata.name]), stringify(definition));
    }
    const script = `#!/bin/sh
PATH=/usr/bin:/bin
echo "$*" >> '${join(java.base, 'calls')}'
${then}
for each; do
  case "$each" in *=*.yaml) cp '${answers}'/"$(basename "\${each#*=}")" "\${each#*=}" ;; esac
done
`;
    fs.writeFileSync(program, script, { mode: 0o755 });
    return program;
  }

  const made = (version: string, then?: string) =>
    madeDefinitions(version, generator(StrimziVersion.of(version), then), ['generator.jar', 'api.jar'], folder);

  describe.each(['1.1.0', '0.49.0'])('the definitions of %s', (version) => {
    test('are joined as the file of the release has them, in the order of their own files', () => {
      const text = made(version);
      const objects = parseAllDocuments(text).map((each) => each.toJS());
      expect(objects).toEqual([...definitions(StrimziVersion.of(version)), null]);
      expect(text).toMatch(/^apiVersion: [\s\S]*\n\n---\n$/);
    });
  });

  test('each set of arguments has all kinds', () => {
    for (const { kinds } of STRIMZI_KINDS) {
      const files = kinds.flatMap((each) => Object.values(each.files)).sort();
      const expected = DEFINITIONS.filter(({ until }) => !until).map(({ file }) => basename(file));
      expect(files).toEqual(expected.sort());
    }
  });
});

describe('real rules', () => {
  function ignored(): string[] {
    let patterns: string[] = [];
    jest.isolateModules(() => {
      patterns = require('../real/jest.config').testPathIgnorePatterns;
    });
    return patterns;
  }

  const isIgnored = (file: string) => ignored().some((pattern) => RegExp(pattern).test(`/test/cluster/${file}`));

  afterEach(() => {
    process.env.REAL_RULES_LEFT_OUT = '';
  });

  test('the count through rules in the kernel is left out with a reason', () => {
    const { env, leftOut } = realRules('test:cluster', 'nft, of nftables');
    expect(leftOut).toBe(
      'test:cluster left out the count of connections through rules in the kernel, which needs nft, of nftables',
    );
    expect(env).toEqual({ REAL_RULES_LEFT_OUT: leftOut });
    process.env.REAL_RULES_LEFT_OUT = leftOut;
    expect(isIgnored('real-rules.test.ts')).toBe(true);
    expect(isIgnored('kube-proxy-shares.test.ts')).toBe(false);
  });

  test('it is not left out where nothing is missing', () => {
    // what is missing on this machine is not asked here: undefined is a default
    jest.isolateModules(() => {
      jest.doMock('../cluster/rules/network', () => ({ lackOfRealRules: () => undefined }));
      const { realRules: here } = require('../../scripts/suites/real-rules');
      expect(here('test:cluster')).toEqual({ env: {} });
    });
    expect(isIgnored('real-rules.test.ts')).toBe(false);
  });
});
