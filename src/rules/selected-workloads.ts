import { isMap, type Json } from '../contract/json';
import { podTemplateOf } from '../contract/workload';

/** Workloads among some objects, found by what a Service selects. */
export class Workloads {
  private readonly byLabel = new Map<string, Json[]>();

  public constructor(objects: readonly Json[]) {
    for (const object of objects) {
      const labels = podTemplateOf(object)?.metadata?.labels;
      for (const [key, value] of Object.entries(isMap(labels) ? labels : {})) {
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
    const found = wanted.map(([key, value]) => this.byLabel.get(placeOf(service, key, value)) ?? []);
    // some labels are on all pods of a namespace
    const [fewest = []] = found.sort((one, other) => one.length - other.length);
    return fewest.filter((workload) => {
      const labels = podTemplateOf(workload)?.metadata?.labels;
      return wanted.every(([key, value]) => labels[key] === value);
    });
  }
}

function placeOf({ metadata }: Json, key: string, value: unknown): string {
  return JSON.stringify([metadata?.namespace ?? '', key, value]);
}
