import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../src';
import { run } from '../support/command';
import { MutantFiles } from '../support/fuzz/mutant-files';
import { strangeWords } from '../support/fuzz/said';
import { seeds } from '../support/fuzz/seeds';
import { tries } from '../support/random';
import { sources } from '../support/sources';

// Every command survives any value at any field that it reads: no stack trace, no words of JavaScript, no hang, and the exit codes
// that the docs have. `npm run fuzz` runs the same on as many mutants as one likes.

const MUTANTS = tries(60);
const first = Number(process.env.FUZZ_SEED ?? 1);

test(`all commands on mutants ${first} to ${first + MUTANTS - 1}`, () => {
  const files = new MutantFiles(seeds());
  const bad = Array.from({ length: MUTANTS }, (_, i) => files.run(first + i)).flatMap(({ seed, change, misdeeds }) =>
    misdeeds.map(({ args, kind, what }) => `${seed} ${change}: ${args.join(' ')}: ${kind} ${what}`),
  );
  expect(bad).toEqual([]);
});

test('no expression looks for the end of a long text from each place in it', () => {
  const slow = /[^\w)\]\\]\/\(?(?:\\[dwsDWS]|\[[^\]\n]+\])[+*]\)?\$\//;
  expect(slow.test('x(/\\d+$/)')).toBe(true);
  expect(sources.filter(({ file }) => slow.test(file.text)).map(({ path }) => path)).toEqual([]);
});

test.each([
  ['TypeError: x', true],
  ['[object Object]', true],
  ['expression: "[object.spec.type]"', false],
  ['in namespace undefined,', true],
  ['port 80 of Service a/b is that of Service a/b', true],
  ['port 80 of Service a/b is that of Service a/c', false],
  ['at undefined-field', true],
  ['an undefinedness', false],
  ['Service null/echo has no class', true],
  ['Service a/null has no class', true],
  ['Service a/null-object is null', false],
])('%s: %s', (text, isStrange) => {
  expect(strangeWords(text) !== undefined).toBe(isStrange);
});

describe('one bad object', () => {
  const folder = mkdtempSync(join(tmpdir(), 'odd-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (text: string) => {
    const path = join(folder, 'a.yaml');
    writeFileSync(path, text);
    return path;
  };
  const service = (metadata: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: ${metadata}\nspec: { type: LoadBalancer, selector: { a: b }, ports: [{ port: 99999 }] }\n`;

  test.each(['{ name: { toString: x }, namespace: a }', '{ name: a, namespace: { valueOf: x } }', '[{ toJSON: x }]'])(
    'with metadata %s has an error of its own, and the report on others stays',
    (metadata) => {
      const { out, code } = run(
        'check',
        '--format',
        'json',
        file(`${service(metadata)}---\n${service('{ name: good }')}`),
      );
      const { findings } = JSON.parse(out) as { findings: { ruleId: string; object: { name: string } }[] };
      expect(code).toBe(1);
      expect(findings.map(({ ruleId }) => ruleId)).toEqual(expect.arrayContaining(['field-type', 'service-ports']));
      expect(findings.map(({ object }) => object.name)).toContain('good');
    },
  );

  test('a Gateway whose listeners have no ports is told without words of JavaScript', () => {
    const path = file(
      'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { name: a, namespace: a }\nspec: { gatewayClassName: c, listeners: [{ name: a }, { name: b }] }\n',
    );
    expect(strangeWords(run('check', path).out)).toBeUndefined();
  });

  test('a long text where a map belongs takes no time', () => {
    const annotations = 'ab-/.'.repeat(20_000);
    const path = file(
      `apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: { name: k, namespace: x, annotations: ${annotations} }\nspec: { kafka: { version: 4.1.0, listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true }] } }\n`,
    );
    const begin = process.cpuUsage();
    expect(run('check', path).out).toContain('field-type');
    expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
  });

  test('with more replicas than any cluster has says how many balancers are listed', () => {
    const text = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: k, namespace: x }
spec: { kafka: { version: 4.1.0, listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true }] } }
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: b, namespace: x, labels: { strimzi.io/cluster: k } }
spec: { replicas: 2000000000, roles: [broker, controller], storage: { type: ephemeral } }
`;
    expect(run('list', file(text)).error).toContain(
      "4 of 2,000,000,001 load balancers of listener 'external' are listed: KafkaNodePool b has replicas 2,000,000,000",
    );
  });
});

test('a pipe that is closed ends a command without a word', () => {
  const root = join(__dirname, '..', '..');
  const script = "require('./src/checks/main').main(['node', 'x', 'list', 'test/goldens'])";
  const tsx = `node -r tsx/cjs -e "${script}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${tsx} | head -1; exit \${PIPESTATUS[0]}`], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.scripts.json' },
  });
  expect([stderr, stdout.split('\n').length]).toEqual(['', 2]);
  expect([0, 1]).toContain(status);
});
