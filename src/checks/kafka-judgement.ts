import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { isOlderThanFacts, versionIn } from '../installations/strimzi/installation-rule';
import { type ClusterKnown, judgeUnplanned } from '../kafka/listener/unplanned-balancers';
import { operatorsServing } from '../kafka/operator/cluster-operators';
import type { IKafkaCluster } from '../kafka/operator/i-kafka-cluster';
import { listenersOf, namedIds, pointerTo } from '../kafka/operator/kafka-json';
import { podSpecOf } from '../kafka/operator/node-pools';
import type { KafkaContext } from '../kafka/rules/document-rules';
import { judgeDocument, judgeListener, listenerContextOf } from '../kafka/rules/listener-rules';
import { judgeNodePool, judgePools } from '../kafka/rules/node-pool-rules';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';

import type { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import { clusterIn, isPoolOf, NodePools, uncountedCluster } from '../predicted/kafka-clusters';
import { type LikelyOwner, likelyOwner } from '../rules/claimants';
import { definitionOf } from '../rules/controller-definition';
import { Judgement } from '../rules/judgement';
import type { IndexedObject } from '../rules/objects';
import { RuleSet } from '../rules/rule-set';
import { classOf } from '../rules/service-json';
import { TAINT_RULE } from '../rules/workload-rules';
import type { CheckContext } from './context/check-context';
import { OLDER, readersOf, whicheverReads } from './kafka-readers';
import { pointerToValue } from './places';

export type KindContext = Partial<
  Pick<
    CheckContext,
    | 'controllers'
    | 'areControllersInferred'
    | 'kubernetes'
    | 'region'
    | 'nodePools'
    | 'strimzi'
    | 'isStrimziInferred'
    | 'isStrimziOlder'
    | 'keeper'
  >
>;

export function judgeKafka(kafka: IndexedObject, context: KindContext = {}): Judgement {
  const pools = poolsOf(kafka).map(({ json }) => json);
  return underItsReader(kafka, pools, context, (strimzi, isVersionGuessed) =>
    judgeUnder(kafka, pools, { strimzi, isVersionGuessed }, context),
  );
}

export function judgePool(pool: IndexedObject, context: KindContext = {}): Judgement {
  const kafka = pool.index.of(STRIMZI_GROUP, KAFKA_KIND).find(({ json }) => isPoolOf(pool.json, json));
  return underItsReader(kafka ?? pool, [pool.json], context, (strimzi) => judgeNodePool(pool.json, { strimzi })).and(
    TAINTS.judge(
      { kind: 'Pod', spec: podSpecOf(pool.json, kafka?.json) },
      {
        nodePools: Object.values(context.nodePools ?? {}),
        kubernetes: context.kubernetes ?? DEFAULT_KUBERNETES,
      },
    ),
  );
}

const TAINTS = new RuleSet([TAINT_RULE], 'kubernetes');

/** The node pools of a Kafka that are applied together with it, or else all of them: files may be of several clusters. */
function poolsOf({ index, json, unit }: IndexedObject): readonly IndexedObject[] {
  const pools = index.once(
    NodePools,
    () => new NodePools(index.of(STRIMZI_GROUP, KAFKA_NODE_POOL_KIND), (pool) => pool.json),
  );
  const all = pools.of(json);
  const own = all.filter((pool) => pool.unit === unit);
  return own.length > 0 ? own : all;
}

function underItsReader(
  kafka: IndexedObject,
  pools: readonly Json[],
  { strimzi, isStrimziInferred, isStrimziOlder }: KindContext,
  judge: (strimzi: StrimziVersion, isGuessed: boolean) => Judgement,
): Judgement {
  const installed = installedIn(kafka);
  const known = installed?.version ?? (isStrimziInferred ? undefined : strimzi);
  if (known) {
    return judge(known, false);
  }
  const readers = installed || isStrimziOlder ? OLDER : readersOf(kafka.json, pools);
  const held = whicheverReads(readers, (version) => judge(version, true));
  // what an inferred version alone finds rests on a guess
  return strimzi && !installed ? held.and(asWarnings(judge(strimzi, false), held)) : held;
}

export function keepsForeignFinalizers(
  kafka: IndexedObject,
  { strimzi, isStrimziInferred, isStrimziOlder }: KindContext,
) {
  const installed = installedIn(kafka);
  const known = installed?.version ?? (isStrimziInferred ? undefined : strimzi);
  const isOlder = installed !== undefined || isStrimziOlder === true;
  const all = poolsOf(kafka).map(({ json }) => json);
  return (known ?? (isOlder ? OLDER : readersOf(kafka.json, all)).oldest).keepsForeignFinalizers;
}

function asWarnings({ errors, warnings }: Judgement, held: Judgement): Judgement {
  const known = new Set([...held.errors, ...held.warnings].map(({ ruleId, value }) => `${ruleId} ${value}`));
  return Judgement.of(
    [],
    [...errors, ...warnings].filter(({ ruleId, value }) => !known.has(`${ruleId} ${value}`)),
  );
}

type Reader = Pick<KafkaContext, 'strimzi' | 'isVersionGuessed'>;

function judgeUnder(kafka: IndexedObject, pools: readonly Json[], reader: Reader, context: KindContext): Judgement {
  const { json } = kafka;
  const { strimzi } = reader;
  const cluster = trying(() => clusterIn(json, pools, strimzi));
  const seen: KafkaContext = { ...(cluster && listenerContextOf(cluster)), ...reader };
  const known = { ...clusterKnown(context), isUncounted: cluster === undefined };
  const ofPools = judgePools(json, { strimzi, pools });
  return listenersOf(json).reduce<Judgement>((sum, listener) => {
    const own = judgeListener(json, listener, seen);
    const judged = cluster ?? trying(() => uncountedCluster(json, strimzi, namedIds(listener)));
    const all = judged ? own.and(judgeUnplanned(judged, json, listener, known)) : own;
    return sum.and(atListener(all, json, listener));
  }, judgeDocument(json, seen).and(ofPools));
}

function atListener({ errors, warnings, unknown, claims }: Judgement, kafka: Json, listener: Json): Judgement {
  const placed = (finding: LoadBalancerFinding): LoadBalancerFinding => {
    const { at, value } = finding;
    const inner = at ?? (value === undefined ? '' : pointerToValue(listener, value));
    return at !== undefined || inner === undefined
      ? finding
      : { ...finding, at: `${pointerTo(kafka, listener)}${inner}` };
  };
  return new Judgement(errors.map(placed), warnings.map(placed), unknown, claims);
}

function clusterKnown({ controllers, areControllersInferred, kubernetes }: KindContext): ClusterKnown {
  const ownerOf = (service: Json): LikelyOwner | undefined => {
    if (!controllers) {
      return likelyOwner(service);
    }
    const { controller } = LoadBalancerOwner.of(service, { controllers: [...controllers] });
    const kind = controller && definitionOf(controller);
    return kind && { kind, isSure: !areControllersInferred || classOf(service) !== undefined };
  };
  return { ownerOf, controllers, kubernetes };
}

function installedIn(kafka: IndexedObject): { readonly version?: StrimziVersion } | undefined {
  const images = operatorsServing(kafka).map(({ object }) => object.json);
  const version = images.map(versionIn).find((one) => one !== undefined);
  return version || images.some(isOlderThanFacts) ? { version } : undefined;
}

/** What manifests show of a cluster; nothing if it is no cluster, or does not show its brokers. */
function trying(read: () => IKafkaCluster): IKafkaCluster | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
