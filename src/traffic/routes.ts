import { grouped } from '../contract/json';
import { BalancerChoice, BalancerTarget } from '../contract/load-balancer-model';
import { TrafficPolicy } from '../contract/options';
import { Fraction } from './fraction';
import type { ServiceTraffic, TrafficInput, TrafficNode, TrafficPod } from './input';
import { TO_BE_DELETED_TAINT } from './traffic.facts';

// From a balancer to its targets, and on to the pods: which endpoints the rules of one node lead to is in PACKET_FACTS.endpoints,
// .hints and .conditions.

/** Pods that the rules of a node choose among, each with the same probability. */
interface Choice {
  /** Key of nodes: nodes of one key choose among the same pods. */
  readonly key: string;
  readonly through: string;
  readonly pods: readonly TrafficPod[];
}

/** The endpoints of a Service, as kube-proxy of every node sees them. */
export class Endpoints {
  /** Those that have connections as long as there is one of them. */
  public readonly ready: readonly TrafficPod[];
  /** Those that have them when none is ready. */
  private readonly terminating: readonly TrafficPod[];
  private readonly zoneOf: ReadonlyMap<string, string | undefined>;
  private readonly byNode: ReadonlyMap<string, readonly TrafficPod[]>;
  private readonly byZone: ReadonlyMap<string, readonly TrafficPod[]>;

  public constructor(
    private readonly service: ServiceTraffic,
    nodes: readonly TrafficNode[],
    pods: readonly TrafficPod[],
  ) {
    const up = new Set(nodes.filter(({ ready }) => ready).map(({ name }) => name));
    const serving = pods.filter(({ node, ready }) => ready && up.has(node));
    this.zoneOf = new Map(nodes.map(({ name, zone }) => [name, zone]));
    this.ready = service.publishNotReadyAddresses ? pods : serving.filter(({ terminating }) => !terminating);
    this.terminating = serving.filter(({ terminating }) => terminating);
    this.byNode = grouped(this.ready, ({ node }) => node);
    this.byZone = grouped(this.ready, ({ node }) => this.zoneOf.get(node) ?? '');
  }

  public choiceOn(node: Pick<TrafficNode, 'name' | 'zone'>, from: 'external' | 'internal'): Choice {
    const policy = from === 'external' ? this.service.externalTrafficPolicy : this.service.internalTrafficPolicy;
    return policy === TrafficPolicy.LOCAL ? this.localOn(node.name) : this.clusterOn(node);
  }

  public countedOn(node: string): number {
    return this.byNode.get(node)?.length ?? 0;
  }

  public zoneOfNode(node: string): string | undefined {
    return this.zoneOf.get(node);
  }

  private localOn(node: string): Choice {
    const ready = this.byNode.get(node) ?? [];
    const pods = ready.length > 0 ? ready : this.terminating.filter((pod) => pod.node === node);
    return { key: `node ${node}`, through: `node ${node}, its own pods`, pods };
  }

  private clusterOn({ name, zone }: Pick<TrafficNode, 'name' | 'zone'>): Choice {
    const { trafficDistribution } = this.service;
    if (this.ready.length === 0) {
      return { key: 'all', through: 'any node, pods that terminate', pods: this.terminating };
    }
    const onNode = this.byNode.get(name);
    if (trafficDistribution === 'PreferSameNode' && onNode) {
      return { key: `node ${name}`, through: `node ${name}, its own pods`, pods: onNode };
    }
    const inZone = zone === undefined ? undefined : this.byZone.get(zone);
    return trafficDistribution && inZone
      ? { key: `zone ${zone}`, through: `nodes of zone ${zone}, its pods`, pods: inZone }
      : { key: 'all', through: 'any node, all pods', pods: this.ready };
  }
}

export interface Target {
  readonly kind: 'node' | 'pod';
  readonly name: string;
  readonly zone?: string;
  /** Healthy ones have connections; left out are those that the balancer does not know. */
  readonly state: 'healthy' | 'failing' | 'left out';
  readonly why?: string;
  /** True if that is how it must be, and nothing to mend. */
  readonly asItShould?: boolean;
}

type Seen = Pick<Target, 'state' | 'why' | 'asItShould'>;

const HEALTHY: Seen = { state: 'healthy' };

function targetsOf(input: TrafficInput, endpoints: Endpoints): Target[] {
  const targetOf = (kind: Target['kind'], name: string, zone: string | undefined, seen: Seen): Target => ({
    ...{ kind, name, ...(zone === undefined ? {} : { zone }) },
    ...seen,
  });
  if (input.balancer?.target === BalancerTarget.POD) {
    const ready = new Set(endpoints.ready);
    return input.pods.map((pod) =>
      targetOf('pod', pod.name, endpoints.zoneOfNode(pod.node), seenOfPod(pod, ready.has(pod))),
    );
  }
  return input.nodes.map((node) => targetOf('node', node.name, node.zone, seenOfNode(input, node, endpoints)));
}

function seenOfPod(pod: TrafficPod, isReady: boolean): Seen {
  if (isReady) {
    return HEALTHY;
  }
  return pod.terminating
    ? { state: 'left out', why: 'it terminates', asItShould: true }
    : { state: 'failing', why: 'it is not ready', asItShould: true };
}

function seenOfNode({ balancer, service }: TrafficInput, node: TrafficNode, endpoints: Endpoints): Seen {
  if (node.excluded) {
    return { state: 'left out', why: 'its label keeps it out of balancers' };
  }
  const missing = Object.entries(balancer?.nodeLabels ?? {}).find(([key, value]) => node.labels[key] !== value);
  if (missing) {
    return { state: 'left out', why: `it has no label ${missing[0]}=${missing[1]}` };
  }
  if (!node.ready) {
    return { state: 'failing', why: 'the node is not ready', asItShould: true };
  }
  const asked = balancer?.healthCheck?.answeredBy;
  if (asked === 'kube-proxy') {
    const leaves = node.taints.some(({ key }) => key === TO_BE_DELETED_TAINT);
    return leaves
      ? { state: 'failing', why: 'the cluster autoscaler is about to delete it', asItShould: true }
      : HEALTHY;
  }
  if (asked === 'kube-proxy-of-service') {
    const { path = '/healthz' } = balancer?.healthCheck ?? {};
    return endpoints.countedOn(node.name) > 0
      ? HEALTHY
      : { state: 'failing', why: `no ready pod on it, so ${path} answers 503`, asItShould: true };
  }
  if (balancer?.healthCheckSwitch !== undefined || endpoints.choiceOn(node, 'external').pods.length > 0) {
    return HEALTHY;
  }
  return service.externalTrafficPolicy === TrafficPolicy.LOCAL
    ? { state: 'failing', why: 'no pod on it, and policy Local leads to no other node', asItShould: true }
    : { state: 'failing', why: 'the Service has no ready pod' };
}

/** Share of the balancer's connections for one healthy target, and what its node makes of it. */
interface Entry {
  readonly target: Target;
  readonly node: Pick<TrafficNode, 'name' | 'zone'>;
  readonly weight: Fraction;
}

interface Flow {
  readonly choice: Choice;
  readonly byNode: ReadonlyMap<string, number>;
  readonly byZone: ReadonlyMap<string, number>;
  weight: Fraction;
}

/** Shares of all connections that arrive at a place, end in it, and do both. */
export interface PlaceTraffic {
  readonly enters: Fraction;
  readonly ends: Fraction;
  readonly both: Fraction;
}

export const NOTHING: PlaceTraffic = { enters: Fraction.NONE, ends: Fraction.NONE, both: Fraction.NONE };

function pass(places: Map<string, PlaceTraffic>, place: string, parts: Partial<PlaceTraffic>): void {
  const { enters, ends, both } = places.get(place) ?? NOTHING;
  places.set(place, {
    enters: enters.plus(parts.enters ?? Fraction.NONE),
    ends: ends.plus(parts.ends ?? Fraction.NONE),
    both: both.plus(parts.both ?? Fraction.NONE),
  });
}

export type Routes = ReturnType<typeof routesOf>;

export function routesOf(input: TrafficInput) {
  const endpoints = new Endpoints(input.service, input.nodes, input.pods);
  const targets = targetsOf(input, endpoints);
  const entries = entriesOf(input, targets, endpoints);
  const byName = new Map(input.pods.map((pod) => [pod.name, pod]));
  const flows = new Map<string, Flow>();
  const nodes = new Map<string, PlaceTraffic>();
  const zones = new Map<string, PlaceTraffic>();
  let [arrived, staying, inZone] = [Fraction.NONE, Fraction.NONE, Fraction.NONE];
  for (const { target, node, weight } of entries) {
    const pod = target.kind === 'pod' ? byName.get(target.name) : undefined;
    const choice: Choice = pod
      ? { key: `pod ${pod.name}`, through: 'the balancer itself', pods: [pod] }
      : endpoints.choiceOn(node, 'external');
    const flow = flows.get(choice.key) ?? flowOf(choice, endpoints);
    const among = (count = 0) => (count === 0 ? Fraction.NONE : weight.times(Fraction.of(count, choice.pods.length)));
    const [stays, staysInZone] = [among(flow.byNode.get(node.name)), among(flow.byZone.get(node.zone ?? ''))];
    pass(nodes, node.name, { enters: weight, both: stays });
    pass(zones, node.zone ?? '', { enters: weight, both: staysInZone });
    if (choice.pods.length > 0) {
      flows.set(choice.key, flow);
      flow.weight = flow.weight.plus(weight);
      arrived = arrived.plus(weight);
      staying = staying.plus(stays);
      inZone = inZone.plus(staysInZone);
    }
  }
  const pods = new Map<TrafficPod, { readonly share: Fraction; readonly terms: readonly string[] }>();
  for (const { choice, weight, byNode, byZone } of flows.values()) {
    for (const [places, counts] of [[nodes, byNode] as const, [zones, byZone] as const]) {
      for (const [place, count] of counts) {
        pass(places, place, { ends: weight.times(Fraction.of(count, choice.pods.length)) });
      }
    }
    const one = Fraction.of(1, choice.pods.length);
    const term = `${weight} through ${choice.through} × ${one}`;
    for (const pod of choice.pods) {
      const { share, terms } = pods.get(pod) ?? { share: Fraction.NONE, terms: [] };
      pods.set(pod, { share: share.plus(weight.times(one)), terms: [...terms, term] });
    }
  }
  return { targets, entries, pods, nodes, zones, arrived, staying, inZone, endpoints };
}

/** Evenly over what is healthy, or by the pods of each node; without cross-zone evenly over the zones first, for clients find each by its own address. */
function entriesOf(input: TrafficInput, targets: readonly Target[], endpoints: Endpoints): Entry[] {
  const nodeOfPod = new Map(input.pods.map(({ name, node }) => [name, node]));
  const entryOf = (target: Target, weight: Fraction): Entry => {
    const name = target.kind === 'node' ? target.name : (nodeOfPod.get(target.name) ?? '');
    return { target, node: { name, zone: endpoints.zoneOfNode(name) }, weight };
  };
  const healthy = targets.filter(({ state }) => state === 'healthy');
  if (input.balancer?.choice === BalancerChoice.ONE) {
    const [first] = healthy.map(({ name }) => name).sort();
    return healthy.filter(({ name }) => name === first).map((target) => entryOf(target, Fraction.WHOLE));
  }
  const apart = input.balancer?.crossZone === false;
  const groups = [...grouped(healthy, ({ zone }) => (apart ? (zone ?? '') : '')).values()];
  const partOf = ({ name }: Target) => (input.balancer?.weighedByPods ? Math.max(1, endpoints.countedOn(name)) : 1);
  return groups.flatMap((group) => {
    const whole = groups.length * group.reduce((sum, target) => sum + partOf(target), 0);
    return group.map((target) => entryOf(target, Fraction.of(partOf(target), whole)));
  });
}

function flowOf(choice: Choice, endpoints: Endpoints): Flow {
  const count = (keys: readonly string[]) =>
    new Map([...grouped(keys, (key) => key)].map(([key, all]) => [key, all.length]));
  const byNode = count(choice.pods.map(({ node }) => node));
  const byZone = count(choice.pods.map(({ node }) => endpoints.zoneOfNode(node) ?? ''));
  return { choice, byNode, byZone, weight: Fraction.NONE };
}
