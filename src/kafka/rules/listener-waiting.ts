import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/options';
import { type Found, findingOf } from '../../contract/rule';
import { entryOf } from '../../rules/app-objects';
import type { ProvisioningTime } from '../../rules/controller-definition';
import type { Rule } from '../../rules/rule';
import { operatorsServing } from '../operator/cluster-operators';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  bootstrapOf,
  brokersOf,
  configurationOf,
  listenersOf,
  mapAt,
  templateMetadataOf,
  textAt,
  textsIn,
} from '../operator/kafka-document';
import { serviceNamesOf } from '../operator/operator-services';
import { LISTENER_WAITS_LONG } from '../rules.facts';
import { OPERATION_TIMEOUT, UNKNOWN_PROVISIONING_TIME, WITHHOLDING } from '../strimzi/strimzi.facts';
import { metadataOf } from './listener-metadata-rules';
import { type ListenerRuleContext, listenerRules } from './listener-rule';

function serves({ classes, keys }: (typeof WITHHOLDING)[number], listener: Json): boolean {
  const loadBalancerClass = textAt(configurationOf(listener), 'class');
  return loadBalancerClass !== undefined
    ? classes.includes(loadBalancerClass)
    : metadataOf(listener).some(({ entries }) =>
        Object.keys(entries).some((key) => keys.some((start) => key.startsWith(start))),
      );
}

function haveAll(key: string, listener: Json, { kafka, brokerIds = [] }: ListenerRuleContext): boolean {
  const configuration = configurationOf(listener);
  const isTrue = (annotations: unknown) => textsIn(annotations)[key] === 'true';
  const byTemplate = (template: string) => isTrue(mapAt(templateMetadataOf(kafka, template), 'annotations'));
  const bootstrap =
    configuration.createBootstrapService === false ||
    byTemplate('externalBootstrapService') ||
    isTrue(bootstrapOf(listener).annotations);
  const entries = brokersOf(listener).filter(({ annotations }) => Object.keys(textsIn(annotations)).length > 0);
  const without = brokerIds.filter((id) => !entries.some(({ broker }) => broker === id));
  const brokers =
    byTemplate('perPodService') ||
    (entries.every(({ annotations }) => isTrue(annotations)) &&
      (isTrue(configuration.perBrokerAnnotationsTemplate) || (entries.length > 0 && without.length === 0)));
  return bootstrap && brokers;
}

function withheld(listener: Json, context: ListenerRuleContext): Found | undefined {
  if (listener.type !== 'loadbalancer') {
    return undefined;
  }
  const isLocal = configurationOf(listener).externalTrafficPolicy === 'Local';
  const controller = WITHHOLDING.find((one) => serves(one, listener));
  if (!controller || (controller.when === 'local' && !isLocal)) {
    return undefined;
  }
  const { name, when, unless } = controller;
  if (unless !== undefined && !isLocal && haveAll(unless, listener, context)) {
    return undefined;
  }
  return {
    name,
    of: when === 'local' ? ' of traffic policy Local' : '',
    policy: isLocal ? 'use externalTrafficPolicy Cluster, ' : '',
    first: unless === undefined ? '' : `annotate every Service with ${unless}: 'true', `,
    value: isLocal ? 'Local' : 'Cluster',
  };
}

export const LISTENER_WAITING_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'address-waits-for-endpoints': withheld,
});

export interface Waiting {
  readonly owner: string;
  readonly provisioningTime?: ProvisioningTime;
  readonly planned: readonly string[];
}

/**
 * Whether the operator gives up before the balancers of all listeners that one controller serves can be there; reported
 * with the first such listener. Which controller serves a listener follows from its class, or from its having none.
 */
export function waitsLong(
  cluster: IKafkaCluster,
  kafka: Json,
  listener: Json,
  { owner, provisioningTime, planned }: Waiting,
): LoadBalancerFinding[] {
  const alike = listenersOf(kafka).filter(
    (other) => other.type === 'loadbalancer' && configurationOf(other).class === configurationOf(listener).class,
  );
  const first = planned.find((name) => alike.some((other) => other.name === name));
  if (first !== listener.name) {
    return [];
  }
  const services = alike.reduce((sum, other) => sum + serviceNamesOf(cluster, other).length, 0);
  const { concurrency, seconds: each, confidence } = provisioningTime ?? UNKNOWN_PROVISIONING_TIME;
  const seconds = Math.ceil(services / concurrency) * each;
  const { limit, whose } = operationTimeout(cluster);
  const which = alike.length > 1 ? `listeners ${alike.map(({ name }) => name).join(', ')}` : `listener '${first}'`;
  const making = provisioningTime
    ? `it makes balancers for the ${services} Services of ${which} ${concurrency} at a time, which takes ${seconds} s by an estimate of ${each} s each (${confidence})`
    : `how fast it makes balancers for the ${services} Services of ${which} is not known: one at a time and ${each} s each, as most controllers do, takes ${seconds} s`;
  const found = { making, limit, whose, milliseconds: seconds * 1000, value: services };
  return seconds <= limit ? [] : [findingOf(LISTENER_WAITS_LONG, found, owner)];
}

function operationTimeout({ kafka }: IKafkaCluster): { readonly limit: number; readonly whose: string } {
  const [first] = operatorsServing(entryOf(kafka))
    .map(({ object, variables }) => {
      const set = Number(variables.get(OPERATION_TIMEOUT.variable) ?? Number.NaN);
      const limit = set > 0 ? set / 1000 : OPERATION_TIMEOUT.seconds;
      return { limit, whose: `${object.path} (operationTimeout)` };
    })
    .sort((one, other) => one.limit - other.limit);
  return first ?? { limit: OPERATION_TIMEOUT.seconds, whose: 'the operator' };
}
