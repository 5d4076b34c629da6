import { stringify } from 'yaml';
import { AwsLoadBalancerController } from '../../../src';
import { AWS_LBC } from '../../../src/controllers/aws-load-balancer-controller/annotations';
import { OPERATOR } from '../../../src/kafka/strimzi/releases';
import { PAUSE_ANNOTATION } from '../../../src/kafka/strimzi/strimzi.facts';
import { type Random, randomOf } from '../../support/random';
import type { Fate } from './pair';

// Pairs of a Kafka with its node pools, and what a change does to the balancers of the Services that its operator makes of them, by
// the names that Strimzi gives: strimzi/strimzi-kafka-operator 0.50.0, cluster-operator ListenersUtils.java and KafkaPool.java.

interface Pool {
  readonly name: string;
  readonly replicas: number;
  /** The first of its ten node ids. */
  readonly first: number;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Listener {
  readonly name: string;
  readonly port: number;
  readonly class?: string;
  readonly type?: string;
  /** Annotations of the balancer of one broker. */
  readonly override?: { readonly broker: number; readonly annotations: Readonly<Record<string, string>> };
}

interface Cluster {
  readonly name: string;
  readonly listeners: readonly Listener[];
  readonly pools: readonly Pool[];
  /** Whether its operator carries out no edit: what comes then comes when it is unpaused. */
  readonly isPaused: boolean;
}

/** What was applied, what is applied now, and what becomes of each balancer. */
export interface KafkaPair {
  readonly number: number;
  readonly change: string;
  readonly before: string;
  readonly after: string;
  /** By `namespace/name`. */
  readonly fates: ReadonlyMap<string, Fate>;
}

/** Who runs where these are applied. */
export const KAFKA_PLATFORM = { installed: [AwsLoadBalancerController.nlb()], versions: { [OPERATOR.name]: '0.50.0' } };

const NAMESPACE = 'kafka';
const STRIMZI = 'kafka.strimzi.io/v1';

interface KafkaMutation {
  readonly name: string;
  readonly fits?: (cluster: Cluster) => boolean;
  change(cluster: Cluster): Cluster;
  /** What becomes of those that are no longer there. @default 'deleted' */
  readonly gone?: Fate;
  /** Of those that stay: which do not, and what becomes of them. */
  hit?(cluster: Cluster): { readonly those: (id: string) => boolean; readonly fate: Fate };
}

const first = <T>([one, ...others]: readonly T[], change: Partial<T>): readonly T[] => [
  { ...one, ...change },
  ...others,
];
const ofListener = ({ name, listeners: [listener] }: Cluster) => {
  const parts = [`${name}-kafka-${listener.name}-bootstrap`];
  return (id: string) => parts.includes(id.slice(NAMESPACE.length + 1)) || id.includes(`-${listener.name}-`);
};

const MUTATIONS: readonly KafkaMutation[] = [
  { name: 'nothing', change: (cluster) => cluster },
  {
    name: 'a label of a pool',
    change: (cluster) => ({ ...cluster, pools: first(cluster.pools, { labels: { team: 'edge' } }) }),
  },
  {
    name: 'another port of a listener',
    change: (cluster) => ({ ...cluster, listeners: first(cluster.listeners, { port: 9999 }) }),
  },
  {
    name: 'fewer replicas',
    fits: ({ pools }) => pools[0].replicas > 1,
    change: (cluster) => ({ ...cluster, pools: first(cluster.pools, { replicas: cluster.pools[0].replicas - 1 }) }),
  },
  {
    name: 'more replicas',
    change: (cluster) => ({ ...cluster, pools: first(cluster.pools, { replicas: cluster.pools[0].replicas + 1 }) }),
  },
  {
    name: 'one pool less',
    fits: ({ pools }) => pools.length > 1,
    change: (cluster) => ({ ...cluster, pools: cluster.pools.slice(0, 1) }),
  },
  {
    name: 'one listener less',
    fits: ({ listeners }) => listeners.length > 1,
    change: (cluster) => ({ ...cluster, listeners: cluster.listeners.slice(0, 1) }),
  },
  {
    name: 'another name of a listener',
    change: (cluster) => ({ ...cluster, listeners: first(cluster.listeners, { name: 'renamed' }) }),
    gone: 'replaced',
  },
  {
    name: 'another name of the Kafka',
    change: (cluster) => ({ ...cluster, name: 'renamed' }),
    gone: 'replaced',
  },
  {
    name: 'another class',
    change: (cluster) => ({ ...cluster, listeners: first(cluster.listeners, { class: 'example.com/another' }) }),
    hit: (cluster) => ({ those: ofListener(cluster), fate: 'refused' }),
  },
  {
    name: 'type away',
    change: (cluster) => ({ ...cluster, listeners: first(cluster.listeners, { type: 'cluster-ip' }) }),
    // the finalizer goes in the same write, and without it the owner does not clean up:
    // kubernetes-sigs/aws-load-balancer-controller v3.5.0, controllers/service/service_controller.go
    gone: 'orphaned',
  },
  {
    name: 'a tag of one broker',
    change: (cluster) => overridden(cluster, { [AWS_LBC.additionalResourceTags.key()]: 'team=edge' }),
  },
  {
    name: 'the scheme of one broker',
    change: (cluster) => overridden(cluster, { [AWS_LBC.scheme.key()]: 'internet-facing' }),
    hit: ({ listeners: [{ name }], pools: [pool] }) => ({
      those: (id) => id.endsWith(`-${name}-${pool.first}`),
      fate: 'replaced',
    }),
  },
];

/** Names of all changes. */
export const KAFKA_MUTATIONS: readonly string[] = MUTATIONS.map(({ name }) => name);

function overridden(cluster: Cluster, annotations: Readonly<Record<string, string>>): Cluster {
  const [pool] = cluster.pools;
  return { ...cluster, listeners: first(cluster.listeners, { override: { broker: pool.first, annotations } }) };
}

function balancersOf({ name, listeners, pools }: Cluster): Set<string> {
  return new Set(
    listeners
      .filter(({ type }) => type === undefined)
      .flatMap((listener) => [
        `${NAMESPACE}/${name}-kafka-${listener.name}-bootstrap`,
        ...pools.flatMap((pool) =>
          Array.from(
            { length: pool.replicas },
            (_, i) => `${NAMESPACE}/${name}-${pool.name}-${listener.name}-${pool.first + i}`,
          ),
        ),
      ]),
  );
}

function textOf({ name, listeners, pools, isPaused }: Cluster): string {
  const kafka = {
    apiVersion: STRIMZI,
    kind: 'Kafka',
    metadata: { name, namespace: NAMESPACE, ...(isPaused && { annotations: { [PAUSE_ANNOTATION]: 'true' } }) },
    spec: {
      kafka: {
        version: '4.1.0',
        listeners: listeners.map(({ type, override, ...listener }) => ({
          name: listener.name,
          port: listener.port,
          type: type ?? 'loadbalancer',
          tls: true,
          ...(type === undefined && {
            configuration: {
              class: listener.class ?? 'service.k8s.aws/nlb',
              finalizers: ['service.k8s.aws/resources'],
              ...(override && { brokers: [override] }),
            },
          }),
        })),
      },
    },
  };
  const nodePools = pools.map((pool) => ({
    apiVersion: STRIMZI,
    kind: 'KafkaNodePool',
    metadata: {
      name: pool.name,
      namespace: NAMESPACE,
      labels: { 'strimzi.io/cluster': name, ...pool.labels },
      annotations: { 'strimzi.io/next-node-ids': `[${pool.first}-${pool.first + 9}]` },
    },
    spec: { replicas: pool.replicas, roles: ['broker'], storage: { type: 'ephemeral' } },
  }));
  return [kafka, ...nodePools].map((object) => stringify(object)).join('---\n');
}

function clusterOf(random: Random): Cluster {
  const pools = ['brokers', 'others'].map((name, i) => ({ name, first: i * 10, replicas: random([1, 2, 3]) }));
  const listeners = ['public', 'partner'].map((name, i) => ({ name, port: 9094 + i }));
  return {
    name: 'events',
    listeners: listeners.slice(0, random([1, 2])),
    pools: pools.slice(0, random([1, 2])),
    isPaused: random([true, false, false]),
  };
}

/** A pair by its number: the same one for a number and a seed. */
export function kafkaPairOf(number: number, seed: number): KafkaPair {
  const random = randomOf(seed * 1_000_003 + number);
  const cluster = clusterOf(random);
  const mutation = random(MUTATIONS.filter(({ fits }) => fits?.(cluster) ?? true));
  const changed = mutation.change(cluster);
  const [old, now] = [cluster, changed].map(balancersOf);
  const hit = mutation.hit?.(cluster);
  const fates = new Map<string, Fate>([...now].filter((id) => !old.has(id)).map((id) => [id, 'created']));
  for (const id of old) {
    fates.set(id, !now.has(id) ? (mutation.gone ?? 'deleted') : hit?.those(id) ? hit.fate : 'kept');
  }
  return { number, change: mutation.name, before: textOf(cluster), after: textOf(changed), fates };
}
