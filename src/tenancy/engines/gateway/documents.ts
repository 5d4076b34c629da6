import { GATEWAY_API } from '../../tenancy.facts';
import {
  type AttachedPort,
  type AttachedService,
  type Attachment,
  type Document,
  distinct,
  routeName,
} from '../contract/attachment';

const { group, version: apiVersion } = GATEWAY_API;

/** A listener for each port, and a route for each port of a Service. */
export function gatewayDocuments(attachment: Attachment): Document[] {
  return [listenerSet(attachment), ...attachment.services.flatMap((service) => routesOf(attachment, service))];
}

function listenerSet(attachment: Attachment): Document {
  const { name, namespace, balancer, services } = attachment;
  const ports = services.flatMap((service) => service.ports);
  const own = distinct(ports.filter(({ hostnames }) => !hostnames).map(({ port }) => port));
  const byHost = distinct(ports.filter(({ hostnames }) => hostnames).map(({ port }) => port));
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

/** A listener that takes routes of one kind from its own namespace alone. */
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

/** The name of the listener of a port. */
export function listenerName(port: number, byHost: boolean): string {
  return `${byHost ? 'tls' : 'tcp'}-${port}`;
}
