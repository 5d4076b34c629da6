import { schemeSetIn } from '../../contract/annotation-catalogue';
import { isSet, type Json, pointer, shown } from '../../contract/json';
import {
  annotationKeyFault,
  cidrFault,
  dnsNameFault,
  type Fault,
  labelKeyFault,
  labelValueFault,
  portFault,
} from '../../contract/kubernetes-syntax';
import { LoadBalancerScheme } from '../../contract/options';
import type { Found } from '../../contract/rule';
import { schemaRules } from '../../contract/schema/rules';
import { fieldsWithin, SchemaFault } from '../../contract/schema/walk';
import { repeated } from '../../gateway/gateway-rule';
import { currentJson } from '../../rules/app-objects';
import { knownKinds } from '../../rules/known-kinds';
import type { Rule } from '../../rules/rule';
import { type CheckResult, RuleSet } from '../../rules/rule-set';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  at,
  bootstrapOf,
  brokerField,
  brokersOf,
  configurationOf,
  listAt,
  listenersOf,
  listenerTitleOf,
  mapAt,
  pointerTo,
  templateMetadataOf,
  textAt,
  textsIn,
} from '../operator/kafka-document';
import { nodePoolsOf } from '../operator/node-pools';
import { BROKER_TEMPLATE } from '../operator/operator-services';
import { releaseReading } from '../strimzi/releases';
import {
  ANONYMOUS,
  LISTENER_FIELDS,
  LISTENER_NAME,
  LOWEST_PORT,
  OUTSIDE_TYPES,
  PLAIN_TEXT_TYPES,
  RESERVED_PORTS,
} from '../strimzi/strimzi.facts';
import { DOCUMENT_RULES, type KafkaContext, OPERATOR } from './document-rules';
import {
  entriesOf,
  faults,
  isFieldSet,
  LISTENER_BROKER_RULES,
  LISTENER_TEMPLATE_RULES,
  type ListenerRuleContext,
  listenerRules,
  type Metadata,
  metadataOf,
  placeholdersIn,
  takes,
} from './listener-rule';
import { LISTENER_DNS_RULES, LISTENER_WAITING_RULES } from './listener-service-rules';
import { KAFKA_TLS_ROUTE_RULES } from './tls-route-rules';

const FIELDS = fieldsWithin(LISTENER_FIELDS);

export const LISTENER_SHAPE_RULES: readonly Rule<ListenerRuleContext>[] = schemaRules<ListenerRuleContext>({
  prefix: 'listener',
  called: 'a listener',
  source: {
    repository: 'strimzi/strimzi-kafka-operator',
    version: '0.45.0 to 1.2.0',
    file: 'packaging/install/cluster-operator/040-Crd-kafka.yaml',
  },
  part: (listener, { kafka, strimzi }) => ({
    map: listener,
    fields: FIELDS,
    where: '',
    at: pointerTo(kafka, listener),
    release: releaseReading(kafka, strimzi),
  }),
  title: listenerTitleOf,
  remedy: ({ fault }) =>
    fault === SchemaFault.REMOVED
      ? 'use authentication of type custom; a manifest of API version v1beta2 may keep it up to Strimzi 0.51'
      : undefined,
});

/** True if a listener of the document before this one has the same in a field; the first one is right. */
function isRepeated(kafka: Json, listener: Json, field: string): boolean {
  return listenersOf(kafka).find((other) => other[field] === listener[field]) !== listener;
}

export const LISTENER_NAME_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'listener-name-invalid': ({ name }) =>
    typeof name !== 'string' || LISTENER_NAME.test(name) ? undefined : { length: name.length, value: name },
  'listener-name-duplicate': (listener, { kafka }) =>
    typeof listener.name === 'string' && isRepeated(kafka, listener, 'name')
      ? { value: listener.name, at: '/name' }
      : undefined,
  'listener-port-reserved': ({ port }) => {
    if (!Number.isInteger(port)) {
      return undefined;
    }
    const use = RESERVED_PORTS[port];
    const why = use ? `is taken for ${use}` : port < LOWEST_PORT ? `is below ${LOWEST_PORT}` : undefined;
    return why === undefined ? undefined : { why, lowest: LOWEST_PORT, value: String(port) };
  },
  'listener-port-invalid': ({ port }) =>
    Number.isInteger(port) && port >= LOWEST_PORT && portFault(port) !== undefined
      ? { lowest: LOWEST_PORT, value: String(port) }
      : undefined,
  'listener-port-duplicate': (listener, { kafka }) =>
    Number.isInteger(listener.port) && isRepeated(kafka, listener, 'port')
      ? { value: String(listener.port), at: '/port' }
      : undefined,
});

const SUPER_USERS = 'spec.kafka.authorization.superUsers';

/** Reason why a client without a name may do everything; undefined if it may not. */
function whyNoClientIsRefused(kafka: Json): string | undefined {
  if (!isSet(at(kafka, 'spec.kafka.authorization'))) {
    return 'spec.kafka.authorization is unset';
  }
  return listAt(kafka, SUPER_USERS).includes(ANONYMOUS) ? `${SUPER_USERS} has ${ANONYMOUS}` : undefined;
}

function isInternal(kafka: Json, listener: Json): boolean {
  const maps = [
    mapAt(listener, 'configuration.bootstrap.annotations'),
    ...['externalBootstrapService', BROKER_TEMPLATE].map((name) => templateMetadataOf(kafka, name).annotations),
  ].map(textsIn);
  return maps.some((annotations) =>
    knownKinds().some(({ catalogue }) => schemeSetIn(annotations, catalogue)?.scheme === LoadBalancerScheme.INTERNAL),
  );
}

export const LISTENER_EXPOSURE_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'listener-passwords-without-tls': (listener) => {
    const type = textAt(listener, 'authentication.type');
    return PLAIN_TEXT_TYPES.includes(listener.type) && listener.tls === false && type !== undefined && type !== 'tls'
      ? { type: listener.type, value: type }
      : undefined;
  },
  'listener-unencrypted': (listener, { kafka }) => {
    const { type, tls } = listener;
    const isPlain = PLAIN_TEXT_TYPES.includes(type) && tls === false && !isInternal(kafka, listener);
    return isPlain && textAt(listener, 'authentication.type') === undefined ? { type, value: 'false' } : undefined;
  },
  'listener-without-authentication': (listener, { kafka }) => {
    const why = whyNoClientIsRefused(kafka);
    return OUTSIDE_TYPES.includes(listener.type) &&
      textAt(listener, 'authentication.type') === undefined &&
      why !== undefined
      ? { type: listener.type, why }
      : undefined;
  },
  'listener-peers-without-clients': ({ type, networkPolicyPeers }) => {
    const peers = Array.isArray(networkPolicyPeers) ? networkPolicyPeers : [];
    const admitsAddresses = peers.some((peer) => isSet(at(peer, 'ipBlock')));
    return OUTSIDE_TYPES.includes(type) && peers.length > 0 && !admitsAddresses ? {} : undefined;
  },
});

function misplaced(listener: Json): Found[] {
  const inMap = (map: Json, path: string, where: string, within = where) =>
    Object.entries(map)
      .filter(([name, value]) => isFieldSet(value, `${path}.${name}`) && !takes(listener.type, `${path}.${name}`))
      .map(([name, value]) => {
        const types = LISTENER_FIELDS[`${path}.${name}`].types?.join(', ');
        const at = `/${within.replaceAll('.', '/')}/${name}`;
        return { where, name, type: shown(listener.type), types, value: shown(value), at };
      });
  return [
    ...inMap(configurationOf(listener), 'configuration', 'configuration'),
    ...inMap(bootstrapOf(listener), 'configuration.bootstrap', 'configuration.bootstrap'),
    ...brokersOf(listener).flatMap((entry, i) =>
      inMap(
        entry,
        'configuration.brokers',
        `configuration.brokers for broker ${shown(entry.broker)}`,
        `configuration.brokers.${i}`,
      ),
    ),
  ];
}

function withoutHost(listener: Json, { brokerIds = [] }: ListenerRuleContext): string | undefined {
  if (isSet(configurationOf(listener).hostTemplate)) {
    return undefined;
  }
  const without = brokerIds.filter((id) => !isSet(brokerField(listener, id, 'host')));
  return brokersOf(listener).length === 0
    ? 'no broker has a host'
    : without.length > 0
      ? `there is no host for broker ${without.join(', ')}`
      : undefined;
}

export const LISTENER_TYPE_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'listener-field-on-wrong-type': (listener) =>
    LISTENER_FIELDS.type.values?.includes(listener.type) ? misplaced(listener) : undefined,
  'listener-bootstrap-unused': (listener) =>
    listener.type === 'loadbalancer' && configurationOf(listener).createBootstrapService === false
      ? Object.entries(bootstrapOf(listener))
          .filter(
            ([name, value]) => name !== 'alternativeNames' && isFieldSet(value, `configuration.bootstrap.${name}`),
          )
          .map(([name]) => ({ name, at: `/configuration/bootstrap/${name}` }))
      : undefined,
  'listener-hosts-missing': (listener, context) => {
    if (listener.type !== 'tlsroute') {
      return undefined;
    }
    const why = withoutHost(listener, context);
    return [
      ...(isSet(bootstrapOf(listener).host) ? [] : [{ case: 'bootstrap' }]),
      ...(why === undefined ? [] : [{ case: 'brokers', why }]),
    ];
  },
  'listener-parents-missing': (listener) => {
    const parents = listAt<Json>(listener, 'configuration.parentRefs');
    const areNamed = parents.length > 0 && parents.every((parent) => isSet(at(parent, 'name')));
    return listener.type !== 'tlsroute' || areNamed ? undefined : { case: parents.length === 0 ? 'none' : 'unnamed' };
  },
});

const WITH_SERVICE_METADATA = ['loadbalancer', 'nodeport', 'cluster-ip'];

function texts(map: Json, field: string): string[] {
  return listAt(map, field).filter((text) => typeof text === 'string');
}

function entryAt(listener: Json, field: string, entry: unknown): string {
  return `/configuration/${field}/${listAt(configurationOf(listener), field).indexOf(entry)}`;
}

function finalizerFault(finalizer: string): Fault {
  return finalizer.includes('/') ? labelKeyFault(finalizer) : `'${finalizer}' has no domain before a slash`;
}

function nodePortsOf(listener: Json): [where: string, port: number, at: string][] {
  return [
    ['bootstrap', bootstrapOf(listener).nodePort, '/configuration/bootstrap/nodePort'] as [string, number, string],
    ...entriesOf(listener).map(
      ({ entry, at }) => [`broker ${entry.broker}`, entry.nodePort, `${at}/nodePort`] as [string, number, string],
    ),
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
      .map(([key, own]) => ({
        where,
        key,
        own,
        template,
        value: stronger[key],
        at: `/spec/kafka/template/${template}`,
      }));
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
  'listener-metadata-key-invalid': (listener) =>
    faults(
      metadataOf(listener).flatMap(({ where, field, entries, at }) =>
        Object.entries(entries).map(
          ([key, text]) => [where, entryFault(field, key, text), key, pointer(at, key)] as const,
        ),
      ),
    ),
  'listener-overridden-by-template': (listener, context) =>
    WITH_SERVICE_METADATA.includes(listener.type) ? overruled(listener, context) : undefined,
  'listener-finalizer-invalid': (listener) => {
    const finalizers = texts(configurationOf(listener), 'finalizers');
    const at = (one: string) => entryAt(listener, 'finalizers', one);
    const twice = repeated(finalizers).map((one) => ['', `'${one}' is listed twice`, one, at(one)] as const);
    return faults([...finalizers.map((one) => ['', finalizerFault(one), one, at(one)] as const), ...twice]);
  },
  'listener-class-invalid': (listener) => {
    const name = textAt(configurationOf(listener), 'class');
    const isIngress = listener.type === 'ingress';
    const value = name === undefined ? undefined : isIngress ? dnsNameFault(name) : labelKeyFault(name);
    return value === undefined ? undefined : { case: isIngress ? 'ingress' : 'service', value };
  },
  'listener-source-range-invalid': (listener) =>
    faults(
      texts(configurationOf(listener), 'loadBalancerSourceRanges').map((range) => [
        '',
        cidrFault(range.trim()),
        range,
        entryAt(listener, 'loadBalancerSourceRanges', range),
      ]),
    ),
  'listener-ip-families-invalid': (listener) => {
    const { ipFamilyPolicy } = configurationOf(listener);
    const families = texts(configurationOf(listener), 'ipFamilies');
    const isTwice = new Set(families).size < families.length;
    return isTwice || (families.length > 1 && ipFamilyPolicy === 'SingleStack')
      ? { case: isTwice ? 'twice' : 'single', value: families.join(', ') }
      : undefined;
  },
  'listener-node-port-invalid': (listener) => {
    const ports = nodePortsOf(listener);
    return faults(
      ports.map(([where, port, at], i) => [
        where,
        portFault(port) ?? (ports.findIndex(([, other]) => other === port) < i ? `${port} is listed twice` : undefined),
        port,
        at,
      ]),
    );
  },
});

export const LISTENER_RULES: readonly Rule<ListenerRuleContext>[] = [
  ...LISTENER_SHAPE_RULES,
  ...LISTENER_NAME_RULES,
  ...LISTENER_EXPOSURE_RULES,
  ...LISTENER_TYPE_RULES,
  ...LISTENER_BROKER_RULES,
  ...LISTENER_TEMPLATE_RULES,
  ...LISTENER_METADATA_RULES,
  ...LISTENER_WAITING_RULES,
  ...KAFKA_TLS_ROUTE_RULES,
];

const DOCUMENTS = new RuleSet<KafkaContext>([...DOCUMENT_RULES, ...LISTENER_DNS_RULES], OPERATOR);
const LISTENERS = new RuleSet<ListenerRuleContext>(LISTENER_RULES, OPERATOR);

export function checkDocument(kafka: Json, context: KafkaContext): CheckResult {
  return DOCUMENTS.check(kafka, context);
}

export function checkListener(kafka: Json, listener: Json, context: KafkaContext): CheckResult {
  return LISTENERS.check(listener, { ...context, kafka });
}

export function sameCause(found: readonly { readonly ruleId: string }[]): ReadonlySet<string> {
  const rules = [...LISTENER_RULES, ...DOCUMENTS.rules];
  return new Set(supersededBy(rules.filter(({ id }) => found.some(({ ruleId }) => ruleId === id))));
}

/**
 * The rules about Services of which those of the document report more: where a value is, and the names of all Services. One
 * listener alone reports what is wrong with the document.
 */
export const REPORTED_OF_DOCUMENT: ReadonlySet<string> = new Set(supersededBy(DOCUMENTS.rules));

function supersededBy(rules: readonly Pick<Rule, 'supersedes'>[]): readonly string[] {
  return rules.flatMap(({ supersedes = [] }) => supersedes);
}

export function listenerContextOf(cluster: IKafkaCluster): KafkaContext {
  const { strimzi, brokerIds } = cluster;
  return {
    strimzi,
    brokerIds,
    nodePoolOf: (id) => cluster.nodePoolOf(id),
    hasOwnTemplate: (id) => {
      const pool = nodePoolsOf(cluster).find(({ name }) => name === cluster.nodePoolOf(id));
      return pool !== undefined && at(currentJson(pool.object), `spec.template.${BROKER_TEMPLATE}`) !== undefined;
    },
  };
}
