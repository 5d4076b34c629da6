import type { Json } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { RuleOf } from '../../contract/rule-of';
import type { OperatorInApp } from '../operator/operators-in-app';
import type { StrimziVersion } from '../strimzi/strimzi-version';

/** What is known beside a Kafka document. */
export interface ListenerContext {
  /** The operator that will read it. */
  readonly strimzi: StrimziVersion;
  /** The node ids of its brokers, where they are known. */
  readonly brokerIds?: readonly number[];
  /** The name of the node pool of a broker, where that is known: names of pods and Services have it. */
  readonly nodePoolOf?: (brokerId: number) => string;
  /** Whether the node pool of a broker has a template of its Services, which replaces that of the Kafka resource. */
  readonly hasOwnTemplate?: (brokerId: number) => boolean;
  /** The operators of the app that serve it, where it is in an app. */
  readonly operators?: () => readonly OperatorInApp[];
}

/** Judges finished documents of Kafka; the operator says it where nobody is named. */
export interface KafkaRule<Seen extends readonly unknown[]> extends RuleOf<Seen> {
  readonly source: Citation;
}

/** Judges what a finished Kafka document says beside and above its listeners. */
export interface DocumentRule extends KafkaRule<[kafka: Json, context: ListenerContext]> {
  /** Where in the document something must stand for the rule to have something to say. */
  readonly on?: string;
}

/** Who speaks where a rule of Kafka names nobody. */
export const OPERATOR = 'strimzi';

/** Rules that have something to say where something stands, and are not asked where nothing does. */
export function about(on: string, rules: readonly DocumentRule[]): DocumentRule[] {
  return rules.map((rule) => ({ on, ...rule }));
}
