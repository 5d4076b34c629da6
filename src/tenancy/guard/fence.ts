import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Json } from '../../contract/json';
import { changeOf } from './as-made';

/** An object that keeps tenants apart. */
export interface Fence {
  readonly object: ApiObject;
  /** Where the finished object keeps tenants less apart than it was made to, in words. */
  readonly weaknessOf: (finished: Json) => string | undefined;
}

const FENCES = new WeakMap<IConstruct, Fence[]>();

/** Remembers an object that keeps tenants apart: patches and removals come later. */
export function rememberFence(fence: Fence): void {
  const { root } = fence.object.node;
  FENCES.set(root, [...(FENCES.get(root) ?? []), fence]);
}

/** Remembers an object that must say what it was made with; it may say more. */
export function rememberAsMade(object: ApiObject, made: Json): void {
  rememberFence({ object, weaknessOf: (finished) => changeOf(made, finished, { additions: true }) });
}

/** The fences that were made in a construct, those that were removed since included. */
export function fencesWithin(host: IConstruct): Fence[] {
  return (FENCES.get(host.node.root) ?? []).filter(({ object }) => object.node.scopes.includes(host));
}
