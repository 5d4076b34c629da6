import { firstOfEach, grouped, groupedByAll, inKeyOrder, type Json, mapIn, oncePer } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { editDistance } from '../contract/rule';
import { clusterOf } from '../rules/manifest-objects';
import { groupOf } from '../rules/objects';
import { annotationsOf, finalizersOf, portsOf, wantsLoadBalancer } from '../rules/service-json';
import {
  type BalancerInSides,
  identityOf,
  installedOf,
  kindOf,
  type Side,
  type SideBalancer,
  type Sides,
} from './side';

export interface Pair {
  readonly before?: SideBalancer;
  readonly after?: SideBalancer;
  readonly movedTo?: SideBalancer;
  readonly movedFrom?: SideBalancer;
  readonly renamed?: RenamedPart;
  /** Those of one id that are applied together on one side, and not alike: it is not known who wins. */
  readonly conflicting?: readonly SideBalancer[];
  /** Namespace of the other side if one side names none, in which it is meant if it is the same Service. */
  readonly assumedNamespace?: string;
}

export interface ComparedPair extends Pair {
  readonly sides: Sides;
}

export type RemovedPair = ComparedPair & BalancerInSides;

export interface CreatedPair extends ComparedPair {
  readonly after: SideBalancer;
}

export type LivePair = RemovedPair & CreatedPair;

export function pairBalancers(before: Side, after: Side): Pair[] {
  const [old, now] = [duplicatesOf(before), duplicatesOf(after)];
  const ids = new Set([...old.keys(), ...now.keys()]);
  const byId = [...ids].flatMap((id) => pairDuplicates(old.get(id) ?? [], now.get(id) ?? []));
  const gone = new Set(byId.flatMap((pair) => (pair.before && !pair.after ? [pair.before] : [])));
  const come = new Set(byId.flatMap((pair) => (pair.after && !pair.before ? [pair.after] : [])));
  const likely = [...pairGeneratedNames(gone, come), ...pairMissingNamespaces(gone, come)];
  const successors = renamesBetween([...gone], [...come], { before, after });
  const ofGone = new Map(successors.map((one) => [one.removed, one]));
  const ofCome = new Map(successors.map((one) => [one.created, one]));
  const whole = byId.flatMap((pair): Pair[] => {
    const { before, after } = pair;
    if (before && after) {
      return [pair];
    }
    const [to, from] = [before && ofGone.get(before), after && ofCome.get(after)];
    const moved = { ...(to && { movedTo: to.created }), ...(from && { movedFrom: from.removed }) };
    const part = (to ?? from)?.part;
    const isLeft = before ? gone.has(before) : after && come.has(after);
    return isLeft ? [{ ...pair, ...moved, ...(part && { renamed: part }) }] : [];
  });
  return [...whole, ...likely].map(withType);
}

/** A Service of another type has no class, whatever its manifest says: whoever claimed it by that makes no balancer for it. */
function withType(pair: Pair): Pair {
  const { before, after } = pair;
  if (!before || !after || !wantsLoadBalancer(before.service) || wantsLoadBalancer(after.service)) {
    return pair;
  }
  const { loadBalancerClass: _, ...spec } = mapIn(after.service, 'spec');
  const claim = kindOf(after)?.claimsOtherTypes?.({ ...after.service, spec }, installedOf(after));
  const { after: __, ...gone } = pair;
  return claim?.claimed === 'yes' ? pair : gone;
}

/** Names that the API server makes up, each with the only one that begins like it and ends as one may. */
function pairGeneratedNames(gone: Set<SideBalancer>, come: Set<SideBalancer>): Pair[] {
  const isGenerated = ({ id }: SideBalancer) => id.endsWith(GENERATED);
  return pairOpen(gone, come, isGenerated, (open, others) => {
    const starts = new Set([...open].map(startOf));
    // each id is cut at few places
    const byStart = groupedByAll(starts.size > 0 ? others : [], ({ id }) => {
      const [ending = ''] = ENDING.exec(id) ?? [];
      return Array.from(ending, (_, i) => id.slice(0, -i - 1)).filter((start) => starts.has(start));
    });
    return (one) => byStart.get(startOf(one)) ?? [];
  });
}

function startOf({ id }: SideBalancer): string {
  return id.slice(0, -GENERATED.length);
}

const GENERATED = '*';
const ENDING = /[a-z0-9]{1,16}$/;

function pairMissingNamespaces(gone: Set<SideBalancer>, come: Set<SideBalancer>): Pair[] {
  const hasNamespace = ({ service }: SideBalancer) => Boolean(mapIn(service, 'metadata').namespace);
  const pairs = pairOpen(
    gone,
    come,
    (one) => !hasNamespace(one),
    (_, others) => {
      const byName = grouped([...others].filter(hasNamespace), nameOf);
      return (one) => byName.get(nameOf(one)) ?? [];
    },
  );
  return pairs.map(({ before, after }) => {
    const named = [before, after].find((one) => one && hasNamespace(one));
    return { before, after, ...(named && { assumedNamespace: namespaceOf(named) }) };
  });
}

/**
 * Removes pairs from what is left of two sides: what is open in a way on one side, with the only one that fits on the other.
 *
 * @param fitting what fits, by what is open and what there is on the other side
 */
function pairOpen(
  gone: Set<SideBalancer>,
  come: Set<SideBalancer>,
  isOpen: (one: SideBalancer) => boolean,
  fitting: (
    open: readonly SideBalancer[],
    others: ReadonlySet<SideBalancer>,
  ) => (one: SideBalancer) => readonly SideBalancer[],
): Pair[] {
  return [true, false].flatMap((isGone) => {
    const [all, others] = isGone ? [gone, come] : [come, gone];
    const open = [...all].filter(isOpen);
    const fits = fitting(open, others);
    return open.flatMap((one): Pair[] => {
      const [other, ...more] = fits(one).filter((each) => others.has(each));
      if (!other || more.length > 0) {
        return [];
      }
      all.delete(one);
      others.delete(other);
      return [isGone ? { before: one, after: other } : { before: other, after: one }];
    });
  });
}

export function nameOf({ id }: Pick<SideBalancer, 'id'>): string {
  return id.slice(id.indexOf('/') + 1);
}

export function namespaceOf({ id }: Pick<SideBalancer, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

export const NAME: YamlPath = ['metadata', 'name'];
export const NAMESPACE: YamlPath = ['metadata', 'namespace'];

interface DuplicateGroup {
  readonly cluster: string;
  readonly all: readonly SideBalancer[];
  readonly chosen: SideBalancer;
}

type Duplicates = readonly DuplicateGroup[];

export function duplicatesOf({ balancers, isLive, isDeclared }: Side): ReadonlyMap<string, Duplicates> {
  const groups = grouped(balancers, ({ id }) => id);
  return new Map([...groups].map(([id, all]) => [id, duplicateGroups(all, isLive, isDeclared)]));
}

function duplicateGroups(all: readonly SideBalancer[], isLive = false, isDeclared = false): DuplicateGroup[] {
  // what a cluster has is there once: what would make it is beside it
  const found = isLive ? all.filter(({ written }) => written.madeBy === undefined) : [];
  if (found.length > 0) {
    return [duplicateGroup('', found)];
  }
  const clusters = grouped(all, ({ written }) => clusterOf(written, isDeclared));
  return [...clusters].map(([cluster, group]) => duplicateGroup(cluster, group));
}

function duplicateGroup(cluster: string, all: readonly SideBalancer[]): DuplicateGroup {
  const different = all.length > 1 ? firstOfEach(all, ({ service }) => contentOf(service)) : all;
  return { cluster, all: different, chosen: different[different.length - 1] };
}

function pairDuplicates(before: Duplicates, after: Duplicates): Pair[] {
  if (before.length <= 1 && after.length <= 1) {
    return [pairOf(before[0], after[0])];
  }
  const beside = (group: DuplicateGroup, others: Duplicates) => others.find(({ cluster }) => cluster === group.cluster);
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

function pairOf(before: DuplicateGroup | undefined, after: DuplicateGroup | undefined): Pair {
  const [old, now] = [before?.all ?? [], after?.all ?? []];
  const conflicting = now.length > 1 ? now : old;
  const isSame =
    old.length === now.length && old.every(({ service }, i) => contentOf(service) === contentOf(now[i].service));
  return {
    ...(before && { before: before.chosen }),
    ...(after && { after: after.chosen }),
    ...(conflicting.length > 1 && !isSame && { conflicting }),
  };
}

/** Deciding fields of a balancer as text, computed once: duplicates are compared with each other. */
export const contentOf = oncePer((service: Json) =>
  JSON.stringify([inKeyOrder(annotationsOf(service)), inKeyOrder(service.spec), [...finalizersOf(service)].sort()]),
);

type RenamedPart = 'name' | 'namespace' | 'both' | 'maker';

interface Rename {
  readonly removed: SideBalancer;
  readonly created: SideBalancer;
  readonly part: RenamedPart;
}

interface RenameRule {
  readonly part: RenamedPart;
  key(balancer: SideBalancer, side: Side): string | undefined;
  fits?(gone: SideBalancer, come: SideBalancer): boolean;
  /** True if it is told only of those that are alone with their key. */
  readonly isWeak?: boolean;
}

const MOST_COMPARED = 200;

const RENAME_RULES: readonly RenameRule[] = [
  { part: 'name', key: (one) => keyOf(namespaceOf(one), selectorOf(one), portsIn(one)), fits: areWrittenDirectly },
  { part: 'namespace', key: (one) => keyOf(nameOf(one), selectorOf(one)), fits: areWrittenDirectly },
  { part: 'both', key: ({ service }) => (service.spec ? contentOf(service) : undefined), fits: areWrittenDirectly },
  { part: 'maker', key: (one) => keyOf(sourceIdOf(one), one.written.madeBy, ordinalOf(one)), isWeak: true },
  { part: 'maker', key: (one) => keyOf(sourceIdOf(one), selectorOf(one), ordinalOf(one)) },
  { part: 'maker', key: (one) => keyOf(sourceIdOf(one), portsIn(one), ordinalOf(one)), isWeak: true },
  { part: 'maker', key: (one, side) => keyOf(kindOfOnlySource(one, side), roleOf(one)), isWeak: true },
  {
    part: 'maker',
    key: (one) => keyOf(namespaceOf(one), portsIn(one)),
    fits: (gone, come) => sourceIdOf(gone) !== sourceIdOf(come) && selectSamePods(gone, come),
  },
  { part: 'name', key: (one) => keyOf(namespaceOf(one), selectorOf(one)), fits: areWrittenDirectly, isWeak: true },
  { part: 'namespace', key: (one) => keyOf(nameOf(one), portsIn(one)), fits: areWrittenDirectly, isWeak: true },
];

function renamesBetween(
  gone: readonly SideBalancer[],
  come: readonly SideBalancer[],
  { before, after }: { readonly before: Side; readonly after: Side },
): Rename[] {
  const found: Rename[] = [];
  const [old, now] = [new Set(gone), new Set(come)];
  for (const { part, key, fits = () => true, isWeak } of RENAME_RULES) {
    const keysOn = (side: Side) => (one: SideBalancer) => [key(one, side) ?? []].flat();
    const [ofOld, ofNow] = [groupedByAll(old, keysOn(before)), groupedByAll(now, keysOn(after))];
    for (const [value, olds] of ofOld) {
      const news = ofNow.get(value) ?? [];
      if (isWeak && (olds.length > 1 || news.length > 1)) {
        continue;
      }
      for (const [one, other] of nearest(olds, news).filter(([a, b]) => fits(a, b))) {
        if (old.has(one) && now.has(other)) {
          found.push({ removed: one, created: other, part: part === 'maker' ? part : renamedPart(one, other) });
          old.delete(one);
          now.delete(other);
        }
      }
    }
  }
  return [...found, ...movedBehindProxies(old, come)];
}

function movedBehindProxies(gone: ReadonlySet<SideBalancer>, come: readonly SideBalancer[]): Rename[] {
  const publishing = come.filter(({ written }) => written.publishes);
  return [...gone].flatMap((one): Rename[] => {
    const found = publishing.find(({ written: { publishes = [] } }) => publishes.includes(one.id));
    return found ? [{ removed: one, created: found, part: 'maker' }] : [];
  });
}

function nearest(gone: readonly SideBalancer[], come: readonly SideBalancer[]): [SideBalancer, SideBalancer][] {
  if (gone.length * come.length > MOST_COMPARED) {
    return gone.slice(0, come.length).map((one, i) => [one, come[i]]);
  }
  return gone
    .flatMap((one) => come.map((other): [SideBalancer, SideBalancer] => [one, other]))
    .map((pair) => ({ pair, distance: editDistance(pair[0].id, pair[1].id) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ pair }) => pair);
}

function renamedPart(gone: SideBalancer, come: SideBalancer): RenamedPart {
  if (namespaceOf(gone) === namespaceOf(come)) {
    return 'name';
  }
  return nameOf(gone) === nameOf(come) ? 'namespace' : 'both';
}

function keyOf(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
}

function selectorOf({ service }: SideBalancer): string | undefined {
  const entries = Object.entries(mapIn(mapIn(service, 'spec'), 'selector')).sort();
  return entries.length === 0 ? undefined : JSON.stringify(entries);
}

function portsIn({ service }: SideBalancer): string | undefined {
  const ports = portsOf(service).map(({ port, protocol }) => `${port}/${protocol || 'TCP'}`);
  return ports.length === 0 ? undefined : ports.sort().join();
}

function sourceIdOf({ written: { madeOf } }: SideBalancer): string | undefined {
  return madeOf && identityOf(madeOf.object);
}

function areWrittenDirectly(gone: SideBalancer, come: SideBalancer): boolean {
  return sourceIdOf(gone) === undefined && sourceIdOf(come) === undefined;
}

function ordinalOf(one: SideBalancer): string {
  return /(?<!\d)\d+$/.exec(nameOf(one))?.[0] ?? '';
}

function roleOf(one: SideBalancer): string | undefined {
  const { madeOf } = one.written;
  const maker: unknown = madeOf && mapIn(madeOf.object, 'metadata').name;
  const name = nameOf(one);
  return typeof maker === 'string' && name.includes(maker) ? name.replace(maker, '') : undefined;
}

/** The kind of what makes it, where there is one of that kind on the side: the other side may call it otherwise. */
function kindOfOnlySource({ written: { madeOf } }: SideBalancer, side: Side): string | undefined {
  if (!madeOf) {
    return undefined;
  }
  const { kind } = madeOf.object;
  const group = groupOf(madeOf.object);
  const all = side.manifests.filter(({ object }) => object.kind === kind && groupOf(object) === group);
  return all.length === 1 ? JSON.stringify([group, kind]) : undefined;
}

function selectSamePods(gone: SideBalancer, come: SideBalancer): boolean {
  const [one, other] = [gone, come].map(({ service }) => Object.entries(mapIn(mapIn(service, 'spec'), 'selector')));
  const [few, many] = one.length <= other.length ? [one, new Map(other)] : [other, new Map(one)];
  return few.length > 0 && few.every(([key, value]) => many.get(key) === value);
}
