import type { Finding, Findings } from '../../contract/finding';
import { isMap, type Json } from '../../contract/json';
import type { DescribedRule } from '../../contract/rule';
import { at, listenersOf, pointerTo, shown } from '../../kafka/document/kafka-json';
import { KAFKA_KIND, LISTENER_TYPES } from '../../kafka/strimzi/operator-services.facts';
import { STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import { groupOf } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { PortConflictPolicy } from '../ports/ports.options';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import type { TenantKafkaOptions } from './kafka.options';
import { BALANCED_LISTENER_FIELDS, KAFKA_FIELDS } from './kafka-listener';
import { titleOf } from './object-identity';
import {
  TENANT_FIELD,
  TENANT_KAFKA_HOSTNAME,
  TENANT_KAFKA_LISTENER,
  TENANT_KAFKA_OLD,
  TENANT_KAFKA_PORTS,
  TENANT_KAFKA_TLS,
  TENANT_KAFKA_VERSION,
} from './rules';
import { fieldFindings } from './tenant-fields';

/** What is known beside a Kafka of a tenant that shares a balancer. */
export interface KafkaGround {
  readonly tenant: string;
  readonly shared: SharedLoadBalancer;
  readonly registry: TenancyRegistry;
  readonly options?: TenantKafkaOptions;
}

/** Whether an object is a Kafka with listeners that have load balancers. */
export function isBalancedKafka(json: Json): boolean {
  return isKafka(json) && (balancedListeners(json).length > 0 || hasOldListeners(json));
}

function isKafka(json: Json): boolean {
  return json.kind === KAFKA_KIND && groupOf(json) === STRIMZI_GROUP;
}

export function balancedListeners(kafka: Json): Json[] {
  return listenersOf(kafka).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
}

/** Listeners by name, as they were written before they had names of their own. */
function hasOldListeners(kafka: Json): boolean {
  const listeners = at(kafka, 'spec.kafka.listeners');
  return isMap(listeners) && Object.values(listeners).some((one) => at(one, 'type') === LISTENER_TYPES.loadBalancer);
}

/** What must hold for a Kafka that shares a balancer. */
export const TENANT_KAFKA_RULES: readonly Rule<KafkaGround>[] = [
  kafkaRule({ ...TENANT_KAFKA_OLD, supersedes: [TENANT_FIELD.id] }, (kafka) =>
    hasOldListeners(kafka)
      ? {
          what: `${titleOf(kafka)} has its listeners as a map, which no supported operator reads`,
          remedy: 'write them as a list, each with its name',
          at: '/spec/kafka/listeners',
        }
      : undefined,
  ),
  kafkaRule(TENANT_KAFKA_VERSION, (kafka, { options }) =>
    options
      ? undefined
      : {
          what: `${titleOf(kafka)} has a listener with load balancers, and the version of its operator is unknown`,
          remedy: 'pass it: kafka: { strimzi: StrimziVersion.V1_2 }',
        },
  ),
  kafkaRule(TENANT_FIELD, (kafka) => [
    ...fieldFindings(titleOf(kafka), kafka, KAFKA_FIELDS),
    ...balancedListeners(kafka).flatMap((listener) =>
      fieldFindings(
        `${titleOf(kafka)} listener ${shown(listener.name)}`,
        listener,
        BALANCED_LISTENER_FIELDS,
        pointerTo(kafka, listener),
      ),
    ),
  ]),
  kafkaRule(TENANT_KAFKA_LISTENER, (kafka) =>
    balancedListeners(kafka)
      .filter(({ name }, i, all) => typeof name !== 'string' || all.findIndex((one) => one.name === name) !== i)
      .map(({ name }) => ({
        what: `${titleOf(kafka)} has listener ${shown(name)} twice, or without a name that is a string`,
        remedy: 'give each listener a name of its own',
      })),
  ),
  listenerRule(TENANT_KAFKA_TLS, ({ tls }, { registry }) => {
    const { engine } = registry.settings;
    return engine.limits.powers.hostnames && tls !== true
      ? {
          what: ` without TLS, and ${engine.name} routes to brokers by the names that TLS clients request`,
          remedy: 'set tls: true, or share a balancer whose engine has a port for each broker',
        }
      : undefined;
  }),
  listenerRule(TENANT_KAFKA_HOSTNAME, (_, ground) => {
    const { hostname, path } = ground.registry.settings;
    return hostname === undefined && domainOf(ground) === undefined
      ? {
          what: `, whose brokers need a name to advertise, and ${path} has none`,
          remedy: 'give the shared load balancer a hostname',
        }
      : undefined;
  }),
  listenerRule(TENANT_KAFKA_PORTS, (_, { registry }) => {
    const { engine, conflict } = registry.settings;
    return !engine.limits.powers.hostnames && conflict !== PortConflictPolicy.REMAP
      ? {
          what: `, whose brokers each need a port of their own at ${engine.name}, and all request the same`,
          remedy: 'set portConflict of the shared load balancer to REMAP, or use an engine that routes by SNI',
        }
      : undefined;
  }),
];

/** Runs the rules for a Kafka that shares a balancer. */
export const TENANT_KAFKA_RULE_SET = new RuleSet(TENANT_KAFKA_RULES);

function kafkaRule(
  rule: Omit<Rule<KafkaGround>, 'judge'>,
  judge: (kafka: Json, ground: KafkaGround) => Findings,
): Rule<KafkaGround> {
  const judged = (kafka: Json, ground: KafkaGround) => (isBalancedKafka(kafka) ? judge(kafka, ground) : undefined);
  return { ...rule, on: ['spec.kafka'], judge: judged };
}

function listenerRule(
  rule: DescribedRule,
  judge: (listener: Json, ground: KafkaGround) => Finding | undefined,
): Rule<KafkaGround> {
  return kafkaRule(rule, (kafka, ground) =>
    balancedListeners(kafka).flatMap((listener) => {
      const found = judge(listener, ground);
      return found ? [{ ...found, what: `${titleOf(kafka)} has listener '${listener.name}'${found.what}` }] : [];
    }),
  );
}

export function domainOf({ registry, tenant }: KafkaGround): string | undefined {
  return registry.tenants.get(tenant)?.domain;
}
