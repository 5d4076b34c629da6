import {
  AwsLoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancerDiff,
  LoadBalancerOutcome,
  StrimziVersion,
} from '../../src';
import { appWith } from './apps-to-compare';

// Brokers of an app, whose ids and entries in listeners are written by the library.

const appWithBrokers = (replicas: number, first = 0, strimzi = StrimziVersion.V0_49) =>
  appWith((chart) => {
    const kafka = new KafkaCluster(chart, 'Kafka', { name: 'orders', strimzi });
    new KafkaNodePool(chart, 'Controllers', {
      kafka,
      ...{ name: 'controllers', replicas: 3, roles: [KafkaNodeRole.CONTROLLER] },
      ...{ nodeIds: KafkaNodeIds.between(900, 909), storage: { type: 'persistent-claim', size: '10Gi' } },
    });
    new KafkaNodePool(chart, 'Brokers', {
      kafka,
      ...{ name: 'brokers', replicas, roles: [KafkaNodeRole.BROKER] },
      ...{ nodeIds: KafkaNodeIds.between(first, 99), storage: { type: 'persistent-claim', size: '100Gi' } },
    });
    new KafkaLoadBalancedListener(chart, 'External', {
      kafka,
      ...{ name: 'external', port: 9094, authentication: { type: 'scram-sha-512' } },
      controller: AwsLoadBalancerController.nlb(),
    });
  });

test('a broker goes by its pool, although its entry in the listener goes too', () => {
  const deleted = LoadBalancerDiff.between(appWithBrokers(3), appWithBrokers(2)).of(LoadBalancerOutcome.DELETED);
  expect(deleted.map(({ service, causes: [{ field, before, after }] }) => [service, field, before, after])).toEqual([
    ['default/orders-brokers-2', 'KafkaNodePool brokers, spec.replicas', '3', '2'],
  ]);
});

test('other ids for nodes to come leave those that live', () => {
  const { V1_2 } = StrimziVersion;
  const { changes } = LoadBalancerDiff.between(appWithBrokers(3, 0, V1_2), appWithBrokers(3, 10, V1_2));
  expect(changes.map(({ outcome, service }) => `${outcome} ${service}`).sort()).toEqual([
    'kept default/orders-brokers-0',
    'kept default/orders-brokers-1',
    'kept default/orders-brokers-2',
    'kept default/orders-kafka-external-bootstrap',
  ]);
});
