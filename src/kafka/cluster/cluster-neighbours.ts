import type { IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { IKafkaCluster } from './i-kafka-cluster';

/** By chart and namespace, the cluster that was made first. */
const FIRST = new WeakMap<IConstruct, Map<string | undefined, IKafkaCluster>>();

/** Remembers a cluster of a chart. */
export function settle(cluster: IKafkaCluster): void {
  const { kafka, namespace } = cluster;
  const ofChart = FIRST.get(kafka.chart) ?? new Map<string | undefined, IKafkaCluster>();
  FIRST.set(kafka.chart, ofChart);
  if (!ofChart.has(namespace)) {
    ofChart.set(namespace, cluster);
  }
}

/**
 * What to know of clusters that stand in one namespace, told with each but the first. Topics, users and their Secrets are told
 * apart by their names alone.
 * strimzi/strimzi-kafka-operator 1.2.0: documentation/modules/deploying/con-deploy-kafka-cluster.adoc
 */
export function neighbourFindings({ kafka, clusterName, namespace }: IKafkaCluster): LoadBalancerFinding[] {
  const first = FIRST.get(kafka.chart)?.get(namespace);
  if (!first || first.clusterName === clusterName) {
    return [];
  }
  const where = namespace === undefined ? 'one namespace' : `namespace ${namespace}`;
  return [
    {
      ruleId: 'kafka-shares-namespace',
      who: 'strimzi',
      what: `Kafka ${clusterName} stands in ${where} with Kafka ${first.clusterName}: KafkaTopic and KafkaUser resources of both, and the Secrets of their users, share one set of names`,
      wayOut: 'give each cluster a namespace of its own',
      value: namespace,
    },
  ];
}
