import type { Api, Body, Ref } from '../harness/api';

/** What a listener of type loadbalancer says that ends up in its Services. */
export interface Listener {
  readonly loadBalancerClass?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Record<string, string>;
  /** The owner reference that the operator gives to its Services; `controller` of it is false. */
  readonly ownerReference?: Body;
}

/** Broker ids of the one node pool. */
const BROKERS = [0, 1, 2];
const CLUSTER = 'log';

/** The operator's two ways of writing a Service: whole objects before 0.51, server-side apply since. */
export enum StrimziWriter {
  WHOLE_OBJECTS = '0.49.1',
  SERVER_SIDE_APPLY = '1.2.0',
}

/**
 * The Services that the operator keeps for a listener, in the shape and by the names that were seen with the operators
 * 0.49.1 and 1.2.0: one for bootstrap and one for each broker (strimzi/strimzi-kafka-operator 0.49.1, KafkaCluster.java,
 * ListenersUtils.java).
 */
export function listenerServices(namespace: string, listener: Listener): Ref[] {
  const names = [`${CLUSTER}-kafka-external-bootstrap`, ...BROKERS.map((id) => `${CLUSTER}-pool-${id}`)];
  return names.map((name) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { 'strimzi.io/cluster': CLUSTER, 'strimzi.io/kind': 'Kafka' },
      annotations: { ...listener.annotations },
      finalizers: [...(listener.finalizers ?? [])],
      ...(listener.ownerReference && { ownerReferences: [listener.ownerReference] }),
    },
    spec: {
      type: 'LoadBalancer',
      ...(listener.loadBalancerClass ? { loadBalancerClass: listener.loadBalancerClass } : {}),
      externalTrafficPolicy: 'Cluster',
      ports: [{ name: 'tcp-external', port: 9094, targetPort: 9094, protocol: 'TCP' }],
      selector: { 'strimzi.io/cluster': CLUSTER },
    },
  }));
}

/** One reconciliation of the listener. */
export async function reconcile(api: Api, writer: StrimziWriter, namespace: string, listener: Listener): Promise<void> {
  const write = writer === StrimziWriter.WHOLE_OBJECTS ? writeWhole : applyServerSide;
  await Promise.all(listenerServices(namespace, listener).map((service) => write(api, service)));
}

/** What deletes the Services with the Kafka resource: a delete of each. */
export async function deleteListener(api: Api, namespace: string): Promise<void> {
  await Promise.all(listenerServices(namespace, {}).map((service) => api.delete(service)));
}

/**
 * Metadata as desired, whatever others added; of the spec only what the API server allocated is carried over
 * (strimzi/strimzi-kafka-operator 0.49.1, ServiceOperator.java).
 */
async function writeWhole(api: Api, desired: Ref): Promise<void> {
  if (!(await api.find(desired))) {
    await api.create(desired, { as: 'strimzi-cluster-operator' });
    return;
  }
  const rewritten = ({ metadata: { resourceVersion }, spec }: Body): Ref => {
    const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, healthCheckNodePort } = spec;
    const allocated = { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, healthCheckNodePort };
    const ports = desired.spec.ports.map((port: Body, index: number) => ({
      ...port,
      nodePort: spec.ports[index].nodePort,
    }));
    return {
      ...desired,
      metadata: { ...desired.metadata, resourceVersion },
      spec: { ...allocated, ...desired.spec, ports },
    };
  };
  await api.rewrite(desired, rewritten, { as: 'strimzi-cluster-operator' });
}

async function applyServerSide(api: Api, desired: Ref): Promise<void> {
  await api.apply(desired, { as: 'strimzi-cluster-operator', force: true });
}
