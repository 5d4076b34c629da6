import type { Json } from '../../contract/json';
import type { Judgement } from '../../rules/judgement';
import { RuleSet } from '../../rules/rule-set';
import { listenersOf } from '../document/kafka-json';
import { DOCUMENT_RULES } from '../rules/document-rules';
import { type ListenerContext, OPERATOR } from '../rules/kafka-rule';
import { LISTENER_DNS_RULES } from './listener-dns-rules';
import type { ListenerRuleContext } from './listener-rule';
import { LISTENER_RULES } from './listener-rules';

const DOCUMENTS = new RuleSet<ListenerContext>([...DOCUMENT_RULES, ...LISTENER_DNS_RULES], OPERATOR);
const LISTENERS = new RuleSet<ListenerRuleContext>(LISTENER_RULES, OPERATOR);

/** Validates a whole Kafka document with its listeners. */
export function judgeListeners(kafka: Json, context: ListenerContext): Judgement {
  return listenersOf(kafka).reduce<Judgement>(
    (judgement, listener) => judgement.and(judgeListener(kafka, listener, context)),
    judgeDocument(kafka, context),
  );
}

/** Validates a Kafka document without its listeners. */
export function judgeDocument(kafka: Json, context: ListenerContext): Judgement {
  return DOCUMENTS.judge(kafka, context);
}

/** Validates one listener of a Kafka document. */
export function judgeListener(kafka: Json, listener: Json, context: ListenerContext): Judgement {
  return LISTENERS.judge(listener, { ...context, kafka });
}

/** The rules about Services with the same cause as what was found in their listener. */
export function sameCause({ errors }: Judgement): ReadonlySet<string> {
  const rules = LISTENER_RULES.filter(({ id, supersedes }) => supersedes && errors.some(({ ruleId }) => ruleId === id));
  return new Set(rules.flatMap(({ supersedes = [] }) => supersedes));
}
