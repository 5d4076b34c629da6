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

function listenerSet({ name, namespace, balancer, domain, services }: Attachment): Document {
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
        ...byHost.map((port) =>
          listener(port, { protocol: 'TLS', hostname: `*.${domain}`, tls: { mode: 'Passthrough' } }, 'TLSRoute'),
        ),
      ],
    },
  };
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
        { group, kind: 'ListenerSet', name: attachment.name, sectionName: listenerName(port.port, !!port.hostnames) },
      ],
      ...(port.hostnames ? { hostnames: [...port.hostnames] } : {}),
      rules: [{ backendRefs: [backend(service, port)] }],
    },
  }));
}

/** Says the defaults: within a list that has one owner, what the API server adds would be somebody else's. */
function backend(service: AttachedService, port: AttachedPort): Document {
  return { group: '', kind: 'Service', name: service.name, port: port.servicePort, weight: 1 };
}

/** The name of the listener of a port. */
export function listenerName(port: number, byHost: boolean): string {
  return `${byHost ? 'tls' : 'tcp'}-${port}`;
}
