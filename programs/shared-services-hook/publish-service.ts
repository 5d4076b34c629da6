import type {
  Attachment,
  Document,
  PortHolderKind,
  PublishedPort,
  RuntimePublisher,
} from '../../src/tenancy/engines/contract/publishing';
import { type HookConfig, type HookTenant, maxListenerSets } from '../../src/tenancy/runtime/program-config';
import { addressesOf, balancerIn, hostOf, isOf, ofKind, type SyncRequest } from './cluster-state';
import { hostNameConflicts, hostNamesOf } from './host-names';
import { type PlacedPort, placePorts, seated, withinCapacity } from './place-ports';
import { PortHolders } from './port-holders';
import { type PortOutcome, type PortReport, portsOfText } from './port-report';
import { sourceRangesOf } from './refusal';
import { SeatTable } from './seats';

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
  const { holder } = publisher;
  const gateway = balancerIn(related, publisher.balancer, balancer);
  const name = setName(service);
  const own = ofKind(attachments, holder.kind).find(({ metadata }) => metadata.name === name);
  const routes = ofKind(attachments, 'TCPRoute');
  const table = SeatTable.sentWith(request, config);
  const mine = table?.portsFor(service);
  const holders = new PortHolders(
    config,
    holder,
    gateway,
    ofKind(related, holder.kind),
    own,
    table?.portsOfOthers(service),
  );
  const wanted = placePorts({
    conflict: config.conflict,
    range: tenant.ports,
    key: `${service.metadata.namespace}/${service.metadata.name}`,
    servicePorts: ((service.spec.ports ?? []) as Document[]).map(({ port }) => port),
    held: [
      ...(mine ? [mine] : []),
      holder.heldBy(own, routes),
      portsOfText(service.metadata.annotations?.[config.keys.endpoints]),
    ],
    hasOther: (port) => holders.hasOther(port),
  });
  const placed = mine ? seated(wanted, mine, config, holders) : withinCapacity(wanted, config.capacity, holders);
  const publish = (ports: readonly PlacedPort[]): Document[] => {
    const attachment = attachmentOf(service, config, tenant, ports);
    return attachment.services[0].ports.length > 0 ? publisher.publish(attachment, config.settings) : [];
  };
  const foreign = strangersAmong(publish(placed), request);
  const takenRoutes = new Set(foreign.filter(({ kind }) => kind === 'TCPRoute').map(({ metadata }) => metadata.name));
  const takenOther = foreign.find(({ kind }) => kind !== 'TCPRoute');
  const isFull = !own && hasNoSetLeft(request, config, holder, tenant);
  const isFree = ({ servicePort }: PlacedPort) => !takenRoutes.has(`${service.metadata.name}-${servicePort}`);
  const addresses = addressesOf(balancer, gateway);
  return {
    placed,
    documents: takenOther || isFull ? [] : publish(placed.filter(isFree)),
    outcomes: placed.map((one): PortOutcome => {
      const { servicePort, port, lack } = one;
      if (port === undefined) {
        return { servicePort, port: servicePort, ...stateOf(lack) };
      }
      const route = `${service.metadata.name}-${servicePort}`;
      if (takenOther || !isFree(one)) {
        const why = takenOther ? `${takenOther.kind} ${takenOther.metadata.name}` : `TCPRoute ${route}`;
        return { servicePort, port, state: 'name-taken', why };
      }
      if (isFull) {
        return { servicePort, port, state: 'no-set' };
      }
      return outcomeOf(publisher, servicePort, {
        balancer: gateway,
        holder: own,
        route: routes.find(({ metadata }) => metadata.name === route),
        port,
        byHost: false,
      });
    }),
    addresses,
    isReported: publisher.reportsPorts,
    host: addresses.length > 0 ? hostOf(addresses[0]) : undefined,
    range: `${tenant.ports.first} to ${tenant.ports.last}`,
  };
}

/** Publishes a Service at the port that is shared by host name: it needs no port of its own, and every name once. */
export function publishByName(
  request: SyncRequest,
  config: HookConfig,
  publisher: RuntimePublisher,
  tenant: HookTenant,
): ServicePublication {
  const { object: service, attachments, related } = request;
  const [balancer] = config.balancers;
  const [{ port: servicePort }] = service.spec.ports as Document[];
  const port = config.tlsPort as number;
  const hostnames = hostNamesOf(service, config) ?? [];
  const taken = hostNameConflicts(hostnames, request, setName(service));
  const free = hostnames.filter((name) => !taken.some((one) => one.name === name));
  const attachment: Attachment = {
    ...attachmentOf(service, config, tenant, []),
    listenersByName: true,
    services: [{ name: service.metadata.name, ports: [{ servicePort, port, hostnames: free }] }],
  };
  const documents = free.length > 0 ? publisher.publish(attachment, config.settings) : [];
  const foreign = strangersAmong(documents, request)[0];
  const own = ofKind(attachments, publisher.holder.kind).find(({ metadata }) => metadata.name === attachment.name);
  const isFull = documents.length > 0 && !own && hasNoSetLeft(request, config, publisher.holder, tenant);
  const outcomes: PortOutcome[] = taken.map(({ name, holder }) => ({
    servicePort,
    port,
    state: 'host-taken',
    why: `${name} is that of ${holder}`,
  }));
  if (foreign) {
    outcomes.push({ servicePort, port, state: 'name-taken', why: `${foreign.kind} ${foreign.metadata.name}` });
  } else if (isFull) {
    outcomes.push({ servicePort, port, state: 'no-set' });
  } else if (free.length > 0) {
    outcomes.push(
      outcomeOf(publisher, servicePort, {
        balancer: balancerIn(related, publisher.balancer, balancer),
        holder: own,
        route: ofKind(attachments, 'TLSRoute')[0],
        port,
        byHost: true,
      }),
    );
  }
  return {
    placed: [{ servicePort, port }],
    documents: foreign || isFull ? [] : documents,
    outcomes,
    addresses: free.map((hostname) => ({ hostname })),
    isReported: publisher.reportsPorts,
    host: free[0],
  };
}

/** Whether the quota of the namespace has no room for one more ListenerSet or TCP: it counts all of them, whoever wrote them. */
function hasNoSetLeft(
  { object: service, related }: SyncRequest,
  { balancers }: HookConfig,
  { kind }: PortHolderKind,
  { ports }: HookTenant,
): boolean {
  const { namespace } = service.metadata;
  const there = ofKind(related, kind).filter(({ metadata }) => metadata.namespace === namespace);
  return ports !== undefined && there.length >= maxListenerSets(ports, balancers.length);
}

/** Why a port is nowhere. */
function stateOf(lack: PlacedPort['lack'] = 'conflict'): Pick<PortOutcome, 'state' | 'why'> {
  return lack === 'waiting' ? { state: 'pending', why: 'no port has been set aside for it yet' } : { state: lack };
}

/** How a port fares that is published, as far as that is reported. */
export function outcomeOf(publisher: RuntimePublisher, servicePort: number, port: PublishedPort): PortOutcome {
  const why = publisher.pending(port);
  const state = publisher.isConflicted(port) ? 'conflict' : why === undefined ? 'served' : 'pending';
  return { servicePort, port: port.port, state, why };
}

/** The name of what holds the ports of a Service; those of the platform have the name of a balancer. */
export function setName({ metadata }: Document): string {
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

/** Objects that have the name of something to be made, and belong to another owner. */
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
