import { join } from 'node:path';
import { ApiObject, type Chart, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import {
  AwsLoadBalancerController,
  type IKafkaCluster,
  KafkaCluster,
  KafkaLoadBalancedListener,
  type KafkaLoadBalancedListenerProps,
  MetalLb,
  NlbTargetType,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { checkKafka } from '../../src/kafka/listener/kafka-check';
import type { KafkaContext } from '../../src/kafka/rules/document-rules';
import type { CheckResult } from '../../src/rules/rule-set';
import { newChart, written } from '../support/apps';

import { casesIn } from '../support/yaml-cases';

/** Objects as somebody else wrote them, in a construct of a fresh chart. */
export function manifests(...objects: Json[]): { chart: Chart; construct: Construct } {
  return manifestsIn(newChart('kafka'), ...objects);
}

function manifestsIn(chart: Chart, ...objects: Json[]): { chart: Chart; construct: Construct } {
  const construct = new Construct(chart, 'Existing');
  for (const [i, object] of objects.entries()) {
    new ApiObject(construct, `${object.kind}-${i}`, object as never);
  }
  return { chart, construct };
}

/** Below 0.48 a Kafka resource says that it has node pools and KRaft. */
const POOLS_ON = { annotations: { 'strimzi.io/kraft': 'enabled', 'strimzi.io/node-pools': 'enabled' } };

const REPLICATED = { 'default.replication.factor': 3, 'min.insync.replicas': 2 };

/** A Kafka resource with the listeners that it has already. */
export function kafkaWith(listeners: Json[], strimzi: StrimziVersion, more: Json = {}): Json {
  const plain = { name: 'plain', port: 9092, type: 'internal', tls: false };
  return {
    apiVersion: strimzi.apiVersion,
    kind: 'Kafka',
    metadata: { name: 'events', ...(strimzi.isAtLeast(StrimziVersion.V0_48) ? {} : POOLS_ON), ...more.metadata },
    spec: { kafka: { config: REPLICATED, listeners: [plain, ...listeners], ...more.kafka } },
  };
}

/** A node pool of the cluster `events`. */
export function nodePool(name: string, strimzi: StrimziVersion, more: Json = {}): Json {
  return {
    apiVersion: strimzi.apiVersion,
    kind: 'KafkaNodePool',
    metadata: {
      name,
      labels: { 'strimzi.io/cluster': 'events' },
      annotations: { 'strimzi.io/next-node-ids': '[0-9]' },
      ...more.metadata,
    },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'ephemeral' }, ...more.spec },
    ...(more.status && { status: more.status }),
  };
}

/** A cluster of three brokers. */
export function clusterWith(
  listeners: Json[],
  strimzi = StrimziVersion.V0_49,
  more: Json = {},
  pool: Json = {},
  within = newChart('kafka'),
): { chart: Chart; cluster: IKafkaCluster } {
  const { chart, construct } = manifestsIn(
    within,
    kafkaWith(listeners, strimzi, more),
    nodePool('brokers', strimzi, pool),
  );
  return { chart, cluster: KafkaCluster.fromManifest(construct, { strimzi }) };
}

/** The objects of a file beside this one. */
export const fileObjects = (name: string): Json[] => Yaml.load(join(__dirname, 'manifests', name));

/** A copy of a tree for each place in it and each piece of garbage. */
export function* spoilt(tree: unknown, garbage: readonly unknown[]): Generator<unknown> {
  yield* garbage;
  if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      for (const other of spoilt(value, garbage)) {
        yield Array.isArray(tree) ? Object.assign([...tree], { [key]: other }) : { ...tree, [key]: other };
      }
    }
  }
}

const { V0_49 } = StrimziVersion;
export const RESOURCES = 'service.k8s.aws/resources';
export const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
export const DNS = 'external-dns.alpha.kubernetes.io/hostname';
export const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';

export const nlb = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
export const metalLb = () => MetalLb.layer2({ addressPool: 'edge' });

export type Props = Partial<KafkaLoadBalancedListenerProps>;

/** A listener in a cluster of three brokers, new unless `present` is there already. */
export function listen(props: Props = {}, strimzi = V0_49, present: Json[] = [], more: Json = {}, pool: Json = {}) {
  const { chart, cluster } = clusterWith(present, strimzi, more, pool);
  const base = { kafka: cluster, name: 'external', port: 9094, controller: nlb() };
  const listener = new KafkaLoadBalancedListener(chart, 'External', { ...base, ...props });
  return { chart, cluster, listener };
}

/** A listener that is there already. */
export const present = (configuration: Json = {}, more: Json = {}) => ({
  name: 'external',
  port: 9094,
  type: 'loadbalancer',
  tls: true,
  ...more,
  configuration,
});

export const writtenListener = (chart: ReturnType<typeof newChart>, name = 'external'): Json =>
  written(chart, 'Kafka').spec.kafka.listeners.find((listener: Json) => listener.name === name);

type Mistake = [wrong: Json, says: string[], strimzi?: StrimziVersion];

const { listeners, documents } = casesIn(__dirname, 'mistakes.yaml');

/** A listener of each cluster. */
export const PLAIN: Json = { name: 'plain', port: 9092, type: 'internal', tls: false };

/** A Kafka resource, with more in `spec.kafka` and in the document. */
export function kafka(more: Json = {}, document: Json = {}): Json {
  const { spec, ...rest } = document;
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events' },
    ...rest,
    spec: { ...spec, kafka: { listeners: [PLAIN], ...more } },
  };
}

/** What differs from a listener that is right, and all that is said of it, after its name. */
export const LISTENER_MISTAKES: Mistake[] = listeners.map(({ of, says, strimzi }: Json) => [of, says, strimzi]);

/** Kafka resources, and all that is said of each. */
export const DOCUMENT_MISTAKES: Mistake[] = documents.map(({ kafka: more, document, says, strimzi }: Json) => [
  kafka(more, document),
  ...[says, strimzi],
]);

/** Validates a Kafka and its listeners, without their Services: nothing is known of its cluster. */
export function checkListeners(document: Json, context: KafkaContext): CheckResult {
  const unknown = () => undefined;
  return checkKafka(document, { context, pools: [], among: {} as never, ownerOf: unknown, clusterOf: unknown });
}
