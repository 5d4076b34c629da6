import { ownCommand } from '../../contract/own-command';
import { placeOf } from './keep-locked';
import type { PortBook } from './port-book';
import { PortConflictPolicy } from './port-conflict-policy';
import { conflict, fault, taken, tooMany } from './port-faults';
import {
  type LockedPort,
  named,
  type PortAssignment,
  type PortFault,
  type PortRequest,
  type PortRules,
} from './port-request';

/** The one balancer. */
const ONLY = 0;

/** Gives ports of one balancer: the one that is wished for, or, where the policy is to remap, another. */
export function placeAtOne(
  unlocked: readonly PortRequest[],
  asking: readonly PortRequest[],
  rules: PortRules,
  book: PortBook,
): PortAssignment {
  const assigned = new Map<string, LockedPort>();
  const faults: PortFault[] = [];
  const full: PortRequest[] = [];
  const beyond = new Set<string>();
  const displaced: PortRequest[] = [];
  const take = (request: PortRequest, place: LockedPort) => {
    book.hold(place, request);
    assigned.set(request.key, place);
  };
  for (const request of unlocked) {
    const place = placeOf(request, { balancer: ONLY, port: request.port });
    const fate = refused(request, place, rules, book);
    if (fate && rules.conflict === PortConflictPolicy.REMAP) {
      displaced.push(request);
    } else if (fate) {
      faults.push(fate);
    } else if (book.isFull(place)) {
      full.push(request);
      beyond.add(`${place.port}`);
    } else {
      take(request, place);
    }
  }
  // those who can have what they wish for have it by now: nobody is displaced by one who was displaced
  for (const request of displaced) {
    const place = lowest(request, rules, book);
    if (!place) {
      faults.push(nothingFree(request, rules));
    } else if (book.isFull(place)) {
      full.push(request);
      beyond.add(request.key);
    } else {
      take(request, place);
    }
  }
  if (full.length > 0) {
    faults.push(tooMany(full, asking, book.count(ONLY) + beyond.size, rules));
  }
  return { assigned, faults };
}

/** Why one cannot have the port that it wishes for. */
export function refused(
  request: PortRequest,
  place: LockedPort,
  rules: PortRules,
  book: PortBook,
): PortFault | undefined {
  const forbidden = book.forbidden(place.port);
  const rival = book.rival(place);
  if (forbidden) {
    return taken(request, forbidden);
  }
  return rival && conflict(request, place, rival, rules);
}

function lowest(request: PortRequest, { remapRange }: PortRules, book: PortBook): LockedPort | undefined {
  const anyPort = placeOf(request, { balancer: ONLY, port: request.port });
  for (let port = remapRange.first; port <= remapRange.last; port++) {
    const place = { ...anyPort, port };
    if (!book.forbidden(port) && !book.rival(place)) {
      return place;
    }
  }
  return undefined;
}

function nothingFree(request: PortRequest, { remapRange: { first, last } }: PortRules): PortFault {
  return fault(
    'no-free-port',
    [request],
    `${named(request)} cannot have port ${request.port}, and none of ${first} to ${last} is free`,
    `let it remap to a wider range, or give up what is gone with \`${ownCommand('ports --prune')}\``,
    `${request.port}`,
  );
}
