import { isSet, type Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { at, shown } from '../document/kafka-json';
import { isOldApi, isRemovedApi, removedApi, unservedApi } from '../strimzi/served-api';
import { STRIMZI_RELEASES } from '../strimzi/strimzi.facts';
import { StrimziVersion } from '../strimzi/strimzi-version';
import type { KafkaContext } from './kafka-context';

const UPSTREAM = { repository: 'strimzi/strimzi-kafka-operator', version: '0.45.0 to 1.2.0' };

/** Major, minor and patch, or nothing where it is not a version. */
function partsOf(version: unknown): number[] | undefined {
  return typeof version === 'string' && /^\d+\.\d+\.\d+$/.test(version) ? version.split('.').map(Number) : undefined;
}

function minorOf([major, minor]: readonly number[]): number {
  return major * 1_000 + minor;
}

/**
 * Whether an operator runs a version of Kafka, as far as that is known. A release that is not known here is held against the one
 * before it: a patch of it may run later patches of the same Kafka, and a later minor version also newer Kafka.
 */
function runs(strimzi: StrimziVersion, version: unknown): boolean {
  const { kafkaVersions } = strimzi;
  if (kafkaVersions.some((one) => one === version)) {
    return true;
  }
  const parts = partsOf(version);
  if (strimzi.version in STRIMZI_RELEASES || !parts) {
    return false;
  }
  const known = kafkaVersions.map((one) => minorOf(partsOf(one) as number[]));
  return known.includes(minorOf(parts)) || (isNewMinor(strimzi) && minorOf(parts) > Math.max(...known));
}

/** Whether a version of Kafka is older than all that the operators known here run. */
export function isOlderKafka(version: unknown): boolean {
  const parts = partsOf(version);
  return parts !== undefined && minorOf(parts) < Math.min(...ALL_KAFKA.map(minorOfVersion));
}

const ALL_KAFKA = Object.values(STRIMZI_RELEASES).flatMap(({ kafka }) => kafka);

function minorOfVersion(version: string): number {
  return minorOf(partsOf(version) as number[]);
}

/** Whether some operator that serves a resource may run its version of Kafka: a newer one, or one that is older than those known. */
function someoneRuns(kafka: Json, version: unknown): boolean {
  const serving = Object.entries(STRIMZI_RELEASES).filter(([release]) =>
    StrimziVersion.of(release).servesApiVersion(String(kafka.apiVersion)),
  );
  const parts = partsOf(version);
  const known = serving.flatMap(([, release]) => release.kafka);
  return (
    known.some((one) => one === version) ||
    (parts !== undefined &&
      (known.map(minorOfVersion).includes(minorOf(parts)) ||
        (isOldApi(kafka) ? isOlderKafka(version) : minorOf(parts) > Math.max(...known.map(minorOfVersion)))))
  );
}

/** Whether no release of its minor version is known. */
function isNewMinor({ version }: StrimziVersion): boolean {
  const start = version.slice(0, version.lastIndexOf('.') + 1);
  return !Object.keys(STRIMZI_RELEASES).some((release) => release.startsWith(start));
}

/** Whether the default is another patch of the same Kafka: anything else is an upgrade, which the user decides. */
function isSameMinor(version: unknown, other: string): boolean {
  const [one, two] = [partsOf(version), partsOf(other)];
  return one !== undefined && two !== undefined && minorOf(one) === minorOf(two);
}

/** Which versions an operator reads and runs. */
export const VERSION_RULES: readonly Rule<KafkaContext>[] = [
  {
    id: 'kafka-api-version',
    severity: 'error',
    says: 'the operator serves the API version of its resource',
    source: { ...UPSTREAM, file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml' },
    judge: ({ apiVersion }, { strimzi, isVersionGuessed }) =>
      isVersionGuessed && isRemovedApi(apiVersion) ? undefined : unservedApi(apiVersion, strimzi),
  },
  {
    id: 'kafka-api-removed',
    severity: 'warning',
    says: 'the API version of a Kafka resource is one that operators still serve',
    source: { ...UPSTREAM, version: '0.23.0', file: 'CHANGELOG.md' },
    judge: ({ apiVersion }, { isVersionGuessed }) => (isVersionGuessed ? removedApi(apiVersion) : undefined),
  },
  {
    id: 'kafka-version',
    severity: 'error',
    says: 'the operator runs the version of Kafka',
    source: { ...UPSTREAM, file: 'kafka-versions.yaml' },
    on: ['spec.kafka.version'],
    judge(kafka, { strimzi, isVersionGuessed }) {
      const version = at(kafka, 'spec.kafka.version');
      if (isVersionGuessed && (isRemovedApi(kafka.apiVersion) || someoneRuns(kafka, version))) {
        return undefined;
      }
      const { kafkaVersions, defaultKafkaVersion } = strimzi;
      const remove = isSameMinor(version, defaultKafkaVersion) ? `, or remove it for ${defaultKafkaVersion}` : '';
      return !isSet(version) || runs(strimzi, version)
        ? undefined
        : {
            what: `spec.kafka.version is ${shown(version)}, which Strimzi ${strimzi.version} does not run`,
            remedy: `write one of ${kafkaVersions.join(', ')}${remove}`,
            value: shown(version),
          };
    },
  },
];
