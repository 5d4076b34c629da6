import type { Json } from '../contract/json';
import type { ControllerDefinition } from './controller-definition';

// Which finalizers a controller has on a Service of a cluster, whoever wrote them. What decides is the Service itself, and not
// how the controller would write another one.

/** Whether a controller removes a finalizer of Services: also one that nobody else may write. */
export function isRemovedBy(finalizer: string, kind: ControllerDefinition): boolean {
  return kind.finalizers.includes(finalizer) || (kind.untouchableFinalizers ?? []).includes(finalizer);
}

/** The finalizers of which a controller has one or more on this Service. */
export function addedFinalizers(service: Json, kind: ControllerDefinition): readonly string[] {
  return [...declarableOf(service, kind), ...(kind.untouchableFinalizers ?? [])];
}

/** Those of them that are named where none is there. */
export function expectedFinalizers(service: Json, kind: ControllerDefinition): readonly string[] {
  const declarable = declarableOf(service, kind);
  return declarable.length > 0 ? declarable : (kind.untouchableFinalizers ?? []);
}

function declarableOf(service: Json, kind: ControllerDefinition): readonly string[] {
  return kind.declarable?.(service, undefined) ?? kind.finalizers;
}
