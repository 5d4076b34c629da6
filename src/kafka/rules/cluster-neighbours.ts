import type { IConstruct } from 'constructs';
import { perApp } from '../../contract/per-app';
import type { IndexedObject } from '../../rules/objects';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import type { KafkaNeighbour } from './pool-json';

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
 * The first cluster of the same name, or else in the same namespace: of the same chart, or of another one with the same
 * namespace. Charts without one may be applied anywhere.
 */
function firstBeside(cluster: IKafkaCluster): IKafkaCluster | undefined {
  const { kafka, namespace } = cluster;
  const { inApp, named, inChart } = firstsIn(cluster.kafka);
  const elsewhere = namespace === undefined ? [] : [named.get(fullName(cluster)), inApp.get(namespace)];
  const firsts = [elsewhere[0], inChart.get(kafka.chart)?.get(namespace), elsewhere[1]];
  return firsts.find((first) => first !== undefined && first.kafka !== kafka);
}

/**
 * The same of a Kafka resource among other objects, none of which a construct of this library made: the first one of the same
 * name, or else in the same namespace and file, or else in the same namespace.
 */
export function neighbourAmong(kafka: IndexedObject): KafkaNeighbour | undefined {
  const { index, name, namespace, unit } = kafka;
  const beside = index.of(kafka.group, kafka.kind).filter((other) => other.namespace === namespace);
  const isElsewhere = namespace !== undefined;
  const firsts = [
    isElsewhere ? beside.find((other) => other.name === name) : undefined,
    beside.find((other) => other.unit === unit),
    isElsewhere ? beside[0] : undefined,
  ];
  const first = firsts.find((other) => other !== undefined && other !== kafka);
  return first && { name: String(first.name), path: first.path, isElsewhere: first.unit !== unit };
}

/** The first cluster beside another one, where there is one. */
export function neighbourOf(cluster: IKafkaCluster): KafkaNeighbour | undefined {
  const first = firstBeside(cluster);
  return (
    first && {
      name: first.clusterName,
      path: first.kafka.node.path,
      isElsewhere: first.kafka.chart !== cluster.kafka.chart,
    }
  );
}
