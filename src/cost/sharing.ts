import type { LoadBalancerScheme } from '../contract/options';
import {
  type BilledBalancer,
  compareTexts,
  inOrder,
  isCount,
  type PhysicalBalancer,
  physicalBalancers,
} from './balancers';
import { type BillDifference, billOf, differenceOf } from './bill';
import type { BillOptions } from './charge';
import { PriceItem } from './prices';
import { PRICED_PRODUCTS } from './prices.facts';
import { ACCOUNT_QUOTAS } from './quotas.facts';

/** What Services would save on fewer balancers. */
export interface Sharing {
  /** How many balancers there are now, and how many are enough. */
  readonly balancers: number;
  readonly enough: number;
  /** The bill afterwards against the one now: below zero is what is saved. */
  readonly difference: BillDifference;
  /** Services whose ports are not known: two that listen on the same one still need two balancers. */
  readonly withoutPorts: readonly string[];
}

/**
 * What sharing would save for the Services of all namespaces.
 *
 * Only balancers of one owner, product, scheme and number of zones are put together, and no more of them than one has listeners for.
 *
 * @param now the bill of the balancers as they are, where it is known already
 */
export function savedBy(
  balancers: readonly BilledBalancer[],
  options: BillOptions = {},
  now = billOf(balancers, options),
): Sharing {
  const packed = packedBalancers(balancers);
  const isLess = physicalBalancers(packed).length < now.balancers;
  const afterwards = isLess ? billOf(packed, options) : now;
  return {
    balancers: now.balancers,
    enough: afterwards.balancers,
    difference: differenceOf(now, afterwards),
    withoutPorts: inOrder(balancers)
      .filter(({ made, ports }) => isShareable(made.product) && ports === undefined)
      .map(({ namespace, name }) => `${namespace}/${name}`),
  };
}

/** Whether each balancer of a product has its own price: only then do fewer of them cost less. */
function isShareable(product: string): boolean {
  const items = Object.hasOwn(PRICED_PRODUCTS, product) ? PRICED_PRODUCTS[product].items : [];
  return items.includes(PriceItem.HOUR) || items.includes(PriceItem.MONTH);
}

function packedBalancers(balancers: readonly BilledBalancer[]): readonly BilledBalancer[] {
  const groups = new Map<string, PhysicalBalancer[]>();
  const others: BilledBalancer[] = [];
  for (const balancer of physicalBalancers(balancers)) {
    const { product, owner, members } = balancer;
    const scheme: LoadBalancerScheme | undefined = members[0].made.scheme;
    const zones = members[0].zones ?? members[0].made.zones;
    if (!isShareable(product) || !members.every(({ made }) => isCount(made.listeners))) {
      others.push(...members);
      continue;
    }
    const key = JSON.stringify([product, owner, scheme, zones, members[0].made.publicAddresses]);
    const group = groups.get(key) ?? [];
    group.push(balancer);
    groups.set(key, group);
  }
  return [...others, ...[...groups.entries()].flatMap(([key, group]) => packed(key, group))];
}

/** A balancer that is filled. */
interface Bin {
  readonly ports: Set<string>;
  listeners: number;
}

/** Each balancer goes to the first one with room for its listeners and without its ports: those with most of them first. */
function packed(key: string, group: readonly PhysicalBalancer[]): readonly BilledBalancer[] {
  const bins: Bin[] = [];
  const most = listenersOfOne(group[0].product);
  const sized = group.map((balancer) => ({
    ...balancer,
    listeners: balancer.members.reduce((sum, { made }) => sum + made.listeners, 0),
    ports: balancer.members.flatMap(({ ports }) => ports ?? []),
    name: balancer.members.map(({ namespace, name }) => `${namespace}/${name}`).join(' '),
  }));
  sized.sort((one, other) => other.listeners - one.listeners || compareTexts(one.name, other.name));
  // where one with the same listeners had no place, there is none: bins are never emptied
  const firstOf = new Map<string, number>();
  return sized.flatMap(({ members, listeners, ports }) => {
    const kind = `${listeners} ${ports.join(' ')}`;
    let index = firstOf.get(kind) ?? 0;
    for (; index < bins.length; index++) {
      const each = bins[index];
      if (each.listeners + listeners <= most && !ports.some((port) => each.ports.has(port))) {
        break;
      }
    }
    firstOf.set(kind, index);
    const bin = bins[index] ?? { ports: new Set<string>(), listeners: 0 };
    bins[index] = bin;
    bin.listeners += listeners;
    for (const port of ports) {
      bin.ports.add(port);
    }
    const sharedBy = `${key} ${index}`;
    return members.map((member) => ({ ...member, made: { ...member.made, sharedBy } }));
  });
}

function listenersOfOne(product: string): number {
  const limits = ACCOUNT_QUOTAS.filter(({ products, counts }) => counts === 'listeners' && products.includes(product));
  return Math.min(...limits.map(({ limit }) => limit ?? Number.POSITIVE_INFINITY));
}
