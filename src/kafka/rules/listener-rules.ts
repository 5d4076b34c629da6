import type { Json } from '../../contract/json';
import { lookAt } from '../../rules/judge-object';
import type { Judgement } from '../../rules/judgement';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { at, listenersOf } from '../operator/kafka-json';
import { nodePoolsOf } from '../operator/node-pools';
import { BROKER_TEMPLATE } from '../operator/operator-services';
import { DOCUMENT_RULES, type KafkaContext, OPERATOR } from './document-rules';
import { LISTENER_BROKER_RULES, LISTENER_TEMPLATE_RULES } from './listener-broker-rules';
import { LISTENER_DNS_RULES } from './listener-dns';
import {
  LISTENER_EXPOSURE_RULES,
  LISTENER_NAME_RULES,
  LISTENER_SHAPE_RULES,
  LISTENER_TYPE_RULES,
} from './listener-field-rules';
import { LISTENER_METADATA_RULES } from './listener-metadata-rules';
import type { ListenerRuleContext } from './listener-rule';
import { LISTENER_WAITING_RULES } from './listener-waiting';
import { KAFKA_TLS_ROUTE_RULES } from './tls-route-rules';

export const LISTENER_RULES: readonly Rule<ListenerRuleContext>[] = [
  ...LISTENER_SHAPE_RULES,
  ...LISTENER_NAME_RULES,
  ...LISTENER_EXPOSURE_RULES,
  ...LISTENER_TYPE_RULES,
  ...LISTENER_BROKER_RULES,
  ...LISTENER_TEMPLATE_RULES,
  ...LISTENER_METADATA_RULES,
  ...LISTENER_WAITING_RULES,
  ...KAFKA_TLS_ROUTE_RULES,
];

const DOCUMENTS = new RuleSet<KafkaContext>([...DOCUMENT_RULES, ...LISTENER_DNS_RULES], OPERATOR);
const LISTENERS = new RuleSet<ListenerRuleContext>(LISTENER_RULES, OPERATOR);

export function judgeListeners(kafka: Json, context: KafkaContext): Judgement {
  return listenersOf(kafka).reduce<Judgement>(
    (judgement, listener) => judgement.and(judgeListener(kafka, listener, context)),
    judgeDocument(kafka, context),
  );
}

export function judgeDocument(kafka: Json, context: KafkaContext): Judgement {
  return DOCUMENTS.judge(kafka, context);
}

export function judgeListener(kafka: Json, listener: Json, context: KafkaContext): Judgement {
  return LISTENERS.judge(listener, { ...context, kafka });
}

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

export function listenerContextOf(cluster: IKafkaCluster): KafkaContext {
  const { strimzi, brokerIds } = cluster;
  return {
    strimzi,
    brokerIds,
    nodePoolOf: (id) => cluster.nodePoolOf(id),
    hasOwnTemplate: (id) => {
      const pool = nodePoolsOf(cluster).find(({ name }) => name === cluster.nodePoolOf(id));
      return pool !== undefined && at(lookAt(pool.object), `spec.template.${BROKER_TEMPLATE}`) !== undefined;
    },
  };
}
