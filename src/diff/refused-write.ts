import { fieldEdit } from '../rules/service-edits.facts';
import type { Cause } from './balancer-change';
import { fieldAt } from './said';

const SERVER = fieldEdit('spec.clusterIP').source.repository;

/** Whether the API server refuses it, and not a controller. */
export function isRefusedByServer({ outcome, field, source }: Cause): boolean {
  return outcome === 'refused' && (source?.repository === SERVER || field === 'spec.loadBalancerClass');
}

/**
 * The causes without those that do not come: of a Service that the API server refuses no field is written.
 *
 * @param refuses whether a cause says that it surely refuses it
 */
export function withoutUnwritten(causes: readonly Cause[], refuses: (cause: Cause) => boolean): readonly Cause[] {
  return causes.some(refuses) ? causes.filter((cause) => isRefusedByServer(cause) || !isOfWrite(cause)) : causes;
}

/** Whether it is of a field of the Service itself. */
function isOfWrite({ field, path, places }: Cause): boolean {
  const isAnnotation = path[1] === 'annotations' && path.length === 3;
  return places === undefined && field === (isAnnotation ? path[2] : fieldAt(path));
}
