import { shown } from '../contract/json';
import type { Citation, Confidence } from '../contract/kubernetes.facts';
import type { BalancerLimit } from '../contract/made-balancer';
import { LoadBalancerScheme } from '../contract/options';
import type { Finding } from '../contract/rule';
import {
  type BilledBalancer,
  compareTexts,
  isCount,
  nameOf,
  notACount,
  type PhysicalBalancer,
  physicalBalancers,
} from './balancers';
import { ACCOUNT_QUOTAS } from './quotas.facts';

/** What a quota counts. */
type QuotaCount =
  /** Balancers. */
  | 'balancers'
  /** Listeners or rules of one balancer. */
  | 'listeners'
  /** Listeners of all balancers, each of which has a group of targets, or is a rule. */
  | 'all-listeners'
  /** Addresses that were allocated beforehand. */
  | 'allocated-addresses'
  /** Public addresses. */
  | 'public-addresses'
  /** What its controller names, once for each address. */
  | 'named-by-address'
  /** One network interface of each balancer in each zone. */
  | 'zones'
  /** Targets of one balancer: a node counts for each listener. */
  | 'targets'
  /** Targets of one listener. */
  | 'targets-of-listener'
  /** What a Service uses of a limit that its controller names: for one balancer, or for all together. */
  | 'named'
  | 'named-together';

/** A quota of an account, or of each balancer in it. */
export interface AccountQuota {
  readonly id: string;
  /** As the vendor calls it. */
  readonly name: string;
  /** The products that use it. */
  readonly products: readonly string[];
  readonly counts: QuotaCount;
  /** The value of a new account; unset where each account has another one. */
  readonly limit?: number;
  /** Whether the vendor raises it. */
  readonly adjustable: boolean;
  readonly source: Citation;
  readonly confidence: Confidence;
}

/** What the use of quotas is counted with. */
export interface QuotaOptions {
  /** The quotas of the account, by id: they win over those of a new account. */
  readonly quotas?: Readonly<Record<string, number>>;
  /** In how many zones a balancer is, where neither the Service nor its caller knows it. */
  readonly zones?: number;
}

/** A Service, or all that share a balancer, and how much of a quota it uses. */
interface QuotaUser {
  readonly name: string;
  readonly used: number;
}

/** How much of a quota is used. */
export interface QuotaUse {
  readonly id: string;
  /** As the vendor calls it. */
  readonly name: string;
  /** Unset where each account has another one, and none was given. */
  readonly limit?: number;
  /** Whether the limit is the caller's. */
  readonly isGiven: boolean;
  readonly adjustable: boolean;
  /** What is known to be used; unset where nothing is known. */
  readonly used?: number;
  /** With one digit after the point; unset where the use or the limit is not known. */
  readonly percent?: number;
  /** Who uses it: most of it first. Where the quota is one of each balancer, the one that uses most. */
  readonly users: readonly QuotaUser[];
  /** What must be known for all of it to be counted. */
  readonly needs: readonly Finding[];
  readonly source: Citation;
  /** `12 % of Network Load Balancers per Region (6 of 50)`. */
  readonly text: string;
}

/** The use of all quotas that the balancers use. */
export interface QuotaUses {
  /** The one that is met first before all others. */
  readonly uses: readonly QuotaUse[];
  /** Given quotas that count for nothing. */
  readonly wrong: readonly Finding[];
}

/** Quotas of each balancer: the one that uses most of it counts. */
const OF_ONE: readonly QuotaCount[] = ['listeners', 'targets', 'targets-of-listener', 'named', 'named-by-address'];

/** How much of their quotas balancers use. The same balancers in another order use the same. */
export function quotaUseOf(balancers: readonly BilledBalancer[], options: QuotaOptions = {}): QuotaUses {
  const made = physicalBalancers(balancers);
  const quotas = [...ACCOUNT_QUOTAS, ...limitsOf(made)];
  const given = Object.entries(options.quotas ?? {});
  const uses = quotas
    .map((quota) => useOf(quota, made, options))
    .filter((use) => use !== undefined)
    .sort((one, other) => (other.percent ?? -1) - (one.percent ?? -1));
  return {
    uses,
    wrong: given.flatMap(([id, limit]) => {
      if (!quotas.some((quota) => quota.id === id)) {
        return {
          what: `${shown(id)} is not a quota`,
          remedy: `use one of ${ACCOUNT_QUOTAS.map((quota) => quota.id).join(', ')}`,
          value: id,
        };
      }
      return isLimit(limit) ? [] : { ...notACount(`quota ${id}`, limit, 1) };
    }),
  };
}

function isLimit(value: unknown): value is number {
  return isCount(value) && value > 0;
}

/** What a controller names as a limit of its balancers, where the table has no such quota. */
function limitsOf(made: readonly PhysicalBalancer[]): readonly AccountQuota[] {
  const found = new Map<string, AccountQuota>();
  const seen = new Set<string>();
  for (const { product, members } of made) {
    for (const { made: its } of members) {
      for (const limit of its.limits) {
        const id = `${product}: ${limit.name}`;
        const key = `${id} ${limit.counts} ${limit.scope} ${limit.limit}`;
        if (seen.has(key)) {
          continue;
        }
        seen.add(key);
        const counts = countsOf(limit);
        const quotas = ACCOUNT_QUOTAS.filter(({ products }) => products.includes(product));
        if (!quotas.some((quota) => quota.counts.split('-')[0] === counts.split('-')[0])) {
          const { name, source } = limit;
          const { confidence } = its;
          found.set(id, {
            id,
            name,
            products: [product],
            counts,
            limit: limit.limit,
            adjustable: false,
            source,
            confidence,
          });
        }
      }
    }
  }
  return [...found.values()].sort((one, other) => compareTexts(one.id, other.id));
}

/** Rules and frontends of a node or cluster are those of all Services in it. */
function countsOf({ counts, scope }: BalancerLimit): QuotaCount {
  if (counts === 'listeners') {
    return 'listeners';
  }
  if (counts === 'targets' || counts === 'backends') {
    return 'targets-of-listener';
  }
  if (counts === 'frontends') {
    return 'named-by-address';
  }
  return scope === 'node' || scope === 'cluster' ? 'named-together' : 'named';
}

/** What one balancer uses: unset where it is not known. */
type Counted = { readonly used?: number; readonly need?: Finding };

function useOf(quota: AccountQuota, made: readonly PhysicalBalancer[], options: QuotaOptions): QuotaUse | undefined {
  const its = made.filter(({ product }) => quota.products.includes(product));
  const counted = its
    .map((balancer) => ({ name: balancer.members.map(nameOf).join(', '), ...countOf(quota, balancer, options) }))
    .filter(({ used, need }) => used !== 0 || need !== undefined);
  if (counted.length === 0) {
    return undefined;
  }
  const known = counted
    .filter((each): each is QuotaUser & Counted => each.used !== undefined)
    .map(({ name, used }) => ({ name, used }))
    .sort((one, other) => other.used - one.used || compareTexts(one.name, other.name));
  const users = OF_ONE.includes(quota.counts) ? known.slice(0, 1) : known;
  const given =
    options.quotas !== undefined && Object.hasOwn(options.quotas, quota.id) ? options.quotas[quota.id] : undefined;
  const limit = isLimit(given) ? given : quota.limit;
  const used = users.length > 0 ? users.reduce((sum, user) => sum + user.used, 0) : undefined;
  const percent = used === undefined || limit === undefined ? undefined : Math.round((used * 1000) / limit) / 10;
  const { id, name, adjustable, source } = quota;
  return {
    id,
    name,
    ...(limit !== undefined && { limit }),
    isGiven: isLimit(given),
    adjustable,
    ...(used !== undefined && { used }),
    ...(percent !== undefined && { percent }),
    users,
    needs: [...needsOf(counted), ...(limit === undefined ? [needOfLimit(quota)] : [])],
    source,
    text: inWords(
      name,
      limit,
      used,
      percent,
      counted.some(({ need }) => need !== undefined),
    ),
  };
}

function needsOf(counted: readonly Counted[]): readonly Finding[] {
  return [...new Map(counted.flatMap(({ need }) => (need ? [[need.what, need] as const] : []))).values()];
}

function needOfLimit({ id, name }: AccountQuota): Finding {
  return { what: `'${name}' differs from account to account`, remedy: `give the quota ${id}`, value: id };
}

function inWords(name: string, limit?: number, used?: number, percent?: number, isLeast = false): string {
  const least = isLeast ? 'at least ' : '';
  if (used === undefined) {
    return `use of ${name} is not known`;
  }
  return percent === undefined
    ? `${least}${used} ${name}`
    : `${least}${percent === 0 && used > 0 ? 'less than 0.1' : percent} % of ${name} (${used} of ${limit})`;
}

function countOf(quota: AccountQuota, { members }: PhysicalBalancer, options: QuotaOptions): Counted {
  const sum = (parts: readonly Counted[]): Counted => ({
    used: parts.every(({ used }) => used === undefined)
      ? undefined
      : parts.reduce((all, { used = 0 }) => all + used, 0),
    need: parts.find(({ need }) => need !== undefined)?.need,
  });
  switch (quota.counts) {
    case 'balancers':
      return { used: 1 };
    case 'listeners':
    case 'all-listeners':
      return sum(members.map(({ made }) => counted('listeners', made.listeners)));
    case 'allocated-addresses':
      return sum(members.map(({ allocatedAddresses = 0 }) => counted('allocatedAddresses', allocatedAddresses)));
    case 'public-addresses':
      return sum(distinctAddresses(members).map((member) => publicAddresses(member, options)));
    case 'zones':
      return zonesOf(members[0], options);
    case 'targets':
      return sum(
        members.map(({ targets, made }) => product(counted('targets', targets), counted('listeners', made.listeners))),
      );
    case 'targets-of-listener':
      return mostOf(members.map(({ targets }) => counted('targets', targets)));
    case 'named-by-address':
      return sum(distinctAddresses(members).map((member) => named(member, quota.name)));
    case 'named':
    case 'named-together':
      return sum(members.map((member) => named(member, quota.name)));
  }
}

function counted(field: string, value: number | undefined, least = 0): Counted {
  if (value === undefined) {
    return { need: { what: `${field} of a balancer are not known`, remedy: `give ${field}`, value: field } };
  }
  return isCount(value) && value >= least ? { used: value } : { need: notACount(field, value, least) };
}

function product(one: Counted, other: Counted): Counted {
  const used = one.used === undefined || other.used === undefined ? undefined : one.used * other.used;
  return { used, need: one.need ?? other.need };
}

function mostOf(parts: readonly Counted[]): Counted {
  const known = parts.flatMap(({ used }) => used ?? []);
  return {
    used: known.length > 0 ? Math.max(...known) : undefined,
    need: parts.find(({ need }) => need !== undefined)?.need,
  };
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

/** How much a Service uses of a limit that its controller names. */
function named({ made }: BilledBalancer, name: string): Counted {
  const used = made.limits.filter((limit) => limit.name === name).flatMap((limit) => limit.used ?? limit.each ?? []);
  return used.length === 0 ? { used: 0 } : mostOf(used.map((each) => counted(name, each)));
}
