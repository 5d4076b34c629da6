import type { Citation } from '../contract/kubernetes.facts';
import type { YamlPath } from '../contract/yaml-source';
import type { Manifest } from '../rules/manifest-objects';
import type { Outcome } from './outcome';
import type { SideBalancer } from './side';

/** Where a field is written, or what decides it. */
export interface Place {
  readonly manifest: Manifest;
  readonly path: YamlPath;
}

/** One thing that changes, and what it does to a balancer. */
export interface Cause {
  readonly outcome: Outcome;
  /** The field of the Service, or of what makes it: `spec.ports[0].port`, the key of an annotation. */
  readonly field: string;
  /** Its steps, in the Service. */
  readonly path: YamlPath;
  /** Its steps on the older side, where they are others. */
  readonly pathBefore?: YamlPath;
  readonly from?: string;
  readonly to?: string;
  /** What happens, to whom, and for how long where that is known: one clause. */
  readonly why: string;
  /** When it happens at all, if that is not known: `applied with --server-side or replace`. */
  readonly condition?: string;
  /** Who notices it, where that is not every client: `clients of port 443`. */
  readonly whom?: string;
  /** For how long, where that is known: `up to 20 s`. */
  readonly lasts?: string;
  /** What to do so that it does not happen, or to do it without a loss. */
  readonly remedy?: string;
  /** Whether the live balancer goes on with what the field said: what would be made anew does not say what it is. */
  readonly staysAsMade?: true;
  /** Whether the edit has no effect on the live balancer. */
  readonly notApplied?: true;
  /** What has to be done before the change is applied. */
  readonly first?: string;
  /** Where it was read. */
  readonly source?: Citation;
  /** The name of the shortest trace of the model that shows it. */
  readonly trace?: string;
  /** Of `unknown`: what must be known. */
  readonly needs?: readonly string[];
  /** Where it is written on either side, where `path` does not lead to it in what the Service is written in. */
  readonly places?: Places;
}

/** Where something is written on two sides; nothing on a side that does not have it. */
export interface Places {
  readonly before?: Place;
  readonly after?: Place;
}

export interface BalancerChange {
  /** The worst that its causes do. */
  readonly outcome: Outcome;
  readonly before?: SideBalancer;
  readonly after?: SideBalancer;
  /** Where it is only on the older side: the one that takes its place, which has a change of its own. */
  readonly movedTo?: SideBalancer;
  /** Where it is only on the newer side: the one whose place it takes. */
  readonly movedFrom?: SideBalancer;
  /** Worst first; empty where nothing changes. */
  readonly causes: readonly Cause[];
}

/** The balancer as it is called, by the newer side that has it. */
export function titleOfChange({ before, after }: BalancerChange): string {
  return (after ?? before)?.title ?? '';
}

/** Where a cause is written on both sides: in the Service, or in what that is made of. */
export function placesOf({ before, after }: BalancerChange, { places, path, pathBefore = path }: Cause): Places {
  return places ?? { before: before && placeIn(before, pathBefore), after: after && placeIn(after, path) };
}

/** A field of a Service that is made of another object is in that one, somewhere in the part that makes it. */
function placeIn({ written }: SideBalancer, path: YamlPath): Place {
  return { manifest: written, path: written.madeOf ? written.madeOf.path : path };
}
