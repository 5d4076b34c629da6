import type { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import type { Body, Ref } from '../harness/api';
import type { Subject } from '../harness/mutants';

/** The listener of load balancers with much of what it can have. */
const CONFIGURED: Body = {
  name: 'external',
  port: 9094,
  type: 'loadbalancer',
  tls: true,
  authentication: { type: 'tls' },
  networkPolicyPeers: [{ namespaceSelector: { matchLabels: { team: 'a' } } }],
  configuration: {
    class: 'example.com/lb',
    externalTrafficPolicy: 'Local',
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    finalizers: ['example.com/lb'],
    ipFamilyPolicy: 'SingleStack',
    ipFamilies: ['IPv4'],
    createBootstrapService: true,
    bootstrap: { annotations: { 'example.com/a': 'b' }, labels: { a: 'b' }, alternativeNames: ['kafka.example.com'] },
    brokers: [
      { broker: 0, advertisedHost: 'b0.example.com', advertisedPort: 9094, annotations: { 'example.com/a': 'b' } },
    ],
  },
};

const PLAIN: Body = { name: 'plain', port: 9092, type: 'internal', tls: false };

function kafka(strimzi: StrimziVersion, listeners: readonly Body[]): Ref {
  return {
    apiVersion: strimzi.apiVersion,
    kind: 'Kafka',
    metadata: {
      name: 'events',
      namespace: 'default',
      annotations: { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' },
    },
    spec: { kafka: { listeners } },
  };
}

const LISTENER = 'spec/kafka/listeners/*';
const CONFIGURATION = `${LISTENER}/configuration`;

const VALUES: Subject['values'] = {
  'spec/kafka/listeners': [[], null, [PLAIN, PLAIN]],
  [`${LISTENER}/name`]: ['external', 'External', 'ex-ternal', 'externaleast', '', 'a'],
  [`${LISTENER}/port`]: [9091, 9092, 9404, 9999, 70000, '9094', null],
  [`${LISTENER}/type`]: ['loadbalancer', 'LoadBalancer', 'nodeport', 'cluster-ip', 'ingress', 'route', 'tlsroute', ''],
  [`${LISTENER}/tls`]: [true, false, 'true', null],
  [`${LISTENER}/authentication`]: [{ type: 'scram-sha-512' }, { type: 'oauth' }, { type: 'TLS' }, {}, null],
  [`${CONFIGURATION}/externalTrafficPolicy`]: ['Local', 'Cluster', 'local', '', null],
  [`${CONFIGURATION}/finalizers`]: [[], ['example.com/a'], 'example.com/a', [5], null],
  [`${CONFIGURATION}/loadBalancerSourceRanges`]: [[], ['10.0.0.0/8'], '10.0.0.0/8', [8]],
  [`${CONFIGURATION}/class`]: ['a', 5, null],
  [`${CONFIGURATION}/ipFamilies`]: [['IPv4'], ['IPv6', 'IPv4'], ['ipv4'], 'IPv4'],
  [`${CONFIGURATION}/ipFamilyPolicy`]: ['SingleStack', 'PreferDualStack', 'dualstack', 4],
  [`${CONFIGURATION}/annotations`]: [{ a: 'b' }],
  [`${CONFIGURATION}/allocateLoadBalancerNodePorts`]: [true, false, 'no'],
  [`${CONFIGURATION}/publishNotReadyAddresses`]: [true, 'yes'],
  [`${CONFIGURATION}/bootstrap/annotations`]: [{ a: 5 }, { a: true }, { a: null }, ['a'], { a: 'b' }],
  [`${CONFIGURATION}/bootstrap/loadBalancerIP`]: ['10.0.0.1', 10],
  [`${CONFIGURATION}/bootstrap/nodePort`]: [30000, '30000'],
  [`${CONFIGURATION}/brokers`]: [[], [{}], [{ broker: '0' }], [{ broker: 0, advertisedPort: '9094' }]],
};

/** Kafka documents that are right, for a version. */
export function kafkaSubjects(strimzi: StrimziVersion): readonly Subject[] {
  return [
    {
      name: 'a Kafka with a listener of load balancers',
      objects: [kafka(strimzi, [CONFIGURED])],
      changed: 0,
      values: VALUES,
      within: 'spec/kafka/listeners/',
    },
    {
      name: 'a Kafka with two listeners',
      objects: [kafka(strimzi, [PLAIN, { ...CONFIGURED, configuration: { finalizers: ['example.com/lb'] } }])],
      changed: 0,
      values: VALUES,
      within: 'spec/kafka/listeners/',
    },
  ];
}
