import { JsonPatch } from 'cdk8s';
import {
  AwsLoadBalancerController,
  CustomController,
  KafkaLoadBalancedListener,
  type KafkaLoadBalancedListenerProps,
  LoadBalancerScheme,
  LoadBalancers,
  LoadBalancerWish,
  NlbTargetType,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, stderrOf, written } from '../support/apps';
import { brokersOf, events } from './cluster/events';
import { DNS, listen, metalLb, nlb, type Props, present, SCHEME, writtenListener } from './listeners';

const { V0_45, V1_0, V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const EIP = 'service.beta.kubernetes.io/aws-load-balancer-eip-allocations';
const CLASS = 'service.k8s.aws/nlb';

function made(props: Partial<KafkaLoadBalancedListenerProps> = {}, strimzi = V1_2) {
  const { chart, kafka } = events({ strimzi });
  brokersOf(kafka);
  const base = { kafka, name: 'external', port: 9094, controller: nlb(), scheme: INTERNAL };
  const authentication = { type: 'scram-sha-512' };
  new KafkaLoadBalancedListener(chart, 'External', { authentication, ...base, ...props });
  return { chart, kafka };
}

const configurationOf = (chart: Parameters<typeof writtenListener>[0]): Json => {
  let found: Json = {};
  stderrOf(() => {
    found = writtenListener(chart).configuration;
  });
  return found;
};

test.each([V0_45, V1_0, V1_2])('each Service gets its own elastic addresses: Strimzi %#', (strimzi) => {
  const scheme = LoadBalancerScheme.INTERNET_FACING;
  const eip = (i: number) => ({ [EIP]: `eipalloc-${i}` });
  const { chart } = made(
    {
      scheme,
      bootstrapAnnotations: eip(9),
      brokers: [0, 1, 2].map((brokerId) => ({ brokerId, annotations: eip(brokerId) })),
    },
    strimzi,
  );
  const { bootstrap, brokers } = configurationOf(chart);
  expect(bootstrap.annotations).toMatchObject({ ...eip(9), [SCHEME]: 'internet-facing' });
  expect(brokers).toEqual(
    [0, 1, 2].map((broker) => ({
      broker,
      annotations: expect.objectContaining({ ...eip(broker), [SCHEME]: 'internet-facing' }),
    })),
  );
});

test.each<[string, StrimziVersion, Props, Json[], Json]>([
  [
    'fields of brokers',
    V1_2,
    {
      controller: metalLb(),
      brokers: [
        { brokerId: 1, advertisedHost: 'one.example.com', advertisedPort: 9095, nodePort: 30001 },
        { brokerId: 2, loadBalancerIp: '10.0.0.2', labels: { own: 'yes' } },
      ],
    },
    [],
    {
      brokers: [
        { broker: 1, advertisedHost: 'one.example.com', advertisedPort: 9095, nodePort: 30001 },
        { broker: 2, loadBalancerIP: '10.0.0.2', labels: { own: 'yes' } },
      ],
    },
  ],
  [
    'fields of bootstrap',
    V1_2,
    {
      controller: metalLb(),
      bootstrapAnnotations: { a: 'b' },
      bootstrapLabels: { c: 'd' },
      bootstrapNodePort: 30000,
      bootstrapLoadBalancerIp: '10.0.0.1',
    },
    [],
    {
      bootstrap: {
        annotations: expect.objectContaining({ a: 'b' }),
        labels: { c: 'd' },
        nodePort: 30000,
        loadBalancerIP: '10.0.0.1',
      },
    },
  ],
  [
    'templates with those of the plan',
    V1_2,
    { perBrokerAnnotationsTemplate: { own: 'b-{nodeId}' }, perBrokerLabelsTemplate: { pod: '{nodePodName}' } },
    [],
    {
      perBrokerAnnotationsTemplate: expect.objectContaining({ own: 'b-{nodeId}', [SCHEME]: 'internal' }),
      perBrokerLabelsTemplate: { pod: '{nodePodName}' },
      brokers: undefined,
    },
  ],
  [
    'templates where the operator has none',
    V1_0,
    { perBrokerAnnotationsTemplate: { own: 'b-{nodeId}' }, perBrokerLabelsTemplate: { pod: '{nodePodName}' } },
    [],
    {
      perBrokerAnnotationsTemplate: undefined,
      brokers: [0, 1, 2].map((broker) => ({
        broker,
        annotations: expect.objectContaining({ own: `b-${broker}` }),
        labels: { pod: `events-brokers-${broker}` },
      })),
    },
  ],
  [
    'one broker beside the template',
    V1_2,
    {
      perBrokerAnnotationsTemplate: { own: 'all', more: 'yes' },
      brokers: [{ brokerId: 1, annotations: { own: 'one' } }],
    },
    [],
    {
      perBrokerAnnotationsTemplate: expect.objectContaining({ own: 'all', more: 'yes' }),
      brokers: [{ broker: 1, annotations: expect.objectContaining({ own: 'one', more: 'yes', [SCHEME]: 'internal' }) }],
    },
  ],
  [
    'the host of a broker goes before the template, in DNS as well',
    V1_2,
    {
      externalDns: true,
      advertisedHostTemplate: 'b{nodeId}.example.com',
      brokers: [{ brokerId: 1, advertisedHost: 'one.example.com' }],
    },
    [],
    {
      brokers: expect.arrayContaining([
        expect.objectContaining({
          broker: 1,
          advertisedHost: 'one.example.com',
          annotations: expect.objectContaining({ [DNS]: 'one.example.com' }),
        }),
        { broker: 2, annotations: expect.objectContaining({ [DNS]: 'b2.example.com' }) },
      ]),
    },
  ],
  [
    'an adopted listener, whose words stay',
    V1_2,
    { port: undefined, brokers: [{ brokerId: 1, annotations: { own: 'yes' }, nodePort: 30001 }] },
    [
      present({
        class: CLASS,
        brokers: [{ broker: 1, advertisedHost: 'one.example.com', nodePort: 30001 }],
        perBrokerAnnotationsTemplate: { theirs: '{nodeId}' },
      }),
    ],
    {
      perBrokerAnnotationsTemplate: expect.objectContaining({ theirs: '{nodeId}' }),
      brokers: [
        {
          broker: 1,
          advertisedHost: 'one.example.com',
          nodePort: 30001,
          annotations: expect.objectContaining({ own: 'yes', theirs: '1', [SCHEME]: 'internal' }),
        },
      ],
    },
  ],
  [
    'a key of the template that stands in the manifest, otherwise for one broker',
    V1_2,
    { port: undefined, brokers: [{ brokerId: 1, annotations: { theirs: 'mine' } }] },
    [present({ class: CLASS, perBrokerAnnotationsTemplate: { theirs: '{nodeId}', more: 'yes' } })],
    {
      brokers: [{ broker: 1, annotations: expect.objectContaining({ theirs: 'mine', more: 'yes' }) }],
    },
  ],
  [
    'members that are unset, as other languages hand them over',
    V1_2,
    {
      controller: metalLb(),
      brokers: [{ brokerId: 1, advertisedHost: undefined, annotations: undefined, loadBalancerIp: undefined }],
    },
    [],
    { brokers: undefined },
  ],
  [
    'the name that the plan has as well',
    V1_2,
    { dnsName: 'k.example.com', bootstrapAnnotations: { [DNS]: 'K.example.com.' } },
    [],
    { bootstrap: expect.objectContaining({ annotations: expect.objectContaining({ [DNS]: 'k.example.com' }) }) },
  ],
])('what the Services do not have in common is said by props: %s', (_, strimzi, props, listeners, expected) => {
  const { chart } = listen({ scheme: INTERNAL, ...props }, strimzi, listeners);
  const found = configurationOf(chart);
  expect(Object.fromEntries(Object.keys(expected).map((field) => [field, found[field]]))).toEqual(expected);
});

const custom = () =>
  CustomController.of({
    owner: 'acme',
    annotations: { a: 'plan' },
    labels: { l: 'plan' },
    answers: { [LoadBalancerWish.SCHEME]: 'a' },
  });

test.each<[string, Props, Json[], string]>([
  [
    'annotation of bootstrap',
    { bootstrapAnnotations: { a: 'own' } },
    [],
    "acme: listener 'external': the props set configuration.bootstrap.annotations a 'own', but the plan for acme sets 'plan'; take it out of the props, or request the same (props-contradict-plan)",
  ],
  ['label of bootstrap', { bootstrapLabels: { l: 'own' } }, [], "the props set configuration.bootstrap.labels l 'own'"],
  [
    'template',
    { perBrokerAnnotationsTemplate: { a: 'own' } },
    [],
    "the props set configuration.perBrokerAnnotationsTemplate a 'own', but the plan for acme sets 'plan'",
  ],
  [
    'template of labels',
    { perBrokerLabelsTemplate: { l: 'own-{nodeId}' } },
    [],
    "the props set configuration.perBrokerLabelsTemplate l 'own-{nodeId}'",
  ],
  [
    'broker',
    { brokers: [{ brokerId: 1, annotations: { a: 'own' } }] },
    [],
    "the props set configuration.brokers[broker 1].annotations a 'own', but the plan for acme sets 'plan'",
  ],
  [
    'name of a broker',
    {
      externalDns: true,
      advertisedHostTemplate: 'b{nodeId}.example.com',
      brokers: [{ brokerId: 1, annotations: { [DNS]: 'x.example.com' } }],
    },
    [],
    `the props set configuration.brokers[broker 1].annotations ${DNS} 'x.example.com', but the plan for acme sets 'b1.example.com'`,
  ],
  [
    'field of the manifest',
    { brokers: [{ brokerId: 1, nodePort: 30001 }] },
    [present({ brokers: [{ broker: 1, nodePort: 30002 }] })],
    'the manifest sets configuration.brokers[broker 1].nodePort 30002, but the props set 30001',
  ],
  [
    'annotation of the manifest',
    { brokers: [{ brokerId: 1, annotations: { b: 'own' } }] },
    [present({ brokers: [{ broker: 1, annotations: { b: 'theirs' } }] })],
    "the manifest sets configuration.brokers[broker 1].annotations b 'theirs', but the props set 'own'",
  ],
  [
    'annotation of bootstrap in the manifest',
    { bootstrapAnnotations: { b: 'own' } },
    [present({ bootstrap: { annotations: { b: 'theirs' } } })],
    "configuration.bootstrap.annotations b 'theirs', but the props set 'own'",
  ],
  [
    'bootstrap that is not made',
    { createBootstrapService: false, bootstrapAnnotations: { b: 'own' } },
    [],
    'bootstrap.annotations is set, and createBootstrapService is false',
  ],
  ['broker that is none', { brokers: [{ brokerId: 7, annotations: { b: 'own' } }] }, [], 'an entry for broker 7, and'],
  ['broker that is none, in a field', { brokers: [{ brokerId: 7, nodePort: 30007 }] }, [], 'an entry for broker 7'],
])('what the props say is never lost in silence: %s', (_, props, listeners, expected) => {
  const { chart } = listen({ controller: custom(), scheme: INTERNAL, ...props }, V1_2, listeners);
  const errors = errorsOf(chart);
  const warnings = LoadBalancers.of(chart).warnings.map(({ finding }) => finding.what);
  expect([...errors, ...warnings].filter((text) => text.includes(expected))).toHaveLength(1);
  expect(errors.length).toBeLessThanOrEqual(1);
});

test('two entries for one broker are one too many', () => {
  const brokers = [1, 2, 1].map((brokerId) => ({ brokerId }));
  expect(() => made({ brokers })).toThrow(
    "kafka/External: listener 'external' has several entries for broker 1 in brokers; make one entry of them",
  );
});

test('an empty list of peers would let everybody in', () => {
  expect(() => made({ networkPolicyPeers: [] })).toThrow(
    "kafka/External: listener 'external' cannot have an empty list of networkPolicyPeers, which opens it to every client; name the peers, or leave it out",
  );
});

test.each<[string, Props, string]>([
  [
    'fixed addresses',
    { staticAddresses: ['10.0.0.4'] },
    'leave them out, and give each Service its own by bootstrapAnnotations and annotations of each entry of brokers',
  ],
  [
    'hosts that nobody says',
    { externalDns: true, advertisedHostTemplate: undefined },
    'set advertisedHostTemplate, or advertisedHost in brokers',
  ],
])('errors name the props that are the way out: %s', (_, props, expected) => {
  const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
  expect(errorsOf(made({ controller, ...props }).chart).join('\n')).toContain(expected);
});

test('a patch of a listener of a construct names the props', () => {
  const { chart, kafka } = made();
  kafka.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/listeners/1/port', 9095));
  expect(() => written(chart, 'Kafka')).toThrow(
    /kafka\/Events\/Default.*; if a patch fails: patches run before the listeners of constructs \(external\) are added, so use their props/,
  );
});

test('a patch that fails without listeners of constructs says nothing of props', () => {
  const { chart, kafka } = events();
  brokersOf(kafka);
  kafka.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/listeners/7/port', 1));
  expect(() => written(chart, 'Kafka')).toThrow(/^Failed serializing construct (?!.*props).*$/);
});
