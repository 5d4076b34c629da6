type Method = (this: unknown, ...args: unknown[]) => unknown;

/** What runs around a method: `call` runs the method itself. */
export type Around<O extends object> = (self: O, call: () => unknown) => unknown;

/** The methods under the decorations. */
const UNDECORATED = new WeakMap<object, Method>();

/**
 * Decorates a method of an object at the prototype that the object has it from: the jsii kernel calls methods of prototypes, so
 * what is assigned to an object is not called from other languages. It is decorated once for all objects of the prototype,
 * and `around` distinguishes them.
 *
 * Returns the method as it was before.
 */
export function decorateMethod<O extends object>(object: O, name: keyof O & string, around: Around<O>): Method {
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

/** Whether calling a method of an object reaches a decoration first, and no override above it. */
export function isDecorated<O extends object>(object: O, name: keyof O & string): boolean {
  return UNDECORATED.has(object[name] as Method);
}

/** Where a method is defined. What jsii lays over an object for a subclass of another language cannot be changed, and calls on. */
function ownerOf<O extends object>(object: O, name: keyof O & string): Record<string, unknown> {
  let owner: object = object;
  while (!Object.getOwnPropertyDescriptor(owner, name)?.configurable) {
    owner = Object.getPrototypeOf(owner) as object;
  }
  return owner as Record<string, unknown>;
}
