import type { Document } from '../../src/tenancy/engines/contract/publishing';
import type { Finding } from './cluster-state';
import type { PlacedPort } from './place-ports';

/** How one port of a Service fares. */
export interface PortOutcome {
  readonly servicePort: number;
  /** The port at the shared address, or the one that was asked for. */
  readonly port: number;
  readonly state:
    | 'served'
    | 'pending'
    | 'conflict'
    | 'outside'
    | 'full'
    | 'no-room'
    | 'no-set'
    | 'name-taken'
    | 'host-taken';
  /** Why it is pending, what has its name, or who has which of its host names. */
  readonly why?: string;
}

/** What is reported of all ports together. */
export interface PortReport {
  readonly outcomes: readonly PortOutcome[];
  /** The addresses, as the status has them; none where the balancer has none yet. */
  readonly addresses: readonly Document[];
  /** Whether the engine reports what it serves. */
  readonly isReported: boolean;
  /** The host to connect to. */
  readonly host?: string;
  /** The ports that the namespace may have, as text. */
  readonly range?: string;
}

const REASONS = {
  outside: 'PortNotAllowed',
  full: 'NoFreePort',
  'no-room': 'BalancerFull',
  'no-set': 'TooManyServices',
  'name-taken': 'NameTaken',
  'host-taken': 'HostNameTaken',
  conflict: 'PortConflict',
  pending: 'Pending',
} as const;

/** One condition for all ports: the gravest is its reason, and each is in its message. */
export function portCondition({ outcomes, host, range, addresses, isReported }: PortReport): Finding {
  const bad = (Object.keys(REASONS) as (keyof typeof REASONS)[]).filter((state) =>
    outcomes.some((outcome) => outcome.state === state),
  );
  if (bad.length > 0) {
    const message = bad
      .map((state) =>
        sentence(
          state,
          outcomes.filter((outcome) => outcome.state === state),
          range,
        ),
      )
      .join('; ');
    return { status: 'False', reason: REASONS[bad[0]], message };
  }
  if (addresses.length === 0) {
    return { status: 'False', reason: 'Pending', message: 'the shared load balancer has no address yet' };
  }
  return isReported
    ? { status: 'True', reason: 'Programmed', message: `served at ${host}` }
    : {
        status: 'True',
        reason: 'Published',
        message: `published at ${host}; the shared load balancer reports no more`,
      };
}

function sentence(state: keyof typeof REASONS, outcomes: readonly PortOutcome[], range: string | undefined): string {
  const ports = `${outcomes.length > 1 ? 'ports' : 'port'} ${outcomes.map(({ port }) => port).join(', ')}`;
  const are = outcomes.length > 1 ? 'are' : 'is';
  const among = range === undefined ? '' : ` of ${range}`;
  switch (state) {
    case 'outside':
      return `${ports} ${are} not among those of this namespace: choose ports${among}`;
    case 'full':
      return `no port${among} is left for ${ports}: delete a Service, or ask the platform for more`;
    case 'no-room':
      return `the shared load balancer has no room left for ${ports}: delete a Service, or ask the platform for another load balancer`;
    case 'name-taken':
      return `${outcomes[0].why} exists and does not belong to this Service: rename one of the two`;
    case 'host-taken':
      return `${outcomes.map(({ why }) => why).join(', ')}: choose ${outcomes.length > 1 ? 'other names' : 'another name'}, or take ${outcomes.length > 1 ? 'them' : 'it'} from there`;
    case 'no-set':
      return 'this namespace publishes as many Services as it may: delete one, or ask the platform for more';
    case 'conflict':
      return `${ports} ${are} taken: choose ${outcomes.length > 1 ? 'others' : 'another'}${among}`;
    case 'pending':
      return `${ports}: ${outcomes[0].why}`;
  }
}

/** The addresses that the status of a Service gets. */
export function loadBalancerStatus(service: Document, report: PortReport, keys: HookStatusKeys): Document {
  const { outcomes, addresses } = report;
  // host names that others have are not among the addresses
  const own = outcomes.filter(({ state }) => state !== 'host-taken');
  if (own.length > 0 && own.every(({ state }) => state === 'served') && addresses.length > 0) {
    return { ingress: [...addresses] };
  }
  if (outcomes.some(({ state }) => state === 'conflict') && addresses.length > 0) {
    const ports = outcomes.map(({ servicePort: port, state }) => ({
      port,
      protocol: 'TCP',
      ...(state === 'conflict' ? { error: keys.portConflict } : {}),
    }));
    return { ingress: addresses.map((address) => ({ ...address, ports })) };
  }
  const isOurs = ((service.status?.conditions ?? []) as Document[]).some(({ type }) => type === keys.condition);
  const isThere = outcomes.some(({ state }) => state === 'served' || state === 'pending');
  // clients of the old ports go on while a new one is pending
  return isOurs && isThere ? (service.status.loadBalancer ?? {}) : {};
}

/** The names that a status is written with. */
interface HookStatusKeys {
  readonly condition: string;
  readonly portConflict: string;
}

/** Where ports can be reached, as an annotation says it: `5432=tcp.example.com:30017`. */
export function endpointsText(ports: readonly PlacedPort[], hosts: readonly string[]): string {
  return ports
    .filter(({ port }) => port !== undefined)
    .flatMap(({ servicePort, port }) =>
      hosts.map((host) => `${servicePort}=${host.includes(':') ? `[${host}]` : host}:${port}`),
    )
    .join(',');
}

/** The ports that an annotation has. A tenant can write it: it is a request, and not a right. */
export function portsOfText(text: unknown): Record<number, number> {
  const found: Record<number, number> = {};
  for (const part of typeof text === 'string' ? text.split(',') : []) {
    const match = /^(\d{1,5})=.*:(\d{1,5})$/.exec(part.trim());
    if (match) {
      found[Number(match[1])] = Number(match[2]);
    }
  }
  return found;
}
