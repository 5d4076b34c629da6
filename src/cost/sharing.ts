import { grouped, ownValue } from '../contract/json';
import {
  type BilledBalancer,
  compareTexts,
  inOrder,
  isCount,
  nameOf,
  type PhysicalBalancer,
  physicalBalancers,
} from './balancers';
import { billOf, differenceOf } from './bill';
import type { BillOptions } from './charges';
import { PRICED_PRODUCTS } from './prices.facts';
import { ACCOUNT_QUOTAS } from './quotas.facts';

/**
 * Savings of sharing for the Services of all namespaces.
 *
 * Only balancers of one owner, product, scheme and number of zones are put together, and no more of them than one has listeners for.
 */
export function savedBy(
  balancers: readonly BilledBalancer[],
  options: BillOptions = {},
  now = billOf(balancers, options),
) {
  const packed = packedBalancers(balancers);
  const isLess = physicalBalancers(packed).length < now.balancers;
  const afterwards = isLess ? billOf(packed, options) : now;
  return {
    balancers: now.balancers,
    enough: afterwards.balancers,
    /** Below zero is what is saved. */
    difference: differenceOf(now, afterwards),
    /** Services whose ports are not known: two that listen on the same one still need two balancers. */
    withoutPorts: inOrder(balancers)
      .filter(({ made, ports }) => isShareable(made.product) && ports === undefined)
      .map(nameOf),
  };
}

/** True if each balancer of a product has its own price: only then do fewer of them cost less. */
function isShareable(product: string): boolean {
  const { items = [] } = ownValue(PRICED_PRODUCTS, product) ?? {};
  return items.includes('hour') || items.includes('month');
}

function packedBalancers(balancers: readonly BilledBalancer[]): readonly BilledBalancer[] {
  const canShare = ({ product, members }: PhysicalBalancer) =>
    isShareable(product) && members.every(({ made }) => isCount(made.listeners));
  const all = physicalBalancers(balancers);
  const groups = grouped(all.filter(canShare), ({ product, owner, members: [{ made, zones = made.zones }] }) =>
    JSON.stringify([product, owner, made.scheme, zones, made.publicAddresses]),
  );
  return [
    ...all.filter((each) => !canShare(each)).flatMap(({ members }) => members),
    ...[...groups].flatMap(([key, group]) => packed(key, group)),
  ];
}

/** Each balancer goes to the first one with room for its listeners and without its ports: those with most of them first. */
function packed(key: string, group: readonly PhysicalBalancer[]): readonly BilledBalancer[] {
  type Bin = { readonly ports: Set<string>; listeners: number };
  const bins: Bin[] = [];
  const most = listenersOfOne(group[0].product);
  const sized = group.map(({ members }) => ({
    members,
    listeners: members.reduce((sum, { made }) => sum + made.listeners, 0),
    ports: members.flatMap(({ ports }) => ports ?? []),
    name: members.map(nameOf).join(' '),
  }));
  sized.sort((one, other) => other.listeners - one.listeners || compareTexts(one.name, other.name));
  // where one with the same listeners had no place, there is none: bins are never emptied
  const firstOf = new Map<string, number>();
  return sized.flatMap(({ members, listeners, ports }) => {
    const kind = `${listeners} ${ports.join(' ')}`;
    const isFull = (bin: Bin) => bin.listeners + listeners > most || ports.some((port) => bin.ports.has(port));
    let index = firstOf.get(kind) ?? 0;
    while (bins[index] && isFull(bins[index])) index++;
    firstOf.set(kind, index);
    bins[index] ??= { ports: new Set(), listeners: 0 };
    bins[index].listeners += listeners;
    for (const port of ports) {
      bins[index].ports.add(port);
    }
    return members.map((member) => ({ ...member, made: { ...member.made, sharedBy: `${key} ${index}` } }));
  });
}

function listenersOfOne(product: string): number {
  const limits = ACCOUNT_QUOTAS.filter(({ products, counts }) => counts === 'listeners' && products.includes(product));
  return Math.min(...limits.map(({ limit }) => limit ?? Number.POSITIVE_INFINITY));
}
