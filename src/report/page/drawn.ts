import { isUnknown } from '../../traffic/fraction';
import { percent } from '../../traffic/in-words';
import type { Path } from '../../traffic/path';
import type { Target } from '../../traffic/placement';
import type { PodShare, Shares } from '../../traffic/shares';

export type State = 'used' | 'unused' | 'failing' | 'expected' | 'left-out' | 'dropped' | 'more';

/** A node, a pod, or what is put together because there is no place for more. */
export interface Place {
  readonly name: string;
  /** The name without what all have in common at their ends. */
  readonly label: string;
  readonly note: string;
  readonly state: State;
  /** What part of all connections arrives. */
  readonly share: number;
  readonly node?: string;
}

/** What a picture shows of a path, cut to what it has place for. */
export interface Drawn {
  readonly balancer: string;
  /** Empty where the balancer sends to pods. */
  readonly nodes: readonly Place[];
  readonly pods: readonly Place[];
  /** What of all connections is sent on from the node that it arrives at to another one. */
  readonly secondHop: number;
  /** Whether a node leads to pods of other nodes. */
  readonly isMesh: boolean;
}

export interface Room {
  readonly nodes: number;
  readonly pods: number;
}

export function drawnOf({ hops, shares }: Path, room: Room): Drawn {
  const toNodes = shares.targets.some(({ kind }) => kind === 'node');
  const domain = domainOf(shares.nodes.map(({ name }) => name));
  const isMesh = shares.secondHop.value > 0;
  const nodes = toNodes ? nodesOf(shares, domain) : [];
  const shownNodes = cut(nodes, room.nodes, 'node');
  const order = new Map(nodes.map(({ name }, index) => [name, index]));
  const pods = podsOf(shares, toNodes ? 'pod' : 'target', domain).sort(
    (one, other) => (order.get(one.node ?? '') ?? 0) - (order.get(other.node ?? '') ?? 0),
  );
  const lost = toNodes && !isMesh ? lostAt(shares) : [];
  return {
    balancer: hops.find(({ place }) => place === 'balancer')?.name ?? 'balancer',
    nodes: shownNodes,
    pods: [...cut(pods, room.pods, 'pod'), ...droppedOf(shares, lost, shownNodes)],
    secondHop: shares.secondHop.value,
    isMesh,
  };
}

/** What the names of all nodes end in, from a dot on: `.compute.internal`. */
function domainOf(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const ends = [...first.matchAll(/\./g)].map(({ index }) => first.slice(index));
  const common = ends.find((end) => others.every((name) => name.endsWith(end) && name !== end));
  return others.length > 0 && common !== undefined && common !== first ? common : '';
}

function withoutDomain(name: string, domain: string): string {
  return domain !== '' && name.endsWith(domain) ? name.slice(0, -domain.length) : name;
}

function nodesOf({ nodes, targets, oneNode }: Shares, domain: string): Place[] {
  const states = new Map(targets.filter(({ kind }) => kind === 'node').map((target) => [target.name, target]));
  return nodes.map(({ name, zone, enters }) => {
    const target = states.get(name);
    const state = target === undefined ? 'left-out' : stateOf(target, enters.share);
    const has = name === oneNode ? 'has the address' : undefined;
    const label = withoutDomain(name, domain);
    return {
      name,
      label,
      state,
      share: enters.share,
      note: NOTES[state] ?? has ?? (zone === undefined ? '' : `zone ${zone}`),
    };
  });
}

function stateOf({ state, asItShould }: Target, share: number): State {
  if (state === 'failing') {
    return asItShould ? 'expected' : 'failing';
  }
  if (state === 'left out') {
    return 'left-out';
  }
  return share > 0 ? 'used' : 'unused';
}

const NOTES: Partial<Record<State, string>> = {
  failing: '✕ check fails',
  expected: '✕ fails, expected',
  'left-out': 'left out',
  unused: 'gets nothing',
};

function podsOf({ pods, targets }: Shares, kind: 'pod' | 'target', domain: string): Place[] {
  const states = new Map(targets.filter((target) => target.kind === 'pod').map((target) => [target.name, target]));
  return pods.map(({ name, node, zone, share }: PodShare) => {
    const target = states.get(name);
    const state = kind === 'target' && target ? stateOf(target, share) : share > 0 ? 'used' : 'unused';
    const on = withoutDomain(node, domain);
    const where = kind === 'target' && zone !== undefined ? `on ${on}, zone ${zone}` : `on ${on}`;
    return {
      name,
      label: name,
      node,
      share,
      state,
      note: state === 'used' || state === 'unused' ? where : (NOTES[state] ?? where),
    };
  });
}

/** Nodes that connections reach though no pod is there. */
function lostAt({ nodes, pods }: Shares): string[] {
  const withPods = new Set(pods.flatMap(({ node, share }) => (share > 0 ? node : [])));
  return nodes.flatMap(({ name, enters }) => (enters.share > 0 && !withPods.has(name) ? name : []));
}

function droppedOf({ dropped }: Shares, lost: readonly string[], nodes: readonly Place[]): Place[] {
  if (dropped.value === 0) {
    return [];
  }
  const at = lost.filter((name) => nodes.some((node) => node.name === name));
  const place = {
    name: 'no pod answers',
    label: 'no pod answers',
    note: 'dropped',
    state: 'dropped',
    share: dropped.value,
  } as const;
  return [at.length === 1 ? { ...place, node: at[0] } : place];
}

/** All, or those that matter most and the rest as one: what fails without need first, then the highest shares. */
function cut(places: readonly Place[], room: number, what: 'node' | 'pod'): Place[] {
  if (places.length <= room) {
    return [...places];
  }
  const weight = ({ state, share }: Place) => (state === 'failing' ? 2 : share);
  const most = [...places].sort((one, other) => weight(other) - weight(one));
  const kept = new Set(most.slice(0, room - 1));
  const rest = places.filter((place) => !kept.has(place));
  const more = `and ${rest.length} more ${what}s`;
  const share = rest.reduce((sum, place) => sum + place.share, 0);
  return [
    ...places.filter((place) => kept.has(place)),
    {
      name: more,
      label: more,
      note: `${percent(share)} together`,
      state: share > 0 ? 'more' : 'unused',
      share,
    },
  ];
}

/** The picture in words, for who does not see it. */
export function describe({ balancer, nodes, pods, isMesh, secondHop }: Drawn, { shares }: Path): string {
  const said = (place: Place) => `${place.name} (${[percent(place.share), place.note].filter(Boolean).join(', ')})`;
  const imbalance = isUnknown(shares.imbalance) ? [] : [`highest share ${shares.imbalance.terms} of the even one`];
  return [
    `connections go from clients to ${balancer}`,
    ...(nodes.length > 0 ? [`from there to nodes: ${nodes.map(said).join(', ')}`] : []),
    ...(isMesh ? [`kube-proxy sends ${percent(secondHop)} on to another node`] : []),
    `they end in: ${pods.map(said).join(', ')}`,
    ...imbalance,
  ].join('; ');
}
