import { KafkaCluster, KafkaNodeIds, KafkaNodePool, KafkaNodeRole, StrimziVersion } from '../../../src';
import { Gateway } from '../../../src/gateway';
import { KafkaTlsRouteListener } from '../../../src/kafka/routes/kafka-tls-route-listener';
import { errorsOf, newChart, stderrOf } from '../../support/apps';
import { writtenListener } from '../listeners';
import { HOSTS, passed } from './listeners';

function cluster(hostTemplate = HOSTS.hostTemplate) {
  const chart = newChart('kafka');
  const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
  const gateway = new Gateway(chart, 'Edge', {
    name: 'edge',
    gatewayClassName: 'acme',
    listeners: [{ ...passed, port: 8443 }],
  });
  const listener = new KafkaTlsRouteListener(chart, 'External', {
    kafka,
    gateway,
    name: 'external',
    port: 9094,
    authentication: { type: 'tls' },
    bootstrapHost: HOSTS.bootstrapHost,
    hostTemplate,
  });
  for (const [name, from] of Object.entries({ east: 0, west: 10 })) {
    new KafkaNodePool(chart, name, {
      kafka,
      name,
      replicas: 1,
      roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
      storage: { type: 'persistent-claim', size: '100Gi' },
      nodeIds: KafkaNodeIds.between(from, from + 9),
    });
  }
  return { chart, kafka, listener };
}

test('brokers that are made later count', () => {
  const { chart, kafka, listener } = cluster();
  const [east, west] = kafka.brokerIds;
  const brokers = [`events-east-${east}`, `events-west-${west}`];
  expect(listener.routeNames).toEqual(['events-kafka-bootstrap', ...brokers]);
  expect(listener.serviceNames).toEqual(['events-kafka-external-bootstrap', ...brokers]);
  expect([listener.advertisedPort, kafka.loadBalancers.count]).toEqual([8443, 1]);
  expect(kafka.loadBalancers.listeners).toEqual([listener.loadBalancers]);
  stderrOf(() => {
    expect(writtenListener(chart).configuration).toMatchObject({
      advertisedPortTemplate: '8443',
      parentRefs: [{ name: 'edge', namespace: 'kafka' }],
    });
  });
});

test('the names of pods stand in hosts', () => {
  const { chart, kafka } = cluster('{nodePodName}.example.org');
  const [east, west] = kafka.brokerIds;
  stderrOf(() => {
    expect(errorsOf(chart)).toEqual([
      `[kafka/External] gateway-api: Gateway kafka/edge takes no route for events-east-${east}.example.org, events-west-${west}.example.org: listener 'kafka' serves *.kafka.example.com; choose hosts below the hostname of the Gateway listener, or widen that (route-host-not-served)`,
    ]);
  });
});
