import type { ApiObject } from 'cdk8s';

/** A rendered Kubernetes object. */
// biome-ignore lint/suspicious/noExplicitAny: manifests are trees of unknown shape
export type Json = Record<string, any>;

/** A change of a rendered object: returns the object to write. */
export type LateChange = (json: Json) => Json;

const CHANGES = Symbol('cdk8s-load-balancers.late-changes');

/**
 * Applies a change to an object after everything else: after its lazy values and after all JSON patches, whenever those
 * were added. JSON patches cannot do it: they have no conditions (what to merge depends on what stands there) and a
 * patch that is added later wins. So the object's public `toJson` is decorated, and nothing else of it is touched.
 */
export function renderLate(object: ApiObject, change: LateChange): void {
  const decorated = object as ApiObject & { [CHANGES]?: LateChange[] };
  if (!decorated[CHANGES]) {
    const changes: LateChange[] = [];
    const render = object.toJson.bind(object);
    Object.defineProperty(object, CHANGES, { value: changes });
    object.toJson = () => changes.reduce((json, apply) => apply(json), render() as Json);
  }
  decorated[CHANGES]?.push(change);
}
