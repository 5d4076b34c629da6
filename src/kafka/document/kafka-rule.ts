import type { Citation } from '../../contract/kubernetes.facts';
import type { Json } from '../../contract/late-rendering';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { Judgement, type Verdict } from '../../rules/rule';
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

/** What every rule of a Kafka document has. */
export interface KafkaRule {
  /** Stable, kebab-case. */
  readonly id: string;
  /** Who says so in messages; the operator where nobody is named. */
  readonly who?: string;
  /** An error stops the synth; a warning is told once. */
  readonly severity: 'error' | 'warning';
  /** The rule as a sentence, for the docs. */
  readonly says: string;
  /** Where the rule was learnt. */
  readonly source: Citation;
}

/** Judges one listener of a finished Kafka document. */
export interface ListenerRule extends KafkaRule {
  /** Where in the listener something must stand for the rule to have something to say. */
  readonly on?: string;
  /** Nothing where the rule is kept or does not apply. */
  judge(kafka: Json, listener: Json, context: ListenerContext): Said;
}

/** Judges what a finished Kafka document says beside and above its listeners. */
export interface DocumentRule extends KafkaRule {
  /** Where in the document something must stand for the rule to have something to say. */
  readonly on?: string;
  /** Nothing where the rule is kept or does not apply. */
  judge(kafka: Json, context: ListenerContext): Said;
}

/** Rules that have something to say where something stands, and are not asked where nothing does. */
export function about<R extends DocumentRule | ListenerRule>(on: string, rules: readonly R[]): R[] {
  return rules.map((rule) => ({ on, ...rule }));
}

/** What a rule says. */
export type Said = Verdict | readonly Verdict[] | undefined;

/** Who speaks where a rule names nobody. */
const OPERATOR = 'strimzi';

/** What some rules say, each asked by itself. */
export function judgementOf<R extends KafkaRule>(rules: readonly R[], ask: (rule: R) => Said): Judgement {
  const judgement = new Judgement();
  for (const rule of rules) {
    const said = ask(rule);
    if (said !== undefined && (!Array.isArray(said) || said.length > 0)) {
      const findings = [said].flat().map((verdict) => findingOf(rule, verdict as Verdict));
      const which = rule.severity === 'error' ? 'errors' : 'warnings';
      judgement[which] = [...judgement[which], ...findings];
    }
  }
  return judgement;
}

function findingOf({ id, who = OPERATOR }: KafkaRule, { what, wayOut, value }: Verdict): LoadBalancerFinding {
  return { ruleId: id, who, what, wayOut, value };
}
