import type { Json } from '../../contract/json';
import type { Judgement } from '../../rules/judgement';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { listenersOf } from '../document/kafka-json';
import { DOCUMENT_RULES } from '../rules/document-rules';
import { type KafkaContext, OPERATOR } from '../rules/kafka-context';
import { LISTENER_DNS_RULES } from './listener-dns-rules';
import type { ListenerRuleContext } from './listener-rule';
import { LISTENER_RULES } from './listener-rules';

const DOCUMENTS = new RuleSet<KafkaContext>([...DOCUMENT_RULES, ...LISTENER_DNS_RULES], OPERATOR);
const LISTENERS = new RuleSet<ListenerRuleContext>(LISTENER_RULES, OPERATOR);

/** Validates a whole Kafka document with its listeners. */
export function judgeListeners(kafka: Json, context: KafkaContext): Judgement {
  return listenersOf(kafka).reduce<Judgement>(
    (judgement, listener) => judgement.and(judgeListener(kafka, listener, context)),
    judgeDocument(kafka, context),
  );
}

/** Validates a Kafka document without its listeners. */
export function judgeDocument(kafka: Json, context: KafkaContext): Judgement {
  return DOCUMENTS.judge(kafka, context);
}

/** Validates one listener of a Kafka document. */
export function judgeListener(kafka: Json, listener: Json, context: KafkaContext): Judgement {
  return LISTENERS.judge(listener, { ...context, kafka });
}

/** The rules about Services with the same cause as what was found in their listener. */
export function sameCause({ errors }: Judgement): ReadonlySet<string> {
  return new Set(supersededBy(LISTENER_RULES.filter(({ id }) => errors.some(({ ruleId }) => ruleId === id))));
}

/**
 * The rules about Services of which those of the document report more: where a value is, and the names of all Services. One
 * listener alone reports what is wrong with the document.
 */
export const REPORTED_OF_DOCUMENT: ReadonlySet<string> = new Set(supersededBy(DOCUMENTS.rules));

function supersededBy(rules: readonly Pick<Rule, 'supersedes'>[]): readonly string[] {
  return rules.flatMap(({ supersedes = [] }) => supersedes);
}
