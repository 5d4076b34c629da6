import { ownCommand } from '../../contract/own-command';
import { mostBalancers, placeOf } from './keep-locked';
import { PortAllocation } from './port-allocation';
import { commonHost, conflict, fault, several, taken, tooMany } from './port-faults';
import {
  byText,
  type LockedPort,
  named,
  type PortAssignment,
  type PortFault,
  type PortRequest,
  type PortRules,
} from './port-request';
import { PortConflictPolicy } from './ports.options';
import { NO_FREE_PORT, TOO_MANY_BALANCERS } from './rules';

/** The one balancer. */
const ONLY = 0;

/** Assigns ports of one balancer: the requested one, or under the policy REMAP another. */
export function placeAtOne(
  unlocked: readonly PortRequest[],
  asking: readonly PortRequest[],
  rules: PortRules,
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
    const fate = refused(request, place, rules, allocation);
    if (fate && rules.conflict === PortConflictPolicy.REMAP) {
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
    const place = lowest(request, rules, allocation);
    if (!place) {
      faults.push(nothingFree(request, rules));
    } else if (allocation.isFull(place)) {
      full.push(request);
      beyond.add(request.key);
    } else {
      take(request, place);
    }
  }
  if (full.length > 0) {
    faults.push(tooMany(full, asking, allocation.count(ONLY) + beyond.size, rules));
  }
  return { assigned, faults };
}

/** Why a request cannot have its own port. */
function refused(
  request: PortRequest,
  place: LockedPort,
  rules: PortRules,
  allocation: PortAllocation,
): PortFault | undefined {
  const forbidden = allocation.forbidden(place.port);
  const rival = allocation.rival(place);
  if (forbidden) {
    return taken(request, forbidden);
  }
  return rival && conflict(request, place, rival, rules);
}

function lowest(request: PortRequest, { remapRange }: PortRules, allocation: PortAllocation): LockedPort | undefined {
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
  return fault(
    NO_FREE_PORT,
    [request],
    `${named(request)} cannot have port ${request.port}, and no port of ${first} to ${last} is free`,
    `widen remapPorts, or prune what is gone with \`${ownCommand('ports --prune')}\``,
    `${request.port}`,
  );
}

/** Requests that stay together. */
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
  rules: PortRules,
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
    const found =
      home === undefined ? anywhere(group, rules, allocation) : atHome(group, home, asking, rules, allocation);
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

/** A group that has a balancer already goes nowhere else. */
function atHome(
  { members }: Group,
  home: number,
  asking: readonly PortRequest[],
  rules: PortRules,
  allocation: PortAllocation,
): number | PortFault[] {
  const faults = [...selfFaults(members, rules), ...nameFaults(members, rules, allocation)];
  const held = members.flatMap(
    (request) => refused(request, placeOf(request, { balancer: home, port: request.port }), rules, allocation) ?? [],
  );
  const wanted = portsWith(members, home, allocation);
  if (faults.length + held.length > 0) {
    return unique([...faults, ...held]);
  }
  return wanted > rules.maxPortsPerBalancer ? [tooMany(members, asking, wanted, rules)] : home;
}

/** The first balancer with room, a new one if need be. */
function anywhere({ name, members }: Group, rules: PortRules, allocation: PortAllocation): number | PortFault[] {
  const faults = [...selfFaults(members, rules), ...nameFaults(members, rules, allocation)];
  if (faults.length > 0) {
    return unique(faults);
  }
  const most = mostBalancers(rules);
  for (let balancer = 0; balancer < most; balancer++) {
    if (hasRoom(members, balancer, rules, allocation)) {
      return balancer;
    }
  }
  return [
    fault(
      TOO_MANY_BALANCERS,
      members,
      `${several(members.map(({ key }) => key))} of ${members[0].path} fits on none of ${most} balancers, where ports ${several(members.map(({ port }) => `${port}`))} of ${name} must be together`,
      `raise the number of balancers, choose other ports, or prune what is gone with \`${ownCommand('ports --prune')}\``,
      `${most}`,
    ),
  ];
}

function hasRoom(
  members: readonly PortRequest[],
  balancer: number,
  rules: PortRules,
  allocation: PortAllocation,
): boolean {
  return (
    !(portsWith(members, balancer, allocation) > rules.maxPortsPerBalancer) &&
    members.every((request) => !allocation.rival(placeOf(request, { balancer, port: request.port })))
  );
}

/** How many ports a balancer has with some more. */
function portsWith(members: readonly PortRequest[], balancer: number, allocation: PortAllocation): number {
  const added = new Set(members.map(({ port }) => port).filter((port) => !allocation.has(balancer, port)));
  return allocation.count(balancer) + added.size;
}

/** What is wrong with a group at any balancer. */
function selfFaults(members: readonly PortRequest[], rules: PortRules): PortFault[] {
  const alone = new PortAllocation(rules);
  const faults: PortFault[] = [];
  for (const request of members) {
    const place = placeOf(request, { balancer: 0, port: request.port });
    const fate = refused(request, place, rules, alone);
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

/** A name has one address, so that it is at one balancer. */
function nameFaults(members: readonly PortRequest[], rules: PortRules, allocation: PortAllocation): PortFault[] {
  return members
    .filter(({ hosts = [] }) => hosts.length > 0)
    .flatMap((request) => {
      for (let balancer = 0; balancer < allocation.size; balancer++) {
        const place = placeOf(request, { balancer, port: request.port });
        const rival = allocation.rival(place);
        if (rival && commonHost(request, rival)) {
          return [conflict(request, place, rival, rules)];
        }
      }
      return [];
    });
}

/** Each once. */
function unique(faults: readonly PortFault[]): PortFault[] {
  return [...new Map(faults.map((each) => [each.what, each])).values()];
}
