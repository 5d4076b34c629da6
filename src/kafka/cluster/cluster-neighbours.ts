import type { IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { perApp } from '../../contract/per-app';
import type { IKafkaCluster } from './i-kafka-cluster';

const NAMESPACES = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: 'documentation/modules/deploying/con-deploy-kafka-cluster.adoc',
} as const;

/** Two manifests of one name are one object of a cluster of Kubernetes. */
export const KAFKA_TWICE = {
  id: 'kafka-twice-in-app',
  who: 'kubernetes',
  severity: 'warning',
  says: 'Kafkas of one namespace and name in different charts are for different clusters of Kubernetes',
  source: NAMESPACES,
} as const;

/** Topics, users and their Secrets are told apart by their names alone. */
export const KAFKA_SHARES_NAMESPACE = {
  id: 'kafka-shares-namespace',
  severity: 'warning',
  says: 'a Kafka has its namespace to itself: topics, users and their Secrets share one set of names',
  source: NAMESPACES,
} as const;

/** The first clusters of an app. */
interface Firsts {
  /** By namespace. */
  readonly inApp: Map<string | undefined, IKafkaCluster>;
  /** By namespace and name. */
  readonly named: Map<string, IKafkaCluster>;
  /** By chart and namespace. */
  readonly inChart: WeakMap<IConstruct, Map<string | undefined, IKafkaCluster>>;
}

const firstsIn = perApp((): Firsts => ({ inApp: new Map(), named: new Map(), inChart: new WeakMap() }));

/** Remembers a cluster of an app. */
export function settle(cluster: IKafkaCluster): void {
  const { kafka, namespace } = cluster;
  const { inApp, named, inChart } = firstsIn(cluster.kafka);
  const ofChart = inChart.get(kafka.chart) ?? new Map<string | undefined, IKafkaCluster>();
  inChart.set(kafka.chart, ofChart);
  keepFirst(inApp, namespace, cluster);
  keepFirst(named, fullName(cluster), cluster);
  keepFirst(ofChart, namespace, cluster);
}

function keepFirst<K>(map: Map<K, IKafkaCluster>, key: K, cluster: IKafkaCluster): void {
  if (!map.has(key)) {
    map.set(key, cluster);
  }
}

function fullName({ namespace, clusterName }: IKafkaCluster): string {
  return `${namespace ?? ''}/${clusterName}`;
}

/**
 * The first cluster of the same name, or else in the same namespace: of the same chart, or of another one that says the same
 * namespace. Charts that say none may be applied anywhere.
 */
function firstBeside(cluster: IKafkaCluster): IKafkaCluster | undefined {
  const { kafka, namespace } = cluster;
  const { inApp, named, inChart } = firstsIn(cluster.kafka);
  const elsewhere = namespace === undefined ? [] : [named.get(fullName(cluster)), inApp.get(namespace)];
  const firsts = [elsewhere[0], inChart.get(kafka.chart)?.get(namespace), elsewhere[1]];
  return firsts.find((first) => first !== undefined && first.kafka !== kafka);
}

/**
 * What to know of clusters that stand in one namespace, told with each but the first.
 */
export function neighbourFindings(cluster: IKafkaCluster): LoadBalancerFinding[] {
  const { kafka, clusterName, namespace } = cluster;
  const first = firstBeside(cluster);
  if (!first) {
    return [];
  }
  const where = namespace === undefined ? 'one namespace' : `namespace ${namespace}`;
  const isElsewhere = first.kafka.chart !== kafka.chart;
  const unless = isElsewhere
    ? ', or acknowledge it where the charts are applied to different clusters of Kubernetes'
    : '';
  if (first.clusterName === clusterName) {
    // within a chart that is an error of every kind of object
    return isElsewhere
      ? [
          {
            ruleId: KAFKA_TWICE.id,
            who: KAFKA_TWICE.who,
            what: `Kafka ${clusterName} in ${where} is written by ${first.kafka.node.path} as well, so that one replaces the other`,
            remedy: `give one of the two another name or namespace${unless}`,
            value: clusterName,
          },
        ]
      : [];
  }
  return [
    {
      ruleId: KAFKA_SHARES_NAMESPACE.id,
      who: 'strimzi',
      what: `Kafka ${clusterName} stands in ${where} with Kafka ${first.clusterName}: KafkaTopic and KafkaUser resources of both, and the Secrets of their users, share one set of names`,
      remedy: `give each cluster a namespace of its own${unless}`,
      value: namespace,
    },
  ];
}
