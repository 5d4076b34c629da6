import { editDistance } from '../contract/edit-distance';
import { groupedByAll } from '../contract/grouped';
import { type Json, mapIn } from '../contract/json';
import { portsOf } from '../rules/service-json';
import { decided } from './namesakes';
import type { Side, SideBalancer } from './side';

/** What of a balancer is another: its name, its namespace, both, or what makes it. */
export type Story = 'name' | 'namespace' | 'both' | 'maker';

/** A balancer that is not there any more, and the one that is there for it. */
export interface Successor {
  readonly gone: SideBalancer;
  readonly come: SideBalancer;
  readonly story: Story;
}

/** By what two balancers may be one: those with the same key are. */
interface Likeness {
  readonly story: Story;
  /** Nothing where it cannot be told. */
  key(balancer: SideBalancer, side: Side): string | undefined;
  /** Whether what two with one key are not alike in is no more than the story. */
  fits?(gone: SideBalancer, come: SideBalancer): boolean;
  /** Whether it is told only of those that are alone with their key. */
  readonly isWeak?: boolean;
}

const MOST_COMPARED = 200;

const LIKENESSES: readonly Likeness[] = [
  {
    story: 'name',
    key: (one) => keyOf(placeOf(one).namespace, selectorOf(one), portsIn(one)),
    fits: areNotMade,
  },
  { story: 'namespace', key: (one) => keyOf(placeOf(one).name, selectorOf(one)), fits: areNotMade },
  { story: 'both', key: ({ service }) => (service.spec ? decided(service) : undefined), fits: areNotMade },
  { story: 'maker', key: (one) => keyOf(makerOf(one), one.written.madeBy, ordinalOf(one)), isWeak: true },
  { story: 'maker', key: (one) => keyOf(makerOf(one), selectorOf(one), ordinalOf(one)) },
  { story: 'maker', key: (one) => keyOf(makerOf(one), portsIn(one), ordinalOf(one)), isWeak: true },
  { story: 'maker', key: (one, side) => keyOf(kindOfLonelyMaker(one, side), roleOf(one)), isWeak: true },
  {
    story: 'maker',
    key: (one) => keyOf(placeOf(one).namespace, portsIn(one)),
    fits: (gone, come) => makerOf(gone) !== makerOf(come) && haveOnePod(gone, come),
  },
  { story: 'name', key: (one) => keyOf(placeOf(one).namespace, selectorOf(one)), fits: areNotMade, isWeak: true },
  {
    story: 'namespace',
    key: (one) => keyOf(placeOf(one).name, portsIn(one)),
    fits: areNotMade,
    isWeak: true,
  },
];

/** Which of those that are new are there for those that are gone, each once. */
export function successorsOf(
  gone: readonly SideBalancer[],
  come: readonly SideBalancer[],
  { before, after }: { readonly before: Side; readonly after: Side },
): Successor[] {
  const found: Successor[] = [];
  const [old, now] = [new Set(gone), new Set(come)];
  for (const { story, key, fits = () => true, isWeak } of LIKENESSES) {
    const keysOn = (side: Side) => (one: SideBalancer) => [key(one, side) ?? []].flat();
    const [ofOld, ofNow] = [groupedByAll(old, keysOn(before)), groupedByAll(now, keysOn(after))];
    for (const [value, olds] of ofOld) {
      const news = ofNow.get(value) ?? [];
      if (isWeak && (olds.length > 1 || news.length > 1)) {
        continue;
      }
      for (const [one, other] of nearest(olds, news).filter(([a, b]) => fits(a, b))) {
        if (old.has(one) && now.has(other)) {
          found.push({ gone: one, come: other, story: story === 'maker' ? story : placeStory(one, other) });
          old.delete(one);
          now.delete(other);
        }
      }
    }
  }
  return [...found, ...behindOthers(old, come)];
}

/** What was reached by a balancer of its own, and is reached by one that is new and for several. */
function behindOthers(gone: ReadonlySet<SideBalancer>, come: readonly SideBalancer[]): Successor[] {
  const publishing = come.filter(({ written }) => written.publishes);
  return [...gone].flatMap((one): Successor[] => {
    const found = publishing.find(({ written: { publishes = [] } }) => publishes.includes(one.id));
    return found ? [{ gone: one, come: found, story: 'maker' }] : [];
  });
}

/** All pairs, those with the most similar names first; of very many the first ones with the first ones. */
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

function placeStory(gone: SideBalancer, come: SideBalancer): Story {
  const [old, now] = [placeOf(gone), placeOf(come)];
  if (old.namespace === now.namespace) {
    return 'name';
  }
  return old.name === now.name ? 'namespace' : 'both';
}

/** Nothing where one of the parts is missing. */
function keyOf(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts);
}

function placeOf({ id }: SideBalancer): { readonly namespace: string; readonly name: string } {
  const at = id.indexOf('/');
  return { namespace: id.slice(0, at), name: id.slice(at + 1) };
}

function selectorOf({ service }: SideBalancer): string | undefined {
  const entries = Object.entries(mapIn(mapIn(service, 'spec'), 'selector')).sort();
  return entries.length === 0 ? undefined : JSON.stringify(entries);
}

function portsIn({ service }: SideBalancer): string | undefined {
  const ports = portsOf(service).map(({ port, protocol }) => `${port}/${protocol || 'TCP'}`);
  return ports.length === 0 ? undefined : ports.sort().join();
}

function makerOf({ written: { madeOf } }: SideBalancer): string | undefined {
  return madeOf && identityOf(madeOf.object);
}

function identityOf(object: Json): string {
  const { namespace = 'default', name } = mapIn(object, 'metadata');
  return JSON.stringify([groupOf(object), object.kind, namespace, name]);
}

function groupOf({ apiVersion }: Json): string {
  return String(apiVersion).replace(/\/?[^/]*$/, '');
}

function areNotMade(gone: SideBalancer, come: SideBalancer): boolean {
  return makerOf(gone) === undefined && makerOf(come) === undefined;
}

/** The number at the end of the name, or none: the broker that it is for. */
function ordinalOf(one: SideBalancer): string {
  return /(?<!\d)\d+$/.exec(placeOf(one).name)?.[0] ?? '';
}

/** The end of its name behind the name of what makes it. */
function roleOf(one: SideBalancer): string | undefined {
  const { madeOf } = one.written;
  const maker: unknown = madeOf && mapIn(madeOf.object, 'metadata').name;
  const { name } = placeOf(one);
  return typeof maker === 'string' && name.includes(maker) ? name.replace(maker, '') : undefined;
}

/** The kind of what makes it, where there is one of that kind on the side: the other side may call it otherwise. */
function kindOfLonelyMaker({ written: { madeOf } }: SideBalancer, side: Side): string | undefined {
  if (!madeOf) {
    return undefined;
  }
  const { kind } = madeOf.object;
  const group = groupOf(madeOf.object);
  const all = side.manifests.filter(({ object }) => object.kind === kind && groupOf(object) === group);
  return all.length === 1 ? JSON.stringify([group, kind]) : undefined;
}

/** Whether all that one selects the other may select too: one of two selectors is part of the other. */
function haveOnePod(gone: SideBalancer, come: SideBalancer): boolean {
  const [one, other] = [gone, come].map(({ service }) => Object.entries(mapIn(mapIn(service, 'spec'), 'selector')));
  const [few, many] = one.length <= other.length ? [one, new Map(other)] : [other, new Map(one)];
  return few.length > 0 && few.every(([key, value]) => many.get(key) === value);
}
