/** Things of one key, of which there is one at least. */
export type Group<T> = [T, ...T[]];

/** Some things by what they have in common, in the order of the first of each. */
export function grouped<T, K>(things: Iterable<T>, keyOf: (thing: T) => K): Map<K, Group<T>> {
  return groupedByAll(things, (thing) => [keyOf(thing)]);
}

/** As above, where a thing may have several keys, or none. */
export function groupedByAll<T, K>(things: Iterable<T>, keysOf: (thing: T) => readonly K[]): Map<K, Group<T>> {
  const groups = new Map<K, Group<T>>();
  for (const thing of things) {
    for (const key of keysOf(thing)) {
      const group = groups.get(key);
      if (group) {
        group.push(thing);
      } else {
        groups.set(key, [thing]);
      }
    }
  }
  return groups;
}
