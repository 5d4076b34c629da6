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
