import { BalancerChoice, BalancerTarget } from '../contract/made-balancer';
import type { Figure, Unknown } from './figure';
import { Fraction } from './fraction';
import { type Choice, Endpoints, grouped } from './kube-proxy';
import type { TrafficPod } from './pods';
import { type Target, targetsOf } from './targets';
import { faultOf, type TrafficInput } from './traffic-input';

/** The part of new connections that one node, zone or pod has. */
export interface Share {
  readonly name: string;
  readonly share: number;
  /** The same, exactly: `1/4`. */
  readonly exact: string;
}

/** What arrives at a pod. */
export interface PodShare extends Share {
  readonly node: string;
  readonly zone?: string;
  /** What it is the sum of: `1/2 through node a, its own pods × 1/2`. */
  readonly terms: readonly string[];
}

/** What arrives at a node from the balancer, and what ends in its pods. */
export interface NodeShare {
  readonly name: string;
  readonly zone?: string;
  readonly enters: Share;
  readonly ends: Share;
}

/** How often a connection leaves the zone that it is in. */
export interface ZoneCrossings {
  /** From the balancer to its target. */
  readonly toTarget: Figure | Unknown;
  /** From the node that it arrives at to the pod. */
  readonly toPod: Figure | Unknown;
}

/** Where new connections of many clients go, in expectation. */
export interface Shares {
  readonly nodes: readonly NodeShare[];
  /** By the zone of the pods; empty where nodes have none. */
  readonly zones: readonly Share[];
  readonly pods: readonly PodShare[];
  /** What no pod answers. All pods and this are 1 together. */
  readonly dropped: Figure;
  /** What is sent on from the node that it arrives at to another one. */
  readonly secondHop: Figure;
  readonly crossings: ZoneCrossings;
  /** The highest share of a pod over the even one: 1 is even. Nothing arrives at any pod: unknown. */
  readonly imbalance: Figure | Unknown;
  readonly targets: readonly Target[];
  /** The node that has everything, where the balancer chooses one. */
  readonly oneNode?: string;
  readonly assumptions: readonly string[];
}

/** What the balancer sends to one of its targets. */
interface Entry {
  readonly target: Target;
  readonly weight: Fraction;
}

/** Connections of several nodes that choose among the same pods. */
interface Flow {
  readonly choice: Choice;
  readonly byNode: Map<string, number>;
  readonly byZone: Map<string | undefined, number>;
  weight: Fraction;
}

/** The expected share of new connections that each node, zone and pod has; many clients, each a new connection. */
export function sharesOf(input: TrafficInput): Shares | Unknown {
  const fault = faultOf(input) ?? faultOfZones(input);
  if (fault) {
    return fault;
  }
  const endpoints = new Endpoints(input.service, input.nodes, input.pods);
  const targets = targetsOf(input, endpoints);
  const entries = entriesOf(input, targets);
  const routed = routedFrom(input, endpoints, entries);
  const servable = endpoints.ready.length || routed.pods.size;
  return {
    ...listed(input, endpoints, entries, routed),
    dropped: {
      value: routed.dropped.value,
      terms:
        entries.length === 0 ? 'no target is healthy' : `${routed.dropped} of connections reach a node without a pod`,
    },
    secondHop: { value: routed.secondHop.value, terms: `${routed.secondHop} of connections` },
    crossings: {
      toTarget: crossingsToTarget(input, entries),
      toPod: zoned(input) ? figure(routed.crossing) : NEEDS_ZONES,
    },
    imbalance: imbalanceOf(
      [...routed.pods.values()].map(({ share }) => share),
      servable,
    ),
    targets,
    ...oneNodeOf(input, entries),
    assumptions: [...(input.assumptions ?? []), ...assumedIn(input, targets, entries)],
  };
}

const NEEDS_ZONES: Unknown = { unknown: 'needs the zones of the nodes' };

function zoned({ nodes }: TrafficInput): boolean {
  return nodes.every(({ zone }) => zone !== undefined);
}

function figure(fraction: Fraction): Figure {
  return { value: fraction.value, terms: fraction.toString() };
}

function shareOf(name: string, share: Fraction = Fraction.NONE): Share {
  return { name, share: share.value, exact: share.toString() };
}

function faultOfZones({ balancer, balancerZones, nodes }: TrafficInput): Unknown | undefined {
  const zones = new Set(nodes.map(({ zone }) => zone)).size;
  const isBound = balancer?.crossZone !== undefined && balancer.zones !== undefined && balancerZones === undefined;
  return isBound && balancer.zones < zones
    ? { unknown: `needs the names of the balancer's zones; it is in ${balancer.zones} of ${zones}` }
    : undefined;
}

/** Evenly over what is healthy; without cross-zone evenly over the zones first, for clients find each by its own address. */
function entriesOf(input: TrafficInput, targets: readonly Target[]): Entry[] {
  const healthy = targets.filter(({ state }) => state === 'healthy');
  if (healthy.length === 0) {
    return [];
  }
  if (input.balancer?.choice === BalancerChoice.ONE) {
    const names = healthy.map(({ name }) => name).sort();
    const held = healthy.find(({ name }) => name === input.nodeWithAddress);
    const target = held ?? healthy.find(({ name }) => name === names[0]);
    return target ? [{ target, weight: Fraction.WHOLE }] : [];
  }
  const zones =
    input.balancer?.crossZone === false ? grouped(healthy, ({ zone }) => zone ?? '') : new Map([['', healthy]]);
  const places = new Map([...zones].map(([zone, inZone]) => [zone, Fraction.of(1, zones.size * inZone.length)]));
  const weightOf = ({ zone }: Target) => (zones.size > 1 ? places.get(zone ?? '') : [...places.values()][0]);
  return healthy.map((target) => ({ target, weight: weightOf(target) ?? Fraction.NONE }));
}

interface Routed {
  /** What each pod has, and of what it is the sum. */
  readonly pods: ReadonlyMap<TrafficPod, { readonly share: Fraction; readonly terms: readonly string[] }>;
  readonly dropped: Fraction;
  readonly secondHop: Fraction;
  readonly crossing: Fraction;
}

function routedFrom(input: TrafficInput, endpoints: Endpoints, entries: readonly Entry[]): Routed {
  if (input.balancer?.target === BalancerTarget.POD) {
    return sentToPods(input, entries);
  }
  const flows = new Map<string, Flow>();
  let arrived = Fraction.NONE;
  let staying = Fraction.NONE;
  let inZone = Fraction.NONE;
  for (const { target, weight } of entries) {
    const choice = endpoints.choiceOn(target, 'external');
    if (choice.pods.length > 0) {
      const flow = flows.get(choice.key) ?? flowOf(choice, endpoints);
      flows.set(choice.key, flow);
      flow.weight = flow.weight.plus(weight);
      const among = (count = 0) => weight.times(Fraction.of(count, choice.pods.length));
      arrived = arrived.plus(weight);
      staying = staying.plus(among(flow.byNode.get(target.name)));
      inZone = inZone.plus(among(flow.byZone.get(target.zone)));
    }
  }
  return {
    pods: addedUp([...flows.values()]),
    dropped: Fraction.WHOLE.minus(arrived),
    secondHop: arrived.minus(staying),
    crossing: arrived.minus(inZone),
  };
}

function sentToPods({ pods }: TrafficInput, entries: readonly Entry[]): Routed {
  const byName = new Map(pods.map((pod) => [pod.name, pod]));
  const sent = entries.flatMap(({ target, weight }) => {
    const pod = byName.get(target.name);
    return pod ? [[pod, { share: weight, terms: [`${weight} from the balancer`] }] as const] : [];
  });
  const dropped = entries.length === 0 ? Fraction.WHOLE : Fraction.NONE;
  return { pods: new Map(sent), dropped, secondHop: Fraction.NONE, crossing: Fraction.NONE };
}

function flowOf(choice: Choice, endpoints: Endpoints): Flow {
  const count = <K>(keys: readonly K[]) => {
    const counts = new Map<K, number>();
    for (const key of keys) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  };
  const byNode = count(choice.pods.map(({ node }) => node));
  const byZone = count(choice.pods.map(({ node }) => endpoints.zoneOfNode(node)));
  return { choice, byNode, byZone, weight: Fraction.NONE };
}

function addedUp(flows: readonly Flow[]): Routed['pods'] {
  const pods = new Map<TrafficPod, { share: Fraction; terms: string[] }>();
  for (const { choice, weight } of flows) {
    const one = Fraction.of(1, choice.pods.length);
    const part = weight.times(one);
    const term = `${weight} through ${choice.through} × ${one}`;
    for (const pod of choice.pods) {
      const before = pods.get(pod);
      pods.set(
        pod,
        before ? { share: before.share.plus(part), terms: [...before.terms, term] } : { share: part, terms: [term] },
      );
    }
  }
  return pods;
}

function listed(
  { nodes, pods, balancer }: TrafficInput,
  endpoints: Endpoints,
  entries: readonly Entry[],
  routed: Routed,
): Pick<Shares, 'nodes' | 'zones' | 'pods'> {
  const ofPods = pods.map((pod) => ({ pod, zone: endpoints.zoneOfNode(pod.node), ...routed.pods.get(pod) }));
  const sums = (keyOf: (of: (typeof ofPods)[number]) => string) =>
    new Map(
      [...grouped(ofPods, keyOf)].map(([key, group]) => [key, Fraction.sum(group.flatMap(({ share }) => share ?? []))]),
    );
  const ends = sums(({ pod }) => pod.node);
  const toPods = balancer?.target === BalancerTarget.POD;
  const enters = toPods ? ends : new Map(entries.map(({ target, weight }) => [target.name, weight]));
  const zones = sums(({ zone }) => zone ?? '');
  const zoneNames = [...new Set(nodes.flatMap(({ zone }) => zone ?? []))];
  return {
    nodes: nodes.map(({ name, zone }) => ({
      name,
      ...(zone === undefined ? {} : { zone }),
      enters: shareOf(name, enters.get(name)),
      ends: shareOf(name, ends.get(name)),
    })),
    zones: zoneNames.map((zone) => shareOf(zone, zones.get(zone))),
    pods: ofPods.map(({ pod, zone, share, terms = [] }) => ({
      ...shareOf(pod.name, share),
      node: pod.node,
      ...(zone === undefined ? {} : { zone }),
      terms,
    })),
  };
}

/** Each zone of the balancer has an even part of the clients, whatever is behind it. */
function crossingsToTarget(input: TrafficInput, entries: readonly Entry[]): Figure | Unknown {
  const { balancer, balancerZones } = input;
  if (!zoned(input)) {
    return NEEDS_ZONES;
  }
  if (balancer?.crossZone === undefined) {
    return { unknown: `needs a balancer that is in zones; ${balancer?.name ?? 'this one'} is in none that is known` };
  }
  const zones = balancerZones ?? [...new Set(input.nodes.flatMap(({ zone }) => zone ?? []))];
  if (balancer.crossZone === false || entries.length === 0) {
    return { value: 0, terms: '0' };
  }
  const has = new Set(zones);
  const staying = Fraction.sum(
    entries.flatMap(({ target, weight }) => (target.zone !== undefined && has.has(target.zone) ? weight : [])),
  ).times(Fraction.of(1, zones.length));
  return { value: Fraction.WHOLE.minus(staying).value, terms: `1 − ${staying} (one of ${zones.length} zones)` };
}

function imbalanceOf(shares: readonly Fraction[], pods: number): Figure | Unknown {
  const highest = shares.reduce((found, share) => (share.isMoreThan(found) ? share : found), Fraction.NONE);
  if (highest.isNone) {
    return { unknown: 'needs a pod that connections arrive at' };
  }
  return { value: highest.times(Fraction.of(pods, 1)).value, terms: `${highest} ÷ 1/${pods}` };
}

function oneNodeOf({ balancer }: TrafficInput, entries: readonly Entry[]): Pick<Shares, 'oneNode'> {
  return balancer?.choice === BalancerChoice.ONE && entries[0] ? { oneNode: entries[0].target.name } : {};
}

function assumedIn(input: TrafficInput, targets: readonly Target[], entries: readonly Entry[]): string[] {
  const others = targets.filter(({ state }) => state === 'healthy').length - entries.length;
  const said = input.nodeWithAddress !== undefined && input.nodeWithAddress === entries[0]?.target.name;
  return input.balancer?.choice === BalancerChoice.ONE && others > 0 && !said
    ? [`${entries[0]?.target.name} is taken as the one that has the address; ${others} others could have it`]
    : [];
}
