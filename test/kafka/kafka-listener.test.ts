import { IpFamily, StrimziVersion, TrafficPolicy } from '../../src';
import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/sentence';
import { judgeListeners } from '../../src/kafka/listener/judge-listeners';
import { KafkaAuthentication } from '../../src/kafka/listener/kafka-authentication';
import { KafkaListener } from '../../src/kafka/listener/kafka-listener';
import { KafkaListenerNodeAddress } from '../../src/kafka/listener/kafka-listener-node-address';
import { kafka } from './document-mistakes';

const AT = { name: 'plain', port: 9092 };
const CERTIFICATE = { secretName: 'tls', certificate: 'tls.crt', key: 'tls.key' };
const COMMON = {
  ...AT,
  authentication: KafkaAuthentication.scramSha512(),
  networkPolicyPeers: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
  brokerCertificate: CERTIFICATE,
  maxConnections: 100,
  maxConnectionCreationRate: 10,
  advertisedHostTemplate: 'b{nodeId}.example.com',
  advertisedPortTemplate: '9000 + {nodeId}',
  bootstrapAlternativeNames: ['kafka.example.com'],
};
const COMMON_JSON = {
  ...AT,
  tls: true,
  authentication: { type: 'scram-sha-512' },
  networkPolicyPeers: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
};
const COMMON_CONFIGURATION = {
  brokerCertChainAndKey: CERTIFICATE,
  maxConnections: 100,
  maxConnectionCreationRate: 10,
  advertisedHostTemplate: 'b{nodeId}.example.com',
  advertisedPortTemplate: '9000 + {nodeId}',
};
const SERVICE = {
  publishNotReadyAddresses: true,
  ipFamilies: [IpFamily.IPV6, IpFamily.IPV4],
  bootstrapAnnotations: { 'example.com/a': 'b' },
  bootstrapLabels: { role: 'bootstrap' },
  perBrokerAnnotationsTemplate: { 'example.com/id': '{nodeId}' },
  perBrokerLabelsTemplate: { id: '{nodeId}' },
};
const SERVICE_CONFIGURATION = {
  ...COMMON_CONFIGURATION,
  publishNotReadyAddresses: true,
  ipFamilies: ['IPv6', 'IPv4'],
  ipFamilyPolicy: 'RequireDualStack',
  perBrokerAnnotationsTemplate: { 'example.com/id': '{nodeId}' },
  perBrokerLabelsTemplate: { id: '{nodeId}' },
};
const BOOTSTRAP = {
  annotations: { 'example.com/a': 'b' },
  labels: { role: 'bootstrap' },
  alternativeNames: ['kafka.example.com'],
};
const BROKER = { brokerId: 1, advertisedHost: 'one.example.com', advertisedPort: 9001 };
const BROKER_JSON = { broker: 1, advertisedHost: 'one.example.com', advertisedPort: 9001 };
const METADATA = { annotations: { 'example.com/id': '1' }, labels: { id: '1' } };

const LISTENERS: [string, KafkaListener, Json][] = [
  ['the least', KafkaListener.internal(AT), { ...AT, type: 'internal', tls: true }],
  ['without TLS', KafkaListener.internal({ ...AT, tls: false }), { ...AT, type: 'internal', tls: false }],
  [
    'all of an internal one',
    KafkaListener.internal({ ...COMMON, useServiceDnsDomain: true, brokers: [BROKER, { brokerId: 2 }] }),
    {
      ...COMMON_JSON,
      type: 'internal',
      configuration: {
        ...COMMON_CONFIGURATION,
        useServiceDnsDomain: true,
        bootstrap: { alternativeNames: ['kafka.example.com'] },
        brokers: [BROKER_JSON, { broker: 2 }],
      },
    },
  ],
  [
    'all of a cluster IP',
    KafkaListener.clusterIp({
      ...COMMON,
      ...SERVICE,
      useServiceDnsDomain: false,
      brokers: [{ ...BROKER, ...METADATA }],
    }),
    {
      ...COMMON_JSON,
      type: 'cluster-ip',
      configuration: {
        ...SERVICE_CONFIGURATION,
        useServiceDnsDomain: false,
        bootstrap: BOOTSTRAP,
        brokers: [{ ...BROKER_JSON, ...METADATA }],
      },
    },
  ],
  [
    'one IP family',
    KafkaListener.clusterIp({ ...AT, ipFamilies: [IpFamily.IPV4] }),
    {
      ...AT,
      type: 'cluster-ip',
      tls: true,
      configuration: { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    },
  ],
  [
    'all of a node port',
    KafkaListener.nodePort({
      ...COMMON,
      ...SERVICE,
      preferredNodeAddress: KafkaListenerNodeAddress.INTERNAL_DNS,
      bootstrapNodePort: 30000,
      bootstrapExternalIps: ['192.0.2.1'],
      externalTrafficPolicy: TrafficPolicy.LOCAL,
      brokers: [{ ...BROKER, ...METADATA, nodePort: 30001, externalIps: ['192.0.2.2'] }],
    }),
    {
      ...COMMON_JSON,
      type: 'nodeport',
      configuration: {
        ...SERVICE_CONFIGURATION,
        preferredNodePortAddressType: 'InternalDNS',
        externalTrafficPolicy: 'Local',
        bootstrap: { ...BOOTSTRAP, nodePort: 30000, externalIPs: ['192.0.2.1'] },
        brokers: [{ ...BROKER_JSON, ...METADATA, nodePort: 30001, externalIPs: ['192.0.2.2'] }],
      },
    },
  ],
  [
    'all of a route',
    KafkaListener.route({
      ...COMMON,
      ...SERVICE,
      bootstrapHost: 'kafka.example.com',
      hostTemplate: 'b{nodeId}.example.com',
      brokers: [{ ...BROKER, ...METADATA, host: 'b1.example.com' }],
    }),
    {
      ...COMMON_JSON,
      type: 'route',
      configuration: {
        ...SERVICE_CONFIGURATION,
        hostTemplate: 'b{nodeId}.example.com',
        bootstrap: { ...BOOTSTRAP, host: 'kafka.example.com' },
        brokers: [{ ...BROKER_JSON, ...METADATA, host: 'b1.example.com' }],
      },
    },
  ],
  ['the least route', KafkaListener.route(AT), { ...AT, type: 'route', tls: true }],
];

test.each(LISTENERS)('%s is written as the Kafka resource has it', (_, listener, expected) => {
  expect(listener._toJson()).toEqual(expected);
  expect([listener.name, listener.port, listener.type]).toEqual([AT.name, AT.port, expected.type]);
});

/** What the rules of listeners say of one that nobody comes through without a name who may do anything. */
function said(listener: Json, strimzi: StrimziVersion): string[] {
  const document = kafka(
    { listeners: [listener], authorization: { type: 'simple' } },
    { apiVersion: strimzi.apiVersion },
  );
  const { errors, warnings } = judgeListeners(document, { strimzi, brokerIds: [0, 1, 2] });
  return [...errors, ...warnings].filter(({ ruleId }) => ruleId.startsWith('listener-')).map(sentenceOf);
}

test.each(LISTENERS)('%s is nothing that a rule speaks of', (_, listener) => {
  expect(said(listener._toJson(), StrimziVersion.V1_2)).toEqual([]);
});

test.each<[StrimziVersion, string[]]>([
  [StrimziVersion.V0_50, []],
  [StrimziVersion.V0_51, ['listener-ingress-deprecated']],
  [StrimziVersion.V1_2, ['listener-ingress-deprecated']],
])('an ingress is written, and warned of from Strimzi 0.51 on: $version', (strimzi, ids) => {
  const listener = KafkaListener.ingress({
    ...AT,
    bootstrapHost: 'kafka.example.com',
    hostTemplate: 'b{nodeId}.example.com',
    ingressClassName: 'nginx',
  });
  const json = listener._toJson();
  expect(json).toEqual({
    ...AT,
    type: 'ingress',
    tls: true,
    configuration: {
      class: 'nginx',
      hostTemplate: 'b{nodeId}.example.com',
      bootstrap: { host: 'kafka.example.com' },
    },
  });
  expect(said(json, strimzi).map((sentence) => sentence.replace(/^.*\((.*)\)$/, '$1'))).toEqual(ids);
});

test('an empty list of peers, which opens the port to everybody, is refused', () => {
  expect(() => KafkaListener.internal({ ...AT, networkPolicyPeers: [] })).toThrow(
    new Error(
      "strimzi: listener 'plain' cannot have an empty list of networkPolicyPeers, which opens it to every client; name the peers, or leave it out",
    ),
  );
});

test('what is written can be changed without harm to the next rendering', () => {
  const listener = KafkaListener.internal({ ...AT, brokerCertificate: CERTIFICATE });
  listener._toJson().configuration.brokerCertChainAndKey.key = 'other';
  expect(listener._toJson().configuration.brokerCertChainAndKey.key).toBe('tls.key');
});
