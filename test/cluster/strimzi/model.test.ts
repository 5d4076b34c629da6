import type { Body, Ref } from '../../real/api';
import { isOfStrimzi, kafkaManifestFiles } from '../../real/objects';
import { count } from '../../real/program';
import { faultsByModel } from '../harness/strimzi';
import { RELEASES, releaseFor, strimziVersionOf } from '../models/strimzi';

// Every object of Strimzi's kinds that the Kafka room writes, read by the Java classes that the operator reads it with.

const files = kafkaManifestFiles().map((file) => ({ ...file, release: releaseFor(strimziVersionOf(file.name)) }));

const listener: Body = { name: 'external', port: 9094, type: 'loadbalancer', tls: true };
const document = (kind: string, spec: Body): Ref => ({
  apiVersion: 'kafka.strimzi.io/v1',
  kind,
  metadata: { name: 'events' },
  spec,
});
const kafka = (more: Body, beside: Body = {}) =>
  document('Kafka', { kafka: { listeners: [{ ...listener, ...more }], ...beside } });
const pool = (more: Body) =>
  document('KafkaNodePool', { replicas: 3, roles: ['broker'], storage: { type: 'ephemeral' }, ...more });
const LISTENER = '/spec/kafka/listeners/0';

/** Objects, and all that is told of them. */
const MISTAKES: [string, Ref, string[]][] = [
  ['nothing of what is right', kafka({}), []],
  ['nothing of what is empty', kafka({ configuration: { bootstrap: { labels: {} } } }), []],
  [
    'nothing of what is so by default',
    document('KafkaUser', {
      authorization: { type: 'simple', acls: [{ resource: { type: 'topic', name: 'a', patternType: 'literal' } }] },
    }),
    [],
  ],
  ['an unknown property of a listener', kafka({ lbClass: 'a' }), [`${LISTENER}/lbClass: unknown`]],
  [
    'one of an object whose class depends on its type',
    kafka({ authentication: { type: 'scram-sha-512', user: { name: 'a' } } }),
    [`${LISTENER}/authentication/user: unknown`],
  ],
  [
    'one of a class of Kubernetes',
    kafka({}, { template: { pod: { affinity: { nodeAffinity: { requires: [] } } } } }),
    ['/spec/kafka/template/pod/affinity/nodeAffinity/requires: unknown'],
  ],
  [
    'one in metadata and one in a pool',
    { ...pool({ replica: 3 }), metadata: { name: 'brokers', anotations: {} } },
    ['/metadata/anotations: unknown', '/spec/replica: unknown'],
  ],
  ['a type that does not exist', kafka({ type: 'balanced' }), [`${LISTENER}/type: wrote "balanced", found null`]],
  [
    'a policy in another case',
    kafka({ configuration: { externalTrafficPolicy: 'local' } }),
    [`${LISTENER}/configuration/externalTrafficPolicy: wrote "local", found "Local"`],
  ],
  [
    'a role that does not exist',
    pool({ roles: ['broker', 'observer'] }),
    ['/spec/roles/1: wrote "observer", found null'],
  ],
  ['a number as text', kafka({ port: '9094' }), [`${LISTENER}/port: wrote "9094", found 9094`]],
  ['listeners in a map', document('Kafka', { kafka: { listeners: { a: 1 } } }), [expect.stringContaining('ArrayList')]],
  [
    'a storage that does not exist',
    pool({ storage: { type: 'none', size: '1Gi' } }),
    ['/spec/storage: wrote {"type":"none","size":"1Gi"}, found null'],
  ],
];

describe.each(RELEASES)('the model of Strimzi %s', (release) => {
  const own = files
    .filter((file) => file.release === release)
    .flatMap(({ name, objects }) => objects.filter(isOfStrimzi).map((object) => ({ name, object })));
  let faults: string[][];

  // one process for all of them: the start is what takes its time
  beforeAll(() => {
    faults = faultsByModel(
      release,
      [...own, ...MISTAKES.map(([, object]) => ({ object }))].map(({ object }) => object),
    );
  });

  test('reads all that is written, and as it is written', () => {
    const told = own.map(({ name, object }, index) => [name, object.kind, faults[index]] as const);
    expect(told.filter(([, , all]) => all.length > 0)).toEqual([]);
    expect(own.length).toBeGreaterThan(0);
    count("objects read by Strimzi's own model", own.length);
  });

  test.each(MISTAKES.map(([what, , expected], index) => [what, expected, index] as const))(
    'tells %s',
    (_, expected, index) => {
      expect(faults[own.length + index]).toEqual(expected);
    },
  );
});
