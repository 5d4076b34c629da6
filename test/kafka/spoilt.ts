/** A copy of a tree for each place in it and each piece of garbage. */
export function* spoilt(tree: unknown, garbage: readonly unknown[]): Generator<unknown> {
  yield* garbage;
  if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      for (const other of spoilt(value, garbage)) {
        yield Array.isArray(tree) ? Object.assign([...tree], { [key]: other }) : { ...tree, [key]: other };
      }
    }
  }
}
