import * as fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import type { Json } from '../../src/contract/json';
import { LISTENER } from '../gateway/gateway-mistakes';
import { kafka } from '../kafka/clusters';
import { service } from '../support/cases';
import { tries } from '../support/random';
import { casesIn } from '../support/yaml-cases';
import { checked } from './checked';

// Whatever a file holds, a check says what is wrong in words, at a place in the file, and in bounded time. The seed of each run is
// printed: FUZZ_SEED=… runs the same again, FUZZ_RUNS=… more of it.

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const RUNS = { seed, numRuns: Number(process.env.FUZZ_RUNS ?? tries(60)) };

beforeAll(() => process.stdout.write(`FUZZ_SEED=${seed}\n`));

const RIGHT: readonly Json[] = [
  service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }, { 'service.beta.kubernetes.io/aws-load-balancer-type': 'nlb' }),
  kafka(casesIn(__dirname, 'fuzz.yaml').kafka),
  {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name: 'nodes', labels: { 'strimzi.io/cluster': 'events' } },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'ephemeral' } },
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'edge' },
    spec: { gatewayClassName: 'acme', listeners: [LISTENER] },
  },
  {
    apiVersion: 'elbv2.k8s.aws/v1beta1',
    kind: 'TargetGroupBinding',
    metadata: { name: 'web', labels: { 'service.k8s.aws/stack-name': 'web' } },
    spec: { serviceRef: { name: 'web', port: 80 }, targetGroupARN: 'arn', networking: { ingress: [{ from: [] }] } },
  },
  ...['aws-load-balancer-controller', 'strimzi-cluster-operator', 'cloud-controller-manager'].map((name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'system' },
    spec: {
      selector: { matchLabels: { name } },
      template: {
        metadata: { labels: { name } },
        spec: {
          containers: [
            {
              name,
              image: `example.com/${name}:v3.5.0`,
              args: ['--cluster-name=a', '--feature-gates=A=true'],
              env: [{ name: 'STRIMZI_NAMESPACE', value: '*' }],
            },
          ],
        },
      },
    },
  })),
];

const TEXT = RIGHT.map((object) => stringify(object)).join('---\n');

const ODD: readonly unknown[] = casesIn(__dirname, 'fuzz.yaml').odd;

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...placesIn(inner, [...path, key])])
    : [];
}

function withOdd(object: Json, [key, ...rest]: readonly string[], odd: unknown): Json {
  const copy = (Array.isArray(object) ? [...object] : { ...object }) as Json;
  copy[key] = rest.length === 0 ? odd : withOdd(copy[key], rest, odd);
  return copy;
}

const SECONDS = 10;

function expectSentences(content: string | Uint8Array): void {
  const begin = Date.now();
  const { findings, unreadable, unknown, notes } = checked(content);
  expect(Date.now() - begin).toBeLessThan(SECONDS * 1000);
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
  // a carriage return ends a line by itself
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const { place } of [...findings, ...unreadable, ...unknown]) {
    expect(place.line).toBeGreaterThanOrEqual(1);
    expect(place.line).toBeLessThanOrEqual(lines);
    expect(place.column).toBeGreaterThanOrEqual(1);
  }
  const sentences = [...findings, ...unreadable].flatMap(({ what, remedy }) => [what, remedy]);
  for (const sentence of [...sentences, ...notes]) {
    expect(sentence).not.toBe('');
    expect(sentence).not.toMatch(/\bat .*\.[jt]s:\d+|TypeError|RangeError|Cannot read prop|\[object Object\]|\n/);
  }
}

test('the objects that are spoilt are right enough to be read', () => {
  expect(checked(TEXT).objects).toBe(RIGHT.length);
  expect(parseAllDocuments(TEXT)).toHaveLength(RIGHT.length);
});

test('random bytes', () => fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), expectSentences), RUNS));

test('random text of the letters of YAML', () => {
  const letter = fc.constantFrom(...'abk:-[]{}&*!|>%@`"\'#?, \n\t\r~0159.\u{feff}é'.split(''));
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 200 }), (letters) => expectSentences(letters.join(''))),
    RUNS,
  );
});

test('a file that ends anywhere', () => {
  fc.assert(
    fc.property(fc.nat({ max: TEXT.length }), (end) => expectSentences(TEXT.slice(0, end))),
    RUNS,
  );
});

test('a file in which some letters are others', () => {
  const change = fc.tuple(fc.nat({ max: TEXT.length - 1 }), fc.constantFrom(...' \n:-{}[]"\'&*#|>0aZ\t'.split('')));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) =>
      expectSentences(changes.reduce((text, [at, letter]) => text.slice(0, at) + letter + text.slice(at + 1), TEXT)),
    ),
    RUNS,
  );
});

test('lines that are gone, there twice, or elsewhere', () => {
  const lines = TEXT.split('\n');
  const at = fc.nat({ max: lines.length - 1 });
  fc.assert(
    fc.property(at, at, fc.constantFrom('drop', 'repeat', 'move'), (from, to, how) => {
      const others = lines.filter((_, i) => i !== from);
      const all = how === 'repeat' ? lines : others;
      expectSentences((how === 'drop' ? others : [...all.slice(0, to), lines[from], ...all.slice(to)]).join('\n'));
    }),
    RUNS,
  );
});

test('anything where a map, a list or a text should be', () => {
  const places = RIGHT.flatMap((object, i) => placesIn(object).map((path) => ({ i, path })));
  const spoil = fc.record({ place: fc.constantFrom(...places), odd: fc.constantFrom(...ODD) });
  fc.assert(
    fc.property(fc.array(spoil, { minLength: 1, maxLength: 2 }), fc.boolean(), (spoils, isWindows) => {
      const objects = RIGHT.map((object, i) =>
        spoils
          .filter(({ place }) => place.i === i)
          .slice(0, 1)
          .reduce((one, { place, odd }) => withOdd(one, place.path, odd), object),
      );
      const text = objects.map((object) => stringify(object)).join('---\n');
      expectSentences(isWindows ? `\u{feff}${text.replaceAll('\n', '\r\n')}` : text);
    }),
    { ...RUNS, numRuns: 2 * RUNS.numRuns },
  );
});

const LAUGHS = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghi'
    .split('')
    .map((name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[i]}`).join(', ')}]`),
].join('\n');

test.each<[string, string | Uint8Array]>([
  ['nothing', ''],
  ['a byte order mark alone', '\u{feff}'],
  ['document marks alone', '---\n---\n...\n---\n'],
  ['deep lists', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['deep lists that do not end', `a: ${'['.repeat(5_000)}`],
  ['deep maps', Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ['a deep annotation', TEXT.replace('type: LoadBalancer', `type: ${'{a: '.repeat(2_000)}1${'}'.repeat(2_000)}`)],
  ['aliases of aliases', `${LAUGHS}\nkind: Service\napiVersion: v1\nmetadata: { name: a }\nspec: { ports: *i }\n`],
  ['an anchor in itself', 'kind: Service\napiVersion: v1\nmetadata: &a { name: a, labels: *a }\n'],
  ['a merge of a list', 'a: &a [1]\nkind: Service\napiVersion: v1\n<<: *a\n'],
  ['a List of Lists', 'apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: List, items: [null, 1, {}] }]\n'],
  ['a List whose items are a map', 'apiVersion: v1\nkind: ServiceList\nitems: { a: 1 }\n'],
  ['a List in itself', 'apiVersion: v1\nkind: List\nitems: &a [*a]\n'],
  ['lone carriage returns', TEXT.replaceAll('\n', '\r')],
  ['null bytes', `${TEXT}\0`],
  ['UTF-16', Buffer.from(`\u{feff}${TEXT}`, 'utf16le')],
  [
    'keys of prototypes',
    'apiVersion: v1\nkind: Service\n__proto__: { a: 1 }\nconstructor: 1\nmetadata: { name: toString }\n',
  ],
  ['a kind of prototypes', 'apiVersion: constructor/v1\nkind: toString\nmetadata: { name: a }\n'],
  ['annotations of prototypes', stringify(service({}, { constructor: 'a', toString: 'b', 'a/__proto__': 'c' }))],
])('%s', (_, content) => expectSentences(content));
