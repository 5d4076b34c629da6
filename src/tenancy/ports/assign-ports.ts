import { keepLocked } from './keep-locked';
import { placeAtOne } from './place-at-one';
import { placeAtSeveral } from './place-at-several';
import { PortBook } from './port-book';
import { PortConflictPolicy } from './port-conflict-policy';
import { isPort, rangeFaults, requestFaults } from './port-faults';
import { byText, type LockedPort, type PortAssignment, type PortRequest, type PortRules } from './port-request';

/**
 * Gives a port to everyone who asks. What is locked stays where it is, also what nobody asks for any more; the order of the
 * requests does not matter.
 */
export function assignPorts(
  requests: readonly PortRequest[],
  locked: ReadonlyMap<string, LockedPort>,
  rules: PortRules,
): PortAssignment {
  const ranges = rangeFaults(rules);
  if (ranges.length > 0) {
    return { assigned: new Map(), faults: ranges };
  }
  const sorted = [...requests].sort(byKey);
  const asking = firstOfEach(sorted).filter(({ port }) => isPort(port));
  const book = new PortBook(rules);
  const kept = keepLocked(asking, locked, rules, book);
  const unlocked = asking.filter(({ key }) => !locked.has(key));
  const placed =
    rules.conflict === PortConflictPolicy.SHARD
      ? placeAtSeveral(unlocked, asking, kept.homes, rules, book)
      : placeAtOne(unlocked, asking, rules, book);
  return {
    assigned: new Map([...kept.assigned, ...placed.assigned]),
    faults: [...requestFaults(sorted), ...kept.faults, ...placed.faults],
  };
}

function byKey(one: PortRequest, other: PortRequest): number {
  return byText(one.key, other.key) || byText(one.path, other.path) || one.port - other.port;
}

function firstOfEach(sorted: readonly PortRequest[]): PortRequest[] {
  return sorted.filter(({ key }, index) => key !== sorted[index - 1]?.key);
}
