import { TLS_ROUTE_PORT } from '../../../src/kafka/strimzi/strimzi.facts';
import { GATEWAY_API } from '../../../src/tenancy/tenancy.facts';
import type { Body, Ref } from '../../cluster/harness/api';
import type { KafkaManifests } from './manifests';

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
