import { reaches } from '../contract/compare-versions';
import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { isOlderThanFacts, versionIn } from '../installations/strimzi/installation-rule';
import { type ClusterKnown, judgeUnplanned } from '../kafka/listener/unplanned-balancers';
import { operatorsServing } from '../kafka/operator/cluster-operators';
import type { IKafkaCluster } from '../kafka/operator/i-kafka-cluster';
import { at, integerAt, listenersOf, namedIds, pointerTo } from '../kafka/operator/kafka-document';
import { podSpecOf, readsPools } from '../kafka/operator/node-pools';
import { isOlderKafka, type KafkaContext } from '../kafka/rules/document-rules';
import { judgeDocument, judgeListener, listenerContextOf } from '../kafka/rules/listener-rules';
import { judgeNodePool, judgePools } from '../kafka/rules/node-pool-rules';
import { isOldApi, isRemovedApi, minorOf } from '../kafka/strimzi/releases';
import {
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  POOLS_ONLY_SINCE,
  STRIMZI_GROUP,
  STRIMZI_RELEASES,
} from '../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import { clusterIn, isPoolOf, NodePools, uncountedCluster } from '../predicted/kafka-clusters';
import { definitionOf } from '../rules/controller-definition';
import { type LikelyOwner, likelyOwner } from '../rules/known-kinds';
import type { IndexedObject } from '../rules/objects';
import { Judgement, RuleSet } from '../rules/rule-set';
import { classOf } from '../rules/service-json';
import { TAINT_RULE } from '../rules/workload-rules';
import type { CheckContext } from './context/check-context';
import { pointerToValue } from './places';
import { changed, isSame, ownerIn } from './service-judgement';

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

function atListener(judgement: Judgement, kafka: Json, listener: Json): Judgement {
  return changed(judgement, (finding) => {
    const { at, value } = finding;
    const inner = at ?? (value === undefined ? '' : pointerToValue(listener, value));
    return at !== undefined || inner === undefined
      ? finding
      : { ...finding, at: `${pointerTo(kafka, listener)}${inner}` };
  });
}

function clusterKnown({ controllers, areControllersInferred, kubernetes }: KindContext): ClusterKnown {
  const ownerOf = (service: Json): LikelyOwner | undefined => {
    if (!controllers) {
      return likelyOwner(service);
    }
    const { controller } = ownerIn(service, { controllers });
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

function trying(read: () => IKafkaCluster): IKafkaCluster | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

interface KafkaReaders {
  readonly oldest: StrimziVersion;
  readonly newest: StrimziVersion;
  readonly mayBeOlder: boolean;
}

const RELEASES = Object.keys(STRIMZI_RELEASES).map((version) => StrimziVersion.of(version));

function readersOf(kafka: Json, pools: readonly Json[]): KafkaReaders {
  const serving = RELEASES.filter((strimzi) => strimzi.servesApiVersion(String(kafka.apiVersion)));
  if (serving.length === 0) {
    return isRemovedApi(kafka.apiVersion) ? OLDER : of([RELEASES[RELEASES.length - 1]]);
  }
  const version = at(kafka, 'spec.kafka.version');
  if (isOldApi(kafka) && isOlderKafka(version)) {
    return OLDER;
  }
  const running = serving.filter(({ kafkaVersions }) => kafkaVersions.some((one) => one === version));
  const reading = running.length > 0 ? running : serving;
  const isWithoutPools =
    pools.length === 0 &&
    integerAt(kafka, 'spec.kafka.replicas') !== undefined &&
    !readsPools(kafka, StrimziVersion.V0_45);
  const withZooKeeper = reading.filter((strimzi) => !reaches(strimzi, POOLS_ONLY_SINCE));
  return of(isWithoutPools && isOldApi(kafka) && withZooKeeper.length > 0 ? withZooKeeper : reading);
}

function of(versions: readonly StrimziVersion[]): KafkaReaders {
  return { oldest: versions[0], newest: versions[versions.length - 1], mayBeOlder: false };
}

const OLDER: KafkaReaders = { ...of(RELEASES.slice(0, 1)), mayBeOlder: true };

const OF_RELEASES: ReadonlySet<string> = new Set([
  'kafka-version',
  'listener-field-unknown',
  'listener-field-since',
  'listener-field-removed',
  'node-pool-api-version',
]);

/**
 * What older schemas let pass. strimzi/strimzi-kafka-operator 0.40.0: CHANGELOG.md (labels and annotations of templates are
 * texts)
 */
const STRICTER_SINCE: ReadonlySet<string> = new Set(['kafka-template-text']);

const NEWS: ReadonlySet<string> = new Set(['kafka-version', 'kafka-api-version', 'node-pool-api-version']);

/** What holds whichever operator reads a resource; what one of them alone finds is a warning that names it. */
function whicheverReads(
  { oldest, newest, mayBeOlder }: KafkaReaders,
  judge: (strimzi: StrimziVersion) => Judgement,
): Judgement {
  if (mayBeOlder) {
    return ofOlder(judge(oldest), oldest);
  }
  const [first, last] = [oldest, newest].map(({ version }) => minorOf(version));
  const all = first === last ? first : `${first} to ${last}`;
  const one = reworded(judge(oldest), oldest, all);
  if (oldest.version === newest.version) {
    return one;
  }
  const other = reworded(judge(newest), newest, all);
  const common = (found: readonly LoadBalancerFinding[], among: readonly LoadBalancerFinding[]) =>
    found.filter((finding) => among.some((each) => isSame(each, finding)));
  const errors = common(other.errors, one.errors);
  const found = { one: [...one.errors, ...one.warnings], other: [...other.errors, ...other.warnings] };
  const warnings = common(found.other, found.one).filter((finding) => !errors.includes(finding));
  const only = [
    ...onlyUnder(first, last, all, notIn(found.one, found.other)),
    ...onlyUnder(last, first, all, notIn(found.other, found.one)),
  ];
  return new Judgement(errors, [...warnings, ...only], other.unknown, other.claims);
}

function ofOlder(judgement: Judgement, oldest: StrimziVersion): Judgement {
  const { errors, warnings, unknown, claims } = reworded(judgement, oldest, `before ${minorOf(oldest.version)}`);
  const held = (found: readonly LoadBalancerFinding[]) => found.filter(({ ruleId }) => !OF_RELEASES.has(ruleId));
  const isStricter = ({ ruleId }: LoadBalancerFinding) => STRICTER_SINCE.has(ruleId);
  const kept = held(errors);
  return new Judgement(
    kept.filter((finding) => !isStricter(finding)),
    [...held(warnings), ...kept.filter(isStricter)],
    unknown,
    claims,
  );
}

/** What is found under a version that stands for others, with these named in its place: the version itself is a guess. */
function reworded(judgement: Judgement, { version }: StrimziVersion, versions: string): Judgement {
  const words = (text: string) => text.replaceAll(`Strimzi ${version}`, `Strimzi ${versions}`);
  return changed(judgement, (one) => ({ ...one, what: words(one.what), remedy: words(one.remedy) }));
}

function notIn(found: readonly LoadBalancerFinding[], among: readonly LoadBalancerFinding[]): LoadBalancerFinding[] {
  return found.filter((finding) => !among.some((each) => isSame(each, finding)));
}

function onlyUnder(
  version: string,
  other: string,
  all: string,
  found: readonly LoadBalancerFinding[],
): LoadBalancerFinding[] {
  const words = (text: string) => text.replaceAll(`Strimzi ${all}`, 'it');
  return found
    .filter(({ ruleId }) => !NEWS.has(ruleId))
    .map((finding) => ({
      ...finding,
      what: `with Strimzi ${version}, though not with ${other}: ${words(finding.what)}`,
      remedy: words(finding.remedy),
    }));
}
