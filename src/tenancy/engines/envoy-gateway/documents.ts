import { GATEWAY_API } from '../../tenancy.facts';
import {
  type AttachedPort,
  type AttachedService,
  type Attachment,
  type Document,
  routeName,
  sortedUnique,
} from '../contract/publishing';
import { gatewayDocuments, listenerName } from '../gateway/documents';
import { ENVOY_GATEWAY_VERSION, ENVOY_ROUTE_CONNECTIONS } from './facts';

interface ClientSettings {
  /** True if the balancer in front speaks the PROXY protocol; connections without its header are then refused. */
  readonly proxyProtocol?: boolean;
}

/**
 * The policies that keep the limits and the clients of one tenant, then its listeners and routes: what is applied first
 * must not be open until the rest has come.
 */
export function envoyDocuments(attachment: Attachment, settings: ClientSettings = {}): Document[] {
  const { name, namespace, connections, services } = attachment;
  const spec = clientSpec(connections, settings.proxyProtocol);
  return [
    ...(services.length > 0 && spec ? [clientTrafficPolicy(name, namespace, 'ListenerSet', spec)] : []),
    ...(services.length > 0 ? backendPolicy(attachment) : []),
    ...services.flatMap((service) => portPolicies(attachment, service)),
    ...hostPolicies(attachment),
    ...gatewayDocuments(attachment),
  ];
}

/**
 * The settings of clients that connect to the Gateway's own listener, or to a ListenerSet without settings of its own. A
 * policy of a ListenerSet replaces this one and adds nothing to it, so both say the same of the PROXY protocol.
 */
export function gatewayClientPolicy(
  gateway: { readonly name: string; readonly namespace?: string },
  { proxyProtocol }: ClientSettings,
): Document[] {
  const spec = clientSpec(undefined, proxyProtocol);
  return spec ? [clientTrafficPolicy(gateway.name, gateway.namespace, 'Gateway', spec)] : [];
}

/** The limit counts for each TCP listener by itself, for each route of a TLS listener, and in each replica. */
function clientSpec(connections: number | undefined, proxyProtocol: boolean | undefined): Document | undefined {
  return connections === undefined && !proxyProtocol
    ? undefined
    : {
        ...(connections === undefined ? {} : { connection: { connectionLimit: { value: connections } } }),
        ...(proxyProtocol ? { proxyProtocol: { optional: false } } : {}),
      };
}

function clientTrafficPolicy(name: string, namespace: string | undefined, kind: string, spec: Document): Document {
  return {
    apiVersion: ENVOY_GATEWAY_VERSION,
    kind: 'ClientTrafficPolicy',
    metadata: { name, namespace },
    spec: { targetRefs: [{ group: GATEWAY_API.group, kind, name }], ...spec },
  };
}

/**
 * Raises the number of connections to the pods of one route where the share of a tenant is larger than the one that Envoy has by
 * itself, which would be the limit otherwise.
 */
function backendPolicy({ name, namespace, connections = 0 }: Attachment): Document[] {
  return connections <= ENVOY_ROUTE_CONNECTIONS
    ? []
    : [
        {
          apiVersion: ENVOY_GATEWAY_VERSION,
          kind: 'BackendTrafficPolicy',
          metadata: { name, namespace },
          spec: {
            targetRefs: [{ group: GATEWAY_API.group, kind: 'ListenerSet', name }],
            circuitBreaker: { maxConnections: connections, maxPendingRequests: connections },
          },
        },
      ];
}

function portPolicies({ namespace }: Attachment, service: AttachedService): Document[] {
  const { ports } = service;
  const ranges = rangesOf(service);
  return ports
    .filter(({ hostnames }) => !hostnames)
    .flatMap((port) => {
      const name = routeName(service, port);
      return ranges ? [securityPolicy(name, namespace, { kind: 'TCPRoute', name }, ranges)] : [];
    });
}

/** The clients of each port that Services share by host names: no policy can be about a TLSRoute, so it is the listener's. */
function hostPolicies(attachment: Attachment): Document[] {
  return sharedPorts(attachment).flatMap((port) => {
    const [ranges, ...others] = rangesAt(attachment, port);
    const sectionName = listenerName(port, true);
    const target = { kind: 'ListenerSet', name: attachment.name, sectionName };
    const policy = (clients: readonly string[]) =>
      // with a dot, which no name of a Service has: that of no route
      securityPolicy(`${attachment.name}.${sectionName}`, attachment.namespace, target, clients);
    return others.length > 0 ? [policy([])] : ranges ? [policy(ranges)] : [];
  });
}

/**
 * The ports that Services of a tenant share by host names although they have different clients: one listener has one set of
 * clients, so no client may connect there, and the publisher must refuse them.
 */
export function portsWithSeveralRanges(attachment: Attachment): number[] {
  return sharedPorts(attachment).filter((port) => rangesAt(attachment, port).length > 1);
}

function sharedPorts({ services }: Attachment): number[] {
  const ports = services.flatMap((service) => service.ports);
  return sortedUnique(ports.filter(({ hostnames }) => hostnames).map(({ port }) => port));
}

function rangesAt({ services }: Attachment, port: number): (readonly string[] | undefined)[] {
  const isHere = (one: AttachedPort) => one.port === port && one.hostnames !== undefined;
  const found = services.filter(({ ports }) => ports.some(isHere)).map(rangesOf);
  const keys = found.map((ranges) => ranges?.join());
  return found.filter((_, i) => keys.indexOf(keys[i]) === i);
}

function rangesOf({ sourceRanges = [] }: AttachedService): readonly string[] | undefined {
  return sourceRanges.length === 0 ? undefined : [...new Set(sourceRanges)].sort();
}

/**
 * A client is denied if there is a policy and no rule allows it. Ranges are compared with the other side of the connection, at its first byte:
 * until then a client that is denied hears a server that speaks first, and has a part of the share.
 *
 * @see envoyproxy/envoy v1.39.1, api/envoy/extensions/filters/network/rbac/v3/rbac.proto, ONE_TIME_ON_FIRST_BYTE, which
 * internal/xds/translator/authorization_tcp.go of Envoy Gateway leaves as it is
 */
function securityPolicy(
  name: string,
  namespace: string,
  target: { readonly kind: string; readonly name: string; readonly sectionName?: string },
  ranges: readonly string[],
): Document {
  return {
    apiVersion: ENVOY_GATEWAY_VERSION,
    kind: 'SecurityPolicy',
    metadata: { name, namespace },
    spec: {
      targetRefs: [{ group: GATEWAY_API.group, ...target }],
      authorization: {
        defaultAction: 'Deny',
        ...(ranges.length > 0 ? { rules: [allowedClients(ranges)] } : {}),
      },
    },
  };
}

function allowedClients(ranges: readonly string[]): Document {
  return { name: 'clients', action: 'Allow', principal: { clientCIDRs: [...ranges] } };
}
