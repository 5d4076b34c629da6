import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { lookAt } from '../../rules/judge-object';
import { isMap } from '../../rules/service-json';
import { KafkaDocument } from '../document/kafka-document';
import { isSaid } from '../document/kafka-json';
import { poolsOfBrokers } from '../operator/broker-ids';
import { loadBalancersOf } from '../operator/listener-balancers';
import { nodePoolsAmong, rememberNodePools } from '../operator/node-pool-ids';
import { KAFKA_KIND } from '../operator/operator-services.facts';
import { STRIMZI_GROUP } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { settle } from './cluster-neighbours';
import type { IKafkaCluster } from './i-kafka-cluster';
import type { KafkaLoadBalancers } from './kafka-load-balancers';
import type { KafkaManifestProps } from './kafka-manifest-props';

/** A cluster whose Kafka resource exists as YAML. */
export function clusterOfManifest(construct: IConstruct, props: KafkaManifestProps): IKafkaCluster {
  const objects = construct.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child));
  const kafka = kafkaAmong(objects, construct.node.path, props);
  const pools = nodePoolsAmong(objects, kafka.name, kafka.metadata.namespace);
  const cluster = new ManifestCluster(kafka, readBy(kafka, props.strimzi), poolsOfBrokers(kafka, pools, props));
  rememberNodePools(cluster, () => pools);
  settle(cluster);
  return cluster;
}

const READERS = new WeakMap<ApiObject, StrimziVersion>();

/** One operator reads a resource: two versions of it would decide differently about one listener after the other. */
function readBy(kafka: ApiObject, strimzi: StrimziVersion): StrimziVersion {
  const other = READERS.get(kafka) ?? strimzi;
  if (other.version !== strimzi.version || other.keepsForeignFinalizers !== strimzi.keepsForeignFinalizers) {
    const shown = ({ version, keepsForeignFinalizers }: StrimziVersion) =>
      `${version} with${keepsForeignFinalizers ? '' : 'out'} server-side apply`;
    throw new Error(
      `${kafka.node.path}: Kafka ${kafka.name} is read by Strimzi ${shown(other)} already, and now by ${shown(strimzi)}; pass one version, best the cluster that fromManifest gave at first`,
    );
  }
  READERS.set(kafka, strimzi);
  return strimzi;
}

class ManifestCluster implements IKafkaCluster {
  public readonly clusterName: string;
  public readonly namespace?: string;
  public readonly brokerIds: number[];

  public constructor(
    public readonly kafka: ApiObject,
    public readonly strimzi: StrimziVersion,
    private readonly pools: ReadonlyMap<number, string>,
  ) {
    this.clusterName = kafka.name;
    this.namespace = kafka.metadata.namespace;
    this.brokerIds = [...pools.keys()].sort((one, other) => one - other);
  }

  public get loadBalancers(): KafkaLoadBalancers {
    return loadBalancersOf(this, KafkaDocument.of(this.kafka).now());
  }

  public nodePoolOf(brokerId: number): string {
    const pool = this.pools.get(brokerId);
    if (pool === undefined) {
      const known = this.brokerIds.join(', ');
      throw new Error(`${this.kafka.node.path}: there is no broker ${brokerId}; the brokers are ${known}`);
    }
    return pool;
  }
}

function kafkaAmong(objects: readonly ApiObject[], path: string, { name, namespace }: KafkaManifestProps): ApiObject {
  const named = objects.filter(({ kind }) => kind === KAFKA_KIND);
  const all = named.filter(({ apiGroup }) => apiGroup === STRIMZI_GROUP);
  if (all.length === 0 && named.length > 0) {
    throw new Error(
      `${path}: the API version of Kafka ${named[0].name} is '${named[0].apiVersion}', which is none of Strimzi; pass a Kafka of ${STRIMZI_GROUP}`,
    );
  }
  if (all.length === 0) {
    const seen = objects.length === 0 ? 'no object at all' : `only ${kindsOf(objects)}`;
    throw new Error(
      `${path}: there is no Kafka, but ${seen}; pass the construct that holds the Kafka resource${objects.some(({ kind }) => kind === 'List') ? ', and write the items of a List as documents of their own' : ''}`,
    );
  }
  const found = all.filter(
    (kafka) =>
      (name === undefined || kafka.name === name) &&
      (namespace === undefined || kafka.metadata.namespace === namespace),
  );
  if (found.length === 1) {
    return withSpec(found[0]);
  }
  const present = all.map((kafka) => [kafka.metadata.namespace, kafka.name].filter(Boolean).join('/')).join(', ');
  if (found.length === 0) {
    const wanted = [namespace, name].filter(Boolean).join('/');
    throw new Error(
      `${path}: there is no Kafka '${wanted}', but ${present}; pass the name that stands in the manifest`,
    );
  }
  throw new Error(`${path}: there are several Kafka resources: ${present}; say name, and namespace if need be`);
}

/** A Kafka resource that says nothing is a mistake, and a listener would make it look like one that says something. */
function withSpec(kafka: ApiObject): ApiObject {
  const { spec } = lookAt(kafka);
  if (!isSaid(spec) || (isMap(spec) && !isSaid(spec.kafka))) {
    throw new Error(
      `${kafka.node.path}: Kafka ${kafka.name} has no spec.kafka, so it is no cluster; pass the manifest with its spec`,
    );
  }
  return kafka;
}

function kindsOf(objects: readonly ApiObject[]): string {
  return [...new Set(objects.map(({ kind }) => kind))].join(', ');
}
