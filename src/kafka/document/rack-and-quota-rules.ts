import { QUOTA_CALLBACK, RACK_BY_ENVIRONMENT, RACK_BY_LABEL, USER_PREFIX } from '../cluster/kafka-cluster.facts';
import { refusedInDocument, surprisingInDocument } from './document-says';
import { at, isSaid, kafkaConfigOf, listAt, mapAt, shown, textAt } from './kafka-json';
import { about, type DocumentRule } from './kafka-rule';

/** What each type of rack needs. */
const RACK_NEEDS: Readonly<Record<string, string>> = {
  [RACK_BY_LABEL]: 'topologyKey',
  [RACK_BY_ENVIRONMENT]: 'envVarName',
};

const BYTES = 'spec.kafka.quotas.minAvailableBytesPerVolume';
const RATIO = 'spec.kafka.quotas.minAvailableRatioPerVolume';

/** Where brokers are, and how much clients may do. */
export const RACK_AND_QUOTA_RULES: readonly DocumentRule[] = [
  ...about('spec.kafka.rack', [
    refusedInDocument(
      'kafka-rack',
      'a rack says by which label or variable it is known',
      'api/src/main/java/io/strimzi/api/kafka/model/common/Rack.java',
      (kafka) => {
        const needed = RACK_NEEDS[textAt(kafka, 'spec.kafka.rack.type') ?? RACK_BY_LABEL];
        return isSaid(at(kafka, 'spec.kafka.rack')) && needed && !mapAt(kafka, 'spec.kafka.rack')[needed]
          ? {
              what: `spec.kafka.rack has no ${needed}, so the API server refuses the resource`,
              remedy: `write ${needed}, or remove the rack`,
            }
          : undefined;
      },
    ),
  ]),
  ...about('spec.kafka.quotas', [
    refusedInDocument(
      'kafka-quotas-volume',
      'what must stay free on a volume is a size or a part of it, not both',
      'KafkaCluster.java',
      (kafka) =>
        textAt(kafka, 'spec.kafka.quotas.type') === 'strimzi' && isSaid(at(kafka, BYTES)) && isSaid(at(kafka, RATIO))
          ? {
              what: `${BYTES} is ${shown(at(kafka, BYTES))} and ${RATIO} is ${shown(at(kafka, RATIO))}`,
              remedy: 'remove one of them',
            }
          : undefined,
    ),
    surprisingInDocument('kafka-quotas-callback', 'one plugin keeps quotas', 'KafkaCluster.java', (kafka) => {
      const callback = kafkaConfigOf(kafka)[QUOTA_CALLBACK];
      return isSaid(at(kafka, 'spec.kafka.quotas')) && isSaid(callback)
        ? {
            what: `spec.kafka.config has ${QUOTA_CALLBACK}, which the operator ignores beside spec.kafka.quotas`,
            remedy: 'remove one of them',
            value: shown(callback),
          }
        : undefined;
    }),
    surprisingInDocument(
      'kafka-quotas-principal',
      'principals without quotas are named as Kafka names them',
      'api/src/main/java/io/strimzi/api/kafka/model/kafka/quotas/QuotasPluginStrimzi.java',
      (kafka) =>
        listAt(kafka, 'spec.kafka.quotas.excludedPrincipals')
          .filter(
            (principal): principal is string => typeof principal === 'string' && !principal.startsWith(USER_PREFIX),
          )
          .map((principal) => ({
            what: `spec.kafka.quotas.excludedPrincipals has '${principal}', which is the principal of nobody`,
            remedy: `write ${USER_PREFIX}${principal}`,
            value: principal,
          })),
    ),
  ]),
];
