import { NAMELESS_LISTENER } from '../strimzi/operator-services.facts';
import type { IKafkaCluster } from './i-kafka-cluster';

// The names that the operator gives to what it makes of a cluster and its listeners.

/** What names are made of. */
type NamedCluster = Pick<IKafkaCluster, 'clusterName' | 'nodePoolOf'>;

export function podNameOf(cluster: NamedCluster, id: number): string {
  return `${cluster.clusterName}-${cluster.nodePoolOf(id)}-${id}`;
}

/** The name of the Service through which clients find the brokers. */
export function bootstrapServiceName({ clusterName }: Pick<IKafkaCluster, 'clusterName'>, listener: string): string {
  return `${clusterName}-kafka-${listener}-bootstrap`;
}

export function brokerServiceName(cluster: NamedCluster, listener: string, port: unknown, id: number): string {
  return listener === NAMELESS_LISTENER.name && port === NAMELESS_LISTENER.port
    ? podNameOf(cluster, id)
    : `${cluster.clusterName}-${cluster.nodePoolOf(id)}-${listener}-${id}`;
}

/** A text of a listener as it is for one broker. */
export function forBroker(cluster: NamedCluster, template: string, id: number): string {
  return isSameForAll(template)
    ? template
    : template.replaceAll('{nodeId}', String(id)).replaceAll('{nodePodName}', podNameOf(cluster, id));
}

/** Whether a text of a listener stands for every broker as it is. */
export function isSameForAll(template: string): boolean {
  return !template.includes('{');
}
