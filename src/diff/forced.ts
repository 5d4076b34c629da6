import { annotationsOf, classOf } from '../rules/service-json';
import { askModel } from './ask-model';
import type { Cause } from './balancer-change';
import { FORCING_MARKS, type ForcingMark, RECREATING_MARKS } from './forcing.facts';
import { hasNoBalancer } from './has-no-balancer';
import { heldBackBy } from './held-back';
import type { Matched } from './match';
import { decided } from './namesakes';
import { hasMark } from './pruning';
import { isRefusedByServer, withoutUnwritten } from './refused-write';
import type { SideBalancer, Sides } from './side';

/**
 * Causes with those of tools that delete the Service and make it again: always, or where the API server refuses the update.
 * Where it refuses it, and no tool does that, causes of other fields do not come.
 */
export function forced(causes: readonly Cause[], { before, after }: Matched, sides: Sides): readonly Cause[] {
  // what is made of other objects is written by what makes it
  if (!before || !after || after.written.madeOf || hasNoBalancer(before)) {
    return causes;
  }
  const always = markOf(after, RECREATING_MARKS);
  if (always && !isSame(before, after)) {
    const { annotation, tool } = always;
    const path = ['metadata', 'annotations', annotation];
    const why = `by ${annotation} ${tool} deletes the Service and makes it again whenever it applies it: its balancer goes, and its address`;
    return [...causes, recreated({ field: annotation, path, why }, before, always, sides)];
  }
  const mark = markOf(after, FORCING_MARKS);
  return mark
    ? causes.map((cause) => {
        const why = `${cause.why}; by ${mark.annotation} ${mark.tool} then deletes the Service and makes it again: its balancer goes, and its address`;
        return isRefusedByServer(cause) ? recreated({ ...cause, why }, before, mark, sides) : cause;
      })
    : withoutUnwritten(causes, (cause) => isRefusedByServer(cause) && !(isClass(cause) && mayHaveClass(before, after)));
}

const isClass = ({ path }: Cause) => path[1] === 'loadBalancerClass';

/** Whether a webhook may have given the live Service the class that comes: then nothing is refused. */
function mayHaveClass(before: SideBalancer, after: SideBalancer): boolean {
  return classOf(before.service) === undefined && (before.guess !== undefined || before.owner === after.owner);
}

function markOf({ service }: SideBalancer, marks: readonly ForcingMark[]): ForcingMark | undefined {
  const annotations = annotationsOf(service);
  return marks.find(({ annotation, values }) => values.every((value) => hasMark(annotations, { annotation, value })));
}

function isSame(before: SideBalancer, after: SideBalancer): boolean {
  return decided(before.service) === decided(after.service);
}

function recreated(
  cause: Omit<Cause, 'outcome'>,
  before: SideBalancer,
  { annotation, source }: ForcingMark,
  sides: Sides,
): Cause {
  const answer = askModel(before, { change: 'deleted and created again' }, sides);
  const outcome = answer?.outcome === 'orphaned' || answer?.outcome === 'stuck' ? answer.outcome : 'replaced';
  const again: Cause = {
    ...cause,
    outcome,
    remedy: `take ${annotation} out before, or leave the Service as it is`,
    source,
    ...(answer?.trace && { trace: answer.trace }),
  };
  return heldBackBy(before.service, again, before);
}
