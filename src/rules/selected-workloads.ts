import { isMap, type Json } from '../contract/json';
import { POD_NAME_LABEL } from '../contract/kubernetes.facts';
import { podTemplateOf } from '../contract/placed-pod';

/** Workloads among some objects, found by what a Service selects. */
export class Workloads {
  private readonly byLabel = new Map<string, Json[]>();

  public constructor(objects: readonly Json[]) {
    for (const object of objects) {
      for (const [key, value] of Object.entries(labelsOf(object))) {
        const place = placeOf(object, key, value);
        const found = this.byLabel.get(place);
        if (found) {
          found.push(object);
        } else {
          this.byLabel.set(place, [object]);
        }
      }
    }
  }

  /** Those that a Service selects. */
  public of(service: Json): Json[] {
    const selector = service.spec?.selector;
    const wanted = Object.entries(isMap(selector) ? selector : {});
    const found = wanted.map(([key, value]) => this.byLabel.get(placeOf(service, key, setOf(key, value))) ?? []);
    // some labels are on all pods of a namespace
    const [fewest = []] = found.sort((one, other) => one.length - other.length);
    return fewest.filter((workload) => labelsMissing(service, workload).length === 0);
  }
}

/** The labels that a Service selects, and that no pod of a workload has. */
export function labelsMissing(service: Json, workload: Json): [key: string, value: unknown][] {
  const selector = service.spec?.selector;
  const labels = labelsOf(workload);
  return Object.entries(isMap(selector) ? selector : {}).filter(([key, value]) => labels[key] !== setOf(key, value));
}

function setOf(key: string, value: unknown): unknown {
  return key === POD_NAME_LABEL ? String(value).replace(ORDINAL, '') : value;
}

/** What the name of such a pod ends with. */
export const ORDINAL = /-(\d+)$/;

/** The labels of the pods of a workload; a StatefulSet is found by what the names of its pods begin with. */
function labelsOf(workload: Json): Json {
  const labels = podTemplateOf(workload)?.metadata?.labels;
  const own = isMap(labels) ? labels : {};
  return workload.kind === 'StatefulSet' ? { ...own, [POD_NAME_LABEL]: workload.metadata?.name } : own;
}

function placeOf({ metadata }: Json, key: string, value: unknown): string {
  return JSON.stringify([metadata?.namespace ?? '', key, value]);
}
