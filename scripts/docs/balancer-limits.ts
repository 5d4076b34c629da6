import type { Citation } from '../../src/contract/kubernetes.facts';
import { type BalancerLimit, BalancerTarget, type LoadBalancerModel } from '../../src/contract/load-balancer-model';
import type { Figure } from '../../src/traffic/fraction';

/** How far a balancer can grow. */
export interface LimitReached {
  readonly name: string;
  /** What its targets are; ports where it grows with listeners. */
  readonly of: 'nodes' | 'pods' | 'ports';
  /** How many of these it has place for. */
  readonly at: Figure;
  readonly source: Citation;
}

/** The limits of a balancer that grow with its targets, the one that is met first before others; then those of its ports. */
export function limitsOf(balancer: LoadBalancerModel): LimitReached[] {
  const reached = balancer.limits.flatMap((limit) => reachedBy(balancer, limit));
  const order = (first: LimitReached, second: LimitReached) =>
    Number(first.of === 'ports') - Number(second.of === 'ports') || first.at.value - second.at.value;
  return reached.sort(order);
}

function reachedBy(
  balancer: LoadBalancerModel,
  { name, counts, limit, each = 1, used, source }: BalancerLimit,
): LimitReached[] {
  // what a Service uses however many targets it has does not grow with them
  const isFixed = used !== undefined && counts !== 'listeners';
  if (!(limit >= 0) || !(each > 0) || isFixed) {
    return [];
  }
  const of = balancer.target === BalancerTarget.POD ? 'pods' : 'nodes';
  const terms = each === 1 ? `${limit}` : `${limit} ÷ ${each} each`;
  const at = { value: Math.floor(limit / each), terms };
  return [{ name, of: counts === 'listeners' ? 'ports' : of, at, source }];
}
