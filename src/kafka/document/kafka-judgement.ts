import type { Json } from '../../contract/late-rendering';
import type { Judgement } from '../../rules/rule';
import { LISTENER_RULES } from '../listener/listener-rules';
import { DOCUMENT_RULES } from './document-rules';
import { isSaid, listenersOf } from './kafka-json';
import { judgementOf, type ListenerContext } from './kafka-rule';

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
