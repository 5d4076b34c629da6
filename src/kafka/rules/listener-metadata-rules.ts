import type { Json } from '../../contract/json';
import {
  annotationKeyFault,
  cidrFault,
  dnsNameFault,
  type Fault,
  labelKeyFault,
  labelValueFault,
  portFault,
} from '../../contract/kubernetes-syntax';
import type { Found } from '../../contract/rule';
import { repeated } from '../../gateway/gateway-rule';
import type { Rule } from '../../rules/rule';
import {
  bootstrapOf,
  brokersOf,
  configurationOf,
  listAt,
  templateMetadataOf,
  textAt,
  textsIn,
} from '../operator/kafka-document';
import { BROKER_TEMPLATE } from '../operator/operator-services';
import { faults, type ListenerRuleContext, listenerRules, placeholdersIn } from './listener-rule';

const WITH_SERVICE_METADATA = ['loadbalancer', 'nodeport', 'cluster-ip'];

/** A map of annotations or labels of a listener: where it is, and what the broker's Services have by it. */
interface Metadata {
  readonly whose: string;
  readonly where: string;
  readonly field: 'annotations' | 'labels';
  readonly entries: Record<string, string>;
  readonly template: string;
  /** The brokers of whose Services it is; those of no broker, or of all of them, where it is unset. */
  readonly broker?: unknown;
}

export function metadataOf(listener: Json): Metadata[] {
  const { perBrokerAnnotationsTemplate, perBrokerLabelsTemplate } = configurationOf(listener);
  return [
    ...bothOf(bootstrapOf(listener), 'bootstrap', 'externalBootstrapService'),
    ...brokersOf(listener).flatMap((entry) => bothOf(entry, `broker ${entry.broker}`, BROKER_TEMPLATE, entry.broker)),
    ...bothOf(
      { annotations: perBrokerAnnotationsTemplate, labels: perBrokerLabelsTemplate },
      'all brokers',
      BROKER_TEMPLATE,
    ),
  ];
}

function bothOf(map: Json, whose: string, template: string, broker?: unknown): Metadata[] {
  return (['annotations', 'labels'] as const).map((field) => ({
    whose,
    where: `${field} of ${whose}`,
    field,
    entries: textsIn(map[field]),
    template,
    broker,
  }));
}

function texts(map: Json, field: string): string[] {
  return listAt(map, field).filter((text) => typeof text === 'string');
}

function finalizerFault(finalizer: string): Fault {
  return finalizer.includes('/') ? labelKeyFault(finalizer) : `'${finalizer}' has no domain before a slash`;
}

function nodePortsOf(listener: Json): [string, number][] {
  return [
    ['bootstrap', bootstrapOf(listener).nodePort] as [string, number],
    ...brokersOf(listener).map((entry) => [`broker ${entry.broker}`, entry.nodePort] as [string, number]),
  ].filter(([, port]) => Number.isInteger(port));
}

function isReached({ template, broker }: Metadata, { brokerIds = [], hasOwnTemplate }: ListenerRuleContext): boolean {
  if (template !== BROKER_TEMPLATE || !hasOwnTemplate) {
    return true;
  }
  return !brokerIds.filter((id) => broker === undefined || broker === id).every(hasOwnTemplate);
}

function overruled(listener: Json, context: ListenerRuleContext): Found[] {
  return metadataOf(listener).flatMap((metadata) => {
    const { where, field, entries, template } = metadata;
    const stronger = textsIn(templateMetadataOf(context.kafka, template)[field]);
    return Object.entries(entries)
      .filter(([key, own]) => Object.hasOwn(stronger, key) && stronger[key] !== own && isReached(metadata, context))
      .map(([key, own]) => ({ where, key, own, template, value: stronger[key] }));
  });
}

function entryFault(field: string, key: string, text: string): Fault {
  if (placeholdersIn(key).length > 0) {
    return undefined;
  }
  return field === 'labels'
    ? (labelKeyFault(key) ?? (placeholdersIn(text).length === 0 ? labelValueFault(text) : undefined))
    : annotationKeyFault(key);
}

export const LISTENER_METADATA_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'listener-metadata-key': (listener) =>
    faults(
      metadataOf(listener).flatMap(({ where, field, entries }) =>
        Object.entries(entries).map(([key, text]) => [where, entryFault(field, key, text)] as const),
      ),
    ),
  'listener-template-wins': (listener, context) =>
    WITH_SERVICE_METADATA.includes(listener.type) ? overruled(listener, context) : undefined,
  'listener-finalizer-syntax': (listener) => {
    const finalizers = texts(configurationOf(listener), 'finalizers');
    const twice = repeated(finalizers).map((finalizer) => `'${finalizer}' is listed twice`);
    return faults([...finalizers.map(finalizerFault), ...twice].map((fault) => ['', fault]));
  },
  'listener-class-syntax': (listener) => {
    const name = textAt(configurationOf(listener), 'class');
    const isIngress = listener.type === 'ingress';
    const value = name === undefined ? undefined : isIngress ? dnsNameFault(name) : labelKeyFault(name);
    return value === undefined ? undefined : { case: isIngress ? 'ingress' : 'service', value };
  },
  'listener-source-range': (listener) =>
    faults(texts(configurationOf(listener), 'loadBalancerSourceRanges').map((range) => ['', cidrFault(range.trim())])),
  'listener-ip-families': (listener) => {
    const { ipFamilyPolicy } = configurationOf(listener);
    const families = texts(configurationOf(listener), 'ipFamilies');
    const isTwice = new Set(families).size < families.length;
    return isTwice || (families.length > 1 && ipFamilyPolicy === 'SingleStack')
      ? { case: isTwice ? 'twice' : 'single', value: families.join(', ') }
      : undefined;
  },
  'listener-node-port': (listener) => {
    const ports = nodePortsOf(listener);
    return faults(
      ports.map(([where, port], i) => [
        where,
        portFault(port) ?? (ports.findIndex(([, other]) => other === port) < i ? `${port} is listed twice` : undefined),
      ]),
    );
  },
});
