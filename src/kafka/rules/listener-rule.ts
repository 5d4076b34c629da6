import { groupedByAll, isMap, isSet, type Json, ownValue, pointer } from '../../contract/json';
import { type Fault, ipFault, portFault } from '../../contract/kubernetes-syntax';
import { type Found, findingsIn } from '../../contract/rule';
import { repeated } from '../../gateway/gateway-rule';
import type { Rule } from '../../rules/rule';
import {
  at,
  bootstrapOf,
  brokerField,
  brokersOf,
  configurationOf,
  listAt,
  listenerTitleOf,
  mapAt,
  namedIds,
  pointerTo,
  textAt,
  textsIn,
} from '../operator/kafka-document';
import { BROKER_TEMPLATE } from '../operator/operator-services';
import { LISTENER_FIELDS, TLS_ROUTE_PORT } from '../strimzi/strimzi.facts';
import { type FindersById, type KafkaContext, rulesOf } from './document-rules';

export interface ListenerRuleContext extends KafkaContext {
  readonly kafka: Json;
}

/** Rules whose places are in the listener, or in the resource if they begin with its spec. */
export function listenerRules(finds: FindersById<ListenerRuleContext>): Rule<ListenerRuleContext>[] {
  return rulesOf(finds).map((rule) => ({
    ...rule,
    check: (listener, context) =>
      findingsIn(rule.check(listener, context)).map((one) => ({
        ...one,
        what: `${listenerTitleOf(listener)}: ${one.what}`,
        at: one.at.startsWith('/spec/') ? one.at : `${pointerTo(context.kafka, listener)}${one.at}`,
      })),
  }));
}

export function takes(type: unknown, path: string): boolean {
  const types = LISTENER_FIELDS[path]?.types;
  return types === undefined || types.includes(type as string);
}

export function isFieldSet(value: unknown, path: string): boolean {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isSet(value) && !(isEmpty && LISTENER_FIELDS[path]?.emptyIsFine);
}

export function faults(
  items: readonly (readonly [where: string, fault: Fault, value: unknown, at: string])[],
): Found[] {
  return items.flatMap(([where, fault, value, at]) =>
    fault === undefined ? [] : [{ where, fault, value: String(value), at }],
  );
}

const BOOTSTRAP = '/configuration/bootstrap';

const BROKERS = '/configuration/brokers';

/** The first entry for a broker that has a field, or else the template of the field. */
function brokerAt(listener: Json, id: unknown, field: string): string {
  const i = listAt<Json>(listener, 'configuration.brokers').findIndex(
    (entry) => isMap(entry) && entry.broker === id && isSet(entry[field]),
  );
  return i < 0 ? `/configuration/${field}Template` : `${BROKERS}/${i}/${field}`;
}

// Result of a listener's templates for one broker.

export const NODE_ID = '{nodeId}';

export const NODE_POD_NAME = '{nodePodName}';

const PLACEHOLDER = /\{[A-Za-z][\w.-]*\}/g;

export function placeholdersIn(text: string): string[] {
  return text.match(PLACEHOLDER) ?? [];
}

/** A template for one broker; which pool its pod is of is not known here, so the pod's name is a stand-in. */
const rendered = (template: string, id: number) =>
  template.replaceAll(NODE_ID, String(id)).replaceAll(NODE_POD_NAME, `pod-${id}`);

export function idsOf(listener: Json, { brokerIds }: KafkaContext): readonly number[] {
  return brokerIds ?? namedIds(listener);
}

export function advertisedHostOf(listener: Json, id: number): string | undefined {
  return hostFor(listener, id, 'advertisedHost');
}

export function hostOf(listener: Json, id: number): string | undefined {
  return hostFor(listener, id, 'host');
}

export function hostFor(
  listener: Json,
  id: number,
  field: 'host' | 'advertisedHost',
  render: (template: string, id: number) => string = rendered,
): string | undefined {
  const explicit = brokerField(listener, id, field);
  const template = textAt(configurationOf(listener), `${field}Template`);
  if (explicit !== undefined) {
    return typeof explicit === 'string' ? explicit : undefined;
  }
  return template === undefined ? undefined : render(template, id);
}

export function templatePort(template: string, id: number): number | undefined {
  return evaluatePort(template.replaceAll(NODE_ID, String(id)));
}

export function advertisedPortOf(listener: Json, id: number): number | undefined {
  const explicit = brokerField(listener, id, 'advertisedPort');
  const template = textAt(configurationOf(listener), 'advertisedPortTemplate');
  if (explicit !== undefined) {
    return Number.isInteger(explicit) ? (explicit as number) : undefined;
  }
  return template === undefined ? ownPortOf(listener, id) : templatePort(template, id);
}

/** The port at which the operator makes a broker reachable. strimzi/strimzi-kafka-operator 1.2.0, KafkaListenersReconciler.java */
function ownPortOf(listener: Json, id: number): number | undefined {
  switch (listener.type) {
    case 'nodeport':
      return brokerField(listener, id, 'nodePort') as number | undefined;
    case 'route':
    case 'ingress':
    case 'tlsroute':
      return TLS_ROUTE_PORT;
    default:
      return listener.port;
  }
}

/**
 * The value of a port template whose placeholders are replaced: numbers with `+`, `-`, `*` and parentheses, no signs; the
 * fraction is cut off. Undefined if it is no such expression.
 */
export function evaluatePort(expression: string): number | undefined {
  const tokens = expression.match(/\d+(\.\d+)?|\S/g) ?? [];
  let next = 0;
  const operand = (): number => {
    const token = tokens[next++];
    if (token !== '(') {
      return /^\d/.test(token ?? '') ? Number(token) : Number.NaN;
    }
    const value = sum();
    return tokens[next++] === ')' ? value : Number.NaN;
  };
  const product = (): number => {
    let value = operand();
    while (tokens[next] === '*') {
      next += 1;
      value *= operand();
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[next] === '+' || tokens[next] === '-') {
      value += (tokens[next++] === '+' ? 1 : -1) * product();
    }
    return value;
  };
  const value = sum();
  return Number.isNaN(value) || next < tokens.length ? undefined : Math.trunc(value);
}

const HOST_NAME = /^[A-Za-z0-9_]([-A-Za-z0-9_.]*[A-Za-z0-9_])?\.?$/;

function shared(ids: readonly number[], tellingApart: (id: number) => string | undefined): [string, number[]][] {
  const brokers = groupedByAll(ids, (id) => [tellingApart(id) ?? []].flat());
  return [...brokers].filter(([, sharing]) => sharing.length > 1);
}

function addressOf(listener: Json, id: number): string | undefined {
  const host = advertisedHostOf(listener, id);
  const port = advertisedPortOf(listener, id);
  return host === undefined || port === undefined ? undefined : `${host.toLowerCase()}:${port}`;
}

function isHost(text: string): boolean {
  return HOST_NAME.test(text) || ipFault(text) === undefined;
}

function leftOut(listener: Json, field: string, template: string, { brokerIds = [] }: ListenerRuleContext): number[] {
  const has = (id: number) => isMap(brokerField(listener, id, field));
  const hasTemplate = Object.keys(Object(at(configurationOf(listener), template))).length > 0;
  return hasTemplate || !namedIds(listener).some(has) ? [] : brokerIds.filter((id) => !has(id));
}

function portsBeside(listener: Json, context: ListenerRuleContext): (readonly [id: number, port: number])[] {
  return idsOf(listener, context)
    .map((id) => [id, advertisedPortOf(listener, id)] as const)
    .filter((entry): entry is readonly [number, number] => entry[1] !== undefined)
    .filter(([, port]) => portFault(port) === undefined && port !== listener.port);
}

export const LISTENER_BROKER_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'listener-broker-duplicate': (listener) =>
    repeated(brokersOf(listener).map(({ broker }) => broker))
      .filter((id) => Number.isInteger(id))
      .map((id) => ({ value: String(id), at: brokerAt(listener, id, 'broker') })),
  'listener-broker-unknown': (listener, { brokerIds }) =>
    namedIds(listener)
      .filter((id) => id < 0 || brokerIds?.includes(id) === false)
      .map((id) => ({
        known: brokerIds ? `the brokers are ${brokerIds.join(', ')}` : 'there is no such id',
        value: String(id),
        at: brokerAt(listener, id, 'broker'),
      })),
  'listener-broker-annotations-incomplete': (listener, context) =>
    listener.type !== 'loadbalancer'
      ? undefined
      : leftOut(listener, 'annotations', 'perBrokerAnnotationsTemplate', context).map((id) => ({
          value: String(id),
          at: BROKERS,
        })),
  'listener-advertised-host-invalid': (listener, context) =>
    idsOf(listener, context)
      .map((id) => [id, advertisedHostOf(listener, id)] as const)
      .filter(([, host]) => host !== undefined && !isHost(host))
      .map(([id, value]) => ({ id, value, at: brokerAt(listener, id, 'advertisedHost') })),
  'listener-advertised-port-invalid': (listener) =>
    entriesOf(listener)
      .filter(({ entry: { advertisedPort: port } }) => Number.isInteger(port) && portFault(port) !== undefined)
      .map(({ entry: { broker, advertisedPort }, at }) => ({
        broker,
        value: String(advertisedPort),
        at: `${at}/advertisedPort`,
      })),
  'listener-advertised-port-mismatch': (listener, context) => {
    const others = listener.type === 'loadbalancer' ? portsBeside(listener, context) : [];
    return others.length === 0
      ? undefined
      : {
          brokers: advertising(others),
          balancers: others.length > 1 ? 'their balancers listen' : 'its balancer listens',
          port: listener.port,
          value: [...new Set(others.map(([, port]) => port))].join(', '),
          at: brokerAt(listener, others[0][0], 'advertisedPort'),
        };
  },
  'listener-advertised-hosts-incomplete': (listener, { brokerIds = [] }) => {
    const named = brokerIds.filter((id) => advertisedHostOf(listener, id) !== undefined);
    const nameless = brokerIds.filter((id) => !named.includes(id));
    const [some, others] = [named.join(', '), nameless.join(', ')];
    return listener.type !== 'loadbalancer' || named.length === 0 || nameless.length === 0
      ? undefined
      : {
          named: named.length > 1 ? `brokers ${some} advertise hosts` : `broker ${some} advertises a host`,
          nameless:
            nameless.length > 1
              ? `brokers ${others} do not: they advertise the addresses of their balancers`
              : `broker ${others} does not: it advertises the address of its balancer`,
          value: others,
        };
  },
  'listener-advertised-address-duplicate': (listener, context) =>
    (context.hasInterimAddresses ? [] : shared(idsOf(listener, context), (id) => addressOf(listener, id))).map(
      ([value, ids]) => ({ ids: ids.join(', '), value, at: brokerAt(listener, ids[0], 'advertisedHost') }),
    ),
  'listener-host-duplicate': (listener, context) =>
    shared(idsOf(listener, context), (id) => hostOf(listener, id)).map(([value, ids]) => ({
      ids: ids.join(', '),
      value,
      at: brokerAt(listener, ids[0], 'host'),
    })),
  'listener-alternative-name-invalid': (listener) =>
    listAt(bootstrapOf(listener), 'alternativeNames').flatMap((value, i) =>
      typeof value === 'string' && !isHost(value.replace(/^\*\./, ''))
        ? [{ value, at: `/configuration/bootstrap/alternativeNames/${i}` }]
        : [],
    ),
});

const METADATA_TEMPLATES = ['perBrokerAnnotationsTemplate', 'perBrokerLabelsTemplate'];

type Text = readonly [where: string, text: string, at: string];

function textField(map: Json, field: string, at: string, where = field): Text[] {
  const text = textAt(map, field);
  return text === undefined ? [] : [[where, text, `${at}/${field}`]];
}

function textsOf(map: Json, fields: readonly string[], at: string, where = ''): Text[] {
  return fields.flatMap((field) =>
    Object.entries(textsIn(map[field])).map(
      ([key, text]): Text => [`${where}${field}['${key}']`, text, pointer(`${at}/${field}`, key)],
    ),
  );
}

/** The entries for brokers with their places. */
export function entriesOf(listener: Json): { readonly entry: Json; readonly at: string }[] {
  return listAt<Json>(listener, 'configuration.brokers').flatMap((entry, i) =>
    isMap(entry) ? [{ entry, at: `${BROKERS}/${i}` }] : [],
  );
}

function templatesOf(listener: Json): Text[] {
  const configuration = configurationOf(listener);
  return [
    ...['hostTemplate', 'advertisedHostTemplate'].flatMap((field) => textField(configuration, field, '/configuration')),
    ...textsOf(configuration, METADATA_TEMPLATES, '/configuration'),
  ];
}

function literalsOf(listener: Json): Text[] {
  const bootstrap = bootstrapOf(listener);
  const metadata = ['annotations', 'labels'];
  return [
    ...textField(bootstrap, 'host', BOOTSTRAP, 'bootstrap.host'),
    ...textsOf(bootstrap, metadata, BOOTSTRAP, 'bootstrap.'),
    ...entriesOf(listener).flatMap(({ entry, at }) => {
      const where = `the entry for broker ${entry.broker}`;
      return [
        ...textField(entry, 'host', at, `host of ${where}`),
        ...textField(entry, 'advertisedHost', at, `advertisedHost of ${where}`),
        ...textsOf(entry, metadata, at, `${where}.`),
      ];
    }),
  ];
}

function portTemplateFault(value: string, ids: readonly number[]): Found | undefined {
  const ports = ids.map((id) => ({ id, port: templatePort(value, id) }));
  if (ports.some(({ port }) => port === undefined)) {
    return { case: 'syntax', value };
  }
  const bad = ports.find(({ port }) => portFault(port) !== undefined);
  return bad && { case: 'range', ...bad, value };
}

function lostKeys(listener: Json): Found[] {
  const configuration = configurationOf(listener);
  return entriesOf(listener).flatMap(({ entry, at }) =>
    METADATA_TEMPLATES.flatMap((template) => {
      const field = template.includes('Annotations') ? 'annotations' : 'labels';
      const own = mapAt(entry, field);
      const lost = Object.keys(mapAt(configuration, template)).filter((key) => !isSet(ownValue(own, key)));
      return Object.keys(own).length === 0 || lost.length === 0
        ? []
        : [{ field, broker: entry.broker, template, value: lost.join(', '), at: `${at}/${field}` }];
    }),
  );
}

export const LISTENER_TEMPLATE_RULES: readonly Rule<ListenerRuleContext>[] = listenerRules({
  'listener-placeholder-unknown': (listener) =>
    templatesOf(listener).flatMap(([where, text, at]) =>
      placeholdersIn(text)
        .filter((placeholder) => placeholder !== NODE_ID && placeholder !== NODE_POD_NAME)
        .map((placeholder) => ({ where, placeholder, value: text, at })),
    ),
  'listener-placeholder-outside-template': (listener) =>
    literalsOf(listener)
      .filter(([, text]) => text.includes(NODE_ID) || text.includes(NODE_POD_NAME))
      .map(([where, value, at]) => ({ where, value, at })),
  'listener-placeholder-in-key': (listener) =>
    METADATA_TEMPLATES.flatMap((template) =>
      Object.keys(mapAt(configurationOf(listener), template))
        .filter((key) => placeholdersIn(key).length > 0)
        .map((value) => ({ template, value, at: pointer(`/configuration/${template}`, value) })),
    ),
  'listener-port-template-invalid': (listener, { brokerIds }) => {
    const template = textAt(configurationOf(listener), 'advertisedPortTemplate');
    return template === undefined ? undefined : portTemplateFault(template, brokerIds ?? [0]);
  },
  'listener-template-keys-missing': lostKeys,
});

export function advertising(ports: readonly (readonly [id: number, port: number])[]): string {
  const ids = ports.map(([id]) => id).join(', ');
  const different = [...new Set(ports.map(([, port]) => port))];
  return `${ports.length > 1 ? `brokers ${ids} advertise` : `broker ${ids} advertises`} ${different.length > 1 ? 'ports' : 'port'} ${different.join(', ')}`;
}

/** A map of annotations or labels of a listener: where it is, and what the broker's Services have by it. */
export interface Metadata {
  readonly whose: string;
  readonly where: string;
  readonly field: 'annotations' | 'labels';
  readonly entries: Record<string, string>;
  /** The place of the map in the listener. */
  readonly at: string;
  readonly template: string;
  /** The brokers of whose Services it is; those of no broker, or of all of them, where it is unset. */
  readonly broker?: unknown;
}

export function metadataOf(listener: Json): Metadata[] {
  const { perBrokerAnnotationsTemplate, perBrokerLabelsTemplate } = configurationOf(listener);
  return [
    ...bothOf(bootstrapOf(listener), { whose: 'bootstrap', template: 'externalBootstrapService', at: BOOTSTRAP }),
    ...entriesOf(listener).flatMap(({ entry, at }) =>
      bothOf(entry, { whose: `broker ${entry.broker}`, template: BROKER_TEMPLATE, broker: entry.broker, at }),
    ),
    ...bothOf(
      { annotations: perBrokerAnnotationsTemplate, labels: perBrokerLabelsTemplate },
      { whose: 'all brokers', template: BROKER_TEMPLATE, at: '' },
    ).map((one, i) => ({ ...one, at: `/configuration/${METADATA_TEMPLATES[i]}` })),
  ];
}

function bothOf(map: Json, of: Pick<Metadata, 'whose' | 'template' | 'broker' | 'at'>): Metadata[] {
  return (['annotations', 'labels'] as const).map((field) => ({
    ...of,
    where: `${field} of ${of.whose}`,
    field,
    entries: textsIn(map[field]),
    at: `${of.at}/${field}`,
  }));
}

/** The place of an annotation in a listener; undefined if the listener has none of that name. */
export function annotationAt(listener: Json, key: string): string | undefined {
  const of = metadataOf(listener).find(({ field, entries }) => field === 'annotations' && Object.hasOwn(entries, key));
  return of && pointer(of.at, key);
}
