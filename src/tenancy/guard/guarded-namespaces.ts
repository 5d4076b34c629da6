import type { IConstruct } from 'constructs';

/** Namespaces of tenants, as a guard selects them. */
export interface GuardedNamespaces {
  readonly path: string;
  readonly labels: { readonly [key: string]: string };
}

const GUARDED = new WeakMap<IConstruct, GuardedNamespaces[]>();

/** Remembers which namespaces a guard is for. */
export function rememberGuarded(guard: IConstruct, labels: { readonly [key: string]: string }): void {
  GUARDED.set(guard.node.root, [...guardsBeside(guard), { path: guard.node.path, labels }]);
}

/** The guards of an app, as far as they are made. */
export function guardsBeside(construct: IConstruct): readonly GuardedNamespaces[] {
  return GUARDED.get(construct.node.root) ?? [];
}

/** Whether two selectors select the same namespaces. */
export function sameLabels(
  one: { readonly [key: string]: string },
  other: { readonly [key: string]: string },
): boolean {
  const text = (labels: { readonly [key: string]: string }) => JSON.stringify(Object.entries(labels).sort());
  return text(one) === text(other);
}
