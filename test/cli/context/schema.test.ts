import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { contextSchema } from '../../../scripts/docs/context-schema';
import type { CheckedObject, CheckFinding, UnknownAnswer } from '../../../src/cli/check-report';
import { accept } from '../../../src/cli/context/check-context';
import { CONTEXT_FIELDS } from '../../../src/cli/context/context-fields.facts';
import { readContext } from '../../../src/cli/context/context-file';
import { SCHEMA_FILE } from '../../../src/cli/sources/init';
import { readKubernetesYaml } from '../../../src/contract/kubernetes-yaml';
import { VENDOR_MARKS } from '../../../src/controllers/vendors/marks.facts';
import { knownKinds } from '../../../src/rules/known-kinds';
import { ruleIds } from '../../../src/rules/rule-set';
import { casesIn } from '../../support/yaml-cases';

const validate = new Ajv({ strict: true, allErrors: true }).compile(contextSchema(ruleIds()));

function taken(text: string) {
  const [document] = readKubernetesYaml(text).values;
  return { reader: readContext('load-balancers.yaml', text).mistakes.length === 0, schema: validate(document.value) };
}

const ACCEPTED = 'accepted: [{ rule: annotation-unknown, reason: x';

describe('the schema and the reader', () => {
  it.each([
    '{}',
    "kubernetes: '1.36'",
    'kubernetes: 1.36',
    'kubernetes: v1.36.2',
    'strimzi: 0.45.0',
    'region: eu-west-1',
    'exclude: []',
    "exclude: [dist, '**/testdata/**']",
    'controllers: []',
    `controllers: [${knownKinds().map(({ name }) => name)}]`,
    `controllers: [${knownKinds().map(({ name }) => `{ name: ${name} }`)}]`,
    'controllers: [gke, { name: aws-load-balancer-controller, version: 3.5.0, serviceMutatorWebhook: false, loadBalancerClass: acme.io/nlb }]',
    "controllers: [{ name: cloud-provider-aws, version: '1.37', nlbSecurityGroups: true }]",
    ...['standard', 'multipleStandard', 'basic'].map(
      (sku) => `controllers: [{ name: cloud-provider-azure, sku: ${sku} }]`,
    ),
    ...['class', 'legacy', 'legacy-class'].map(
      (generation) => `controllers: [{ name: gke, generation: ${generation} }]`,
    ),
    'controllers: [{ name: metallb, mode: bgp, namespace: edge, loadBalancerClass: metallb, version: 0.16.2 }]',
    `controllers: [${VENDOR_MARKS.map(({ id }) => id)}]`,
    'controllers: [{ name: traefik }, { name: traefik, classes: [example.com/a] }]',
    'controllers: [{ name: cilium, classes: [io.cilium/node] }]',
    'nodePools: {}',
    'nodePools: { a: { labels: { pool: a }, taints: [a=b:NoSchedule, c:NoExecute], zones: [x] } }',
    'accepted: []',
    `${ACCEPTED} }]`,
    `${ACCEPTED}, object: edge/echo, until: 2027-06-30 }]`,
    `${ACCEPTED}, object: Kafka kafka/events }]`,
    'accepted: [{ outcome: replaced, object: edge/echo, reason: x }]',
    'accepted: [{ outcome: handed over, object: Kafka kafka/events, reason: x, until: 2027-06-30 }]',
  ])('both take %s', (text) => expect(taken(text)).toEqual({ reader: true, schema: true }));

  it.each<string>(casesIn(__dirname, 'schema.yaml')['neither takes'])('neither takes %s', (text) =>
    expect(taken(text)).toEqual({ reader: false, schema: false }),
  );
});

it('the package has the schema where the first line of a new file names it', () => {
  const file = SCHEMA_FILE.split('/').slice(2).join('/');
  const root = join(__dirname, '..', '..', '..');
  expect(existsSync(join(root, file))).toBe(true);
  expect(JSON.parse(readFileSync(join(root, file), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(contextSchema(ruleIds()))),
  );
  const ignored = readFileSync(join(root, '.npmignore'), 'utf8').split('\n');
  expect(ignored.filter((line) => line.includes('schema') || line === '*.json')).toEqual([]);
});

it.each(Object.entries(CONTEXT_FIELDS))('the example of %s is taken', (key, { example, says }) => {
  expect(taken(`${key}: ${example}`)).toEqual({ reader: true, schema: true });
  expect(says).toMatch(/^[a-z].*[^.]$/);
});

const FILE = 'load-balancers.yaml';
const ECHO: CheckedObject = { apiVersion: 'v1', kind: 'Service', namespace: 'edge', name: 'echo' };
const EVENTS: CheckedObject = { apiVersion: 'kafka.strimzi.io/v1', kind: 'Kafka', namespace: 'kafka', name: 'events' };

function finding(ruleId: string, object: CheckedObject): CheckFinding {
  const place = { file: 'k8s/all.yaml', line: 3, column: 5 };
  return { ruleId, object, place, pointer: '', level: 'error', who: 'us', what: 'it is wrong', remedy: 'mend it' };
}

function acceptedIn(...entries: string[]) {
  const { context, mistakes } = readContext(
    FILE,
    `accepted:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`,
  );
  expect(mistakes).toEqual([]);
  return context as NonNullable<typeof context>;
}

const RULE = 'annotation-unknown';
const OTHER = 'annotation-deprecated';

describe('what an entry accepts', () => {
  it.each<[string, CheckedObject, boolean]>([
    ['', ECHO, true],
    [', object: edge/echo', ECHO, true],
    [', object: Service edge/echo', ECHO, true],
    [', object: Gateway edge/echo', ECHO, false],
    [', object: echo', ECHO, false],
    [', object: edge/other', ECHO, false],
    [', object: echo', { ...ECHO, namespace: undefined }, true],
    [', object: kafka/events', EVENTS, true],
    [', object: Kafka kafka/events', { ...ECHO, madeBy: "Kafka kafka/events, listener 'external'" }, true],
    [', object: kafka/events', { ...ECHO, madeBy: "Kafka kafka/events, listener 'external'" }, true],
    [', object: kafka/other', { ...ECHO, madeBy: "Kafka kafka/events, listener 'external'" }, false],
  ])('entry %j at %j: %s', (object, found, isAccepted) => {
    const { findings, notes } = accept(
      [finding(RULE, found), finding(OTHER, found)],
      acceptedIn(`rule: ${RULE}, reason: so be it${object}`),
    );
    expect(findings.map(({ accepted }) => accepted)).toEqual([
      isAccepted ? { reason: 'so be it' } : undefined,
      undefined,
    ]);
    expect(notes).toHaveLength(isAccepted ? 0 : 1);
  });
});

describe('the last day', () => {
  const context = acceptedIn(`rule: ${RULE}, object: edge/echo, reason: so be it, until: 2027-06-30`);
  it.each<[string | undefined, boolean]>(casesIn(__dirname, 'schema.yaml')['on accepts'])(
    'on %s accepts %s',
    (today, isAccepted) => {
      const { findings, notes } = accept([finding(RULE, ECHO)], context, today);
      expect(findings).toEqual([
        isAccepted
          ? { ...finding(RULE, ECHO), accepted: { reason: 'so be it', until: '2027-06-30' } }
          : { ...finding(RULE, ECHO), remedy: `mend it; it was accepted until 2027-06-30 (${FILE}:2: so be it)` },
      ]);
      expect(notes).toEqual([]);
    },
  );

  it('does not matter where another entry accepts the same', () => {
    const both = acceptedIn(`rule: ${RULE}, reason: old, until: 2026-01-01`, `rule: ${RULE}, reason: new`);
    expect(accept([finding(RULE, ECHO)], both, '2026-11-22').findings[0].accepted).toEqual({ reason: 'new' });
  });
});

describe('an entry that no finding fits', () => {
  const context = acceptedIn(`rule: ${RULE}, object: edge/echo, reason: x`, `rule: ${OTHER}, reason: x`);
  const unknown: UnknownAnswer = {
    ruleId: OTHER,
    object: ECHO,
    place: { file: 'a', line: 1, column: 1 },
    needs: ['controllers'],
  };

  it('is told with its place', () => {
    expect(accept([], context).notes).toEqual([
      `${FILE}:2:5: ${RULE} at edge/echo is accepted and no longer found; remove the entry`,
      `${FILE}:3:5: ${OTHER} is accepted and no longer found; remove the entry`,
    ]);
  });

  it('is not told where the rule has no answer', () => {
    expect(accept([finding(RULE, ECHO)], context, undefined, [unknown]).notes).toEqual([]);
  });
});
