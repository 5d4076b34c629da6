import { ownCommand } from '../../contract/rule';
import { mostBalancers, placeOf } from './assign-ports';
import { PortConflictPolicy } from './options';
import {
  byText,
  commonHost,
  conflict,
  endpointTitle,
  fault,
  hostsOf,
  type LockedPort,
  PORTS,
  type PortAssignment,
  type PortFault,
  type PortHolder,
  type PortRequest,
  type PortRules,
  portConflictFault,
  several,
  tooMany,
} from './rules';

interface AllocatedPort {
  whole?: PortHolder;
  readonly byHost: Map<string, PortHolder>;
}

export class PortAllocation {
  private readonly balancers: Map<number, AllocatedPort>[] = [];
  private readonly reserved: ReadonlySet<number>;
  private readonly checked = new Map<number, { readonly why?: string }>();

  public constructor(public readonly rules: PortRules) {
    this.reserved = new Set(rules.reserved);
  }

  public get size(): number {
    return this.balancers.length;
  }

  public count(balancer: number): number {
    return this.balancers[balancer]?.size ?? 0;
  }

  public hold({ balancer, port }: LockedPort, holder: PortHolder): void {
    const entry = this.at(balancer, port) ?? { byHost: new Map<string, PortHolder>() };
    const hosts = hostsOf(holder);
    for (const host of hosts) {
      entry.byHost.set(host, holder);
    }
    if (hosts.length === 0) {
      entry.whole = holder;
    }
    while (this.balancers.length <= balancer) {
      this.balancers.push(new Map());
    }
    this.balancers[balancer].set(port, entry);
  }

  public rival({ balancer, port, hosts }: LockedPort): PortHolder | undefined {
    const entry = this.at(balancer, port);
    if (!entry || entry.whole) {
      return entry?.whole;
    }
    const wanted = hostsOf({ hosts });
    return wanted.length === 0
      ? entry.byHost.values().next().value
      : wanted.map((host) => entry.byHost.get(host)).find((holder) => holder !== undefined);
  }

  public isFull({ balancer, port }: LockedPort): boolean {
    return !this.has(balancer, port) && this.count(balancer) >= this.rules.maxPortsPerBalancer;
  }

  /** Reason why no endpoint gets a port at any balancer; a clause that follows `which`. */
  public forbidden(port: number): string | undefined {
    const known = this.checked.get(port) ?? { why: this.whyForbidden(port) };
    this.checked.set(port, known);
    return known.why;
  }

  public has(balancer: number, port: number): boolean {
    return this.at(balancer, port) !== undefined;
  }

  private at(balancer: number, port: number): AllocatedPort | undefined {
    return this.balancers[balancer]?.get(port);
  }

  private whyForbidden(port: number): string | undefined {
    if (this.reserved.has(port)) {
      return 'is reserved for the balancer itself';
    }
    const range = this.rules.runtimeRanges.find(({ first, last }) => port >= first && port <= last);
    return range && `is in the range ${range.first} to ${range.last} of Services that are created at run time`;
  }
}

const ONLY = 0;

export function placeAtOne(
  unlocked: readonly PortRequest[],
  asking: readonly PortRequest[],
  allocation: PortAllocation,
): PortAssignment {
  const assigned = new Map<string, LockedPort>();
  const faults: PortFault[] = [];
  const full: PortRequest[] = [];
  const beyond = new Set<string>();
  const displaced: PortRequest[] = [];
  const take = (request: PortRequest, place: LockedPort) => {
    allocation.hold(place, request);
    assigned.set(request.key, place);
  };
  for (const request of unlocked) {
    const place = placeOf(request, { balancer: ONLY, port: request.port });
    const fate = refused(request, place, allocation);
    if (fate && allocation.rules.conflict === PortConflictPolicy.REMAP) {
      displaced.push(request);
    } else if (fate) {
      faults.push(fate);
    } else if (allocation.isFull(place)) {
      full.push(request);
      beyond.add(`${place.port}`);
    } else {
      take(request, place);
    }
  }
  // requests that can have their own port have it by now: a displaced one displaces no other
  for (const request of displaced) {
    const place = lowest(request, allocation);
    if (!place) {
      faults.push(nothingFree(request, allocation.rules));
    } else if (allocation.isFull(place)) {
      full.push(request);
      beyond.add(request.key);
    } else {
      take(request, place);
    }
  }
  if (full.length > 0) {
    faults.push(tooMany(full, asking, allocation.count(ONLY) + beyond.size, allocation.rules));
  }
  return { assigned, faults };
}

function refused(request: PortRequest, place: LockedPort, allocation: PortAllocation): PortFault | undefined {
  const forbidden = allocation.forbidden(place.port);
  const rival = allocation.rival(place);
  if (forbidden) {
    return portConflictFault(request, forbidden);
  }
  return rival && conflict(request, place, rival, allocation.rules);
}

function lowest(request: PortRequest, allocation: PortAllocation): LockedPort | undefined {
  const { remapRange } = allocation.rules;
  const anyPort = placeOf(request, { balancer: ONLY, port: request.port });
  for (let port = remapRange.first; port <= remapRange.last; port++) {
    const place = { ...anyPort, port };
    if (!allocation.forbidden(port) && !allocation.rival(place)) {
      return place;
    }
  }
  return undefined;
}

function nothingFree(request: PortRequest, { remapRange: { first, last } }: PortRules): PortFault {
  const { port } = request;
  const params = { endpoint: endpointTitle(request), port, first, last, command: ownCommand('ports --prune') };
  return fault(PORTS['port-range-exhausted'], [request], params, port);
}

interface Group {
  readonly name: string;
  readonly members: readonly PortRequest[];
}

/**
 * Assigns the requested ports, at the first balancer that has all ports of a group free. Large groups come first: small ones
 * fill the gaps.
 */
export function placeAtSeveral(
  unlocked: readonly PortRequest[],
  asking: readonly PortRequest[],
  homes: ReadonlyMap<string, number>,
  allocation: PortAllocation,
): PortAssignment {
  const assigned = new Map<string, LockedPort>();
  const faults: PortFault[] = [];
  const groups = groupsOf(unlocked);
  const settled = groups.filter(({ name }) => homes.has(name));
  const free = groups.filter(({ name }) => !homes.has(name)).sort(largestFirst);
  for (const group of [...settled, ...free]) {
    const { name, members } = group;
    const home = homes.get(name);
    const found = home === undefined ? anywhere(group, allocation) : atHome(group, home, asking, allocation);
    if (typeof found !== 'number') {
      // the others of the group wait for the one that cannot be placed
      faults.push(...found.map((each) => ({ ...each, keys: members.map(({ key }) => key) })));
      continue;
    }
    for (const request of members) {
      const place = placeOf(request, { balancer: found, port: request.port });
      allocation.hold(place, request);
      assigned.set(request.key, place);
    }
  }
  return { assigned, faults };
}

function groupsOf(requests: readonly PortRequest[]): Group[] {
  const groups = new Map<string, PortRequest[]>();
  for (const request of requests) {
    groups.set(request.group, [...(groups.get(request.group) ?? []), request]);
  }
  return [...groups].map(([name, members]) => ({ name, members })).sort((one, other) => byText(one.name, other.name));
}

function largestFirst(one: Group, other: Group): number {
  return other.members.length - one.members.length || byText(one.name, other.name);
}

function atHome(
  { members }: Group,
  home: number,
  asking: readonly PortRequest[],
  allocation: PortAllocation,
): number | PortFault[] {
  const faults = [...selfFaults(members, allocation.rules), ...nameFaults(members, allocation)];
  const held = members.flatMap(
    (request) => refused(request, placeOf(request, { balancer: home, port: request.port }), allocation) ?? [],
  );
  const wanted = portsWith(members, home, allocation);
  if (faults.length + held.length > 0) {
    return unique([...faults, ...held]);
  }
  return wanted > allocation.rules.maxPortsPerBalancer ? [tooMany(members, asking, wanted, allocation.rules)] : home;
}

function anywhere({ name, members }: Group, allocation: PortAllocation): number | PortFault[] {
  const faults = [...selfFaults(members, allocation.rules), ...nameFaults(members, allocation)];
  if (faults.length > 0) {
    return unique(faults);
  }
  const most = mostBalancers(allocation.rules);
  for (let balancer = 0; balancer < most; balancer++) {
    if (hasRoom(members, balancer, allocation)) {
      return balancer;
    }
  }
  const params = {
    endpoints: several(members.map(({ key }) => key)),
    path: members[0].path,
    most,
    ports: several(members.map(({ port }) => `${port}`)),
    name,
    command: ownCommand('ports --prune'),
  };
  return [fault(PORTS['too-many-balancers'], members, params, most)];
}

function hasRoom(members: readonly PortRequest[], balancer: number, allocation: PortAllocation): boolean {
  return (
    !(portsWith(members, balancer, allocation) > allocation.rules.maxPortsPerBalancer) &&
    members.every((request) => !allocation.rival(placeOf(request, { balancer, port: request.port })))
  );
}

function portsWith(members: readonly PortRequest[], balancer: number, allocation: PortAllocation): number {
  const added = new Set(members.map(({ port }) => port).filter((port) => !allocation.has(balancer, port)));
  return allocation.count(balancer) + added.size;
}

function selfFaults(members: readonly PortRequest[], rules: PortRules): PortFault[] {
  const alone = new PortAllocation(rules);
  const faults: PortFault[] = [];
  for (const request of members) {
    const place = placeOf(request, { balancer: 0, port: request.port });
    const fate = refused(request, place, alone);
    if (fate) {
      faults.push(fate);
    } else {
      alone.hold(place, request);
    }
  }
  return alone.count(0) > rules.maxPortsPerBalancer
    ? [...faults, tooMany(members, members, alone.count(0), rules)]
    : faults;
}

function nameFaults(members: readonly PortRequest[], allocation: PortAllocation): PortFault[] {
  return members
    .filter(({ hosts = [] }) => hosts.length > 0)
    .flatMap((request) => {
      for (let balancer = 0; balancer < allocation.size; balancer++) {
        const place = placeOf(request, { balancer, port: request.port });
        const rival = allocation.rival(place);
        if (rival && commonHost(request, rival)) {
          return [conflict(request, place, rival, allocation.rules)];
        }
      }
      return [];
    });
}

function unique(faults: readonly PortFault[]): PortFault[] {
  return [...new Map(faults.map((each) => [each.what, each])).values()];
}
