import { grouped } from '../contract/json';
import { BalancerChoice, BalancerTarget } from '../contract/made-balancer';
import { Fraction } from './fraction';
import { type Choice, Endpoints } from './kube-proxy';
import type { TrafficNode } from './nodes';
import { type Target, targetsOf } from './placement';
import type { TrafficInput, TrafficPod } from './services';

/** What the balancer sends to one of its healthy targets, and what its node makes of it. */
interface Entry {
  readonly target: Target;
  /** The node of the target, or of the pod that is one. */
  readonly node: Pick<TrafficNode, 'name' | 'zone'>;
  readonly weight: Fraction;
}

/** Connections that choose among the same pods. */
interface Flow {
  readonly choice: Choice;
  readonly byNode: ReadonlyMap<string, number>;
  readonly byZone: ReadonlyMap<string, number>;
  weight: Fraction;
}

/** What of all connections arrives at a place, ends in it, and does both. */
export class Passing {
  private readonly counts = new Map<string, Record<'enters' | 'ends' | 'both', Fraction>>();

  public add(place: string, what: 'enters' | 'ends' | 'both', part: Fraction): void {
    const counts = this.counts.get(place) ?? { enters: Fraction.NONE, ends: Fraction.NONE, both: Fraction.NONE };
    counts[what] = counts[what].plus(part);
    this.counts.set(place, counts);
  }

  public of(place: string, what: 'enters' | 'ends' | 'both'): Fraction {
    return this.counts.get(place)?.[what] ?? Fraction.NONE;
  }

  /** What breaks when the place is lost. */
  public touching(place: string): Fraction {
    return this.of(place, 'enters').plus(this.of(place, 'ends')).minus(this.of(place, 'both'));
  }
}

/** Where new connections go, exactly. */
export interface Routes {
  readonly targets: readonly Target[];
  readonly entries: readonly Entry[];
  readonly pods: ReadonlyMap<TrafficPod, { readonly share: Fraction; readonly terms: readonly string[] }>;
  readonly nodes: Passing;
  readonly zones: Passing;
  readonly arrived: Fraction;
  /** What does not leave the node that it arrives at. */
  readonly staying: Fraction;
  readonly inZone: Fraction;
  readonly endpoints: Endpoints;
}

/** From the balancer to its targets and on to the pods, for an input without faults. */
export function routesOf(input: TrafficInput): Routes {
  const endpoints = new Endpoints(input.service, input.nodes, input.pods);
  const targets = targetsOf(input, endpoints);
  const entries = entriesOf(input, targets, endpoints);
  const direct = input.balancer?.target === BalancerTarget.POD;
  const byName = new Map(input.pods.map((pod) => [pod.name, pod]));
  const choiceAt = ({ target, node }: Entry): Choice => {
    const pod = byName.get(target.name);
    return direct
      ? { key: `pod ${target.name}`, through: 'the balancer itself', pods: pod ? [pod] : [] }
      : endpoints.choiceOn(node, 'external');
  };
  const flows = new Map<string, Flow>();
  const nodes = new Passing();
  const zones = new Passing();
  let [arrived, staying, inZone] = [Fraction.NONE, Fraction.NONE, Fraction.NONE];
  for (const entry of entries) {
    const { node, weight } = entry;
    const choice = choiceAt(entry);
    const flow = flows.get(choice.key) ?? flowOf(choice, endpoints);
    const among = (count = 0) => (count === 0 ? Fraction.NONE : weight.times(Fraction.of(count, choice.pods.length)));
    const [stays, staysInZone] = [among(flow.byNode.get(node.name)), among(flow.byZone.get(node.zone ?? ''))];
    nodes.add(node.name, 'enters', weight);
    nodes.add(node.name, 'both', stays);
    zones.add(node.zone ?? '', 'enters', weight);
    zones.add(node.zone ?? '', 'both', staysInZone);
    if (choice.pods.length > 0) {
      flows.set(choice.key, flow);
      flow.weight = flow.weight.plus(weight);
      arrived = arrived.plus(weight);
      staying = staying.plus(stays);
      inZone = inZone.plus(staysInZone);
    }
  }
  for (const { choice, weight, byNode, byZone } of flows.values()) {
    for (const [place, count] of byNode) {
      nodes.add(place, 'ends', weight.times(Fraction.of(count, choice.pods.length)));
    }
    for (const [place, count] of byZone) {
      zones.add(place, 'ends', weight.times(Fraction.of(count, choice.pods.length)));
    }
  }
  const pods = addedUp([...flows.values()]);
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
    const first = healthy.map(({ name }) => name).sort()[0];
    const held = healthy.find(({ name }) => name === input.nodeWithAddress);
    const target = held ?? healthy.find(({ name }) => name === first);
    return target ? [entryOf(target, Fraction.WHOLE)] : [];
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

function addedUp(flows: readonly Flow[]): Routes['pods'] {
  const pods = new Map<TrafficPod, { share: Fraction; terms: string[] }>();
  for (const { choice, weight } of flows) {
    const one = Fraction.of(1, choice.pods.length);
    const part = weight.times(one);
    const term = `${weight} through ${choice.through} × ${one}`;
    for (const pod of choice.pods) {
      const before = pods.get(pod);
      pods.set(pod, { share: before ? before.share.plus(part) : part, terms: [...(before?.terms ?? []), term] });
    }
  }
  return pods;
}
