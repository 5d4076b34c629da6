import type { ApiObject } from 'cdk8s';
import type { Json } from './json';

export type Render = () => Json;

/**
 * The stages between an object's own rendering, with its lazy values and all JSON patches, and what is written. They
 * follow each other in this order, whatever asked for its stage first.
 */
export enum RenderStage {
  /** An object of the cluster loses the namespace of its chart. */
  SCOPE,
  /** The pods of a workload are pinned to nodes. */
  PIN,
  /** Pods of a workload live on until their balancer sends no more connections. */
  ROLL,
  /** Listeners go into the Kafka that they belong to. */
  LISTEN,
  /** A Service goes behind a shared balancer. */
  SHARE,
  WRITE,
}

/** Functions that render objects, around their own `toJson`; in the order of the stages. */
const STEPS = new WeakMap<ApiObject, readonly { readonly stage: RenderStage; readonly render: Render }[]>();

/** Objects whose own `toJson` runs; it may call that of its superclass. */
const INSIDE = new WeakSet<ApiObject>();

const rendered: MethodWrapper<ApiObject> = (object, call) => {
  const steps = INSIDE.has(object) ? undefined : STEPS.get(object);
  return steps ? steps[steps.length - 1].render() : call();
};

/** Rendering of an object before a stage, with the functions of that stage; earlier stages may be added later. */
export function renderingOf(object: ApiObject, stage: RenderStage): Render {
  const own = ownRenderingOf(object);
  const same = (STEPS.get(object) ?? []).filter((step) => step.stage === stage);
  return () => {
    const below = STEPS.get(object)?.filter((step) => step.stage < stage || same.includes(step)) ?? [];
    return below.length > 0 ? below[below.length - 1].render() : own();
  };
}

/** Has an object rendered by something else at a stage; what it wraps is `renderingOf` the object, asked for before. */
export function renderBy(object: ApiObject, stage: RenderStage, render: Render): void {
  decorateMethod(object, 'toJson', rendered);
  const steps = STEPS.get(object) ?? [];
  const before = steps.filter((step) => step.stage <= stage);
  STEPS.set(object, [...before, { stage, render }, ...steps.slice(before.length)]);
}

/**
 * Applies a change to an object at a stage. JSON patches cannot do it: they have no conditions (what to merge depends
 * on what is there) and a patch that is added later wins.
 */
export function renderLate(object: ApiObject, stage: RenderStage, change: (json: Json) => Json): void {
  const render = renderingOf(object, stage);
  renderBy(object, stage, () => change(render()));
}

/** Removes the namespace of a cluster-scoped object: cdk8s writes the namespace of the chart into every object. */
export function removeNamespace(object: ApiObject): ApiObject {
  renderLate(object, RenderStage.SCOPE, ({ metadata: { namespace: _, ...metadata }, ...json }) => ({
    apiVersion: json.apiVersion,
    kind: json.kind,
    metadata,
    ...json,
  }));
  return object;
}

/**
 * True if a subclass changes what `toJson` of the object returns here: in another language, or in a class whose
 * prototype is not decorated.
 */
export function isOverridden(object: ApiObject): boolean {
  return !UNDECORATED.has(object.toJson as Method);
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

type Method = (this: unknown, ...args: unknown[]) => unknown;

export type MethodWrapper<O extends object> = (self: O, call: () => unknown) => unknown;

const UNDECORATED = new WeakMap<object, Method>();

/**
 * Decorates a method of an object at the prototype that the object has it from: the jsii kernel calls methods of
 * prototypes, so what is assigned to an object is not called from other languages. It is decorated once for all objects
 * of the prototype, and `around` distinguishes them. Returns the method as it was before.
 */
export function decorateMethod<O extends object>(object: O, name: keyof O & string, around: MethodWrapper<O>): Method {
  const owner = ownerOf(object, name);
  const method = owner[name] as Method;
  const before = UNDECORATED.get(method);
  if (before) {
    return before;
  }
  const decorated = function (this: O, ...args: unknown[]) {
    return around(this, () => method.apply(this, args));
  };
  UNDECORATED.set(decorated, method);
  Object.defineProperty(owner, name, { configurable: true, writable: true, value: decorated });
  return method;
}

/** The object that defines a method. What jsii lays over an object for a subclass of another language cannot be changed, and calls on. */
function ownerOf<O extends object>(object: O, name: keyof O & string): Record<string, unknown> {
  let owner: object = object;
  while (!Object.getOwnPropertyDescriptor(owner, name)?.configurable) {
    owner = Object.getPrototypeOf(owner) as object;
  }
  return owner as Record<string, unknown>;
}
