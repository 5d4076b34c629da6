import { grouped, ownValue, shown } from '../contract/json';
import type { Citation, Confidence } from '../contract/kubernetes.facts';
import type { BalancerLimit } from '../contract/load-balancer-model';
import { LoadBalancerScheme } from '../contract/options';
import type { Mistake } from '../contract/rule';
import {
  type BilledBalancer,
  compareTexts,
  isCount,
  nameOf,
  notACount,
  type PhysicalBalancer,
  physicalBalancers,
} from './balancers';
import { ACCOUNT_QUOTAS, COUNTS_OF_LIMITS, type QUOTA_COUNTS } from './quotas.facts';

export type QuotaCount = keyof typeof QUOTA_COUNTS;

export interface AccountQuota {
  readonly id: string;
  readonly name: string;
  readonly products: readonly string[];
  readonly counts: QuotaCount;
  /** The value of a new account; unset where each account has another one. */
  readonly limit?: number;
  readonly adjustable: boolean;
  readonly source: Citation;
  readonly confidence: Confidence;
}

export interface QuotaOptions {
  /** The quotas of the account, by id: they win over those of a new account. */
  readonly quotas?: Readonly<Record<string, number>>;
  /** In how many zones a balancer is, where neither the Service nor its caller knows it. */
  readonly zones?: number;
}

export type QuotaUse = NonNullable<ReturnType<typeof useOf>>;

/** The use of all quotas that the balancers use, the one that is met first before all others. */
export type QuotaUses = ReturnType<typeof quotaUseOf>;

/** Quotas of each balancer: the one that uses most of it counts. */
const OF_ONE: readonly QuotaCount[] = ['listeners', 'targets', 'targets-of-listener', 'named', 'named-by-address'];

export function quotaUseOf(balancers: readonly BilledBalancer[], options: QuotaOptions = {}) {
  const made = physicalBalancers(balancers);
  const quotas = [...ACCOUNT_QUOTAS, ...limitsOf(made)];
  const uses = quotas
    .flatMap((quota) => useOf(quota, made, options) ?? [])
    .sort((one, other) => (other.percent ?? -1) - (one.percent ?? -1));
  const wrong = Object.entries(options.quotas ?? {}).flatMap(([id, limit]): Mistake[] => {
    if (!quotas.some((quota) => quota.id === id)) {
      const remedy = `use one of ${ACCOUNT_QUOTAS.map((quota) => quota.id).join(', ')}`;
      return [{ what: `${shown(id)} is not a quota`, remedy, value: id }];
    }
    return isLimit(limit) ? [] : [notACount(`quota ${id}`, limit, 1)];
  });
  return { uses, wrong };
}

function isLimit(value: unknown): value is number {
  return isCount(value) && value > 0;
}

/** Limits that a controller names for its balancers, where the table has no such quota; the last one of a name counts. */
function limitsOf(made: readonly PhysicalBalancer[]): readonly AccountQuota[] {
  const all = made.flatMap(({ product, members }) =>
    members.flatMap(({ made: { limits, confidence } }) => limits.map((limit) => ({ ...limit, product, confidence }))),
  );
  const distinct = grouped(all, ({ product, name, counts, scope, limit }) =>
    [product, name, counts, scope, limit].join(' '),
  );
  const quotas = [...distinct.values()].map(([{ product, name, limit, source, confidence, ...its }]): AccountQuota => {
    const id = `${product}: ${name}`;
    return { id, name, products: [product], counts: countsOf(its), limit, adjustable: false, source, confidence };
  });
  const isOf = (one: AccountQuota, other: AccountQuota) =>
    other.products.includes(one.products[0]) && other.counts.split('-')[0] === one.counts.split('-')[0];
  const found = quotas.filter((quota) => !ACCOUNT_QUOTAS.some((known) => isOf(quota, known)));
  return [...new Map(found.map((quota) => [quota.id, quota])).values()].sort((one, other) =>
    compareTexts(one.id, other.id),
  );
}

/** Rules and frontends of a node or cluster are those of all Services in it. */
function countsOf({ counts, scope }: Pick<BalancerLimit, 'counts' | 'scope'>): QuotaCount {
  const named = scope === 'node' || scope === 'cluster' ? 'named-together' : 'named';
  return COUNTS_OF_LIMITS[counts] ?? named;
}

type Counted = { readonly used?: number; readonly need?: Mistake };

function useOf(quota: AccountQuota, made: readonly PhysicalBalancer[], options: QuotaOptions) {
  const { id, name, adjustable, source } = quota;
  const counted = made
    .filter(({ product }) => quota.products.includes(product))
    .map((balancer) => ({ name: balancer.members.map(nameOf).join(', '), ...countOf(quota, balancer, options) }))
    .filter(({ used, need }) => used !== 0 || need !== undefined);
  if (counted.length === 0) {
    return undefined;
  }
  const known = counted
    .flatMap((each) => (each.used === undefined ? [] : { name: each.name, used: each.used }))
    .sort((one, other) => other.used - one.used || compareTexts(one.name, other.name));
  const users = OF_ONE.includes(quota.counts) ? known.slice(0, 1) : known;
  const given = ownValue(options.quotas, id);
  const limit = isLimit(given) ? given : quota.limit;
  const used = users.length > 0 ? users.reduce((sum, user) => sum + user.used, 0) : undefined;
  const percent = used === undefined || limit === undefined ? undefined : Math.round((used * 1000) / limit) / 10;
  const needs = counted.flatMap(({ need }) => need ?? []);
  const least = needs.length > 0 ? 'at least ' : '';
  const part = percent === 0 && used !== 0 ? 'less than 0.1' : percent;
  const ofLimit = percent === undefined ? `${used} ${name}` : `${part} % of ${name} (${used} of ${limit})`;
  const needOfLimit = { what: `'${name}' differs from account to account`, remedy: `give the quota ${id}`, value: id };
  return {
    ...{ id, name },
    /** Unset where each account has another one, and none was given. */
    ...(limit !== undefined && { limit }),
    ...{ isGiven: isLimit(given), adjustable },
    ...(used !== undefined && { used }),
    ...(percent !== undefined && { percent }),
    /** Most of it first; where the quota is one of each balancer, the one that uses most. */
    users,
    needs: [...new Map(needs.map((need) => [need.what, need])).values(), ...(limit === undefined ? [needOfLimit] : [])],
    source,
    text: used === undefined ? `use of ${name} is not known` : `${least}${ofLimit}`,
  };
}

function countOf(quota: AccountQuota, { members }: PhysicalBalancer, options: QuotaOptions): Counted {
  const listeners = members.map(({ made }) => counted('listeners', made.listeners));
  const targets = members.map((member) => counted('targets', member.targets));
  switch (quota.counts) {
    case 'balancers':
      return { used: 1 };
    case 'listeners':
    case 'all-listeners':
      return sumOf(listeners);
    case 'allocated-addresses':
      return sumOf(members.map(({ allocatedAddresses = 0 }) => counted('allocatedAddresses', allocatedAddresses)));
    case 'public-addresses':
      return sumOf(distinctAddresses(members).map((member) => publicAddresses(member, options)));
    case 'zones':
      return zonesOf(members[0], options);
    case 'targets':
      return sumOf(targets.map((each, index) => product(each, listeners[index])));
    case 'targets-of-listener':
      return mostOf(targets);
    case 'named-by-address':
      return sumOf(distinctAddresses(members).map((member) => named(member, quota.name)));
    case 'named':
    case 'named-together':
      return sumOf(members.map((member) => named(member, quota.name)));
  }
}

function counted(field: string, value: number | undefined, least = 0): Counted {
  if (value === undefined) {
    return { need: { what: `${field} of a balancer are not known`, remedy: `give ${field}`, value: field } };
  }
  return isCount(value) && value >= least ? { used: value } : { need: notACount(field, value, least) };
}

function combined(parts: readonly Counted[], whole: (known: readonly number[]) => number): Counted {
  const known = parts.flatMap(({ used }) => used ?? []);
  return { used: known.length > 0 ? whole(known) : undefined, need: parts.find(({ need }) => need)?.need };
}

function sumOf(parts: readonly Counted[]): Counted {
  return combined(parts, (known) => known.reduce((sum, each) => sum + each, 0));
}

function mostOf(parts: readonly Counted[]): Counted {
  return combined(parts, (known) => Math.max(...known));
}

function product(one: Counted, other: Counted): Counted {
  const used = one.used === undefined || other.used === undefined ? undefined : one.used * other.used;
  return { used, need: one.need ?? other.need };
}

/** One Service for each address that several have. */
function distinctAddresses(members: readonly BilledBalancer[]): readonly BilledBalancer[] {
  return [...new Map(members.map((member) => [member.made.addressSharedBy ?? member, member])).values()];
}

function zonesOf({ made, zones }: BilledBalancer, options: QuotaOptions): Counted {
  return counted('zones', zones ?? made.zones ?? options.zones, 1);
}

function publicAddresses(balancer: BilledBalancer, options: QuotaOptions): Counted {
  const { scheme, publicAddresses: its } = balancer.made;
  const count = scheme === LoadBalancerScheme.INTERNAL ? { used: 0 } : counted('publicAddresses', its.count);
  return its.perZone && count.used !== 0 ? product(count, zonesOf(balancer, options)) : count;
}

function named({ made }: BilledBalancer, name: string): Counted {
  const used = made.limits.filter((limit) => limit.name === name).flatMap((limit) => limit.used ?? limit.each ?? []);
  return used.length === 0 ? { used: 0 } : mostOf(used.map((each) => counted(name, each)));
}
