import { comparableName, recordable } from '../../contract/dns-names';
import { type Json, list } from '../../contract/json';
import { bootstrapOf, textsIn } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { advertisedHostOf } from './advertised-host';
import { hasNames } from './listener-dns';
import { isText } from './listener-values';

/**
 * What bootstrap is called where its annotations say nothing: its names in the certificates, among which may be those of
 * brokers.
 */
export function bootstrapNames(cluster: IKafkaCluster, configuration: Json): string[] {
  const { alternativeNames, annotations } = bootstrapOf({ configuration });
  if (hasNames(textsIn(annotations))) {
    return [];
  }
  const hosts = cluster.brokerIds.flatMap((id) => advertisedHostOf(cluster, configuration, id) ?? []);
  const ofBrokers = new Set(hosts.map(comparableName));
  return recordable(list<unknown>(alternativeNames).filter(isText)).filter(
    (name) => !ofBrokers.has(comparableName(name)),
  );
}
