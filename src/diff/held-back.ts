import type { Json } from '../contract/json';
import { isService } from '../rules/service-json';
import type { Cause } from './balancer-change';
import type { Matched } from './match';
import { serviceOn } from './objects-on-side';
import type { Outcome } from './outcome';
import { kindOf } from './owners';
import type { SideBalancer, Sides } from './side';

const ENDS: ReadonlySet<Outcome> = new Set(['deleted', 'replaced', 'handed over']);

/**
 * Causes by which a balancer goes, of one whose owner does not delete it: a setting of its Service protects it from deletion, as
 * the Service is written by then.
 */
export function heldBack(causes: readonly Cause[], { before, after }: Matched, sides: Sides): Cause[] {
  return before ? causes.map((cause) => heldBackBy(lastOf(before, after, sides), cause, before)) : [...causes];
}

/** The same of one cause. */
export function heldBackBy(service: Json, cause: Cause, before: SideBalancer): Cause {
  const edit = ENDS.has(cause.outcome) ? kindOf(before)?.protectsFromDeletion?.(service) : undefined;
  if (!edit) {
    return cause;
  }
  const { trace: _, ...rest } = cause;
  const { onEdit, what, remedy, source } = edit;
  return onEdit === 'unknown'
    ? { ...rest, outcome: 'unknown', why: `${what} is not known`, needs: [what], remedy, source }
    : { ...rest, outcome: 'stuck', why: `${what}: ${END}`, remedy, source };
}

const END =
  'the balancer goes on and is paid for, and its Service keeps the finalizer and stays in Terminating if it is deleted';

/** The Service as its controller sees it when it is to clean up: what is deleted stays as it was. */
function lastOf(before: SideBalancer, after: SideBalancer | undefined, sides: Sides): Json {
  const typed = after ? undefined : serviceOn(sides.after, before.id, before.written)?.object;
  return after?.service ?? (typed && isService(typed) ? typed : before.service);
}
