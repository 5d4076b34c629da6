import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { cachedFile } from '../../scripts/strimzi/pinned-file';
import { strimziRelease } from '../../scripts/strimzi/strimzi-crds';
import { copyArtifact } from '../../scripts/strimzi/toolchain';
import { FakeJava } from './fake-java';

const environment = process.env;
const CONTENT = 'what is in it';
const sha256 = createHash('sha256').update(CONTENT).digest('hex');
let java: FakeJava;

beforeEach(() => {
  java = new FakeJava();
  process.env = { ...environment, ...java.environment };
});

afterEach(() => {
  process.env = environment;
  java.remove();
});

const cache = () => join(java.caches, 'cdk8s-load-balancers');
let made = 0;

/** Has the file made somewhere else. */
function cached(content = CONTENT): string {
  return cachedFile({ family: 'thing', file: 'thing.jar', sha256 }, () => {
    made++;
    const file = join(java.base, 'made');
    fs.writeFileSync(file, content);
    return file;
  });
}

beforeEach(() => {
  made = 0;
});

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

test('a file that has not been used for 14 days goes when another version is asked for', () => {
  const file = cached();
  const ago = new Date(Date.now() - 15 * 24 * 60 * 60 * 1000);
  for (const each of [file, join(file, '..')]) fs.utimesSync(each, ago, ago);
  const other = createHash('sha256').update('other').digest('hex');
  cachedFile({ family: 'thing', file: 'thing.jar', sha256: other }, () => {
    fs.writeFileSync(join(java.base, 'other'), 'other');
    return join(java.base, 'other');
  });
  expect(fs.existsSync(file)).toBe(false);
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

  test.each<[string, string, string]>([
    [
      'without a network',
      '[ERROR] Could not transfer artifact example:thing:pom:1.0 from/to somewhere',
      ", since Maven could not download: check the network, or name a mirror in Maven's settings.xml",
    ],
    ['on a full disk', '[ERROR] write error: No space left on device', ', since the disk is full: make room'],
    ['for what is not there', '[ERROR] Could not find artifact example:thing:jar:1.0', ''],
  ])('that fails %s is quoted', (_, said, hint) => {
    java.installMaven(`echo '${said}'; echo '[INFO] nothing'; exit 1`);
    expect(() => copyArtifact(artifact, jdk, java.caches)).toThrow(
      new Error(`the download of example:thing:1.0 failed${hint}\n${said}`),
    );
  });

  test('is not asked for a version whose jars are not pinned', () => {
    expect(() => strimziRelease('0.45.0', jdk, java.base)).toThrow(
      'the jars of Strimzi 0.45.0 are not pinned; use one of 0.49.1, 0.50.1, 0.51.0, 1.2.0',
    );
  });
});
