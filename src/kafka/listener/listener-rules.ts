import type { Rule } from '../../rules/rule';
import { LISTENER_BROKER_RULES } from './listener-broker-rules';
import { LISTENER_EXPOSURE_RULES } from './listener-exposure-rules';
import { LISTENER_METADATA_RULES } from './listener-metadata-rules';
import { LISTENER_NAME_RULES } from './listener-name-rules';
import type { ListenerRuleContext } from './listener-rule';
import { LISTENER_SHAPE_RULES } from './listener-shape-rules';
import { LISTENER_TEMPLATE_RULES } from './listener-template-rules';
import { LISTENER_TYPE_RULES } from './listener-type-rules';
import { LISTENER_WAITING_RULES } from './listener-waiting-rules';
import { KAFKA_TLS_ROUTE_RULES } from './tls-route-rules';

/** All rules about one listener of a Kafka document. */
export const LISTENER_RULES: readonly Rule<ListenerRuleContext>[] = [
  ...LISTENER_SHAPE_RULES,
  ...LISTENER_NAME_RULES,
  ...LISTENER_EXPOSURE_RULES,
  ...LISTENER_TYPE_RULES,
  ...about('configuration', [
    ...LISTENER_BROKER_RULES,
    ...LISTENER_TEMPLATE_RULES,
    ...LISTENER_METADATA_RULES,
    ...LISTENER_WAITING_RULES,
  ]),
  ...KAFKA_TLS_ROUTE_RULES,
];

function about(path: string, rules: readonly Rule<ListenerRuleContext>[]): Rule<ListenerRuleContext>[] {
  return rules.map((rule) => ({ ...rule, on: [path] }));
}
