import type { IConstruct } from 'constructs';

/** What is kept for each app: made when it is first asked for. */
export function perApp<T>(make: (root: IConstruct) => T): (construct: IConstruct) => T {
  const kept = new WeakMap<IConstruct, { readonly value: T }>();
  return ({ node: { root } }) => {
    let found = kept.get(root);
    if (!found) {
      found = { value: make(root) };
      kept.set(root, found);
    }
    return found.value;
  };
}
