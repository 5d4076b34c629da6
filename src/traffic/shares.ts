import { BalancerChoice } from '../contract/load-balancer-model';
import { type Figure, Fraction, isUnknown, type Unknown } from './fraction';
import { faultOf, type TrafficInput, type TrafficPod } from './input';
import { NOTHING, type PlaceTraffic, type Routes, routesOf } from './routes';

export interface Share {
  readonly name: string;
  readonly share: number;
  /** The same, exactly: `1/4`. */
  readonly exact: string;
}

export type Shares = ReturnType<typeof knownShares>;
export type PodShare = Shares['pods'][number];
export type PlaceShare = Shares['nodes'][number];

export function sharesOf(input: TrafficInput): Shares | Unknown {
  return faultOf(input) ?? knownShares(input);
}

function knownShares(input: TrafficInput) {
  const routes = routesOf(input);
  const { entries, arrived, staying, inZone } = routes;
  const missed = Fraction.WHOLE.minus(arrived);
  const unheard = entries.length === 0 ? 'no target is healthy' : `${missed} of connections reach a node without a pod`;
  const one = input.balancer?.choice === BalancerChoice.ONE && entries[0]?.node.name;
  const dropped: Figure = { value: missed.value, terms: missed.isNone ? '0' : unheard };
  const toPod: Figure | Unknown = zonesOf(input) ? figure(arrived.minus(inZone)) : NEEDS_ZONES;
  return {
    ...placesIn(input, routes),
    pods: podsIn(input, routes),
    dropped,
    secondHop: figure(arrived.minus(staying)),
    /** Number of times a connection leaves its zone: to its target, and from the node that it arrives at to the pod. */
    crossings: { toTarget: crossingsToTarget(input, routes), toPod },
    imbalance: imbalanceOf(routes),
    targets: routes.targets,
    /** The node that has everything, where the balancer chooses one. */
    ...(one ? { oneNode: one } : {}),
    assumptions: [...(input.assumptions ?? []), ...assumedIn(input, routes)],
  };
}

export function crossingsOf({ crossings: { toTarget, toPod } }: Shares): Figure | Unknown {
  if (isUnknown(toTarget)) {
    return toTarget;
  }
  return isUnknown(toPod)
    ? toPod
    : { value: toTarget.value + toPod.value, terms: `${toTarget.terms} to the target + ${toPod.terms} to the pod` };
}

const NEEDS_ZONES: Unknown = { unknown: 'needs the zones of the nodes' };

function zonesOf({ nodes }: TrafficInput): string[] | undefined {
  const zones = [...new Set(nodes.flatMap(({ zone }) => zone ?? []))];
  return zones.length > 0 ? zones : undefined;
}

function figure(fraction: Fraction): Figure {
  return { value: fraction.value, terms: fraction.toString() };
}

function shareOf(name: string, share: Fraction): Share {
  return { name, share: share.value, exact: share.toString() };
}

function placeOf(name: string, places: ReadonlyMap<string, PlaceTraffic>) {
  const { enters, ends, both } = places.get(name) ?? NOTHING;
  const touches = enters.plus(ends).minus(both);
  return { name, enters: shareOf(name, enters), ends: shareOf(name, ends), touches: shareOf(name, touches) };
}

function placesIn(input: TrafficInput, { nodes, zones }: Routes) {
  return {
    nodes: input.nodes.map(({ name, zone }) => ({ ...placeOf(name, nodes), ...(zone === undefined ? {} : { zone }) })),
    zones: (zonesOf(input) ?? []).map((zone) => placeOf(zone, zones)),
  };
}

function podsIn(input: TrafficInput, { pods, endpoints }: Routes) {
  const down = new Set(input.nodes.filter(({ ready }) => !ready).map(({ name }) => name));
  return input.pods.map((pod) => {
    const zone = endpoints.zoneOfNode(pod.node);
    const { share = Fraction.NONE, terms = [] } = pods.get(pod) ?? {};
    const why = share.isNone ? whyNone(pod, down) : undefined;
    return {
      ...shareOf(pod.name, share),
      node: pod.node,
      ...(zone === undefined ? {} : { zone }),
      terms,
      ...(why === undefined ? {} : { why }),
    };
  });
}

function whyNone({ node, ready, terminating }: TrafficPod, down: ReadonlySet<string>): string | undefined {
  if (down.has(node)) {
    return 'its node is not ready';
  }
  if (terminating) {
    return 'it terminates';
  }
  return ready ? undefined : 'it is not ready';
}

/** Each zone of the balancer has an even part of the clients, whatever is behind it. */
function crossingsToTarget(input: TrafficInput, { entries }: Routes): Figure | Unknown {
  const { balancer } = input;
  const zones = zonesOf(input);
  if (!zones) {
    return NEEDS_ZONES;
  }
  if (balancer?.crossZone === undefined) {
    return { unknown: `needs the zones of the balancer; ${balancer?.name} is not known to be in any` };
  }
  if (!balancer.crossZone || entries.length === 0) {
    return { value: 0, terms: '0' };
  }
  const inZones = entries.filter(({ target: { zone } }) => zone !== undefined && zones.includes(zone));
  const staying = Fraction.sum(inZones.map(({ weight }) => weight)).times(Fraction.of(1, zones.length));
  return { value: Fraction.WHOLE.minus(staying).value, terms: `1 − ${staying}` };
}

/** Against an even share of all pods that are ready or have connections. */
function imbalanceOf({ pods, endpoints }: Routes): Figure | Unknown {
  const even = new Set([...endpoints.ready, ...pods.keys()]).size;
  let highest = Fraction.NONE;
  for (const { share } of pods.values()) {
    highest = share.isMoreThan(highest) ? share : highest;
  }
  return highest.isNone
    ? { unknown: 'needs a pod that connections arrive at' }
    : { value: highest.times(Fraction.of(even, 1)).value, terms: `${highest} ÷ 1/${even}` };
}

function assumedIn({ balancer }: TrafficInput, { targets, entries }: Routes): string[] {
  const others = targets.filter(({ state }) => state === 'healthy').length - 1;
  const holder = entries[0]?.target.name;
  return balancer?.choice === BalancerChoice.ONE && others > 0
    ? [`${holder} is assumed to have the address; ${others} other node${others === 1 ? '' : 's'} could have it`]
    : [];
}
