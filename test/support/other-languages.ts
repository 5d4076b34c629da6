import type { Json } from '../../src/contract/json';

// What the jsii kernel does with objects of other languages (aws/jsii, packages/@jsii/kernel/src/kernel.ts): it lays the methods that
// a subclass overrides over the object, which cannot be taken off again, and calls the method of the prototype for everything else.

export function called<T>(object: object, method: string): T {
  return (object.constructor.prototype as Record<string, () => T>)[method].call(object);
}

/** Overrides a method of an object, as a subclass in another language does; `around` is given what its superclass returns. */
export function overridden<O extends object>(object: O, method: string, around: (given: Json) => unknown): O {
  return Object.defineProperty(object, method, {
    configurable: false,
    enumerable: false,
    writable: false,
    value: () => around(called(object, method)),
  });
}
