import { KafkaLoadBalancedListener, LoadBalancerScheme, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { judgeDocument } from '../../src/kafka/rules/listener-rules';
import { LISTENER_DNS_RULES } from '../../src/kafka/rules/listener-service-rules';
import { errorsOf, stderrOf } from '../support/apps';
import { table } from '../support/yaml-cases';
import { brokersOf, events } from './cluster/events';
import { DNS, kafkaWith, listen, metalLb, type Props, present, writtenListener } from './clusters';

const { V1_0, V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;

/** A listener whose finished Services have names, or what is wrong with them. */
function named(props: Props, listeners: Json[] = [], strimzi = V1_2): { configuration: Json; errors: string[] } {
  const { chart } = listen({ scheme: INTERNAL, controller: metalLb(), ...props }, strimzi, listeners);
  let configuration: Json = {};
  let errors: string[] = [];
  stderrOf(() => {
    errors = errorsOf(chart);
    configuration = errors.length > 0 ? {} : writtenListener(chart).configuration;
  });
  return { configuration, errors };
}

const byNode = { externalDns: true, advertisedHostTemplate: 'b{nodeId}.example.com' };

test.each<[string, Props, Json[], string | undefined]>(
  table('kafka/listener-dns.yaml', 'external dns keeps the names of bootstrap'),
)('external-dns keeps the names of bootstrap: %s', (_, props, listeners, expected) => {
  const { configuration, errors } = named(props, listeners);
  expect(errors).toEqual([]);
  expect(configuration.bootstrap?.annotations?.[DNS]).toBe(expected);
});

test.each<[string, Props, Json]>([
  ['of a broker', byNode, { brokers: [{ broker: 1, annotations: { [DNS]: 'alias.example.com, b1.example.com' } }] }],
  [
    'of all brokers',
    byNode,
    { perBrokerAnnotationsTemplate: { [DNS]: 'b{nodeId}.example.com,c{nodeId}.example.com' } },
  ],
])('a manifest may say more names than the planned one: %s', (_, props, said) => {
  const { configuration, errors } = named(props, [present(said)]);
  expect(errors).toEqual([]);
  expect(configuration).toMatchObject(said);
});

test('props that say more names than the planned one contradict it, since they would be lost', () => {
  const bootstrapAnnotations = { [DNS]: 'a.example.com,b.example.com' };
  const { errors } = named({ dnsName: 'a.example.com', bootstrapAnnotations });
  expect(errors).toEqual([expect.stringContaining('(props-plan-conflict)')]);
});

test('another name is a contradiction', () => {
  const { errors } = named({ dnsName: 'a.example.com' }, [
    present({ bootstrap: { annotations: { [DNS]: 'aa.example.com,b.example.com' } } }),
  ]);
  expect(errors).toEqual([expect.stringContaining('(manifest-plan-conflict)')]);
});

const balanced = (name: string, port: number, configuration: Json): Json => ({
  name,
  port,
  type: 'loadbalancer',
  tls: true,
  authentication: { type: 'tls' },
  configuration,
});
const host = (value: string, more: Json = {}) => ({ annotations: { [DNS]: value, ...more } });

function told(listeners: Json[], more: Json = {}, brokerIds: number[] | undefined = [0, 1]): string[] {
  const context = { strimzi: V1_2, brokerIds, nodePoolOf: () => 'pool' };
  return judgeDocument(kafkaWith(listeners, V1_2, more), context)
    .errors.filter(({ ruleId }) => ruleId === 'listener-dns-name-conflict')
    .map(({ what, remedy }) => `${what}; ${remedy}`);
}

test('the rule has a name', () => {
  expect(LISTENER_DNS_RULES.filter(({ id }) => id === 'listener-dns-name-conflict')).toHaveLength(1);
});

test.each<[string, Json[], Json, string[]]>(table('kafka/listener-dns.yaml', 'every Service has a name of its'))(
  'every Service has a name of its own in DNS: %s',
  (_, listeners, more, expected) => {
    expect(told(listeners, more)).toEqual(expected.map((text) => expect.stringContaining(text)));
  },
);

test('brokers that nobody knows are judged as far as the listener names them', () => {
  const brokers = [{ broker: 4, ...host('k.example.com') }];
  const context = { strimzi: V1_0 };
  const judge = (configuration: Json) =>
    judgeDocument(kafkaWith([balanced('a', 9094, configuration)], V1_0), context).errors.map(({ ruleId }) => ruleId);
  expect(judge({ bootstrap: host('k.example.com'), brokers })).toContain('listener-dns-name-conflict');
  expect(judge({ brokers })).not.toContain('listener-dns-name-conflict');
});

test('a template counts where the operator reads it', () => {
  const perBrokerAnnotationsTemplate = { [DNS]: 'k.example.com' };
  const ids = (strimzi: StrimziVersion) =>
    judgeDocument(kafkaWith([balanced('a', 9094, { perBrokerAnnotationsTemplate })], strimzi), {
      strimzi,
      brokerIds: [0, 1],
    }).errors.map(({ ruleId }) => ruleId);
  expect(ids(V1_2)).toContain('listener-dns-name-conflict');
  expect(ids(V1_0)).not.toContain('listener-dns-name-conflict');
});

test('the template of a node pool replaces that of all brokers', () => {
  const template = { perPodService: { metadata: host('k.example.com') } };
  const judge = (hasOwnTemplate: (id: number) => boolean) =>
    judgeDocument(kafkaWith([balanced('a', 9094, {})], V1_2, { kafka: { template } }), {
      strimzi: V1_2,
      brokerIds: [0, 1],
      hasOwnTemplate,
    }).errors.filter(({ ruleId }) => ruleId === 'listener-dns-name-conflict').length;
  expect([judge(() => false), judge((id) => id === 1), judge(() => true)]).toEqual([1, 0, 0]);
});

test('one broker may be reached by the name of bootstrap', () => {
  const only = { bootstrap: host('k.example.com'), brokers: [{ broker: 0, advertisedHost: 'k.example.com' }] };
  expect(told([balanced('a', 9094, only)], {}, [0])).toEqual([]);
});

test('props are judged as manifests are', () => {
  const { errors } = named({ ...byNode, dnsName: 'b2.example.com' });
  expect(errors).toEqual([
    expect.stringMatching(
      /External\] external-dns: .* b2\.example\.com leads to bootstrap .* to broker 2 .*dns-name-conflict\)$/,
    ),
  ]);
});

function twoClusters(one: Props, other: Props): string[] {
  const { chart, kafka } = events();
  brokersOf(kafka);
  const second = events({ name: 'logs', namespace: 'logs' }, chart, 'Logs').kafka;
  brokersOf(second, { name: 'logs' });
  const base = { name: 'external', port: 9094, controller: metalLb(), scheme: INTERNAL };
  const authentication = { type: 'scram-sha-512' };
  new KafkaLoadBalancedListener(chart, 'One', { kafka, authentication, ...base, ...one });
  new KafkaLoadBalancedListener(chart, 'Other', { kafka: second, authentication, ...base, ...other });
  let errors: string[] = [];
  stderrOf(() => {
    errors = errorsOf(chart);
  });
  return errors;
}

test.each<[string, Props, Props, string[]]>(table('kafka/listener-dns.yaml', 'clusters of one chart have names of'))(
  'clusters of one chart have names of their own: %s',
  (_, one, other, expected) => {
    expect(twoClusters(one, other)).toEqual(expected.map((text) => expect.stringContaining(text)));
  },
);

test('an annotation in props counts as a name', () => {
  const { chart } = listen({ dnsName: 'a.example.com', controller: metalLb() }, V1_2);
  const { kafka } = events({ name: 'logs', namespace: 'logs' }, chart, 'Logs');
  brokersOf(kafka, { name: 'logs' });
  const bootstrapAnnotations = { [DNS]: 'A.example.com.' };
  const base = { name: 'external', port: 9094, controller: metalLb(), scheme: INTERNAL };
  new KafkaLoadBalancedListener(chart, 'Other', { kafka, bootstrapAnnotations, ...base });
  stderrOf(() =>
    expect(errorsOf(chart)).toEqual([
      expect.stringMatching(
        /^\[kafka\/Other\] external-dns: .* by Service kafka\/events-kafka-external-bootstrap .*\(exclusive-resource-conflict\)$/,
      ),
    ]),
  );
});

test('names in the YAML of a cluster and in entries of brokers count', () => {
  const { chart } = listen({ scheme: INTERNAL, controller: metalLb() }, V1_2, [
    present({ bootstrap: { annotations: { [DNS]: 'a.example.com' } } }),
  ]);
  const { kafka } = events({ name: 'logs', namespace: 'logs' }, chart, 'Logs');
  brokersOf(kafka, { name: 'logs' });
  const brokers = [0, 1, 2].map((brokerId) => ({ brokerId, annotations: { [DNS]: `${'abc'[brokerId]}.example.com` } }));
  const base = { name: 'external', port: 9094, controller: metalLb(), scheme: INTERNAL };
  new KafkaLoadBalancedListener(chart, 'Other', { kafka, brokers, ...base });
  stderrOf(() =>
    expect(errorsOf(chart)).toEqual([
      expect.stringMatching(
        /Other\] external-dns: .*a\.example\.com of Service logs\/logs-logs-0 .*\(exclusive-resource-conflict\)$/,
      ),
    ]),
  );
});

test('a host that a broker advertises is no name of bootstrap', () => {
  const bootstrapAlternativeNames = ['k.example.com', 'B0.example.com', 'b1.example.com.'];
  const { configuration, errors } = named({ ...byNode, bootstrapAlternativeNames });
  expect(errors).toEqual([]);
  expect(configuration.bootstrap.annotations[DNS]).toBe('k.example.com');
});
