/**
 * What a map says of a key from a file or a command line, and not what every object has from its prototype: `constructor` and
 * `toString` are keys as good as any.
 */
export function ownValue<T>(map: Readonly<Record<string, T>> | undefined, key: unknown): T | undefined {
  return map !== undefined && typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}
