import { grouped } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { BalancerTarget, ClientAddressMeans } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/options';
import { type Figure, Fraction, type Unknown } from './fraction';
import type { TrafficNode } from './nodes';
import type { ServiceTraffic, TrafficInput, TrafficPod } from './services';
import type { PlaceShare, Share, Shares } from './shares';
import { PACKET_FACTS } from './traffic.facts';

// Which endpoints the rules of one node lead to: PACKET_FACTS.endpoints, .hints and .conditions.

/** Pods that the rules of a node choose among, each with the same probability. */
export interface Choice {
  /** What several nodes may have in common: nodes of one key choose among the same pods. */
  readonly key: string;
  /** In words, after `through`. */
  readonly through: string;
  readonly pods: readonly TrafficPod[];
}

/** By which policy a connection is judged on a node. */
export type Door = 'external' | 'internal';

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

  /** What the rules of a node choose among, for connections that come through a door. */
  public choiceOn(node: Pick<TrafficNode, 'name' | 'zone'>, door: Door): Choice {
    const policy = door === 'external' ? this.service.externalTrafficPolicy : this.service.internalTrafficPolicy;
    return policy === TrafficPolicy.LOCAL ? this.localOn(node.name) : this.clusterOn(node);
  }

  /** The same for pods and nodes that connect to an address of the balancer: policy Local does not bind them. */
  public shortCircuitOn(node: Pick<TrafficNode, 'name' | 'zone'>): Choice {
    return this.clusterOn(node);
  }

  /** How many ready pods the health check port of the Service counts on a node. */
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

/**
 * The probabilities of the rules that choose one of so many pods: each is of what the rules before it left. In nftables mode one
 * rule draws a number instead, and all have the same.
 */
export function chainOf(pods: number): number[] {
  return Array.from({ length: pods }, (_, index) => Fraction.of(1, pods - index).value);
}

/** What happens to clients that are pods of the same cluster. */
export interface InClusterClients {
  /** Nodes whose pods reach nothing at the cluster IP. */
  readonly withoutClusterIp: readonly string[];
  readonly toBalancer: ToBalancer | Unknown;
}

/** How a pod reaches the address of the balancer of its own cluster. */
export interface ToBalancer {
  /** Whether packets leave the node for the balancer at all. */
  readonly leaves: boolean;
  readonly why: string;
  /** At most so many connections of one client come back to itself and fail. */
  readonly fails: Figure;
  readonly source: Citation;
}

/** Clients within the cluster, for an input without faults. */
export function inClusterOf(input: TrafficInput, shares: Shares): InClusterClients {
  const endpoints = new Endpoints(input.service, input.nodes, input.pods);
  const without = input.nodes.filter((node) => node.ready && endpoints.choiceOn(node, 'internal').pods.length === 0);
  return { withoutClusterIp: without.map(({ name }) => name), toBalancer: toBalancer(input, shares) };
}

function toBalancer(input: TrafficInput, shares: Shares): ToBalancer | Unknown {
  const { balancer, service } = input;
  const address = input.address ?? (balancer?.target === BalancerTarget.NODE_WITH_ADDRESS ? 'vip' : undefined);
  if (address === undefined) {
    return { unknown: 'needs how the balancer is reached: by an address, one with ipMode Proxy, or a host name' };
  }
  if (address === 'vip') {
    const bound = service.externalTrafficPolicy === TrafficPolicy.LOCAL ? ', which policy Local does not bind' : '';
    const why = `kube-proxy of the client's node sends it straight to a pod${bound}`;
    return { leaves: false, why, fails: { value: 0, terms: '0' }, source: PACKET_FACTS.shortCircuit };
  }
  const why = `kube-proxy has no rule for ${address === 'proxy' ? 'an address with ipMode Proxy' : 'a host name'}`;
  if (balancer?.clientAddress !== ClientAddressMeans.SOURCE) {
    return { leaves: true, why, fails: { value: 0, terms: '0' }, source: PACKET_FACTS.vips };
  }
  const own =
    balancer.target === BalancerTarget.POD ? shares.pods : shares.nodes.map(({ enters }: PlaceShare) => enters);
  const most = own.reduce<Share | undefined>(
    (found, share) => (found && found.share >= share.share ? found : share),
    undefined,
  );
  return {
    leaves: true,
    why: `${why}; the balancer keeps the client's address, so a client that is its own target gets no answer`,
    fails: { value: most?.share ?? 0, terms: `${most?.exact ?? 0} of the connections of a client on ${most?.name}` },
    source: PACKET_FACTS.hairpin,
  };
}
