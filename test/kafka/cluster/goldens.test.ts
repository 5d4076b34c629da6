import { join } from 'node:path';
import type { Chart } from 'cdk8s';
import {
  AzureCloudProvider,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodeRole,
  LoadBalancerScheme,
  NodePools,
  StrimziVersion,
} from '../../../src';
import { errorsOf, synth } from '../../support/apps';
import { expectGolden, writtenBy } from '../../support/goldens';
import { casesIn } from '../../support/yaml-cases';
import { nlb } from '../clusters';
import { brokersOf, events } from './events';

const { BROKER, CONTROLLER } = KafkaNodeRole;
const { V0_45, V0_49, V1_2 } = StrimziVersion;
const CASES = casesIn(__dirname, 'goldens.yaml');

/** A cluster of three brokers and three controllers with all that its version knows. */
function inFull(strimzi: StrimziVersion): Chart {
  const isNew = strimzi.isAtLeast(V1_2);
  const { chart, kafka } = events({
    strimzi,
    labels: { team: 'streams' },
    annotations: { owner: 'streams' },
    listeners: isNew ? CASES.listeners : [...CASES.listeners, CASES.ingress],
    spec: { ...CASES.spec, kafka: { ...CASES.spec.kafka, version: strimzi.defaultKafkaVersion } },
  });
  const nodes = NodePools.aks('kafka');
  brokersOf(kafka, {
    roles: [BROKER],
    nodeIds: KafkaNodeIds.between(100, 199),
    nodePool: nodes,
    storage: undefined,
    spec: CASES.brokers,
  });
  brokersOf(kafka, {
    name: 'controllers',
    roles: [CONTROLLER],
    storage: { type: 'persistent-claim', size: '10Gi' },
    spec: CASES.controllers,
  });
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka,
    name: 'external',
    port: 9094,
    authentication: { type: 'scram-sha-512' },
    controller: AzureCloudProvider.standard(),
    backendNodes: nodes,
    brokerCertificate: { secretName: 'brokers', certificate: 'tls.crt', key: 'tls.key' },
    networkPolicyPeers: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    maxConnections: 5000,
    maxConnectionCreationRate: 100,
  });
  return chart;
}

function ofToday(): Chart {
  const { chart, kafka } = events(CASES.today);
  brokersOf(kafka, { storage: { type: 'ephemeral' }, spec: { storage: { sizeLimit: '1Gi' } } });
  return chart;
}

/** Sent to a real API server with Strimzi's own definitions, too, by `npm run test:cluster`. */
const GOLDENS: Record<string, () => Chart> = {
  'cluster-in-full-on-0.45': () => inFull(V0_45),
  'cluster-in-full-on-0.49': () => inFull(V0_49),
  'cluster-in-full-on-1.2': () => inFull(V1_2),
  'cluster-of-today-on-1.2': ofToday,
};

test.each(Object.entries(GOLDENS))('golden: %s', (name, chartOf) => {
  expectGolden(join(__dirname, '..', 'goldens'), name, writtenBy(chartOf).yaml);
});

test.each([StrimziVersion.V0_45, StrimziVersion.V1_2])(
  'a cluster that was made here is found in its chart before it has a listener: %#',
  (strimzi) => {
    const { chart, kafka } = events({ listeners: [], strimzi });
    brokersOf(kafka);
    const found = KafkaCluster.fromManifest(chart, { strimzi });
    expect([found.clusterName, found.brokerIds, found.kafka]).toEqual(['events', [0, 1, 2], kafka.kafka]);
    expect(found.nodePoolOf(0)).toBe('brokers');
    new KafkaLoadBalancedListener(chart, 'External', {
      kafka: found,
      name: 'external',
      port: 9094,
      controller: nlb(),
      scheme: LoadBalancerScheme.INTERNAL,
    });
    expect(errorsOf(chart)).toEqual([]);
    expect(synth(chart).map(({ kind }) => kind)).toEqual(['Kafka', 'KafkaNodePool']);
  },
);
