import { App, Chart, Testing } from 'cdk8s';
import {
  AwsLoadBalancerController,
  Gateway,
  GatewayProtocol,
  GatewayTlsMode,
  KafkaCluster,
  KafkaNodePool,
  KafkaNodeRole,
  KafkaTlsRouteListener,
  KubernetesVersion,
  ListenerSet,
  NlbTargetType,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  StrimziVersion,
} from '../../../src';
import type { Ref } from '../../cluster/harness/api';

/** Where Kafka runs, a namespace of a tenant. */
export const NAMESPACE = 'events';
export const SHARED_NAMESPACE = 'infra';
export const SHARED_NAME = 'shared';

/** Of tenants. */
export const TENANT_LABELS = { 'example.com/tenant': 'true' };

const DOMAIN = `${NAMESPACE}.tcp.example.com`;
const TLS_PORT = 443;

/** What is written for a Kafka behind a shared balancer. */
export interface KafkaManifests {
  readonly platform: readonly Ref[];
  readonly tenant: readonly Ref[];
  readonly kafka: Ref;
  readonly pool: Ref;
  /** The Services that the operator makes of the listener, bootstrap first. */
  readonly serviceNames: readonly string[];
}

/** Three brokers of a tenant, at the TLS port of a balancer that others share, with the engine that is the default. */
export function kafkaManifests(): KafkaManifests {
  const app = new App();
  const platform = new Chart(app, 'platform', { namespace: SHARED_NAMESPACE });
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    name: SHARED_NAME,
    namespaceLabels: TENANT_LABELS,
    hostname: 'tcp.example.com',
    engine: SharedLoadBalancerEngine.envoyGateway({
      controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
    }),
    kubernetes: KubernetesVersion.V1_36,
  });
  shared.addTenant(NAMESPACE);

  const chart = new Chart(app, 'events', { namespace: NAMESPACE });
  const listeners = new ListenerSet(chart, 'Names', {
    gateway: Gateway.fromName(shared.balancerName, { namespace: shared.namespace }),
    listeners: [
      {
        name: 'kafka',
        port: TLS_PORT,
        protocol: GatewayProtocol.TLS,
        tlsMode: GatewayTlsMode.PASSTHROUGH,
        hostname: `*.${DOMAIN}`,
      },
    ],
  });
  const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
  new KafkaNodePool(chart, 'Brokers', {
    kafka,
    name: 'brokers',
    replicas: 3,
    roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
    storage: { type: 'persistent-claim', size: '100Gi' },
  });
  new KafkaTlsRouteListener(chart, 'External', {
    kafka,
    gateway: listeners,
    name: 'external',
    port: 9094,
    authentication: { type: 'tls' },
    bootstrapHost: `bootstrap.${DOMAIN}`,
    hostTemplate: `broker-{nodeId}.${DOMAIN}`,
  });

  const [balanced] = kafka.loadBalancers.listeners;
  const objects = Testing.synth(chart) as Ref[];
  const ofKind = (kind: string) => objects.find((object) => object.kind === kind) as Ref;
  return {
    platform: Testing.synth(platform) as Ref[],
    tenant: objects.filter(({ apiVersion }) => !apiVersion.startsWith('kafka.strimzi.io/')),
    kafka: ofKind('Kafka'),
    pool: ofKind('KafkaNodePool'),
    serviceNames: balanced.serviceNames ?? [],
  };
}
