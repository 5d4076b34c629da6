import type { Json } from '../../contract/json';
import { brokerField, configurationOf, textAt } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { bootstrapServiceName, brokerServiceName, forBroker } from '../operator/operator-names';
import { NAMELESS_LISTENER } from '../strimzi/operator-services.facts';

// The routes that the operator makes of a listener of type tlsroute.

/** The names of the routes, bootstrap first; each broker's is the one of its Service. */
export function routeNamesOf(cluster: IKafkaCluster, { name, port }: Json): string[] {
  const isNameless = name === NAMELESS_LISTENER.name && port === NAMELESS_LISTENER.port;
  return [
    isNameless ? `${cluster.clusterName}-kafka-bootstrap` : bootstrapServiceName(cluster, name),
    ...cluster.brokerIds.map((id) => brokerServiceName(cluster, name, port, id)),
  ];
}

/** The host of the broker's route, where the listener says it. */
export function routeHostOf(cluster: IKafkaCluster, listener: Json, id: number): string | undefined {
  const explicit = brokerField(listener, id, 'host');
  const template = textAt(configurationOf(listener), 'hostTemplate');
  if (explicit !== undefined) {
    return typeof explicit === 'string' ? explicit : undefined;
  }
  return template === undefined ? undefined : forBroker(cluster, template, id);
}
