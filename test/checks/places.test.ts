import { stringify } from 'yaml';
import type { StrimziVersion } from '../../src';
import { isMap, type Json } from '../../src/contract/json';
import { DOCUMENT_MISTAKES, kafka } from '../kafka/document-mistakes';
import { LISTENER_MISTAKES } from '../kafka/listener-mistakes';
import { checked } from './checked';

// A finding leads to the field that is wrong: each of these objects differs from one that is right by one field, and what is found
// in it is at that field, around it or inside it.

interface Pair {
  readonly right: Json;
  readonly wrong: Json;
  readonly strimzi?: StrimziVersion;
}

const RIGHT_LISTENER = {
  name: 'external',
  port: 9094,
  type: 'loadbalancer',
  tls: true,
  authentication: { type: 'tls' },
};
const kafkaWith = (listener: Json, document: Json = {}) => kafka({ listeners: [listener] }, document);
const PAIRS: Readonly<Record<string, readonly Pair[]>> = {
  Kafka: [
    ...LISTENER_MISTAKES.map(([changes, , strimzi]) => ({
      right: kafkaWith(RIGHT_LISTENER),
      wrong: kafkaWith({ ...RIGHT_LISTENER, ...changes }),
      strimzi,
    })),
    ...DOCUMENT_MISTAKES.map(([wrong, , strimzi]) => ({ right: kafka(), wrong, strimzi })),
  ],
};

function changed(right: unknown, wrong: unknown, path = ''): string | undefined {
  if (isMap(right) && isMap(wrong)) {
    const keys = [...new Set([...Object.keys(right), ...Object.keys(wrong)])];
    const other = keys.filter((key) => JSON.stringify(right[key]) !== JSON.stringify(wrong[key]));
    const [key] = other;
    return other.length === 1
      ? changed(right[key], wrong[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      : undefined;
  }
  if (Array.isArray(right) && Array.isArray(wrong) && right.length === wrong.length) {
    const other = [...right.keys()].filter((i) => JSON.stringify(right[i]) !== JSON.stringify(wrong[i]));
    return other.length === 1 ? changed(right[other[0]], wrong[other[0]], `${path}/${other[0]}`) : undefined;
  }
  // what a new map alone holds is the field
  if (right === undefined && isMap(wrong) && Object.keys(wrong).length === 1) {
    const [key] = Object.keys(wrong);
    return changed(undefined, wrong[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
  return path === '' ? undefined : path;
}

function isAtOrAround(pointer: string, field: string): boolean {
  return pointer !== '' && (`${field}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${field}/`));
}

interface Placed {
  readonly row: string;
  readonly isRight: boolean;
}

function placedIn(kind: string): Placed[] {
  return PAIRS[kind].flatMap(({ right, wrong, strimzi }) => {
    const field = changed(right, wrong);
    if (field === undefined) {
      return [];
    }
    const context = { strimzi };
    const known = new Set(checked(stringify(right), context).findings.map(({ ruleId }) => ruleId));
    const { findings } = checked(stringify(wrong), context);
    return findings
      .filter(({ ruleId }) => !known.has(ruleId))
      .map(({ ruleId, pointer = '', what }) => ({
        row: `${field}: [${ruleId}] at ${pointer || 'nothing'}: ${what}`,
        isRight: isAtOrAround(pointer, field),
      }));
  });
}

const AT_LEAST = 0.95;

test.each(Object.keys(PAIRS))('what is found in a %s leads to the field that is wrong', (kind) => {
  const placed = placedIn(kind);
  const wrong = placed.filter(({ isRight }) => !isRight).map(({ row }) => row);
  const share = 1 - wrong.length / placed.length;
  process.stdout.write(`${kind}: ${placed.length - wrong.length} of ${placed.length} findings at their field\n`);
  expect(placed.length).toBeGreaterThan(15);
  expect(share < AT_LEAST ? wrong : []).toEqual([]);
});

test.each<[rule: string, configuration: Json, pointer: string]>([
  ['listener-metadata-key', { bootstrap: { annotations: { 'a b': 'c' } } }, '/bootstrap/annotations/a b'],
  ['listener-metadata-key', { perBrokerLabelsTemplate: { a: 'b', c: 'd e' } }, '/perBrokerLabelsTemplate/c'],
  ['listener-finalizer-syntax', { finalizers: ['a.b/c', 'd'] }, '/finalizers/1'],
  ['listener-advertised-port', { brokers: [{ broker: 0, advertisedPort: 0 }] }, '/brokers/0/advertisedPort'],
  [
    'listener-node-port',
    { bootstrap: { nodePort: 32000 }, brokers: [{ broker: 0, nodePort: 32000 }] },
    '/brokers/0/nodePort',
  ],
  ['listener-source-range', { loadBalancerSourceRanges: ['192.0.2.0/24', 'all'] }, '/loadBalancerSourceRanges/1'],
  [
    'listener-bootstrap-unused',
    { createBootstrapService: false, bootstrap: { labels: { a: 'b' } } },
    '/bootstrap/labels',
  ],
  [
    'listener-template-replaced',
    { perBrokerLabelsTemplate: { a: 'b' }, brokers: [{ broker: 1, labels: { c: 'd' } }] },
    '/brokers/0/labels',
  ],
])('%s is found at its entry: %j', (rule, configuration, pointer) => {
  const { findings } = checked(stringify(kafkaWith({ ...RIGHT_LISTENER, configuration })));
  const places = findings.filter(({ ruleId }) => ruleId === rule).map((finding) => finding.pointer);
  expect(places).toEqual([`/spec/kafka/listeners/0/configuration${pointer}`]);
});
