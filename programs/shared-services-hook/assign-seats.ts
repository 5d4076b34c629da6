import type { Document } from '../../src/tenancy/engines/contract/publishing';
import { PUBLISHERS } from '../../src/tenancy/engines/publishers';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';
import { balancerIn, ofKind, type SyncAnswer, type SyncRequest } from './cluster-state';
import { placePorts } from './place-ports';
import { PortHolders } from './port-holders';
import { portsOfText } from './port-report';
import { mayBePublished } from './refusal';
import { hasTable, type Seat, SeatTable } from './seats';

/** For how long a port that is given up stays set aside, in seconds: what was written for it last is withdrawn by then. */
const GIVEN_UP_SECONDS = 3;

/**
 * Sets ports aside for all Services together: for those that have some, then for the older, then by name. What is asked is the
 * table, an annotation of one object; where it changes meanwhile, the answer is refused, and asked for again. A tenant's own
 * Service with that label gets no table.
 */
export function assignSeats(request: SyncRequest, config: HookConfig, now: string): SyncAnswer {
  const { object } = request;
  if (!hasTable(object, config)) {
    return { status: null, attachments: [] };
  }
  const seconds = Math.floor(Date.parse(now) / 1000);
  const cluster = new Cluster(request, config);
  const before = withHolders(SeatTable.of(object, config).seats, cluster);
  const kept = before.filter(({ since }) => since === undefined || seconds - since < GIVEN_UP_SECONDS);
  const seats: Seat[] = kept.map((seat) =>
    seat.since === undefined && !cluster.wants(seat, kept) ? { ...seat, since: seconds } : seat,
  );
  withinRoom(seats, cluster, seconds);
  for (const service of cluster.services) {
    seats.push(...cluster.newSeats(service, seats));
  }
  const isGivingUp = seats.some(({ since }) => since !== undefined);
  return {
    status: null,
    attachments: [],
    annotations: { [config.keys.seats]: new SeatTable(seats).text || null },
    ...(isGivingUp ? { resyncAfterSeconds: GIVEN_UP_SECONDS } : {}),
  };
}

/** What is there, as far as it decides who gets a port. */
class Cluster {
  /** The Services that may be published, in the order in which they get ports. */
  public readonly services: readonly Document[];
  private readonly byUid: ReadonlyMap<string, Document>;
  private readonly gateway: Document | undefined;
  private readonly made: readonly Document[];
  private readonly foreign: readonly Document[];
  private readonly publisher;

  public constructor(
    { related }: SyncRequest,
    private readonly config: HookConfig,
  ) {
    this.publisher = PUBLISHERS[config.publisher];
    this.services = ofKind(related, 'Service')
      .filter((service) => mayBePublished(service, config, this.publisher))
      .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    this.byUid = new Map(this.services.map((service) => [service.metadata.uid, service]));
    this.gateway = balancerIn(related, this.publisher.balancer, config.balancers[0]);
    const holders = ofKind(related, this.publisher.holder.kind);
    this.made = holders.filter((holder) => ownerOf(holder) !== undefined);
    this.foreign = holders.filter((holder) => ownerOf(holder) === undefined);
  }

  /** What was made for Services already: they keep it where the table was lost. */
  public get holders(): readonly Document[] {
    return this.made.filter((holder) => this.byUid.has(ownerOf(holder) as string));
  }

  public service(holder: Document): Document | undefined {
    return this.byUid.get(ownerOf(holder) as string);
  }

  /** The ports that its annotation has. */
  public writtenPorts({ metadata }: Document): Record<number, number> {
    return portsOfText(metadata.annotations?.[this.config.keys.endpoints]);
  }

  public portsIn(holder: Document): number[] {
    return this.publisher.holder.portsOf(holder);
  }

  /** Whether a port that is set aside is still the one that its Service would get. */
  public wants({ uid, servicePort, port }: Seat, seats: readonly Seat[]): boolean {
    const service = this.byUid.get(uid);
    return (
      service !== undefined &&
      this.placed(service, seats).some((one) => one.servicePort === servicePort && one.port === port)
    );
  }

  /** The ports that a Service gets beside those that it has. */
  public newSeats(service: Document, seats: readonly Seat[]): Seat[] {
    const { uid } = service.metadata;
    const has = new Set(seats.filter((seat) => seat.uid === uid).map(({ servicePort }) => servicePort));
    const wanted = this.placed(service, seats).flatMap(({ servicePort, port }) =>
      port === undefined || has.has(servicePort) ? [] : [{ uid, servicePort, port }],
    );
    const found: Seat[] = [];
    for (const seat of wanted) {
      if (this.roomBeside([...seats, ...found], seat.port) > 0) {
        found.push(seat);
      }
    }
    return found;
  }

  /** How many ports fit beside some, where a further one is counted if it is none of them. */
  public roomBeside(seats: readonly Seat[], further?: number): number {
    const { capacity } = this.config;
    const used = this.used(seats);
    const isCounted = further !== undefined && used.has(further);
    return capacity ? capacity.ports - used.size + (isCounted ? 1 : 0) : Number.POSITIVE_INFINITY;
  }

  private used(seats: readonly Seat[]): Set<number> {
    const { capacity, balancers, settings } = this.config;
    const foreign = this.foreign.filter((one) => this.publisher.holder.isAt(one, balancers[0], settings));
    return new Set([
      ...(capacity?.locked ?? []),
      ...foreign.flatMap((one) => this.portsIn(one)),
      ...seats.map(({ port }) => port),
    ]);
  }

  private placed(service: Document, seats: readonly Seat[]) {
    const { config, publisher } = this;
    const { uid, name, namespace } = service.metadata;
    const mine = this.made.find((holder) => ownerOf(holder) === uid);
    const holders = new PortHolders(config, publisher.holder, this.gateway, this.foreign, mine);
    const others = new Set(seats.filter((seat) => seat.uid !== uid).map(({ port }) => port));
    const own = seats.filter((seat) => seat.uid === uid);
    return placePorts({
      conflict: config.conflict,
      range: config.tenants[namespace].ports ?? { first: 1, last: 0 },
      key: `${namespace}/${name}`,
      servicePorts: ((service.spec.ports ?? []) as Document[]).map(({ port }) => port),
      held: [Object.fromEntries(own.map(({ servicePort, port }) => [servicePort, port])), this.writtenPorts(service)],
      hasOther: (port) => others.has(port) || holders.hasOther(port),
    });
  }
}

/** Seats for what was made already, where there are none: the table was lost, or comes later. */
function withHolders(seats: readonly Seat[], cluster: Cluster): Seat[] {
  const all = [...seats];
  for (const holder of cluster.holders) {
    const service = cluster.service(holder) as Document;
    const { uid } = service.metadata;
    if (!all.some((seat) => seat.uid === uid)) {
      const written = Object.entries(cluster.writtenPorts(service));
      for (const port of cluster.portsIn(holder)) {
        const servicePort = Number(written.find(([, there]) => there === port)?.[0] ?? port);
        all.push({ uid, servicePort, port });
      }
    }
  }
  return all;
}

/** Takes the youngest back where more is set aside than there is: what the platform publishes comes first. */
function withinRoom(seats: Seat[], cluster: Cluster, seconds: number): void {
  for (
    let i = seats.length - 1;
    i >= 0 && cluster.roomBeside(seats.filter(({ since }) => since === undefined)) < 0;
    i--
  ) {
    if (seats[i].since === undefined) {
      seats[i] = { ...seats[i], since: seconds };
    }
  }
}

/** The uid of the Service that something was made for. */
function ownerOf({ metadata }: Document): string | undefined {
  return ((metadata.ownerReferences ?? []) as Document[]).find(
    ({ kind, controller }) => kind === 'Service' && controller === true,
  )?.uid;
}

function orderOf({ metadata }: Document): string {
  return [metadata.creationTimestamp, metadata.namespace, metadata.name].join(' ');
}
