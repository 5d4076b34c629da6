import type { Attachment, Document } from '../../engines/contract/attachment';
import { listenerName } from '../../engines/gateway/documents';
import type { RuntimePublisher } from '../../engines/publishers';
import {
  addressesOf,
  gatewayOf,
  hostOf,
  isConflicted,
  isOf,
  ofKind,
  pendingOf,
  type SyncRequest,
} from './cluster-state';
import type { HookConfig, HookTenant } from './hook-config';
import { heldPorts, type PlacedPort, placePorts, withinCapacity } from './place-ports';
import { PortHolders } from './port-holders';
import { type PortOutcome, type PortReport, portsOfText } from './port-report';
import { sourceRangesOf } from './refusal';

/** What is to be there for a Service, and how its ports fare. */
interface ServicePublication extends PortReport {
  readonly documents: readonly Document[];
  readonly placed: readonly PlacedPort[];
}

/** Publishes a Service that was created at run time. */
export function publishService(
  request: SyncRequest,
  config: HookConfig,
  publisher: RuntimePublisher,
  tenant: HookTenant & { readonly ports: NonNullable<HookTenant['ports']> },
): ServicePublication {
  const { object: service, attachments, related } = request;
  const [balancer] = config.balancers;
  const gateway = gatewayOf(related, balancer);
  const name = setName(service);
  const own = ofKind(attachments, 'ListenerSet').find(({ metadata }) => metadata.name === name);
  const routes = ofKind(attachments, 'TCPRoute');
  const holders = new PortHolders(config, gateway, ofKind(related, 'ListenerSet'), own);
  const wanted = placePorts({
    conflict: config.conflict,
    range: tenant.ports,
    key: `${service.metadata.namespace}/${service.metadata.name}`,
    servicePorts: ((service.spec.ports ?? []) as Document[]).map(({ port }) => port),
    held: [heldPorts(own, routes), portsOfText(service.metadata.annotations?.[config.keys.endpoints])],
    hasOther: (port) => holders.hasOther(port),
  });
  const placed = withinCapacity(wanted, config.capacity, holders);
  const publish = (ports: readonly PlacedPort[]): Document[] => {
    const attachment = attachmentOf(service, config, tenant, ports);
    return attachment.services[0].ports.length > 0 ? publisher.publish(attachment, config.settings) : [];
  };
  const foreign = strangersAmong(publish(placed), request);
  const takenRoutes = new Set(foreign.filter(({ kind }) => kind === 'TCPRoute').map(({ metadata }) => metadata.name));
  const takenOther = foreign.find(({ kind }) => kind !== 'TCPRoute');
  const isFree = ({ servicePort }: PlacedPort) => !takenRoutes.has(`${service.metadata.name}-${servicePort}`);
  const addresses = addressesOf(balancer, gateway);
  return {
    placed,
    documents: takenOther ? [] : publish(placed.filter(isFree)),
    outcomes: placed.map((one): PortOutcome => {
      const { servicePort, port, lack } = one;
      if (port === undefined) {
        return { servicePort, port: servicePort, state: lack ?? 'conflict' };
      }
      const route = `${service.metadata.name}-${servicePort}`;
      if (takenOther || !isFree(one)) {
        const why = takenOther ? `${takenOther.kind} ${takenOther.metadata.name}` : `TCPRoute ${route}`;
        return { servicePort, port, state: 'name-taken', why };
      }
      const state = {
        gateway,
        set: own,
        route: routes.find(({ metadata }) => metadata.name === route),
        listener: listenerName(port, false),
      };
      const why = pendingOf(state);
      return {
        servicePort,
        port,
        state: isConflicted(state) ? 'conflict' : why === undefined ? 'served' : 'pending',
        why,
      };
    }),
    addresses,
    host: addresses.length > 0 ? hostOf(addresses[0]) : undefined,
    range: `${tenant.ports.first} to ${tenant.ports.last}`,
  };
}

/** The name of the ListenerSet of a Service; those of the platform have the name of a balancer. */
function setName({ metadata }: Document): string {
  return `service-${metadata.name}`;
}

function attachmentOf(
  service: Document,
  { balancers: [balancer] }: HookConfig,
  { domain, connections, bytesPerSecond }: HookTenant,
  placed: readonly PlacedPort[],
): Attachment {
  const { name, namespace } = service.metadata;
  const ports = placed.flatMap(({ servicePort, port }) => (port === undefined ? [] : [{ servicePort, port }]));
  return {
    name: setName(service),
    namespace,
    balancer: { name: balancer.name, namespace: balancer.namespace },
    domain,
    services: [{ name, ports, sourceRanges: sourceRangesOf(service) }],
    connections,
    bytesPerSecond,
  };
}

/** Objects that have the name of something to be made, and belong to somebody else. */
function strangersAmong(documents: readonly Document[], { object: service, related }: SyncRequest): Document[] {
  return documents.filter(({ kind, metadata }) =>
    ofKind(related, kind).some(
      (there) =>
        there.metadata.name === metadata.name &&
        there.metadata.namespace === metadata.namespace &&
        !isOf(there, service),
    ),
  );
}
