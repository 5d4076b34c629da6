import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { Gateway, KafkaCluster, KafkaTlsRouteListener, StrimziVersion } from '../../../src';

/** A Kafka of a user who keeps what it rendered once. */
class KeptKafka extends ApiObject {
  private kept?: unknown;

  public override toJson(): unknown {
    this.kept ??= super.toJson();
    return this.kept;
  }
}

test('a Gateway that changes is followed where the Kafka is rendered to the same object again', () => {
  const chart = new Chart(new App(), 'kafka', { namespace: 'kafka' });
  new ApiObject(chart, 'Pool', {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: {
      name: 'a',
      labels: { 'strimzi.io/cluster': 'k' },
      annotations: { 'strimzi.io/next-node-ids': '[0-9]' },
    },
    spec: { replicas: 1, roles: ['broker', 'controller'], storage: { type: 'ephemeral' } },
  } as never);
  new KeptKafka(chart, 'Kafka', {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'k' },
    spec: { kafka: { listeners: [] } },
  } as never);
  const gateway = new ApiObject(chart, 'Gateway', {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'edge' },
    spec: {
      gatewayClassName: 'acme',
      listeners: [{ name: 'tls', port: 443, protocol: 'TLS', hostname: '*.example.com', tls: { mode: 'Passthrough' } }],
    },
  } as never);
  const listener = new KafkaTlsRouteListener(chart, 'External', {
    kafka: KafkaCluster.fromManifest(chart, { strimzi: StrimziVersion.V1_2, name: 'k' }),
    name: 'external',
    port: 9094,
    authentication: { type: 'scram-sha-512' },
    gateway: Gateway.fromManifest(gateway),
    sectionName: 'tls',
    hostTemplate: 'b-{nodeId}.example.com',
    bootstrapHost: 'boot.example.com',
  });
  expect(listener.advertisedPort).toBe(443);
  gateway.addJsonPatch(JsonPatch.replace('/spec/listeners/0/port', 8443));
  expect(listener.advertisedPort).toBe(8443);
  const kafka = Testing.synth(chart).find(({ kind }) => kind === 'Kafka');
  expect(kafka.spec.kafka.listeners[0].configuration.advertisedPortTemplate).toBe('8443');
});
