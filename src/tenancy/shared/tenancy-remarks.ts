import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { TenancyBook } from './tenancy-book';

/** What works and will surprise. */
export function remarksOfTenancy({ settings: { engine } }: TenancyBook): LoadBalancerFinding[] {
  return engine.remarks.map((remark) => ({ who: engine.name, ...remark }));
}
