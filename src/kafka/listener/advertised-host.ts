import type { Json } from '../../contract/json';
import { brokerField } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { forBroker } from '../operator/operator-names';

/** The host that a broker advertises; nothing where it is the address of its balancer. */
export function advertisedHostOf(
  cluster: Pick<IKafkaCluster, 'clusterName' | 'nodePoolOf'>,
  configuration: Json,
  id: number,
): string | undefined {
  const explicit = brokerField({ configuration }, id, 'advertisedHost');
  const template = configuration.advertisedHostTemplate;
  return typeof explicit === 'string'
    ? explicit
    : typeof template === 'string'
      ? forBroker(cluster, template, id)
      : undefined;
}
