import type { IConstruct } from 'constructs';

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
