import type { DiffJson } from '../../../src/checks/diff/diff-report';
import { CONTEXT, Folder, service } from './repository';

const KAFKA = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: events, namespace: kafka }
spec:
  kafka:
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        configuration:
          class: service.k8s.aws/nlb
          finalizers: [service.k8s.aws/resources]
`;
const POOL = `apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata:
  name: brokers
  namespace: kafka
  labels: { strimzi.io/cluster: events }
  annotations: { strimzi.io/next-node-ids: '[0-2]' }
spec: { replicas: 3, roles: [broker] }
`;
const WEB = service('web');
const ALL = { 'kafka.yaml': `${KAFKA}---\n${POOL}`, 'web.yaml': WEB };
const FORMATS: readonly string[] = ['text', 'json', 'markdown'];

function changed(files: Readonly<Record<string, string | undefined>>): Folder {
  const texts: Readonly<Record<string, string | undefined>> = { ...ALL, ...files };
  return new Folder({
    'load-balancers.yaml': `${CONTEXT}region: eu-west-1\n`,
    ...Object.fromEntries(Object.entries(ALL).map(([name, text]) => [`old/${name}`, text])),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[`new/${name}`, text]])),
    ),
  });
}

function moneyIn(folder: Folder, ...args: readonly string[]): DiffJson['money'] {
  return folder.json('old', 'new', ...args).money;
}

const [WHOLE, KAFKA_ALONE, WEB_ALONE, WITH_BOOTSTRAP] = ['USD 91.98', 'USD 73.58', 'USD 18.40', 'USD 36.79'];

test('what is kept keeps its price', () => {
  const folder = changed({ 'web.yaml': undefined });
  expect(folder.outcomes('old', 'new', '--no-prune')['edge/web']).toBe('kept');
  expect(moneyIn(folder, '--no-prune')).toMatchObject({ text: 'no difference', isKnown: true, unknown: [] });
  expect(moneyIn(folder, '--prune')).toMatchObject({
    text: `${WHOLE} -> ${KAFKA_ALONE}: - 0.0252 × 730 h`,
    isKnown: true,
    unknown: [],
  });
});

test('what goes on as it was made keeps its price', () => {
  const folder = changed({ 'web.yaml': WEB.replace(/ {2}annotations:\n.*\n/, '') }).write({
    'old/web.yaml': service('web', { scheme: 'internet-facing' }),
  });
  expect(folder.outcomes('old', 'new')['edge/web']).toBe('kept');
  expect(moneyIn(folder)?.text).toBe('no difference');
});

test('what is refused keeps its price', () => {
  const folder = changed({ 'kafka.yaml': ALL['kafka.yaml'].replace('service.k8s.aws/nlb', 'example.com/other') });
  expect(folder.json('old', 'new').summary).toMatchObject({ refused: 4, kept: 1 });
  expect(moneyIn(folder)).toMatchObject({ text: 'no difference', isKnown: true, unknown: [] });
});

test('what is refused keeps its price beside what is gone', () => {
  const folder = changed({
    'kafka.yaml': ALL['kafka.yaml'].replace('service.k8s.aws/nlb', 'example.com/other'),
    'web.yaml': undefined,
  });
  expect(moneyIn(folder)?.text).toBe(`${WHOLE} -> ${KAFKA_ALONE}: - 0.0252 × 730 h; without prune USD 18.40 more`);
});

describe('what is unknown is not nothing', () => {
  test('on the newer side', () => {
    const folder = changed({ 'kafka.yaml': KAFKA });
    expect(folder.json('old', 'new').summary).toMatchObject({ interrupted: 1, unknown: 3, kept: 1 });
    expect(moneyIn(folder)).toMatchObject({
      text: `${WHOLE} -> at least ${WITH_BOOTSTRAP}`,
      isKnown: false,
      unknown: ['3 balancers of new not counted, for what becomes of them is unknown'],
    });
  });

  test('on the older side', () => {
    const { money } = changed({ 'kafka.yaml': KAFKA }).json('new', 'old');
    expect(money).toMatchObject({ text: `at least ${WITH_BOOTSTRAP} -> ${WHOLE}`, isKnown: false });
  });

  test.each(FORMATS)('where a side cannot be read at all, as %s', (format) => {
    const { out } = changed({}).diff(['old', 'nope', '--format', format]);
    const shown = format === 'json' ? JSON.parse(out).money.text : out.replaceAll('-&#62;', '->');
    expect(shown).toContain(`${WHOLE} -> not known`);
    expect(shown).not.toMatch(/-> (USD )?0\.00/);
  });

  test('with the terms of what is known beside it', () => {
    const folder = changed({ 'kafka.yaml': KAFKA, 'more.yaml': service('more') });
    expect(moneyIn(folder)?.text).toBe(`${WHOLE} -> at least USD 55.19: + 0.0252 × 730 h`);
  });
});

test('what can stay behind may be billed all the same', () => {
  const [before] = ALL['kafka.yaml'].split('        configuration:');
  const folder = changed({ 'kafka.yaml': `${before.replace('type: loadbalancer', 'type: nodeport')}---\n${POOL}` });
  expect(folder.json('old', 'new').summary).toMatchObject({ orphaned: 4, kept: 1 });
  expect(moneyIn(folder)).toMatchObject({
    text: `${WHOLE} -> at least ${WEB_ALONE}`,
    isKnown: false,
    unknown: ['for how long 4 balancers that can stay behind will be billed'],
  });
});

test('what the context file says of zones, as a gap asks for it, closes the gap', () => {
  const open = { 'web.yaml': service('web', { scheme: 'internet-facing' }) };
  const folder = changed(open);
  expect(moneyIn(folder)?.unknown.join()).toContain('give zones as budget.zones in load-balancers.yaml');
  folder.write({ 'load-balancers.yaml': `${CONTEXT}region: eu-west-1\nbudget: { zones: 3 }\n` });
  expect(moneyIn(folder)).toMatchObject({ isKnown: true, unknown: [] });
});
