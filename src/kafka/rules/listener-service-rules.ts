import { reaches } from '../../contract/compare-versions';
import { comparableName, identifierIn, namesOf, recordableNames } from '../../contract/external-dns';
import { grouped, type Json, list, pointer } from '../../contract/json';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS } from '../../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../../contract/options';
import { type Found, findingOf } from '../../contract/rule';
import type { ControllerDefinition, ProvisioningTime } from '../../rules/controller-definition';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { operatorsServing } from '../operator/cluster-operators';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  bootstrapOf,
  brokersOf,
  configurationOf,
  listAt,
  listenersOf,
  listenerTitleOf,
  mapAt,
  namedIds,
  pointerTo,
  templateMetadataOf,
  textAt,
  textsIn,
} from '../operator/kafka-document';
import {
  addressesLeftOut,
  BROKER_TEMPLATE,
  brokerMetadata,
  forBroker,
  serviceNamesOf,
} from '../operator/operator-services';
import { LISTENER_WAITS_LONG } from '../rules.facts';
import {
  LISTENER_TYPES,
  OPERATION_TIMEOUT,
  PER_BROKER_TEMPLATES_SINCE,
  UNKNOWN_PROVISIONING_TIME,
  WITHHOLDING,
} from '../strimzi/strimzi.facts';
import { type KafkaContext, rulesOf } from './document-rules';
import { entriesOf, hostFor, type ListenerRuleContext, listenerRules, metadataOf } from './listener-rule';

export function advertisedHostOf(
  cluster: Pick<IKafkaCluster, 'clusterName' | 'nodePoolOf'>,
  configuration: Json,
  id: number,
): string | undefined {
  return hostFor({ configuration }, id, 'advertisedHost', (template) => forBroker(cluster, template, id));
}

// DNS names of the Services of load balanced listeners. Those of other types share the addresses of nodes or routes.

type Texts = Readonly<Record<string, string>>;

export interface ServiceNames {
  readonly title: string;
  readonly names: readonly string[];
  readonly identifier: string;
  /** The map of annotations that has the names. */
  readonly at: string;
  readonly advertised?: string;
}

export function servicesWithNames(kafka: Json, context: KafkaContext): ServiceNames[] {
  const balanced = listenersOf(kafka).filter(({ type }) => type === LISTENER_TYPES.loadBalancer);
  return balanced.some((listener) => namesAny(kafka, listener))
    ? balanced.flatMap((listener) => servicesOfListener(kafka, listener, context))
    : [];
}

function servicesOfListener(kafka: Json, listener: Json, context: KafkaContext): ServiceNames[] {
  const configuration = configurationOf(listener);
  const clusterName = textAt(kafka, 'metadata.name') ?? '';
  const cluster = { clusterName, nodePoolOf: context.nodePoolOf ?? (() => 'pool') };
  const title = listenerTitleOf(listener);
  const place = `${pointerTo(kafka, listener)}/configuration`;
  const services: ServiceNames[] = [];
  if (configuration.createBootstrapService !== false) {
    const own = textsIn(bootstrapOf(listener).annotations);
    const annotations = { ...own, ...annotationsOf(kafka, BOOTSTRAP_TEMPLATE) };
    const at = placeOfNames(kafka, BOOTSTRAP_TEMPLATE, [own, `${place}/bootstrap/annotations`]);
    services.push({ title: `bootstrap of ${title}`, ...namedBy(annotations), at });
  }
  const ofAll = annotationsOf(kafka, BROKER_TEMPLATE);
  const ids = context.brokerIds ?? namedIds(listener);
  if (ids.length === 0 && context.brokerIds === undefined) {
    // each broker has the names of the template, whatever its id is
    const { perBrokerAnnotationsTemplate: template } = configuration;
    const own = reaches(context.strimzi, PER_BROKER_TEMPLATES_SINCE) ? textsIn(template) : {};
    const at = placeOfNames(kafka, BROKER_TEMPLATE, [own, `${place}/perBrokerAnnotationsTemplate`]);
    services.push({ title: `each broker of ${title}`, ...namedBy({ ...own, ...ofAll }), at });
  }
  for (const id of ids) {
    const own = brokerMetadata({ ...cluster, strimzi: context.strimzi }, listener, id).annotations;
    const annotations = context.hasOwnTemplate?.(id) ? own : { ...own, ...ofAll };
    const host = advertisedHostOf(cluster, configuration, id);
    services.push({
      title: `broker ${id} of ${title}`,
      advertised: host === undefined ? undefined : comparableName(host),
      ...namedBy(annotations),
      at: placeOfNames(
        kafka,
        BROKER_TEMPLATE,
        ...entriesOf(listener)
          .filter(({ entry }) => entry.broker === id)
          .map(
            ({ entry, at }) => [textsIn(entry.annotations), `${pointerTo(kafka, listener)}${at}/annotations`] as const,
          ),
        [textsIn(configuration.perBrokerAnnotationsTemplate), `${place}/perBrokerAnnotationsTemplate`],
      ),
    });
  }
  return services;
}

/** The annotation that names a Service: of the first of these maps that has one, or else of the template. */
function placeOfNames(kafka: Json, template: string, ...own: readonly (readonly [Texts, string])[]): string {
  const all = [
    ...own,
    [annotationsOf(kafka, template), `/spec/kafka/template/${template}/metadata/annotations`] as const,
  ];
  return (
    all.flatMap(([map, at]) =>
      EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.filter((key) => map[key] !== undefined).map((key) => pointer(at, key)),
    )[0] ?? '/spec/kafka/listeners'
  );
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

function namedBy(annotations: Texts): Pick<ServiceNames, 'names' | 'identifier'> {
  return { names: namesOf(annotations), identifier: identifierIn(annotations) };
}

/**
 * Names of bootstrap if its annotations set none: its names in the certificates, among which may be those of
 * brokers.
 */
export function bootstrapNames(cluster: IKafkaCluster, configuration: Json): string[] {
  const { alternativeNames, annotations } = bootstrapOf({ configuration });
  if (hasNames(textsIn(annotations))) {
    return [];
  }
  const hosts = cluster.brokerIds.flatMap((id) => advertisedHostOf(cluster, configuration, id) ?? []);
  const ofBrokers = new Set(hosts.map(comparableName));
  return recordableNames(list<unknown>(alternativeNames).filter((name) => typeof name === 'string')).filter(
    (name) => !ofBrokers.has(comparableName(name)),
  );
}

function mixedUp(kafka: Json, context: KafkaContext): Found[] {
  const services = servicesWithNames(kafka, context);
  const claims = grouped(
    services.flatMap((service) => service.names.map((name) => ({ name, service }))),
    ({ name, service }) => `${name}\n${service.identifier}`,
  );
  // where there is one broker, every balancer leads to it
  const advertising =
    context.brokerIds?.length === 1 ? [] : services.filter(({ advertised }) => advertised !== undefined);
  const advertisers = new Map(advertising.map((service) => [service.advertised, service]));
  return [...claims.values()].flatMap(([{ name: value, service: claimant }, ...others]): Found[] => {
    if (others.length > 0) {
      const more = others.length > 1 ? [`${others.length - 1} more`] : [];
      return [
        {
          case: 'twice',
          titles: [claimant.title, others[0].service.title, ...more].join(' and to '),
          value,
          at: claimant.at,
        },
      ];
    }
    const advertiser = advertisers.get(value);
    return advertiser && advertiser !== claimant
      ? [{ case: 'elsewhere', claimant: claimant.title, advertiser: advertiser.title, value, at: claimant.at }]
      : [];
  });
}

export const LISTENER_DNS_RULES: readonly Rule<KafkaContext>[] = rulesOf<KafkaContext>({
  'listener-dns-name-conflict': mixedUp,
});

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
  const { externalTrafficPolicy: policy } = configurationOf(listener);
  const isLocal = policy === 'Local';
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
    at: policy === undefined ? '/configuration' : '/configuration/externalTrafficPolicy',
  };
}

export const LISTENER_WAITING_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'address-without-endpoints': withheld,
});

interface Waiting {
  readonly owner: string;
  readonly provisioningTime?: ProvisioningTime;
  /** The names of the listeners that are reported. */
  readonly planned: readonly unknown[];
  /** The Kafka among the objects, of which one may be its operator. */
  readonly among: IndexedObject;
}

/**
 * True if the operator gives up before the balancers of all listeners that one controller serves can be there; reported
 * with the first such listener. Which controller serves a listener follows from its class, or from its having none.
 */
export function waitsLong(
  cluster: IKafkaCluster,
  kafka: Json,
  listener: Json,
  { owner, provisioningTime, planned, among }: Waiting,
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
  const { limit, whose } = operationTimeout(among);
  const which = alike.length > 1 ? `listeners ${alike.map(({ name }) => name).join(', ')}` : `listener '${first}'`;
  const making = provisioningTime
    ? `it makes balancers for the ${services} Services of ${which} ${concurrency} at a time, which takes ${seconds} s by an estimate of ${each} s each (${confidence})`
    : `how fast it makes balancers for the ${services} Services of ${which} is not known: one at a time and ${each} s each, as most controllers do, takes ${seconds} s`;
  const found = { making, limit, whose, milliseconds: seconds * 1000, value: services };
  return seconds <= limit ? [] : [findingOf(LISTENER_WAITS_LONG, found, owner)];
}

interface Counted {
  /** All Services of the listener. */
  readonly services: readonly Json[];
  readonly kind: ControllerDefinition;
  readonly among: IndexedObject;
}

/** Findings of a listener that no construct plans: its owner and its brokers are known. */
export function faultsOfCounted(
  cluster: IKafkaCluster,
  kafka: Json,
  listener: Json,
  { services, kind, among }: Counted,
): LoadBalancerFinding[] {
  const { name: owner, provisioningTime } = kind;
  const planned = listenersOf(kafka).map(({ name }) => name);
  const isMade = listAt(kafka, 'status.listeners').length > 0;
  const waits = isMade ? [] : waitsLong(cluster, kafka, listener, { owner, provisioningTime, planned, among });
  // of several Services: no one field of the listener
  return [...addressesLeftOut(services, kind.catalogue, owner), ...waits].map((finding) => ({ ...finding, at: '' }));
}

function operationTimeout(kafka: IndexedObject): { readonly limit: number; readonly whose: string } {
  const [first] = operatorsServing(kafka)
    .map(({ object, variables }) => {
      const set = Number(variables.get(OPERATION_TIMEOUT.variable) ?? Number.NaN);
      const limit = set > 0 ? set / 1000 : OPERATION_TIMEOUT.seconds;
      return { limit, whose: `${object.path} (operationTimeout)` };
    })
    .sort((one, other) => one.limit - other.limit);
  return first ?? { limit: OPERATION_TIMEOUT.seconds, whose: 'the operator' };
}
