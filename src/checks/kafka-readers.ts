import { reaches } from '../contract/compare-versions';
import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { at, integerAt } from '../kafka/operator/kafka-json';
import { readsPools } from '../kafka/operator/node-pools';
import { isOlderKafka } from '../kafka/rules/document-rules';
import { isOldApi, isRemovedApi, minorOf } from '../kafka/strimzi/releases';
import { POOLS_ONLY_SINCE, STRIMZI_RELEASES } from '../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';

import { Judgement } from '../rules/judgement';
import { isSame } from './likely-owners';

export interface KafkaReaders {
  readonly oldest: StrimziVersion;
  readonly newest: StrimziVersion;
  readonly mayBeOlder: boolean;
}

const RELEASES = Object.keys(STRIMZI_RELEASES).map((version) => StrimziVersion.of(version));

export function readersOf(kafka: Json, pools: readonly Json[]): KafkaReaders {
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

/** Of operators that are older than all known ones, what the oldest known one reads is true as far as it was not new there. */
export const OLDER: KafkaReaders = { ...of(RELEASES.slice(0, 1)), mayBeOlder: true };

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

/**
 * What holds whichever operator reads a resource; what one of them alone finds is a warning that names it.
 *
 * @param judge asks every rule under one version
 */
export function whicheverReads(
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
function reworded({ errors, warnings, unknown, claims }: Judgement, { version }: StrimziVersion, versions: string) {
  const words = (text: string) => text.replaceAll(`Strimzi ${version}`, `Strimzi ${versions}`);
  const inWords = (found: readonly LoadBalancerFinding[]) =>
    found.map((finding) => ({ ...finding, what: words(finding.what), remedy: words(finding.remedy) }));
  return new Judgement(inWords(errors), inWords(warnings), unknown, claims);
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
