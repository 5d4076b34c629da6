import type { StrimziVersion } from '../strimzi/strimzi-version';

/** What is known beside a Kafka document. */
export interface KafkaContext {
  /** The operator that will read it. */
  readonly strimzi: StrimziVersion;
  /** Whether that is a guess: nothing shows which one is installed. */
  readonly isVersionGuessed?: boolean;
  /** The node ids of its brokers, where they are known. */
  readonly brokerIds?: readonly number[];
  /** The name of the node pool of a broker, where that is known: names of pods and Services have it. */
  readonly nodePoolOf?: (brokerId: number) => string;
  /** Whether the node pool of a broker has a template of its Services, which replaces that of the Kafka resource. */
  readonly hasOwnTemplate?: (brokerId: number) => boolean;
  /** Whether brokers have addresses until they get ports of their own: then several may have one. */
  readonly hasInterimAddresses?: boolean;
}

/** Who reports what a rule of Kafka has no name for. */
export const OPERATOR = 'strimzi';
