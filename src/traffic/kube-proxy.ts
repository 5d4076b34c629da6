import { grouped } from '../contract/grouped';
import { TrafficPolicy } from '../contract/traffic-policy';
import { Fraction } from './fraction';
import type { TrafficNode } from './nodes';
import type { TrafficPod } from './pods';
import type { ServiceTraffic } from './traffic-input';

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
