import { GATEWAY_API } from '../../tenancy.facts';
import {
  type AttachedPort,
  type AttachedService,
  type Attachment,
  type Document,
  type ObservedPort,
  type PortHolderKind,
  type PublishedPort,
  type RuntimePublisher,
  routeName,
  sortedUnique,
} from '../contract/publishing';

const { group, version: apiVersion } = GATEWAY_API;

export function gatewayDocuments(attachment: Attachment): Document[] {
  return [listenerSet(attachment), ...attachment.services.flatMap((service) => routesOf(attachment, service))];
}

function listenerSet(attachment: Attachment): Document {
  const { name, namespace, balancer, services } = attachment;
  const ports = services.flatMap((service) => service.ports);
  const own = sortedUnique(ports.filter(({ hostnames }) => !hostnames).map(({ port }) => port));
  const byHost = sortedUnique(ports.filter(({ hostnames }) => hostnames).map(({ port }) => port));
  return {
    apiVersion,
    kind: 'ListenerSet',
    metadata: { name, namespace },
    spec: {
      parentRef: { group, kind: 'Gateway', name: balancer.name, namespace: balancer.namespace },
      listeners: [
        ...own.map((port) => listener(port, { protocol: 'TCP' }, 'TCPRoute')),
        ...byHost.flatMap((port) => tlsListeners(attachment, port)),
      ],
    },
  };
}

/** One listener for all names of a tenant, or one for each, where another object of the tenant has listeners at the port. */
function tlsListeners({ domain, services, listenersByName }: Attachment, port: number): Document[] {
  const of = (hostname: string) => ({ protocol: 'TLS', hostname, tls: { mode: 'Passthrough' } });
  if (!listenersByName) {
    return [listener(port, of(`*.${domain}`), 'TLSRoute')];
  }
  const names = services.flatMap(({ ports }) =>
    ports.flatMap((one) => (one.port === port ? (one.hostnames ?? []) : [])),
  );
  return [...new Set(names)].map((hostname, i) => ({
    ...listener(port, of(hostname), 'TLSRoute'),
    name: `${listenerName(port, true)}-${i + 1}`,
  }));
}

function listener(port: number, of: { protocol: string } & Document, kind: string): Document {
  return {
    name: listenerName(port, of.protocol === 'TLS'),
    port,
    ...of,
    allowedRoutes: { namespaces: { from: 'Same' }, kinds: [{ group, kind }] },
  };
}

function routesOf(attachment: Attachment, service: AttachedService): Document[] {
  return service.ports.map((port) => ({
    apiVersion,
    kind: port.hostnames ? 'TLSRoute' : 'TCPRoute',
    metadata: { name: routeName(service, port), namespace: attachment.namespace },
    spec: {
      parentRefs: [
        {
          group,
          kind: 'ListenerSet',
          name: attachment.name,
          // without it a route is at all listeners that have its names
          ...(port.hostnames && attachment.listenersByName
            ? {}
            : { sectionName: listenerName(port.port, !!port.hostnames) }),
        },
      ],
      ...(port.hostnames ? { hostnames: [...port.hostnames] } : {}),
      rules: [{ backendRefs: [backend(service, port)] }],
    },
  }));
}

/** Sets the defaults: in a list that has one owner, what the API server adds would have another. */
function backend(service: AttachedService, port: AttachedPort): Document {
  return { group: '', kind: 'Service', name: service.name, port: port.servicePort, weight: 1 };
}

export function listenerName(port: number, byHost: boolean): string {
  return `${byHost ? 'tls' : 'tcp'}-${port}`;
}

export const LISTENER_SET = { apiVersion: GATEWAY_API.version, kind: 'ListenerSet', resource: 'listenersets' };
export const TLS_ROUTE = { apiVersion: GATEWAY_API.version, kind: 'TLSRoute', resource: 'tlsroutes' };
export const TCP_ROUTE = { apiVersion: GATEWAY_API.version, kind: 'TCPRoute', resource: 'tcproutes' };

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

  find: (name, servicePort, { holders, routes }, balancers): ObservedPort | undefined => {
    const called = routeName({ name, ports: [] }, { port: servicePort, servicePort });
    const route = routes.find(({ metadata, spec }) => metadata.name === called && leadsTo(spec, name, servicePort));
    const parent = route?.spec.parentRefs?.[0];
    const at = balancers.find((one) => one.name === parent?.name);
    const holder = at && holders.find(({ metadata }) => metadata.name === at.name);
    const listener = listenersOf(holder).find((one) => one.name === parent?.sectionName);
    return at && listener && { at: at.name, holder, route, port: listener.port, byHost: listener.protocol === 'TLS' };
  },
};

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
 * Reason why a port is not served yet; undefined if it is served. A listener that is programmed proves nothing by itself: some
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

function listenerStatuses({ holder, port, byHost }: PublishedPort): (Document | undefined)[] {
  const called = listenerName(port, byHost);
  const names = listenersOf(holder)
    .map(({ name }) => name as string)
    .filter((name) => name === called || (byHost && name.startsWith(`${called}-`)));
  const reported = (holder?.status?.listeners ?? []) as Document[];
  return (names.length > 0 ? names : [called]).map((name) => reported.find((one) => one.name === name));
}

function isTrue(conditions: readonly Document[] | undefined, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

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
