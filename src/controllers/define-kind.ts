import { type ControllerDefinition, kindsIn, rememberKinds } from '../rules/controller-definition';

/** A kind whose siblings are all controllers that the index of this room exports. */
export function defineKind(kind: Omit<ControllerDefinition, 'all'>): ControllerDefinition {
  return { ...kind, all: registered };
}

let kinds: readonly ControllerDefinition[] | undefined;

/** Every kind of controller there is: the export lines of the index are the registration. */
export function registered(): readonly ControllerDefinition[] {
  // required late: the index imports every controller, and every controller imports this file
  kinds ??= kindsIn(require('./index') as Record<string, unknown>);
  return kinds;
}

rememberKinds(registered);
