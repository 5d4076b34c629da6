import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import {
  bootstrapOf,
  brokersOf,
  configurationOf,
  mapAt,
  templateMetadataOf,
  textAt,
  textsIn,
} from '../document/kafka-json';
import { type ListenerRuleContext, surprising } from './listener-rule';
import { WAITING, WITHHOLDING, type Withholding } from './listener-waiting.facts';

/** The annotations and labels that a listener gives its Services, map by map. */
function metadataOf(listener: Json): Record<string, string>[] {
  const { perBrokerAnnotationsTemplate, perBrokerLabelsTemplate } = configurationOf(listener);
  return [
    ...[bootstrapOf(listener), ...brokersOf(listener)].flatMap(({ annotations, labels }) => [annotations, labels]),
    perBrokerAnnotationsTemplate,
    perBrokerLabelsTemplate,
  ].map(textsIn);
}

function serves({ classes, keys }: Withholding, listener: Json): boolean {
  const loadBalancerClass = textAt(configurationOf(listener), 'class');
  return loadBalancerClass !== undefined
    ? classes.includes(loadBalancerClass)
    : metadataOf(listener).some((map) => Object.keys(map).some((key) => keys.some((start) => key.startsWith(start))));
}

/** Whether all Services of a listener have an annotation with the value `true`. */
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

function withheld(listener: Json, context: ListenerRuleContext): Finding | undefined {
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
  const first = unless === undefined ? '' : `annotate every Service with ${unless}: 'true', `;
  const policy = isLocal ? 'use externalTrafficPolicy Cluster, ' : '';
  return {
    what: `${name} gives a Service${when === 'local' ? ' of traffic policy Local' : ''} no address before it has a ready pod, and the operator makes no pod of the cluster before all its Services have addresses, so a new cluster waits for ever`,
    remedy: `${policy}${first}or make the cluster without this listener and add it once the brokers run`,
    value: isLocal ? 'Local' : 'Cluster',
  };
}

/** What keeps a new cluster waiting. */
export const LISTENER_WAITING_RULES: readonly Rule<ListenerRuleContext>[] = [
  surprising(
    'address-waits-for-endpoints',
    'the Services of a load balanced listener get addresses before there are pods',
    withheld,
    WAITING,
  ),
];
