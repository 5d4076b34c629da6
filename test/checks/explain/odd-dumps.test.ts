import { checkObjects } from '../../../src/checks/check';
import { NO_CONTEXT } from '../../../src/checks/context/check-context';
import { subjectsNamed } from '../../../src/checks/explain/explain';
import { explainMaker, explainService, makerText, serviceText } from '../../../src/checks/explain/explained-service';
import { isMap, type Json, printableMaps } from '../../../src/contract/json';

// A dump may hold anything anywhere: whatever is in one place of it, the rest is explained.

const DUMP: readonly Json[] = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'echo',
      namespace: 'shop',
      uid: '1',
      deletionTimestamp: '2026-11-22T09:00:00Z',
      creationTimestamp: '2026-11-22T08:00:00Z',
      annotations: { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' },
      finalizers: ['service.k8s.aws/resources', 'foregroundDeletion'],
      managedFields: [
        { manager: 'helm', operation: 'Update', time: '2026', fieldsV1: { 'f:spec': { 'f:loadBalancerClass': {} } } },
      ],
    },
    spec: {
      type: 'LoadBalancer',
      loadBalancerClass: 'service.k8s.aws/nlb',
      ports: [{ port: 80 }],
      selector: { app: 'echo' },
    },
    status: {
      loadBalancer: { ingress: [{ hostname: 'a.example.com' }] },
      conditions: [{ type: 'AnError', status: 'True' }],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'shop' },
    involvedObject: { kind: 'Service', name: 'echo', namespace: 'shop', uid: '1' },
    series: { lastObservedTime: '2026-11-22T10:00:00Z' },
    type: 'Warning',
    reason: 'FailedDeployModel',
    message: 'AccessDenied',
  },
  {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events', namespace: 'kafka', uid: '2' },
    spec: {
      kafka: {
        listeners: [
          {
            name: 'outside',
            port: 9094,
            type: 'loadbalancer',
            tls: true,
            configuration: { class: 'service.k8s.aws/nlb' },
          },
        ],
      },
    },
    status: { conditions: [{ type: 'NotReady', status: 'True', reason: 'X', message: 'exceeded quota: x' }] },
  },
  {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name: 'brokers', namespace: 'kafka', labels: { 'strimzi.io/cluster': 'events' } },
    spec: { replicas: 2, roles: ['broker', 'controller'], storage: { type: 'ephemeral' } },
  },
];

const ODD: readonly unknown[] = [null, 7, '\u001b[31m\u202e', [null], {}, { toString: 7 }];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  const below = Array.isArray(value)
    ? value.flatMap((one, i) => pathsOf(one, [...path, i]))
    : isMap(value)
      ? Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))
      : [];
  return path.length === 0 ? below : [path, ...below];
}

function withValue(value: unknown, [step, ...rest]: Path, odd: unknown): unknown {
  if (step === undefined) {
    return odd;
  }
  return Array.isArray(value)
    ? value.map((one, i) => (i === step ? withValue(one, rest, odd) : one))
    : { ...(value as Json), [step]: withValue((value as Json)[step], rest, odd) };
}

function explainAll(objects: readonly Json[]): string {
  const manifests = objects.map((object, i) => ({ file: 'dump.yaml', line: i + 1, object: printableMaps(object) }));
  const checked = checkObjects({ manifests, unreadable: [], strange: [] }, NO_CONTEXT);
  return ['shop/echo', 'echo', 'Kafka kafka/events', 'events', 'kafka/events-brokers-outside-1']
    .flatMap((words) => subjectsNamed(words, manifests, checked.later.services))
    .map((subject) =>
      'service' in subject
        ? serviceText(explainService(subject.service, checked))
        : makerText(explainMaker(subject.maker, subject.services, checked)),
    )
    .join('\n');
}

test('the dump itself is explained', () => {
  expect(explainAll(DUMP)).toMatch(
    /Service shop\/echo[\s\S]*Terminating since[\s\S]*Kafka kafka\/events[\s\S]*events-brokers-outside-1/,
  );
});

const places = DUMP.flatMap((_, i) => pathsOf(DUMP[i]).map((path) => [i, ...path] as const)).filter(
  // a reader of files leaves out what has none
  ([, first]) => first !== 'apiVersion' && first !== 'kind',
);

test.each(places.map((path) => [path.join('.'), path] as const))('with anything at %s', (_, path) => {
  for (const odd of ODD) {
    const text = explainAll(withValue(DUMP, path, odd) as Json[]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|\[object Object\]|undefined/);
  }
});
