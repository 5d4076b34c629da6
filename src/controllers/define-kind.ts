import { type ControllerKind, kindsIn, rememberKinds } from '../rules/controller-kind';

/** A kind whose siblings are all controllers that the index of this room exports. */
export function defineKind(kind: Omit<ControllerKind, 'all'>): ControllerKind {
  return { ...kind, all: registered };
}

let kinds: readonly ControllerKind[] | undefined;

/** Every kind of controller there is: the export lines of the index are the registration. */
export function registered(): readonly ControllerKind[] {
  // required late: the index imports every controller, and every controller imports this file
  kinds ??= kindsIn(require('./index') as Record<string, unknown>);
  return kinds;
}

rememberKinds(registered);
