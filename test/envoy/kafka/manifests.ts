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
import { TLS_ROUTE_PORT } from '../../../src/kafka/strimzi/strimzi.facts';
import { GATEWAY_API } from '../../../src/tenancy/tenancy.facts';
import type { Body, Ref } from '../../real/api';

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

// A model of what Strimzi's operator makes of a listener of type tlsroute.
// strimzi/strimzi-kafka-operator 1.2.0: cluster-operator/src/main/java/io/strimzi/operator/cluster/model/KafkaCluster.java
// (generateExternalBootstrapTlsRoutes, generateExternalTlsRoutes), ListenersUtils.java

/** A broker, as the resources want it. */
export interface WantedBroker {
  readonly id: number;
  readonly service: string;
  readonly host: string;
  readonly advertised: { readonly host: string; readonly port: number };
  /** Where its pod is. */
  readonly address: string;
}

/** Addresses that no pod of the harness has. */
const addressOf = (id: number) => `10.61.200.${10 + id}`;

const forNode = (template: string, id: number) => template.replaceAll('{nodeId}', String(id));

/** The listener of the Kafka resource. */
export const listenerOf = ({ kafka }: KafkaManifests): Body => kafka.spec.kafka.listeners[0];

/** The brokers that the node pool and the listener ask for. */
export function wantedBrokers(manifests: KafkaManifests): WantedBroker[] {
  const { configuration } = listenerOf(manifests);
  const [, ...services] = manifests.serviceNames;
  return Array.from({ length: manifests.pool.spec.replicas }, (_, id) => {
    const host = forNode(configuration.hostTemplate, id);
    return {
      id,
      service: services[id],
      host,
      advertised: {
        host: forNode(configuration.advertisedHostTemplate ?? configuration.hostTemplate, id),
        port: Number(forNode(configuration.advertisedPortTemplate ?? String(TLS_ROUTE_PORT), id)),
      },
      address: addressOf(id),
    };
  });
}

/** The Services and the routes, with endpoints: those that controllers find by a selector where there are pods. */
export function operatorObjects(manifests: KafkaManifests): Ref[] {
  const { configuration } = listenerOf(manifests);
  const brokers = wantedBrokers(manifests);
  const [bootstrap] = manifests.serviceNames;
  return [
    ...routed(
      manifests,
      bootstrap,
      configuration.bootstrap.host,
      brokers.map(({ address }) => address),
    ),
    ...brokers.flatMap(({ service, host, address }) => routed(manifests, service, host, [address])),
  ];
}

function routed(manifests: KafkaManifests, name: string, host: string, addresses: readonly string[]): Ref[] {
  const { port, configuration } = listenerOf(manifests);
  const { namespace } = manifests.kafka.metadata;
  const ports = [{ name: 'tcp-external', port, protocol: 'TCP' }];
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { type: 'ClusterIP', ports: ports.map((each) => ({ ...each, targetPort: port })) },
    },
    slice(name, namespace, ports, addresses),
    {
      apiVersion: `${GATEWAY_API.group}/v1`,
      kind: 'TLSRoute',
      metadata: { name, namespace },
      spec: { parentRefs: configuration.parentRefs, hostnames: [host], rules: [{ backendRefs: [{ name, port }] }] },
    },
  ];
}

function slice(name: string, namespace: string | undefined, ports: Body[], addresses: readonly string[]): Ref {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports,
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  };
}
