import { GATEWAY_API } from '../../tenancy.facts';
import { type Document, routeName } from '../contract/attachment';
import type { FoundPort, PortHolderKind, PublishedPort, RuntimePublisher } from '../contract/runtime-publisher';
import { listenerName } from './documents';

export const LISTENER_SET = { apiVersion: GATEWAY_API.version, kind: 'ListenerSet', resource: 'listenersets' };
export const TLS_ROUTE = { apiVersion: GATEWAY_API.version, kind: 'TLSRoute', resource: 'tlsroutes' };
export const TCP_ROUTE = { apiVersion: GATEWAY_API.version, kind: 'TCPRoute', resource: 'tcproutes' };

/** Ports are those of listeners, and routes lead them to Services. */
const LISTENERS: PortHolderKind = {
  kind: LISTENER_SET.kind,

  isAt: (set, balancer) => {
    const { name, namespace } = set.spec?.parentRef ?? {};
    return name === balancer.name && (namespace ?? set.metadata.namespace) === balancer.namespace;
  },

  portsOf: portsOfListeners,

  // `sectionName` names a listener, and the listener its port
  heldBy: (set, routes) => {
    const ports = new Map(listenersOf(set).map(({ name, port }) => [name, port]));
    const held: Record<number, number> = {};
    for (const { spec } of routes) {
      const servicePort = spec?.rules?.[0]?.backendRefs?.[0]?.port;
      const port = ports.get(spec?.parentRefs?.[0]?.sectionName);
      if (typeof servicePort === 'number' && typeof port === 'number') {
        held[servicePort] = port;
      }
    }
    return held;
  },

  find: (name, servicePort, { holders, routes }, balancers): FoundPort | undefined => {
    const called = routeName({ name, ports: [] }, { port: servicePort, servicePort });
    const route = routes.find(({ metadata, spec }) => metadata.name === called && leadsTo(spec, name, servicePort));
    const parent = route?.spec.parentRefs?.[0];
    const at = balancers.find((one) => one.name === parent?.name);
    const holder = at && holders.find(({ metadata }) => metadata.name === at.name);
    const listener = listenersOf(holder).find((one) => one.name === parent?.sectionName);
    return at && listener && { at: at.name, holder, route, port: listener.port, byHost: listener.protocol === 'TLS' };
  },
};

/** What all engines with a Gateway have in common. */
export const THROUGH_GATEWAY: Pick<
  RuntimePublisher,
  'balancer' | 'holder' | 'reportsPorts' | 'isConflicted' | 'pending'
> = {
  balancer: { apiVersion: GATEWAY_API.version, kind: 'Gateway', resource: 'gateways' },
  holder: LISTENERS,
  reportsPorts: true,
  isConflicted: (port) => listenerStatuses(port).some((listener) => isTrue(listener?.conditions, 'Conflicted')),
  pending: pendingOf,
};

/**
 * Why a port is not served yet; nothing where it is. A listener that is programmed proves nothing by itself: some
 * controllers say so of listeners that they did nothing for.
 */
function pendingOf(state: PublishedPort): string | undefined {
  const { balancer, holder, route } = state;
  const parents = (route?.status?.parents ?? []) as Document[];
  const parent = parents.find(
    ({ parentRef }) =>
      parentRef?.kind === LISTENER_SET.kind &&
      parentRef.name === holder?.metadata.name &&
      (parentRef.sectionName === undefined
        ? state.byHost
        : parentRef.sectionName === listenerName(state.port, state.byHost)),
  );
  return (
    lacking('the shared Gateway', balancer?.status?.conditions, ['Accepted', 'Programmed']) ??
    lacking('the ListenerSet', holder?.status?.conditions, ['Accepted']) ??
    listenerStatuses(state)
      .map((listener) => lacking('the listener', listener?.conditions, ['Programmed']))
      .find((lack) => lack !== undefined) ??
    lacking('the route', parent?.conditions, ['Accepted', 'ResolvedRefs'])
  );
}

function listenersOf(set: Document | undefined): Document[] {
  return set?.spec?.listeners ?? [];
}

function portsOfListeners(set: Document): number[] {
  return listenersOf(set).map(({ port }) => port);
}

function leadsTo(spec: Document, name: string, port: number): boolean {
  const backends: Document[] = spec.rules?.[0]?.backendRefs ?? [];
  return backends.length === 1 && backends[0].name === name && backends[0].port === port;
}

/** What is reported of the listeners of a port: of each host name, where each has one. */
function listenerStatuses({ holder, port, byHost }: PublishedPort): (Document | undefined)[] {
  const called = listenerName(port, byHost);
  const names = listenersOf(holder)
    .map(({ name }) => name as string)
    .filter((name) => name === called || (byHost && name.startsWith(`${called}-`)));
  const reported = (holder?.status?.listeners ?? []) as Document[];
  return (names.length > 0 ? names : [called]).map((name) => reported.find((one) => one.name === name));
}

/** Whether a list of conditions has one that is true. */
function isTrue(conditions: readonly Document[] | undefined, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

/** The first of some conditions that is not true, as text. */
function lacking(what: string, conditions: readonly Document[] | undefined, types: readonly string[]) {
  const type = types.find((one) => !isTrue(conditions, one));
  if (type === undefined) {
    return undefined;
  }
  const reason = (conditions ?? []).find((condition) => condition.type === type)?.reason;
  return `${what} is not ${WORDS[type]} yet${reason ? ` (${reason})` : ''}`;
}

const WORDS: Record<string, string> = {
  Accepted: 'accepted',
  Programmed: 'programmed',
  ResolvedRefs: 'resolved',
};
