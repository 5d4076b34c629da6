import type { Json } from '../../contract/json';
import { OLDEST_METADATA } from '../cluster/kafka-cluster.facts';
import { STRIMZI_RELEASES } from '../strimzi/strimzi.facts';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { refusedInDocument, surprisingInDocument } from './document-says';
import { at, isSaid, textAt } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

const METADATA_VERSION = /^(\d+)\.(\d+)(-IV\d+)?$/;

/** Major and minor as one number, or nothing where it is no version. */
function rankOf(version: string | undefined): number | undefined {
  const match = /^(\d+)\.(\d+)/.exec(version ?? '');
  return match ? Number(match[1]) * 1_000 + Number(match[2]) : undefined;
}

/** The version of Kafka that will run, where it is known. */
function kafkaVersionOf(kafka: Json, strimzi: StrimziVersion): string | undefined {
  if (isSaid(at(kafka, 'spec.kafka.version'))) {
    return textAt(kafka, 'spec.kafka.version');
  }
  return strimzi.version in STRIMZI_RELEASES ? strimzi.defaultKafkaVersion : undefined;
}

/** The version of what the brokers keep of themselves. */
export const METADATA_VERSION_RULES: readonly DocumentRule[] = [
  refusedInDocument(
    'kafka-metadata-version',
    'the metadata version is one that Kafka knows',
    'KafkaCluster.java',
    (kafka) => {
      const metadata = textAt(kafka, 'spec.kafka.metadataVersion');
      if (metadata === undefined) {
        return undefined;
      }
      const rank = rankOf(metadata);
      const isVersion = METADATA_VERSION.test(metadata) && rank !== undefined;
      return isVersion && rank >= (rankOf(OLDEST_METADATA) as number)
        ? undefined
        : {
            what: `spec.kafka.metadataVersion is '${metadata}', which ${isVersion ? `is older than ${OLDEST_METADATA}` : 'is no metadata version'}`,
            remedy: 'write major and minor of the version of Kafka, such as 4.2, or remove it',
            value: metadata,
          };
    },
  ),
  surprisingInDocument(
    'kafka-metadata-version-other',
    'the metadata version is that of Kafka, unless an upgrade is under way',
    'KafkaSpecChecker.java',
    (kafka, { strimzi }) => {
      const metadata = textAt(kafka, 'spec.kafka.metadataVersion');
      const version = kafkaVersionOf(kafka, strimzi);
      const [one, other] = [rankOf(metadata), rankOf(version)];
      if (one === undefined || other === undefined || one === other) {
        return undefined;
      }
      return {
        what: `spec.kafka.metadataVersion is '${metadata}' and Kafka ${version} runs, so ${one < other ? 'its upgrade is not finished' : 'the operator takes an older one'}`,
        remedy:
          'write that of the version of Kafka once there is no way back to an older one, or acknowledge it until then',
        value: metadata,
      };
    },
  ),
];
