/** The value of a key of a map that was read, never one of the prototype: `constructor` and `toString` are keys like any other. */
export function ownValue<T>(map: Readonly<Record<string, T>> | undefined, key: unknown): T | undefined {
  return map !== undefined && typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}
