import { reaches } from '../../contract/compare-versions';
import { comparableName, identifierIn, namesOf, recordable } from '../../contract/external-dns';
import { type Json, list } from '../../contract/json';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS } from '../../contract/kubernetes.facts';
import type { Found } from '../../contract/rule';
import type { Rule } from '../../rules/rule';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  bootstrapOf,
  configurationOf,
  listenersOf,
  listenerTitleOf,
  mapAt,
  namedIds,
  templateMetadataOf,
  textAt,
  textsIn,
} from '../operator/kafka-document';
import { BROKER_TEMPLATE, brokerMetadata, forBroker } from '../operator/operator-services';
import { LISTENER_TYPES, PER_BROKER_TEMPLATES_SINCE } from '../strimzi/strimzi.facts';
import { type KafkaContext, rulesOf } from './document-rules';
import { metadataOf } from './listener-metadata-rules';
import { hostFor } from './listener-rule';

export function advertisedHostOf(
  cluster: Pick<IKafkaCluster, 'clusterName' | 'nodePoolOf'>,
  configuration: Json,
  id: number,
): string | undefined {
  return hostFor({ configuration }, id, 'advertisedHost', (template) => forBroker(cluster, template, id));
}

// What the Services of load balanced listeners are called in DNS. Those of other types share the addresses of nodes or routes.

type Texts = Readonly<Record<string, string>>;

export interface NamedService {
  readonly title: string;
  readonly names: readonly string[];
  readonly identifier: string;
  readonly advertised?: string;
}

export function namedServicesOf(kafka: Json, context: KafkaContext): NamedService[] {
  const balanced = listenersOf(kafka).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
  return balanced.some((listener) => namesAny(kafka, listener))
    ? balanced.flatMap((listener) => servicesOfListener(kafka, listener, context))
    : [];
}

function servicesOfListener(kafka: Json, listener: Json, context: KafkaContext): NamedService[] {
  const configuration = configurationOf(listener);
  const clusterName = textAt(kafka, 'metadata.name') ?? '';
  const cluster = { clusterName, nodePoolOf: context.nodePoolOf ?? (() => 'pool') };
  const title = listenerTitleOf(listener);
  const services: NamedService[] = [];
  if (configuration.createBootstrapService !== false) {
    const own = textsIn(bootstrapOf(listener).annotations);
    const annotations = { ...own, ...annotationsOf(kafka, BOOTSTRAP_TEMPLATE) };
    services.push({ title: `bootstrap of ${title}`, ...namedBy(annotations) });
  }
  const ofAll = annotationsOf(kafka, BROKER_TEMPLATE);
  const ids = context.brokerIds ?? namedIds(listener);
  if (ids.length === 0 && context.brokerIds === undefined) {
    // each broker has the names of the template, whatever its id is
    const { perBrokerAnnotationsTemplate: template } = configuration;
    const own = reaches(context.strimzi, PER_BROKER_TEMPLATES_SINCE) ? textsIn(template) : {};
    services.push({ title: `each broker of ${title}`, ...namedBy({ ...own, ...ofAll }) });
  }
  for (const id of ids) {
    const own = brokerMetadata({ ...cluster, strimzi: context.strimzi }, listener, id).annotations;
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

function namesAny(kafka: Json, listener: Json): boolean {
  const own = metadataOf(listener).map(({ entries }) => entries);
  return [...own, annotationsOf(kafka, BOOTSTRAP_TEMPLATE), annotationsOf(kafka, BROKER_TEMPLATE)].some(hasNames);
}

export function hasNames(annotations: Texts): boolean {
  return EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.some((key) => annotations[key] !== undefined);
}

function annotationsOf(kafka: Json, template: string): Texts {
  return textsIn(mapAt(templateMetadataOf(kafka, template), 'annotations'));
}

function namedBy(annotations: Texts): Pick<NamedService, 'names' | 'identifier'> {
  return { names: namesOf(annotations), identifier: identifierIn(annotations) };
}

/**
 * What bootstrap is called where its annotations say nothing: its names in the certificates, among which may be those of
 * brokers.
 */
export function bootstrapNames(cluster: IKafkaCluster, configuration: Json): string[] {
  const { alternativeNames, annotations } = bootstrapOf({ configuration });
  if (hasNames(textsIn(annotations))) {
    return [];
  }
  const hosts = cluster.brokerIds.flatMap((id) => advertisedHostOf(cluster, configuration, id) ?? []);
  const ofBrokers = new Set(hosts.map(comparableName));
  return recordable(list<unknown>(alternativeNames).filter((name) => typeof name === 'string')).filter(
    (name) => !ofBrokers.has(comparableName(name)),
  );
}

interface Claim {
  readonly name: string;
  readonly services: NamedService[];
}

function mixedUp(kafka: Json, context: KafkaContext): Found[] {
  const services = namedServicesOf(kafka, context);
  const claims = new Map<string, Claim>();
  for (const service of services) {
    for (const name of service.names) {
      const key = `${name}\n${service.identifier}`;
      const claim = claims.get(key) ?? { name, services: [] };
      claim.services.push(service);
      claims.set(key, claim);
    }
  }
  // where there is one broker, every balancer leads to it
  const advertising =
    context.brokerIds?.length === 1 ? [] : services.filter(({ advertised }) => advertised !== undefined);
  const advertisers = new Map(advertising.map((service) => [service.advertised, service]));
  return [...claims.values()].flatMap(({ name: value, services: [claimant, ...others] }): Found[] => {
    if (others.length > 0) {
      const more = others.length > 1 ? [`${others.length - 1} more`] : [];
      return [{ case: 'twice', titles: [claimant.title, others[0].title, ...more].join(' and to '), value }];
    }
    const advertiser = advertisers.get(value);
    return advertiser && advertiser !== claimant
      ? [{ case: 'elsewhere', claimant: claimant.title, advertiser: advertiser.title, value }]
      : [];
  });
}

export const LISTENER_DNS_RULES: readonly Rule<KafkaContext>[] = rulesOf<KafkaContext>({
  'listener-dns-twice': mixedUp,
});
