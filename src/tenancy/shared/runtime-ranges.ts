import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { TenantRange } from '../engines/shared-engine';
import type { TenancyBook } from './tenancy-book';

/** The ports of Services that are created at run time, which are published at the first balancer. */
export function rangesOf({ tenants }: TenancyBook): TenantRange[] {
  return [...tenants.values()].flatMap(({ name: tenant, options: { runtimePorts: range } }) =>
    range ? [{ tenant, first: range.first, last: range.last }] : [],
  );
}

/** Ranges that hold the port which the balancer needs itself. */
export function rangesAtOwnPort(book: TenancyBook): LoadBalancerFinding[] {
  const { path, ownPort } = book.settings;
  return rangesOf(book)
    .filter(({ first, last }) => first <= ownPort && ownPort <= last)
    .map(({ tenant, first, last }) => ({
      ruleId: 'runtime-own-port',
      who: path,
      what: `runtimePorts ${first} to ${last} of tenant ${tenant} hold ${ownPort}, which is kept for the balancer itself`,
      remedy: 'give the tenant a range without it, or the balancer another ownPort',
      value: `${first}-${last}`,
    }));
}
