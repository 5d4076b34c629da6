import { type ControllerDefinition, kindsIn } from './controller-definition';

let known: readonly ControllerDefinition[] | undefined;

/**
 * All kinds of controllers, for Services whose owner is not named. Rules know no controller: whichever of them a program uses,
 * all are looked for, in the index of their room.
 */
export function knownKinds(): readonly ControllerDefinition[] {
  known ??= kindsIn(require('../controllers') as Record<string, unknown>);
  return known;
}

let all: readonly ControllerDefinition[] | undefined;

/** All kinds, with those of vendors whose Services are read and not written. */
export function allKinds(): readonly ControllerDefinition[] {
  all ??= [...knownKinds(), ...(require('../controllers') as VendorsRoom).LoadBalancerOwner._vendors()];
  return all;
}

interface VendorsRoom {
  readonly LoadBalancerOwner: { _vendors(): readonly ControllerDefinition[] };
}
