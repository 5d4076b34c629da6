import { HAND_OVER_PAGE } from '../contract/hand-over';
import { printable } from '../contract/printable';
import { OwnershipState } from '../controllers/load-balancer-owner';
import { Applied } from '../rules/applied';
import { fieldEdit } from '../rules/service-edits.facts';
import { classOf } from '../rules/service-json';
import { askModel, writersOf } from './ask-model';
import type { Cause } from './balancer-change';
import { anotherOf } from './made-remedies';
import type { Matched } from './match';
import { kindOf } from './owners';
import type { Sides } from './side';

/** A class that is added, removed or changed while the type stays. */
export function classCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!before || !after) {
    return [];
  }
  const [from, to] = [classOf(before.service), classOf(after.service)];
  if (from === to || [before, after].some(({ service }) => service.spec?.type !== 'LoadBalancer')) {
    return [];
  }
  const base = {
    field: 'spec.loadBalancerClass',
    path: ['spec', 'loadBalancerClass'],
    ...(from !== undefined && { from: printable(from) }),
    ...(to !== undefined && { to: printable(to) }),
  };
  if (to === undefined && sides.before.isLive && !writersOf(after, sides).includes('put')) {
    const applied = new Applied(before.service);
    if (!applied.hasInSpec('loadBalancerClass')) {
      return applied.isKnown ? [] : [unknownWriter(base)];
    }
  }
  const source = fieldEdit('spec.loadBalancerClass', kindOf(before)).source;
  const maker = after.written.madeBy;
  const second = anotherOf(after.written.madeOf?.object);
  const answer = writersOf(after, sides).includes('recreate')
    ? askModel(before, { change: 'class changed' }, sides)
    : undefined;
  if (answer && answer.outcome !== 'refused') {
    return [
      {
        outcome: answer.outcome,
        ...base,
        why: 'the Service is deleted and created again to change its class: its balancer and its address go, and there is none meanwhile',
        remedy: `make a second ${second} with the other class, as ${HAND_OVER_PAGE} says`,
        source,
        ...(answer.trace && { trace: answer.trace }),
      },
    ];
  }
  // to make it again, as some tools do, is no way out
  const pending =
    to !== undefined && after.ownership === OwnershipState.UNCLAIMED
      ? '; made again with it, the Service has no controller that runs here, and loses its balancer'
      : '';
  const verb = from === undefined ? 'added to' : to === undefined ? 'taken from' : 'changed on';
  const waits = maker === undefined ? '' : ', at every reconciliation, and other changes of it wait behind that';
  return [
    {
      outcome: 'refused',
      ...base,
      why: `a class cannot be ${verb} a Service of type LoadBalancer: the API server refuses the update${waits}${pending}`,
      remedy: `leave the class, and make a second ${second} with the other one as ${HAND_OVER_PAGE} says`,
      source,
    },
  ];
}

/** A live class that no manifest shows may be a controller's, which apply leaves. */
function unknownWriter(base: Pick<Cause, 'field' | 'path'>): Cause {
  return {
    outcome: 'unknown',
    ...base,
    why: 'the manifest does not have the class of the live Service: apply leaves what it did not set, and is refused where it did',
    remedy: 'dump the Services with kubectl get --show-managed-fields, or write the class into the manifest',
    needs: ['who wrote the class'],
  };
}
