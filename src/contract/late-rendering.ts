import type { ApiObject } from 'cdk8s';
import { type Around, decorateMethod, isDecorated } from './decorated-method';
import type { Json } from './json';

/** A change of a rendered object: returns the object to write. */
export type LateChange = (json: Json) => Json;

/** What renders an object. */
export type Render = () => Json;

/** What renders objects in the end, where something was put around their own `toJson`. */
const RENDERINGS = new WeakMap<ApiObject, Render>();

/** Objects whose own `toJson` runs; it may call that of its superclass. */
const INSIDE = new WeakSet<ApiObject>();

const rendered: Around<ApiObject> = (object, call) => {
  const render = INSIDE.has(object) ? undefined : RENDERINGS.get(object);
  return render ? render() : call();
};

/** What renders an object so far, whatever is put around it later. */
export function renderingOf(object: ApiObject): Render {
  return RENDERINGS.get(object) ?? ownRenderingOf(object);
}

/** Has an object rendered by something else from now on; what it wraps is `renderingOf` the object, asked for before. */
export function renderBy(object: ApiObject, render: Render): void {
  decorateMethod(object, 'toJson', rendered);
  RENDERINGS.set(object, render);
}

/**
 * Applies a change to an object after everything else: after its lazy values and after all JSON patches, whenever those
 * were added. JSON patches cannot do it: they have no conditions (what to merge depends on what stands there) and a
 * patch that is added later wins. So the object's public `toJson` is decorated, and nothing else of it is touched.
 */
export function renderLate(object: ApiObject, change: LateChange): void {
  const render = renderingOf(object);
  renderBy(object, () => change(render()));
}

/**
 * Whether a subclass changes what `toJson` of the object returns here: in another language, or in a class whose prototype is not
 * decorated.
 */
export function isOverridden(object: ApiObject): boolean {
  return !isDecorated(object, 'toJson');
}

function ownRenderingOf(object: ApiObject): Render {
  const toJson = decorateMethod(object, 'toJson', rendered);
  return () => {
    INSIDE.add(object);
    try {
      return toJson.call(object) as Json;
    } finally {
      INSIDE.delete(object);
    }
  };
}
