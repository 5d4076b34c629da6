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
import { table } from '../support/yaml-cases';
import { brokersOf, events } from './cluster/events';
import { listen, nlb, type Props, SCHEME, writtenListener } from './listeners';

const { V0_45, V1_0, V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const EIP = 'service.beta.kubernetes.io/aws-load-balancer-eip-allocations';

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

test.each<[string, StrimziVersion, Props, Json[], Json]>(
  table('kafka/listener-props.yaml', 'what the Services do not have in'),
)('what the Services do not have in common is said by props: %s', (_, strimzi, props, listeners, expected) => {
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

test.each<[string, Props, Json[], string]>(table('kafka/listener-props.yaml', 'what the props say is never lost'))(
  'what the props say is never lost in silence: %s',
  (_, props, listeners, expected) => {
    const { chart } = listen({ controller: custom(), scheme: INTERNAL, ...props }, V1_2, listeners);
    const errors = errorsOf(chart);
    const warnings = LoadBalancers.of(chart).warnings.map(({ finding }) => finding.what);
    expect([...errors, ...warnings].filter((text) => text.includes(expected))).toHaveLength(1);
    expect(errors.length).toBeLessThanOrEqual(1);
  },
);

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
