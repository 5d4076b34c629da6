import { grouped } from '../contract/grouped';
import { inKeyOrder } from '../contract/same-value';
import { annotationsOf, finalizersOf } from '../rules/service-json';
import type { Matched } from './match';
import { folderOf } from './objects-on-side';
import type { Side, SideBalancer } from './side';

/** Balancers of one id that are applied together. */
interface Group {
  readonly folder: string;
  readonly all: readonly SideBalancer[];
  /** The one that the others are looked at by. */
  readonly chosen: SideBalancer;
}

/** Balancers of one id on one side, by what is applied together: folders of their own are of clusters of their own. */
export type Namesakes = readonly Group[];

/** The balancers of a side by their ids. */
export function namesakesOf({ balancers, isLive }: Side): ReadonlyMap<string, Namesakes> {
  const found = new Map<string, Namesakes>();
  for (const [id, all] of grouped(balancers, (one) => one.id)) {
    found.set(id, all.length === 1 ? [groupOf(folderOf(all[0].written.file), all)] : groupsOf(all, isLive));
  }
  return found;
}

function groupsOf(all: readonly SideBalancer[], isLive = false): Group[] {
  // what a cluster has is there once: what would make it is beside it
  const found = isLive ? all.filter(({ written }) => written.madeBy === undefined) : [];
  if (found.length > 0) {
    return [groupOf('', found)];
  }
  const folders = grouped(all, ({ written }) => folderOf(written.file));
  return [...folders].map(([folder, group]) => groupOf(folder, group));
}

function groupOf(folder: string, all: readonly SideBalancer[]): Group {
  const different = all.length > 1 ? firstOfEach(all, ({ service }) => decidedOnce(service)) : all;
  return { folder, all: different, chosen: different[different.length - 1] };
}

/** The pairs of those with one id. */
export function pairsOfNamesakes(before: Namesakes, after: Namesakes): Matched[] {
  if (before.length <= 1 && after.length <= 1) {
    return [pairOf(before[0], after[0])];
  }
  const beside = (group: Group, others: Namesakes) => others.find(({ folder }) => folder === group.folder);
  const pairs = before.flatMap((group) => {
    const other = beside(group, after);
    return other ? [pairOf(group, other)] : [];
  });
  const gone = before.filter((group) => !beside(group, after));
  const come = after.filter((group) => !beside(group, before));
  const moved = Math.min(gone.length, come.length);
  return [
    ...pairs,
    ...gone.map((group, i) => pairOf(group, i < moved ? come[i] : undefined)),
    ...come.slice(moved).map((group) => pairOf(undefined, group)),
  ];
}

function pairOf(before: Group | undefined, after: Group | undefined): Matched {
  const [old, now] = [before?.all ?? [], after?.all ?? []];
  const rivals = now.length > 1 ? now : old;
  const isSame = old.length === now.length && old.every((one, i) => areAlike(one, now[i]));
  return {
    ...(before && { before: before.chosen }),
    ...(after && { after: after.chosen }),
    ...(rivals.length > 1 && !isSame && { rivals }),
  };
}

/** The first balancers of each text, in their order. */
export function firstOfEach(
  balancers: readonly SideBalancer[],
  textOf: (balancer: SideBalancer) => string,
): SideBalancer[] {
  const first = new Map<string, SideBalancer>();
  for (const balancer of balancers) {
    const text = textOf(balancer);
    if (!first.has(text)) {
      first.set(text, balancer);
    }
  }
  return [...first.values()];
}

/** Whether nothing that decides of a balancer is another. */
function areAlike({ service: one }: SideBalancer, { service: other }: SideBalancer): boolean {
  return one === other || decidedOnce(one) === decidedOnce(other);
}

const DECIDED = new WeakMap<object, string>();

/** Namesakes are compared with each other: each is made a text once. */
function decidedOnce(service: SideBalancer['service']): string {
  const text = DECIDED.get(service) ?? decided(service);
  DECIDED.set(service, text);
  return text;
}

/** What decides of a balancer, as text. */
export function decided(service: SideBalancer['service']): string {
  return JSON.stringify([
    inKeyOrder(annotationsOf(service)),
    inKeyOrder(service.spec),
    [...finalizersOf(service)].sort(),
  ]);
}
