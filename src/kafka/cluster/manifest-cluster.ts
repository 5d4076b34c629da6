import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isMap, isSet } from '../../contract/json';
import { KafkaDocument } from '../document/kafka-document';
import { poolsOfBrokers } from '../operator/broker-ids';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import type { KafkaLoadBalancers } from '../operator/kafka-load-balancers';
import type { KafkaManifestProps } from '../operator/kafka-manifest-props';
import { loadBalancersOf } from '../operator/listener-balancers';
import { ManifestObjects } from '../operator/manifest-objects';
import { nodePoolsAmong, rememberNodePools } from '../operator/node-pool-ids';
import { KAFKA_KIND } from '../strimzi/operator-services.facts';
import { STRIMZI_GROUP } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { readAs } from './manifest-readers';

/** A cluster whose Kafka resource exists as YAML. */
export function clusterOfManifest(construct: IConstruct, props: KafkaManifestProps): IKafkaCluster {
  const objects = ManifestObjects.in(construct);
  try {
    return clusterAmong(objects, construct, props);
  } catch (error) {
    // what is missing may have been added since the construct was looked through
    if (objects.forgetIfStale()) {
      return clusterAmong(ManifestObjects.in(construct), construct, props);
    }
    throw error;
  }
}

function clusterAmong(objects: ManifestObjects, construct: IConstruct, props: KafkaManifestProps): IKafkaCluster {
  const kafka = kafkaAmong(objects, construct, props);
  const found = nodePoolsAmong(objects, kafka.name, kafka.metadata.namespace);
  const brokers = poolsOfBrokers(kafka, found, props);
  readAs(kafka, { ...props, brokers });
  const cluster = new ManifestCluster(kafka, props.strimzi, brokers);
  // brokers that props name are not counted by the pools
  const pools = props.nodePools ? found.pools.map((pool) => ({ ...pool, counted: undefined })) : found.pools;
  rememberNodePools(cluster, () => pools);
  return cluster;
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

function kafkaAmong(
  objects: ManifestObjects,
  construct: IConstruct,
  { name, namespace }: KafkaManifestProps,
): ApiObject {
  const { all, kafkas } = objects;
  const found = (name === undefined ? kafkas : objects.kafkasNamed(name)).filter(
    ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
  );
  if (found.length === 1) {
    return withSpec(found[0]);
  }
  const { path } = construct.node;
  const foreign = all.find(({ kind }) => kind === KAFKA_KIND);
  if (kafkas.length === 0 && foreign) {
    throw new Error(
      `${path}: the API version of Kafka ${foreign.name} is '${foreign.apiVersion}', which is not an API version of Strimzi; pass a Kafka of ${STRIMZI_GROUP}`,
    );
  }
  if (kafkas.length === 0) {
    const seen = all.length === 0 ? 'no object at all' : `only ${kindsOf(all)}`;
    throw new Error(
      `${path}: there is no Kafka, but ${seen}; pass the construct that holds the Kafka resource${all.some(({ kind }) => kind === 'List') ? ', and write the items of a List as documents of their own' : ''}`,
    );
  }
  const present = kafkas.map((kafka) => [kafka.metadata.namespace, kafka.name].filter(Boolean).join('/')).join(', ');
  if (found.length === 0) {
    const wanted = [namespace, name].filter(Boolean).join('/');
    throw new Error(`${path}: there is no Kafka '${wanted}', but ${present}; pass the name that is in the manifest`);
  }
  throw new Error(`${path}: there are several Kafka resources: ${present}; set name, and namespace if need be`);
}

/** An empty Kafka resource is a mistake, and a listener would make it look like one with content. */
function withSpec(kafka: ApiObject): ApiObject {
  const { spec } = KafkaDocument.of(kafka).raw();
  if (!isSet(spec) || (isMap(spec) && !isSet(spec.kafka))) {
    throw new Error(
      `${kafka.node.path}: Kafka ${kafka.name} has no spec.kafka, so it is no cluster; pass the manifest with its spec`,
    );
  }
  return kafka;
}

function kindsOf(objects: readonly ApiObject[]): string {
  return [...new Set(objects.map(({ kind }) => kind))].join(', ');
}
