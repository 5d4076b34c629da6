import type { IConstruct } from 'constructs';

const POLICIES = new WeakMap<IConstruct, IConstruct[]>();

/** Remembers what judges listeners of tenants. */
export function rememberListenerPolicy(policy: IConstruct): void {
  const { root } = policy.node;
  POLICIES.set(root, [...(POLICIES.get(root) ?? []), policy]);
}

/** Whether something in the app of a construct judges listeners of tenants, and was not removed since. */
export function judgesListeners(host: IConstruct): boolean {
  return (POLICIES.get(host.node.root) ?? []).some(isThere);
}

function isThere(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return scope === undefined || (scope.node.tryFindChild(id) === construct && isThere(scope));
}
