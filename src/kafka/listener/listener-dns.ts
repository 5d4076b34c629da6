import { reaches } from '../../contract/compare-versions';
import { comparableName } from '../../contract/dns-names';
import { identifierIn, namesOf } from '../../contract/external-dns';
import type { Json } from '../../contract/json';
import {
  EXTERNAL_DNS_HOSTNAME_ANNOTATIONS,
  EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS,
} from '../../contract/kubernetes.facts';
import {
  bootstrapOf,
  brokerField,
  brokersOf,
  configurationOf,
  listenersOf,
  mapAt,
  namedIds,
  templateMetadataOf,
  textAt,
  textsIn,
  titleOf,
} from '../document/kafka-json';
import { forBroker } from '../operator/operator-names';
import { BROKER_TEMPLATE } from '../operator/operator-services';
import type { KafkaContext } from '../rules/kafka-context';
import { LISTENER_TYPES, PER_BROKER_TEMPLATES_SINCE } from '../strimzi/operator-services.facts';
import { advertisedHostOf } from './advertised-host';
import type { Texts } from './listener-values';

// What the Services of load balanced listeners are called in DNS. Those of other types share the addresses of nodes or routes.

/** A Service with a balancer, and what it is called. */
export interface NamedService {
  /** How messages call it. */
  readonly title: string;
  /** The names that external-dns leads to it. */
  readonly names: readonly string[];
  /** What distinguishes its records from others of the same name. */
  readonly identifier: string;
  /** The host that a broker advertises. */
  readonly advertised?: string;
}

/** The Services of all load balanced listeners of a document; none where nothing in it names one. */
export function namedServicesOf(kafka: Json, context: KafkaContext): NamedService[] {
  const balanced = listenersOf(kafka).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
  return balanced.some((listener) => namesAny(kafka, listener))
    ? balanced.flatMap((listener) => servicesOfListener(kafka, listener, context))
    : [];
}

/** The Services of one listener. */
function servicesOfListener(kafka: Json, listener: Json, context: KafkaContext): NamedService[] {
  const configuration = configurationOf(listener);
  const clusterName = textAt(kafka, 'metadata.name') ?? '';
  const cluster = { clusterName, nodePoolOf: context.nodePoolOf ?? (() => 'pool') };
  const title = titleOf(listener);
  const services: NamedService[] = [];
  if (configuration.createBootstrapService !== false) {
    const own = textsIn(bootstrapOf(listener).annotations);
    const annotations = { ...own, ...annotationsOf(kafka, BOOTSTRAP_TEMPLATE) };
    services.push({ title: `bootstrap of ${title}`, ...namedBy(annotations) });
  }
  const template = reaches(context.strimzi, PER_BROKER_TEMPLATES_SINCE)
    ? Object.entries(textsIn(configuration.perBrokerAnnotationsTemplate)).filter(([key]) => isAboutDns(key))
    : [];
  const ofAll = annotationsOf(kafka, BROKER_TEMPLATE);
  const ids = context.brokerIds ?? namedIds(listener);
  if (ids.length === 0 && context.brokerIds === undefined) {
    // each broker has the names of the template, whatever its id is
    const annotations = { ...Object.fromEntries(template), ...ofAll };
    services.push({ title: `each broker of ${title}`, ...namedBy(annotations) });
  }
  for (const id of ids) {
    const explicit = textsIn(brokerField(listener, id, 'annotations'));
    const own =
      Object.keys(explicit).length > 0
        ? explicit
        : Object.fromEntries(template.map(([key, text]) => [key, forBroker(cluster, text, id)]));
    const annotations = context.hasOwnTemplate?.(id) ? own : { ...own, ...ofAll };
    const host = advertisedHostOf(cluster, configuration, id);
    services.push({
      title: `broker ${id} of ${title}`,
      advertised: host === undefined ? undefined : comparableName(host),
      ...namedBy(annotations),
    });
  }
  return services;
}

const BOOTSTRAP_TEMPLATE = 'externalBootstrapService';

/** Whether anything that reaches the Services of a listener names one. */
function namesAny(kafka: Json, listener: Json): boolean {
  const maps = [
    bootstrapOf(listener).annotations,
    configurationOf(listener).perBrokerAnnotationsTemplate,
    ...brokersOf(listener).map(({ annotations }) => annotations),
    annotationsOf(kafka, BOOTSTRAP_TEMPLATE),
    annotationsOf(kafka, BROKER_TEMPLATE),
  ];
  return maps.some((map) => hasNames(textsIn(map)));
}

/** Whether annotations name a Service. */
export function hasNames(annotations: Texts): boolean {
  return EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.some((key) => annotations[key] !== undefined);
}

function annotationsOf(kafka: Json, template: string): Texts {
  return textsIn(mapAt(templateMetadataOf(kafka, template), 'annotations'));
}

function isAboutDns(key: string): boolean {
  return EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.includes(key) || EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS.includes(key);
}

function namedBy(annotations: Texts): Pick<NamedService, 'names' | 'identifier'> {
  return { names: namesOf(annotations), identifier: identifierIn(annotations) };
}
