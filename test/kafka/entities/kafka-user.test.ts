import { Duration, JsonPatch, Size } from 'cdk8s';
import { KafkaAuthentication, KafkaLoadBalancedListener, LoadBalancers, StrimziVersion } from '../../../src';
import { KafkaAcl } from '../../../src/kafka/entities/kafka-acl';
import { KafkaAclOperation } from '../../../src/kafka/entities/kafka-acl-operation';
import { KafkaAclResource } from '../../../src/kafka/entities/kafka-acl-resource';
import { KafkaUser, type KafkaUserProps } from '../../../src/kafka/entities/kafka-user';
import { KafkaUserAuthentication } from '../../../src/kafka/entities/kafka-user-authentication';
import { errorsOf, stderrOf, synth, written } from '../../support/apps';
import { metalLb } from '../listeners';
import { existing } from './fixtures';

const { V0_48, V1_0, V1_2 } = StrimziVersion;

function userWith(props: Partial<KafkaUserProps> = {}, strimzi = V1_2, more = {}) {
  const { chart, cluster } = existing(strimzi, more);
  const user = new KafkaUser(chart, 'Alice', { kafka: cluster, name: 'alice', ...props });
  return { chart, cluster, user };
}

const specOf = (props: Partial<KafkaUserProps>, strimzi = V1_2) =>
  written(userWith(props, strimzi).chart, 'KafkaUser').spec;

test('a user says its cluster, and nothing that nobody said', () => {
  const { chart } = userWith();
  expect(written(chart, 'KafkaUser')).toEqual({
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaUser',
    metadata: { name: 'alice', namespace: 'kafka', labels: { 'strimzi.io/cluster': 'events' } },
    spec: {},
  });
});

test('labels and annotations go where somebody said', () => {
  const { chart } = userWith({
    labels: { team: 'shop' },
    annotations: { 'example.com/a': 'b' },
    secretLabels: { copy: 'yes' },
    secretAnnotations: { 'example.com/to': 'shop' },
  });
  const { metadata, spec } = written(chart, 'KafkaUser');
  expect(metadata.labels).toEqual({ team: 'shop', 'strimzi.io/cluster': 'events' });
  expect(metadata.annotations).toEqual({ 'example.com/a': 'b' });
  expect(spec.template).toEqual({
    secret: { metadata: { labels: { copy: 'yes' }, annotations: { 'example.com/to': 'shop' } } },
  });
});

test.each<[string, KafkaUserAuthentication | undefined, unknown, string, string | undefined]>([
  ['nothing', undefined, undefined, 'User:alice', undefined],
  ['TLS', KafkaUserAuthentication.tls(), { type: 'tls' }, 'User:CN=alice', 'alice'],
  [
    'TLS for some days',
    KafkaUserAuthentication.tls({ validity: Duration.days(90), renewal: Duration.hours(48) }),
    { type: 'tls', validityDays: 90, renewalDays: 2 },
    'User:CN=alice',
    'alice',
  ],
  [
    'a certificate of others',
    KafkaUserAuthentication.tlsExternal(),
    { type: 'tls-external' },
    'User:CN=alice',
    undefined,
  ],
  ['a password', KafkaUserAuthentication.scramSha512(), { type: 'scram-sha-512' }, 'User:alice', 'alice'],
  [
    'a password of a Secret',
    KafkaUserAuthentication.scramSha512({ passwordSecret: { secretName: 'alice-password', key: 'value' } }),
    {
      type: 'scram-sha-512',
      password: { valueFrom: { secretKeyRef: { name: 'alice-password', key: 'value' } } },
    },
    'User:alice',
    'alice',
  ],
])('a user with %s', (_, authentication, json, principal, secret) => {
  const { chart, user } = userWith({ authentication });
  expect(written(chart, 'KafkaUser').spec.authentication).toEqual(json);
  expect([user.principal, user.secretName]).toEqual([principal, secret]);
});

test('the name of the Secret begins as the Kafka resource says at the moment', () => {
  const { user, cluster } = userWith({ authentication: KafkaUserAuthentication.tls() });
  cluster.kafka.addJsonPatch(JsonPatch.add('/spec/entityOperator/userOperator/secretPrefix', 'kafka-'));
  expect(user.secretName).toBe('kafka-alice');
});

test('days of a certificate are whole', () => {
  const options = { validity: Duration.hours(36), renewal: Duration.days(1) };
  expect(() => KafkaUserAuthentication.tls(options)).toThrow("validity of a user's certificate");
});

test('days of a certificate need a version that has them', () => {
  const authentication = KafkaUserAuthentication.tls({ validity: Duration.days(2), renewal: Duration.days(1) });
  expect(errorsOf(userWith({ authentication }, V1_0).chart)).toEqual([
    expect.stringContaining('(user-certificate-days)'),
  ]);
});

test('quotas are in bytes', () => {
  const quotas = {
    producerRate: Size.mebibytes(1),
    consumerRate: Size.kibibytes(3),
    requestPercentage: 55,
    controllerMutationRate: 0.5,
  };
  expect(specOf({ quotas }).quotas).toEqual({
    producerByteRate: 1_048_576,
    consumerByteRate: 3_072,
    requestPercentage: 55,
    controllerMutationRate: 0.5,
  });
});

const { READ, WRITE, DESCRIBE, ALL, DELETE } = KafkaAclOperation;

test.each<[string, KafkaAcl[], unknown[]]>([
  ['nothing', [], []],
  [
    'all resources',
    [
      KafkaAclResource.topic('orders'),
      KafkaAclResource.topicsWithPrefix('orders.'),
      KafkaAclResource.allTopics(),
      KafkaAclResource.group('shop'),
      KafkaAclResource.groupsWithPrefix('shop.'),
      KafkaAclResource.allGroups(),
      KafkaAclResource.transactionalId('till'),
      KafkaAclResource.transactionalIdsWithPrefix('till-'),
      KafkaAclResource.cluster(),
    ].map((resource) => KafkaAcl.allow(resource, [DESCRIBE])),
    [
      { type: 'topic', name: 'orders', patternType: 'literal' },
      { type: 'topic', name: 'orders.', patternType: 'prefix' },
      { type: 'topic', name: '*', patternType: 'literal' },
      { type: 'group', name: 'shop', patternType: 'literal' },
      { type: 'group', name: 'shop.', patternType: 'prefix' },
      { type: 'group', name: '*', patternType: 'literal' },
      { type: 'transactionalId', name: 'till', patternType: 'literal' },
      { type: 'transactionalId', name: 'till-', patternType: 'prefix' },
      { type: 'cluster' },
    ].map((resource) => ({ type: 'allow', resource, operations: ['Describe'] })),
  ],
  [
    'a denial for one host',
    [KafkaAcl.deny(KafkaAclResource.topic('orders'), [DELETE, WRITE], { host: '10.0.0.7' })],
    [
      {
        type: 'deny',
        resource: { type: 'topic', name: 'orders', patternType: 'literal' },
        operations: ['Delete', 'Write'],
        host: '10.0.0.7',
      },
    ],
  ],
  [
    'a producer',
    KafkaAcl.producerOf('orders'),
    [
      {
        type: 'allow',
        resource: { type: 'topic', name: 'orders', patternType: 'literal' },
        operations: ['Describe', 'Write'],
      },
    ],
  ],
  [
    'a producer with transactions',
    KafkaAcl.producerOf('orders', { transactionalId: 'till', host: '10.0.0.7' }),
    [
      { type: 'topic', name: 'orders', patternType: 'literal' },
      { type: 'transactionalId', name: 'till', patternType: 'literal' },
    ].map((resource) => ({ type: 'allow', resource, operations: ['Describe', 'Write'], host: '10.0.0.7' })),
  ],
  [
    'a consumer',
    KafkaAcl.consumerOf('orders', 'shop'),
    [
      {
        type: 'allow',
        resource: { type: 'topic', name: 'orders', patternType: 'literal' },
        operations: ['Describe', 'Read'],
      },
      { type: 'allow', resource: { type: 'group', name: 'shop', patternType: 'literal' }, operations: ['Read'] },
    ],
  ],
])('ACLs that say %s, in both API versions', (_, acls, json) => {
  for (const strimzi of [V0_48, V1_2]) {
    expect(specOf({ acls }, strimzi).authorization).toEqual({ type: 'simple', acls: json });
  }
});

test('every operation is one of the schema', () => {
  const acls = Object.values(KafkaAclOperation).map((operation) =>
    KafkaAcl.allow(KafkaAclResource.topic('orders'), [operation]),
  );
  const { chart } = userWith({ acls });
  stderrOf(() => expect(errorsOf(chart)).toEqual([]));
});

test('an ACL needs an operation and a name', () => {
  expect(() => KafkaAcl.deny(KafkaAclResource.cluster(), [])).toThrow(
    'an ACL on cluster cannot deny no operation at all',
  );
  expect(() => KafkaAclResource.topicsWithPrefix('')).toThrow('an ACL on topic cannot have an empty name');
});

test('ACLs need an authorizer of the cluster', () => {
  const acls = [KafkaAcl.allow(KafkaAclResource.allTopics(), [ALL, READ])];
  const { chart } = userWith({ acls }, V1_2, { kafka: { authorization: undefined } });
  expect(errorsOf(chart)).toEqual([expect.stringContaining('(user-authorizer)')]);
});

describe('a user with a password in a cluster without a listener for it', () => {
  const plain = { kafka: { listeners: [{ name: 'plain', port: 9092, type: 'internal', tls: false }] } };
  const props = { authentication: KafkaUserAuthentication.scramSha512() };

  test('is told', () => {
    const { chart } = userWith(props, V1_2, plain);
    expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId)).toContain('user-listener');
    stderrOf(() => expect(errorsOf(chart)).toEqual([]));
  });

  test('is fine with a listener that is made later', () => {
    const { chart, cluster } = userWith(props, V1_2, plain);
    new KafkaLoadBalancedListener(chart, 'External', {
      kafka: cluster,
      name: 'external',
      port: 9094,
      controller: metalLb(),
      authentication: KafkaAuthentication.scramSha512(),
    });
    expect(errorsOf(chart)).toEqual([]);
  });

  test('is judged anew in the next synth', () => {
    const { chart, cluster } = userWith(props, V1_2, plain);
    expect(stderrOf(() => synth(chart))).toContain('(user-listener)');
    cluster.kafka.addJsonPatch(JsonPatch.add('/spec/kafka/listeners/0/authentication', { type: 'scram-sha-512' }));
    expect(LoadBalancers.of(chart).warnings).toEqual([]);
    expect(synth(chart)).toHaveLength(3);
  });
});
