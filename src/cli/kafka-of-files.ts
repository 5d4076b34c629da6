import { reaches } from '../contract/compare-versions';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { isOlderThanFacts, versionIn } from '../installations/strimzi/operator';
import { checkKafka } from '../kafka/listener/kafka-check';
import { operatorsServing } from '../kafka/operator/cluster-operators';
import type { IKafkaCluster } from '../kafka/operator/i-kafka-cluster';
import { at, integerAt, namedIds } from '../kafka/operator/kafka-document';
import { readsPools } from '../kafka/operator/node-pools';
import { isOlderKafka, type KafkaContext } from '../kafka/rules/document-rules';
import { listenerContextOf } from '../kafka/rules/listener-rules';
import { checkNodePool } from '../kafka/rules/node-pool-rules';
import { FINALIZER_STRIPPED, FINALIZER_UNDECLARED } from '../kafka/rules.facts';
import { isOldApi, isRemovedApi, minorOf } from '../kafka/strimzi/releases';
import {
  KAFKA_KIND,
  KAFKA_NODE_POOL_KIND,
  POOLS_ONLY_SINCE,
  STRIMZI_GROUP,
  STRIMZI_RELEASES,
} from '../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import { clusterIn, isPoolOf, NodePools, uncountedCluster } from '../predicted/kafka-services';
import { definitionOf } from '../rules/controller-definition';
import { type LikelyOwner, likelyOwner } from '../rules/known-kinds';
import type { IndexedObject } from '../rules/objects';
import { CheckResult, changed } from '../rules/rule-set';
import { classOf } from '../rules/service-json';
import type { CheckContext } from './context/check-context';
import { isSame, lowerToWarnings, ownerIn } from './service-checks';

export type KindContext = Partial<CheckContext>;

export function checkKafkaOfFiles(kafka: IndexedObject, context: KindContext = {}): CheckResult {
  const pools = poolsOf(kafka);
  const result = underItsReader(kafka, pools, context, (reader) => checkUnder(kafka, pools, reader, context));
  return context.keeper === undefined ? result : withKeptFinalizers(result);
}

/** Policies put finalizers back that an operator strips. */
function withKeptFinalizers(result: CheckResult): CheckResult {
  const isLost = ({ ruleId }: { ruleId: string }) => [FINALIZER_UNDECLARED.id, FINALIZER_STRIPPED.id].includes(ruleId);
  const { errors, warnings, claims } = changed(result, (finding) => (isLost(finding) ? undefined : finding));
  return new CheckResult(
    errors,
    warnings,
    result.unknown.filter((one) => !isLost(one)),
    claims,
  );
}

export function checkPoolOfFiles(pool: IndexedObject, context: KindContext = {}): CheckResult {
  const kafka = pool.index.of(STRIMZI_GROUP, KAFKA_KIND).find(({ json }) => isPoolOf(pool.json, json));
  const { kubernetes, nodePools = {} } = context;
  const known = { kafka: kafka?.json, nodePools: Object.values(nodePools), kubernetes };
  return underItsReader(kafka ?? pool, [pool.json], context, (reader) =>
    checkNodePool(pool.json, { ...reader, ...known }),
  );
}

/** The node pools of a Kafka that are applied together with it, or else all of them: files may be of several clusters. */
function poolsOf({ index, json, unit }: IndexedObject): readonly Json[] {
  const pools = index.once(
    NodePools,
    () => new NodePools(index.of(STRIMZI_GROUP, KAFKA_NODE_POOL_KIND), (pool) => pool.json),
  );
  const all = pools.of(json);
  const own = all.filter((pool) => pool.unit === unit);
  return (own.length > 0 ? own : all).map((pool) => pool.json);
}

/** The operators that may read a Kafka: the one that is installed or that the context names, or else all that would. */
function readersAround(kafka: IndexedObject, pools: readonly Json[], context: KindContext) {
  const { strimzi, isStrimziInferred, isStrimziOlder } = context;
  const images = operatorsServing(kafka).map(({ object }) => object.json);
  const version = images.map(versionIn).find((one) => one !== undefined);
  const isInstalled = version !== undefined || images.some(isOlderThanFacts);
  const known = version ?? (isStrimziInferred ? undefined : strimzi);
  const readers = isInstalled || isStrimziOlder ? OLDER : readersOf(kafka.json, pools);
  return { isInstalled, known, readers: known ? of([known]) : readers };
}

function underItsReader(
  kafka: IndexedObject,
  pools: readonly Json[],
  context: KindContext,
  check: (reader: Reader) => CheckResult,
): CheckResult {
  const { isInstalled, known, readers } = readersAround(kafka, pools, context);
  if (known) {
    return check({ strimzi: known });
  }
  const held = whicheverReads(readers, (version) => check({ strimzi: version, isVersionGuessed: true }));
  const { strimzi } = context;
  // what an inferred version alone finds rests on a guess
  return strimzi && !isInstalled ? held.and(asWarnings(check({ strimzi }), held)) : held;
}

export function keepsForeignFinalizers(kafka: IndexedObject, context: KindContext) {
  return readersAround(kafka, poolsOf(kafka), context).readers.oldest.keepsForeignFinalizers;
}

function asWarnings({ errors, warnings }: CheckResult, held: CheckResult): CheckResult {
  const key = ({ ruleId, value }: LoadBalancerFinding) => `${ruleId} ${value}`;
  const known = new Set([...held.errors, ...held.warnings].map(key));
  return CheckResult.of(
    [],
    [...errors, ...warnings].filter((finding) => !known.has(key(finding))),
  );
}

type Reader = Pick<KafkaContext, 'strimzi' | 'isVersionGuessed'>;

function checkUnder(kafka: IndexedObject, pools: readonly Json[], reader: Reader, context: KindContext): CheckResult {
  const { json } = kafka;
  const { strimzi } = reader;
  const { controllers, kubernetes } = context;
  const cluster = trying(() => clusterIn(json, pools, strimzi));
  return checkKafka(json, {
    context: { ...(cluster && listenerContextOf(cluster)), ...reader },
    pools,
    among: kafka,
    controllers,
    kubernetes,
    isUncounted: cluster === undefined,
    clusterOf: (listener) => cluster ?? trying(() => uncountedCluster(json, strimzi, namedIds(listener))),
    ownerOf: (service) => ownerOf(service, context),
  });
}

function ownerOf(
  service: Json,
  { controllers, withPoolFor, areControllersInferred }: KindContext,
): LikelyOwner | undefined {
  if (!controllers) {
    return likelyOwner(service);
  }
  const { controller } = ownerIn(service, { controllers, withPoolFor });
  const kind = controller && definitionOf(controller);
  return kind && { kind, isSure: !areControllersInferred || classOf(service) !== undefined, controller };
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
  'kafka-version-unsupported',
  'listener-field-unknown',
  'listener-field-unsupported-version',
  'listener-field-removed',
  'node-pool-api-version-unsupported',
]);

/**
 * Values that older schemas accept. strimzi/strimzi-kafka-operator 0.40.0: CHANGELOG.md (labels and annotations of templates are
 * texts)
 */
const STRICTER_SINCE: ReadonlySet<string> = new Set(['kafka-template-value-not-string']);

const NEWS: ReadonlySet<string> = new Set([
  'kafka-version-unsupported',
  'kafka-api-version-unsupported',
  'node-pool-api-version-unsupported',
]);

/** Findings of every operator that may read a resource; what one of them alone finds is a warning that names it. */
function whicheverReads(
  { oldest, newest, mayBeOlder }: KafkaReaders,
  check: (strimzi: StrimziVersion) => CheckResult,
): CheckResult {
  if (mayBeOlder) {
    const all = reworded(check(oldest), oldest, `before ${minorOf(oldest.version)}`);
    const held = changed(all, (finding) => (OF_RELEASES.has(finding.ruleId) ? undefined : finding));
    return lowerToWarnings(held, ({ ruleId }) => STRICTER_SINCE.has(ruleId));
  }
  const [first, last] = [oldest, newest].map(({ version }) => minorOf(version));
  const all = first === last ? first : `${first} to ${last}`;
  const one = reworded(check(oldest), oldest, all);
  if (oldest.version === newest.version) {
    return one;
  }
  const other = reworded(check(newest), newest, all);
  const isIn = (among: readonly LoadBalancerFinding[]) => (finding: LoadBalancerFinding) =>
    among.some((each) => isSame(each, finding));
  const found = [one, other].map(({ errors, warnings }) => [...errors, ...warnings]);
  const errors = other.errors.filter(isIn(one.errors));
  const warnings = found[1].filter((finding) => isIn(found[0])(finding) && !errors.includes(finding));
  const onlyUnder = (version: string, its: readonly LoadBalancerFinding[], against: string, others: typeof its) =>
    its
      .filter((finding) => !isIn(others)(finding) && !NEWS.has(finding.ruleId))
      .map((finding) => inWords(finding, `Strimzi ${all}`, 'it'))
      .map((finding) => ({
        ...finding,
        what: `with Strimzi ${version}, though not with ${against}: ${finding.what}`,
      }));
  const only = [...onlyUnder(first, found[0], last, found[1]), ...onlyUnder(last, found[1], first, found[0])];
  return new CheckResult(errors, [...warnings, ...only], [...one.unknown, ...other.unknown], other.claims);
}

/** Findings under a version that stands for others, with these named in its place: the version itself is a guess. */
function reworded(result: CheckResult, { version }: StrimziVersion, versions: string): CheckResult {
  return changed(result, (finding) => inWords(finding, `Strimzi ${version}`, `Strimzi ${versions}`));
}

function inWords(finding: LoadBalancerFinding, text: string, other: string): LoadBalancerFinding {
  const { what, remedy } = finding;
  return { ...finding, what: what.replaceAll(text, other), remedy: remedy.replaceAll(text, other) };
}
