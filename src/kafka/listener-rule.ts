import type { Citation } from '../contract/kubernetes.facts';
import type { Json } from '../contract/late-rendering';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { Judgement, type Verdict } from '../rules/rule';
import { isSaid, listenersOf } from './kafka-json';
import { DOCUMENT_RULES } from './listener-document-rules';
import { LISTENER_RULES } from './listener-rules';
import type { StrimziVersion } from './strimzi-version';

/** What is known beside a Kafka document. */
export interface ListenerContext {
  /** The operator that will read it. */
  readonly strimzi: StrimziVersion;
  /** The node ids of its brokers, where they are known. */
  readonly brokerIds?: readonly number[];
}

/** What every rule of a Kafka document has. */
interface KafkaRule {
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
  /** The field of the listener that must be there for the rule to have something to say. */
  readonly on?: string;
  /** Nothing where the rule is kept or does not apply. */
  judge(kafka: Json, listener: Json, context: ListenerContext): Said;
}

/** Judges what a finished Kafka document says beside and above its listeners. */
export interface DocumentRule extends KafkaRule {
  /** Nothing where the rule is kept or does not apply. */
  judge(kafka: Json, context: ListenerContext): Said;
}

/** What a rule says. */
export type Said = Verdict | readonly Verdict[] | undefined;

/** Who speaks where a rule names nobody. */
const OPERATOR = 'strimzi';

/** Judges a whole Kafka document: what stands beside the listeners, and each of them. */
export function judgeListeners(kafka: Json, context: ListenerContext): Judgement {
  return listenersOf(kafka).reduce<Judgement>(
    (judgement, listener) => judgement.and(judgeListener(kafka, listener, context)),
    judgeDocument(kafka, context),
  );
}

/** Judges what a Kafka document says beside and above its listeners. */
export function judgeDocument(kafka: Json, context: ListenerContext): Judgement {
  return judgementOf(DOCUMENT_RULES, (rule) => rule.judge(kafka, context));
}

/** Judges one listener of a Kafka document. */
export function judgeListener(kafka: Json, listener: Json, context: ListenerContext): Judgement {
  const own = { ...context };
  return judgementOf(LISTENER_RULES, (rule) =>
    rule.on === undefined || isSaid(listener[rule.on]) ? rule.judge(kafka, listener, own) : undefined,
  );
}

function judgementOf<R extends KafkaRule>(rules: readonly R[], ask: (rule: R) => Said): Judgement {
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
