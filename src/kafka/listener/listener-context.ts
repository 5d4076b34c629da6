import { lookAt } from '../../rules/judge-object';
import { at } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { nodePoolsOf } from '../operator/node-pool-ids';
import { BROKER_TEMPLATE } from '../operator/operator-services';
import type { KafkaContext } from '../rules/kafka-context';

/** What is known of a cluster beside its Kafka document. */
export function listenerContextOf(cluster: IKafkaCluster): KafkaContext {
  const { strimzi, brokerIds } = cluster;
  return {
    strimzi,
    brokerIds,
    nodePoolOf: (id) => cluster.nodePoolOf(id),
    hasOwnTemplate: (id) => {
      const pool = nodePoolsOf(cluster).find(({ name }) => name === cluster.nodePoolOf(id));
      return pool !== undefined && at(lookAt(pool.object), `spec.template.${BROKER_TEMPLATE}`) !== undefined;
    },
  };
}
