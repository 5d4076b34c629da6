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
import type { Finding } from '../../contract/rule';
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

function overruled(listener: Json, context: ListenerRuleContext): Finding[] {
  return metadataOf(listener).flatMap((metadata) => {
    const { where, field, entries, template } = metadata;
    const stronger = textsIn(templateMetadataOf(context.kafka, template)[field]);
    const beaten = Object.keys(entries).filter((key) => Object.hasOwn(stronger, key) && stronger[key] !== entries[key]);
    return beaten
      .filter(() => isReached(metadata, context))
      .map((key) => ({
        what: `${where} set ${key}: '${entries[key]}', and spec.kafka.template.${template} overrides it with '${stronger[key]}' for all listeners`,
        remedy: 'take it out of the template, and write it in each listener that needs it',
        value: stronger[key],
      }));
  });
}

export const LISTENER_METADATA_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'listener-metadata-key': (listener) =>
    faults(
      metadataOf(listener).flatMap(({ where, field, entries }) =>
        Object.entries(entries)
          .filter(([key]) => placeholdersIn(key).length === 0)
          .map(
            ([key, text]) =>
              [
                where,
                (field === 'labels' ? labelKeyFault(key) : annotationKeyFault(key)) ??
                  (field === 'labels' && placeholdersIn(text).length === 0 ? labelValueFault(text) : undefined),
              ] as const,
          ),
      ),
      'use a name that Kubernetes accepts',
    ),
  'listener-template-wins': (listener, context) =>
    WITH_SERVICE_METADATA.includes(listener.type) ? overruled(listener, context) : undefined,
  'listener-finalizer-syntax': (listener) => {
    const finalizers = texts(configurationOf(listener), 'finalizers');
    const twice = finalizers.filter((finalizer, i) => finalizers.indexOf(finalizer) !== i);
    return faults(
      [
        ...finalizers.map((finalizer) => ['finalizers', finalizerFault(finalizer)] as const),
        ...new Set(twice.map((finalizer) => `'${finalizer}' is listed twice`)),
      ].map((item) => (typeof item === 'string' ? (['finalizers', item] as const) : item)),
      'write domain/name, each once',
    );
  },
  'listener-class-syntax': (listener) => {
    const name = textAt(configurationOf(listener), 'class');
    if (name === undefined) {
      return undefined;
    }
    return listener.type === 'ingress'
      ? faults([['class', dnsNameFault(name)]], 'write the name of an IngressClass')
      : faults([['class', labelKeyFault(name)]], 'write domain/name');
  },
  'listener-source-range': (listener) =>
    faults(
      texts(configurationOf(listener), 'loadBalancerSourceRanges').map((range) => [
        'loadBalancerSourceRanges',
        cidrFault(range.trim()),
      ]),
      'write an address and a prefix length, such as 10.0.0.0/8',
    ),
  'listener-ip-families': (listener) => {
    const { ipFamilyPolicy } = configurationOf(listener);
    const families = texts(configurationOf(listener), 'ipFamilies');
    if (new Set(families).size < families.length) {
      return { what: 'ipFamilies has an IP family twice', remedy: 'name each once', value: families.join(', ') };
    }
    return families.length > 1 && ipFamilyPolicy === 'SingleStack'
      ? {
          what: 'two IP families are set with policy SingleStack',
          remedy: 'keep one, or use ipFamilyPolicy RequireDualStack',
          value: families.join(', '),
        }
      : undefined;
  },
  'listener-node-port': (listener) => {
    const ports = nodePortsOf(listener);
    return faults(
      ports.map(([where, port], i) => [
        `nodePort of ${where}`,
        portFault(port) ?? (ports.findIndex(([, other]) => other === port) < i ? `${port} is listed twice` : undefined),
      ]),
      'leave it out, or use a free one of the cluster',
    );
  },
});
