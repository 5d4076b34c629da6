import type { AnnotationCatalogue } from '../../contract/annotation-catalogue';
import { grouped, isMap, isSet, type Json, ownValue, shown } from '../../contract/json';
import { type LoadBalancerFinding, LoadBalancerWish } from '../../contract/options';
import { findingOf } from '../../contract/rule';
import { currentJson } from '../../rules/app-objects';
import { namedBy } from '../../rules/claims';
import { annotationsOf } from '../../rules/service-json';
import { LISTENER_ADDRESS_LEFT_OUT, LISTENER_CANNOT_CARRY } from '../rules.facts';
import {
  DROPPED_FROM_TEMPLATES,
  EXCLUDED_LABELS,
  KAFKA_KIND,
  NAMELESS_LISTENER,
  PER_BROKER_TEMPLATES_SINCE,
  SELECTOR_LABELS,
} from '../strimzi/strimzi.facts';
import { StrimziVersion } from '../strimzi/strimzi-version';
import type { IKafkaCluster } from './i-kafka-cluster';
import {
  at,
  bootstrapOf,
  brokerField,
  brokersOf,
  configurationOf,
  mapAt,
  templateMetadataOf,
  textsIn,
} from './kafka-document';
import { nodePoolsOf } from './node-pools';

// The Services that the operator will make of a listener with balancers, as far as rules validate them.

export interface OperatorServices {
  readonly services: readonly Json[];
  readonly originals: readonly Json[];
  /** Metadata of the listener that the template of a node pool beats; that of the Kafka resource is validated with it. */
  readonly beaten: readonly LoadBalancerFinding[];
  readonly overruled: readonly OverruledAnnotation[];
}

/** An annotation of the listener that a template of all listeners overrides with its value. */
export type OverruledAnnotation = Readonly<Record<'service' | 'key' | 'given' | 'value' | 'template', string>>;

type Texts = Record<string, string>;

interface Metadata {
  readonly annotations: Texts;
  readonly labels: Texts;
}

interface Template extends Metadata {
  readonly where: string;
}

export function serviceNamesOf(cluster: IKafkaCluster, listener: Json): string[] {
  const { name, port } = listener;
  const brokers = cluster.brokerIds.map((id) => brokerServiceName(cluster, name, port, id));
  return hasBootstrapService(listener) ? [bootstrapServiceName(cluster, name), ...brokers] : brokers;
}

export function servicesOf(cluster: IKafkaCluster, kafka: Json, listener: Json): OperatorServices {
  const services: Json[] = [];
  const originals: Json[] = [];
  const beaten: LoadBalancerFinding[] = [];
  const overruled: OverruledAnnotation[] = [];
  const add = (name: string, own: Metadata, labels: unknown, template: Template, more: Json): Json => {
    const metadata = {
      name,
      namespace: cluster.namespace,
      labels: {
        ...inherited(labels),
        ...own.labels,
        ...template.labels,
        [SELECTOR_LABELS.cluster]: cluster.clusterName,
      },
      annotations: { ...own.annotations, ...template.annotations },
    };
    for (const [key, value] of Object.entries(template.annotations)) {
      const given = ownValue(own.annotations, key);
      if (given !== undefined && given !== value && !overruled.some((one) => one.key === key)) {
        overruled.push({ service: name, key, given, value, template: template.where });
      }
    }
    const original = service(cluster, listener, metadata, more);
    services.push(original);
    originals.push(original);
    return original;
  };
  if (hasBootstrapService(listener)) {
    const own = metadataIn(bootstrapOf(listener));
    const template = templateIn(templateMetadataOf(kafka, BOOTSTRAP_TEMPLATE), `${OF_KAFKA}.${BOOTSTRAP_TEMPLATE}`);
    const { nodePort, loadBalancerIP } = bootstrapOf(listener);
    const selector = { [SELECTOR_LABELS.brokerRole]: 'true' };
    const labels = at(kafka, 'metadata.labels');
    const more = { nodePort, loadBalancerIP, selector };
    add(bootstrapServiceName(cluster, listener.name), own, labels, template, more);
  }
  const brokerPools = nodePoolsOf(cluster).filter(({ isBroker }) => isBroker);
  const pools = new Map(brokerPools.map(({ name, object }) => [name, currentJson(object)]));
  const ofPools = new Map<string, Json>();
  const isDistinct = distinguishesBrokers(listener);
  for (const id of cluster.brokerIds) {
    const name = brokerServiceName(cluster, listener.name, listener.port, id);
    const poolName = cluster.nodePoolOf(id);
    const pod = { [SELECTOR_LABELS.pool]: poolName, [SELECTOR_LABELS.pod]: podNameOf(cluster, id) };
    const alike = ofPools.get(poolName);
    if (alike) {
      services.push(withNameAndPod(alike, name, pod));
      continue;
    }
    const pool = pools.get(poolName);
    const ofPool = at(pool, `spec.template.${BROKER_TEMPLATE}`);
    const template = templateIn(
      ofPool === undefined ? templateMetadataOf(kafka, BROKER_TEMPLATE) : mapAt(ofPool, 'metadata'),
      ofPool === undefined ? `${OF_KAFKA}.${BROKER_TEMPLATE}` : `${BROKER_TEMPLATE} of KafkaNodePool ${poolName}`,
    );
    const own = brokerMetadata(cluster, listener, id);
    if (ofPool !== undefined) {
      beaten.push(...beatenBy(template, own, poolName, `listener '${listener.name}': broker ${id}`));
    }
    const more = {
      nodePort: brokerField(listener, id, 'nodePort'),
      loadBalancerIP: brokerField(listener, id, 'loadBalancerIP'),
      selector: pod,
    };
    const original = add(name, own, at(pool, 'metadata.labels'), template, more);
    if (!isDistinct && ofPool === undefined) {
      ofPools.set(poolName, original);
    }
  }
  return { services, originals, beaten, overruled };
}

export function distinguishesBrokers(listener: Json): boolean {
  const { perBrokerAnnotationsTemplate, perBrokerLabelsTemplate } = configurationOf(listener);
  const templates = { ...textsIn(perBrokerAnnotationsTemplate), ...textsIn(perBrokerLabelsTemplate) };
  return brokersOf(listener).length > 0 || !Object.values(templates).every(isSameForAll);
}

function withNameAndPod(original: Json, name: string, pod: Texts): Json {
  const { metadata, spec } = original;
  return { ...original, metadata: { ...metadata, name }, spec: { ...spec, selector: { ...spec.selector, ...pod } } };
}

const TEMPLATES_SINCE = StrimziVersion.of(PER_BROKER_TEMPLATES_SINCE);
const OF_KAFKA = 'spec.kafka.template';
const BOOTSTRAP_TEMPLATE = 'externalBootstrapService';

export const BROKER_TEMPLATE = 'perPodService';

function hasBootstrapService(listener: Json): boolean {
  return configurationOf(listener).createBootstrapService !== false;
}

function service(
  cluster: IKafkaCluster,
  listener: Json,
  metadata: Json,
  { nodePort, loadBalancerIP, selector }: Json,
): Json {
  const given = configurationOf(listener);
  const name = portNameOf(listener);
  const port = { name, nodePort, port: listener.port, protocol: 'TCP', targetPort: name };
  const spec = {
    allocateLoadBalancerNodePorts: given.allocateLoadBalancerNodePorts,
    externalTrafficPolicy: given.externalTrafficPolicy ?? 'Cluster',
    ipFamilies: given.ipFamilies,
    ipFamilyPolicy: given.ipFamilyPolicy,
    loadBalancerClass: given.class,
    loadBalancerIP,
    loadBalancerSourceRanges: given.loadBalancerSourceRanges,
    ports: [known(port)],
    publishNotReadyAddresses: given.publishNotReadyAddresses,
    selector: {
      [SELECTOR_LABELS.cluster]: cluster.clusterName,
      [SELECTOR_LABELS.kind]: KAFKA_KIND,
      [SELECTOR_LABELS.name]: `${cluster.clusterName}-kafka`,
      ...selector,
    },
    type: 'LoadBalancer',
  };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: known({ ...metadata, finalizers: given.finalizers }),
    spec: known(spec),
  };
}

export function portNameOf({ name }: Json): string {
  return `tcp-${name ?? NAMELESS_LISTENER.name}`;
}

export function brokerMetadata(
  cluster: Pick<IKafkaCluster, 'clusterName' | 'nodePoolOf' | 'strimzi'>,
  listener: Json,
  id: number,
): Metadata {
  const templates = cluster.strimzi.isAtLeast(TEMPLATES_SINCE);
  const texts = (field: string, template: string): Texts => {
    const explicit = textsIn(brokerField(listener, id, field));
    if (Object.keys(explicit).length > 0 || !templates) {
      return explicit;
    }
    const entries = Object.entries(textsIn(configurationOf(listener)[template]));
    return Object.fromEntries(entries.map(([key, text]) => [key, forBroker(cluster, text, id)]));
  };
  return {
    annotations: texts('annotations', 'perBrokerAnnotationsTemplate'),
    labels: texts('labels', 'perBrokerLabelsTemplate'),
  };
}

function metadataIn(map: Json): Metadata {
  return { annotations: textsIn(map.annotations), labels: textsIn(map.labels) };
}

function templateIn(map: Json, where: string): Template {
  const taken = (texts: unknown) => without(textsIn(texts), DROPPED_FROM_TEMPLATES);
  return { annotations: taken(map.annotations), labels: taken(map.labels), where };
}

function inherited(labels: unknown): Texts {
  return without(textsIn(labels), EXCLUDED_LABELS);
}

function without(labels: Texts, pattern: RegExp): Texts {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !pattern.test(key)));
}

function beatenBy(template: Metadata, own: Metadata, pool: string, who: string): LoadBalancerFinding[] {
  return (['annotations', 'labels'] as const).flatMap((field) =>
    Object.entries(own[field])
      .map(([key, text]) => ({ key, text, wins: ownValue(template[field], key) }))
      .filter(({ text, wins }) => wins !== undefined && wins !== text)
      .map(({ key, text, wins }) => ({
        ruleId: 'listener-overridden-by-template',
        who: 'strimzi',
        what: `${who} has ${field} ${key} ${shown(text)}, and ${BROKER_TEMPLATE} of KafkaNodePool ${pool} has ${shown(wins)} for all listeners and wins`,
        remedy: 'remove it from the template, and write it in each listener that needs it',
        value: wins,
        at: '',
      })),
  );
}

function known(map: Json): Json {
  const entries = Object.entries(map).filter(
    ([, value]) => isSet(value) && !(isMap(value) && Object.keys(value).length === 0),
  );
  return Object.fromEntries(entries);
}

/**
 * The brokers of one listener whose annotations fix no address, while those of others do. Brokers without any annotation
 * are found by the rule listener-broker-annotations-incomplete.
 *
 * @param services all Services of one listener
 * @param catalogue what their owner reads; undefined where it is unknown
 * @param who the one that reports
 */
export function addressesLeftOut(
  services: readonly Json[],
  catalogue: AnnotationCatalogue | undefined,
  who: string,
): LoadBalancerFinding[] {
  const brokers = services
    .filter(({ spec }) => spec.selector[SELECTOR_LABELS.pod] !== undefined)
    .map((service) => ({ name: service.metadata.name, annotations: annotationsOf(service) }))
    .map(({ name, annotations }) => ({ name, annotations, key: addressKeyIn(annotations, catalogue) }));
  const fixed = brokers.find(({ key }) => key !== undefined);
  const without = brokers.filter(({ key, annotations }) => key === undefined && Object.keys(annotations).length > 0);
  if (fixed === undefined || without.length === 0) {
    return [];
  }
  const value = without.map(({ name }) => name).join(', ');
  const these = without.length > 1 ? 'these' : 'this one';
  return [findingOf(LISTENER_ADDRESS_LEFT_OUT, { key: fixed.key, these, value }, who)];
}

function addressKeyIn(annotations: Json, catalogue: AnnotationCatalogue | undefined): string | undefined {
  return Object.keys(annotations).find((key) => {
    const fact = catalogue?.find(key)?.fact;
    return fact?.namesOne && fact.wish === LoadBalancerWish.STATIC_ADDRESSES;
  });
}

/**
 * Conflicts between the Services of one listener: each has the port of the listener, so not even where a controller lets
 * Services share a balancer or an address can two of them have the same.
 *
 * @param services all Services of one listener
 * @param catalogue what their owner reads; undefined where it is unknown
 * @param who the one that reports
 */
export function claimedTwice(
  services: readonly Json[],
  catalogue: AnnotationCatalogue | undefined,
  who: string,
): LoadBalancerFinding[] {
  const claims = services.flatMap((service) =>
    [...claimsOf(service, catalogue)].map(([where, value]) => ({ where, value, service })),
  );
  return [...grouped(claims, ({ where, value }) => `${where}\n${value}`).values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const [{ where, value, service }] = same;
      const [{ port }] = service.spec.ports;
      const names = namesOf(same.map((one) => one.service));
      const form = where === ADDRESS_FIELD ? 'field' : 'annotation';
      const found = { case: form, where, shown: shown(value), services: names, port, value };
      return findingOf(LISTENER_CANNOT_CARRY, found, who);
    });
}

const ADDRESS_FIELD = 'loadBalancerIP';

function* claimsOf(service: Json, catalogue: AnnotationCatalogue | undefined): Generator<[string, string]> {
  if (typeof service.spec[ADDRESS_FIELD] === 'string') {
    yield [ADDRESS_FIELD, service.spec[ADDRESS_FIELD]];
  }
  for (const [key, text] of Object.entries(annotationsOf(service))) {
    const entry = catalogue?.find(key);
    if (entry?.fact.namesOne && typeof text === 'string') {
      for (const value of namedBy(entry, entry.decode(text))) {
        yield [`annotation ${key}`, value];
      }
    }
  }
}

function namesOf(services: readonly Json[]): string {
  const names = services.map(({ metadata }) => metadata.name);
  const [last, ...others] = names.slice(0, 3).reverse();
  return names.length > 3
    ? `Services ${names.slice(0, 2).join(', ')} and ${names.length - 2} others`
    : `Services ${others.reverse().join(', ')} and ${last}`;
}

// The names that the operator gives to what it makes of a cluster and its listeners.

type NamedCluster = Pick<IKafkaCluster, 'clusterName' | 'nodePoolOf'>;

export function podNameOf(cluster: NamedCluster, id: number): string {
  return `${cluster.clusterName}-${cluster.nodePoolOf(id)}-${id}`;
}

export function bootstrapServiceName({ clusterName }: Pick<IKafkaCluster, 'clusterName'>, listener: unknown): string {
  return `${clusterName}-kafka-${listener ?? '*'}-bootstrap`;
}

export function brokerServiceName(cluster: NamedCluster, listener: unknown, port: unknown, id: number): string {
  return listener === NAMELESS_LISTENER.name && port === NAMELESS_LISTENER.port
    ? podNameOf(cluster, id)
    : `${cluster.clusterName}-${cluster.nodePoolOf(id)}-${listener ?? '*'}-${id}`;
}

export function forBroker(cluster: NamedCluster, template: string, id: number): string {
  return isSameForAll(template)
    ? template
    : template.replaceAll('{nodeId}', String(id)).replaceAll('{nodePodName}', podNameOf(cluster, id));
}

export function isSameForAll(template: string): boolean {
  return !template.includes('{');
}

/** One Service of all that differ in their names and pods alone. */
export function unlike(services: readonly Json[]): Json[] {
  return identicalServices(services).map(([first]) => first);
}

export function identicalServices(services: readonly Json[]): Json[][] {
  const contents = ({ metadata: { annotations, labels }, spec: { ports, loadBalancerIP } }: Json) =>
    JSON.stringify([annotations, labels, ports, loadBalancerIP]);
  return [...grouped(services, contents).values()];
}
