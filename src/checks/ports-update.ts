import { assignPorts } from '../tenancy/ports/assign-ports';
import type { PortLock } from '../tenancy/ports/port-lock';
import { type AskedPorts, byText, hostsOf, type LockedPort, type PortFault } from '../tenancy/ports/port-request';

export type PortChangeKind = 'added' | 'changed' | 'kept' | 'gone' | 'pruned' | 'released';

/** An endpoint of the lock file, before or after. */
export interface PortChange {
  readonly kind: PortChangeKind;
  readonly shared: string;
  readonly key: string;
  readonly place: LockedPort;
  /** The name and port to connect to, where the balancer has a name. */
  readonly address?: string;
}

export interface PortUpdate {
  readonly lock: PortLock;
  readonly changes: readonly PortChange[];
  readonly faults: readonly PortFault[];
}

export interface PortUpdateOptions {
  /** Endpoints to give up, whether or not they are asked for. */
  readonly release: readonly string[];
  /** Whether to release ports that no Service asks for. */
  readonly prune: boolean;
}

/** Brings a lock file up to date with what is asked for; all others keep their ports. */
export function updatePorts(lock: PortLock, asked: readonly AskedPorts[], options: PortUpdateOptions): PortUpdate {
  const known = new Map(asked.map((each) => [each.shared, each]));
  const updates = [...new Set([...lock.shared, ...known.keys()])]
    .sort(byText)
    .map((shared) => updateShared(shared, lock, known.get(shared), options));
  return {
    lock: updates.reduce((next, { shared, ports }) => next.with(shared, ports), lock),
    changes: updates.flatMap(({ changes }) => changes),
    faults: updates.flatMap(({ faults }) => faults),
  };
}

interface SharedUpdate {
  readonly shared: string;
  readonly ports: ReadonlyMap<string, LockedPort>;
  readonly changes: readonly PortChange[];
  readonly faults: readonly PortFault[];
}

function updateShared(
  shared: string,
  lock: PortLock,
  asked: AskedPorts | undefined,
  { release, prune }: PortUpdateOptions,
): SharedUpdate {
  const before = lock.ports(shared);
  const wanted = new Set(asked?.requests.map(({ key }) => key));
  const changes: PortChange[] = [];
  const kept = new Map<string, LockedPort>();
  const report = (kind: PortChangeKind, key: string, place: LockedPort) =>
    changes.push({ kind, shared, key, place, address: addressOf(place, asked) });
  for (const [key, place] of [...before].sort(([one], [other]) => byText(one, other))) {
    if (release.includes(key)) {
      report('released', key, place);
    } else if (prune && !wanted.has(key)) {
      report('pruned', key, place);
    } else {
      kept.set(key, place);
    }
  }
  const { assigned, faults } = asked
    ? assignPorts(asked.requests, kept, asked.rules)
    : { assigned: new Map<string, LockedPort>(), faults: [] };
  const ports = new Map([...kept, ...assigned]);
  for (const [key, place] of [...ports].sort(([one], [other]) => byText(one, other))) {
    report(definitionOf(kept.get(key), place, wanted.has(key)), key, place);
  }
  return { shared, ports, changes, faults };
}

function definitionOf(before: LockedPort | undefined, place: LockedPort, isWanted: boolean): PortChangeKind {
  if (!before) {
    return 'added';
  }
  if (!isWanted) {
    return 'gone';
  }
  return hostsOf(before).join() === hostsOf(place).join() ? 'kept' : 'changed';
}

function addressOf({ balancer, port }: LockedPort, asked: AskedPorts | undefined): string | undefined {
  const hostname = asked?.hostnames?.[balancer];
  return hostname && `${hostname}:${port}`;
}
