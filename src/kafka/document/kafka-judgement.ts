import type { Json } from '../../contract/json';
import { judgementOf } from '../../rules/judgement-of';
import { type Judgement, RuleSet } from '../../rules/rule';
import { LISTENER_RULES } from '../listener/listener-rules';
import { DOCUMENT_RULES } from './document-rules';
import { at, listenersOf } from './kafka-json';
import { type ListenerContext, OPERATOR } from './kafka-rule';

const DOCUMENTS = new RuleSet<ListenerContext>(DOCUMENT_RULES, OPERATOR);

/** Judges a whole Kafka document: what stands beside the listeners, and each of them. */
export function judgeListeners(kafka: Json, context: ListenerContext): Judgement {
  return listenersOf(kafka).reduce<Judgement>(
    (judgement, listener) => judgement.and(judgeListener(kafka, listener, context)),
    judgeDocument(kafka, context),
  );
}

/** Judges what a Kafka document says beside and above its listeners. */
export function judgeDocument(kafka: Json, context: ListenerContext): Judgement {
  return DOCUMENTS.judge(kafka, context);
}

/** Judges one listener of a Kafka document. */
export function judgeListener(kafka: Json, listener: Json, context: ListenerContext): Judgement {
  const own = { ...context };
  return judgementOf(LISTENER_RULES, OPERATOR, ({ on, judge }) =>
    on === undefined || at(listener, on) !== undefined ? judge(kafka, listener, own) : undefined,
  );
}
