import { type Json, mapIn, mapsIn } from '../contract/json';
import { isUnknown, type Unknown } from '../traffic/fraction';
import { labelsOf, nameOf, objectsOf, readNodes, type TrafficNode } from '../traffic/nodes';
import { type Placement, placementsOf } from '../traffic/placement';
import { namespaceOf, readPods } from '../traffic/services';

export class ReportedCluster {
  public readonly nodes: readonly TrafficNode[] | Unknown;
  /** Pods by namespace and each of their labels: of many, few are behind one Service. */
  private readonly podsWith = new Map<string, Json[]>();

  public constructor(objects: readonly unknown[]) {
    this.nodes = readNodes(objects);
    for (const pod of objectsOf(objects, 'Pod')) {
      for (const [key, value] of Object.entries(labelsOf(pod))) {
        const place = placeOf(namespaceOf(pod), key, value);
        const others = this.podsWith.get(place);
        if (others) {
          others.push(pod);
        } else {
          this.podsWith.set(place, [pod]);
        }
      }
    }
  }

  public get zones(): readonly string[] {
    return isUnknown(this.nodes) ? [] : [...new Set(this.nodes.flatMap(({ zone }) => zone ?? []))].sort();
  }

  public get knownNodes(): readonly TrafficNode[] {
    return isUnknown(this.nodes) ? [] : this.nodes;
  }

  /** The pods that run behind a Service, or else where those of its workloads are expected. */
  public podsOf(service: Json, namespace: string, workloads: readonly Json[]): Placement | Unknown {
    const running = this.runningOf(service, namespace);
    if (isUnknown(running) || running.pods.length > 0) {
      return running;
    }
    const own = workloads.filter((workload) => !isOwned(workload));
    return own.length === 0
      ? { unknown: 'needs the pods of the Service, or the workload that makes them' }
      : placementsOf(own, this.knownNodes);
  }

  private runningOf(service: Json, namespace: string): Placement | Unknown {
    const selector = Object.entries(mapIn(mapIn(service, 'spec'), 'selector')).map(([key, value]) => [key, `${value}`]);
    const found = selector.map(([key, value]) => this.podsWith.get(placeOf(namespace, key, value)) ?? []);
    const [fewest = []] = found.sort((one, other) => one.length - other.length);
    const pods = readPods(fewest, { namespace, selector: Object.fromEntries(selector) });
    return isUnknown(pods) ? pods : { pods, assumptions: [] };
  }
}

/** What another object makes is counted there. */
function isOwned(workload: Json): boolean {
  return mapsIn(mapIn(workload, 'metadata'), 'ownerReferences').length > 0;
}

function placeOf(namespace: string, key: string, value: string): string {
  return JSON.stringify([namespace, key, value]);
}

export function titleOf(workload: Json): string {
  return `${workload.kind} ${nameOf(workload)}`;
}
