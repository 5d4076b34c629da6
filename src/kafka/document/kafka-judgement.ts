import type { Json } from '../../contract/json';
import { judgementOf } from '../../rules/judgement-of';
import type { Judgement } from '../../rules/rule';
import { LISTENER_RULES } from '../listener/listener-rules';
import { DOCUMENT_RULES } from './document-rules';
import { at, listenersOf } from './kafka-json';
import { type DocumentRule, type ListenerContext, type ListenerRule, OPERATOR } from './kafka-rule';

/** Judges a whole Kafka document: what stands beside the listeners, and each of them. */
export function judgeListeners(kafka: Json, context: ListenerContext): Judgement {
  return listenersOf(kafka).reduce<Judgement>(
    (judgement, listener) => judgement.and(judgeListener(kafka, listener, context)),
    judgeDocument(kafka, context),
  );
}

/** Judges what a Kafka document says beside and above its listeners. */
export function judgeDocument(kafka: Json, context: ListenerContext): Judgement {
  const own = { ...context };
  return judgementOf(DOCUMENT_RULES, OPERATOR, (rule) => (isAsked(rule, kafka) ? rule.judge(kafka, own) : undefined));
}

/** Judges one listener of a Kafka document. */
export function judgeListener(kafka: Json, listener: Json, context: ListenerContext): Judgement {
  const own = { ...context };
  return judgementOf(LISTENER_RULES, OPERATOR, (rule) =>
    isAsked(rule, listener) ? rule.judge(kafka, listener, own) : undefined,
  );
}

function isAsked({ on }: DocumentRule | ListenerRule, json: Json): boolean {
  return on === undefined || at(json, on) !== undefined;
}
