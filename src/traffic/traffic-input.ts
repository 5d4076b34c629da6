import type { MadeBalancer } from '../contract/made-balancer';
import type { TrafficPolicy } from '../contract/traffic-policy';
import type { Unknown } from './figure';
import type { TrafficNode } from './nodes';
import type { TrafficPod } from './pods';

/** What a Service says about its packets. */
export interface ServiceTraffic {
  readonly name: string;
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  readonly externalTrafficPolicy: TrafficPolicy;
  readonly internalTrafficPolicy: TrafficPolicy;
  readonly trafficDistribution?: 'PreferClose' | 'PreferSameZone' | 'PreferSameNode';
  /** Whether connections of one address stay on one pod. */
  readonly sessionAffinity: boolean;
  readonly publishNotReadyAddresses: boolean;
  /** How many ports it has. */
  readonly ports: number;
  /** How many ranges of addresses it restricts its clients to. */
  readonly sourceRanges?: number;
}

/** All that the model looks at. */
export interface TrafficInput {
  readonly service: ServiceTraffic;
  /** What the controller makes of the Service; unset where no controller is known. */
  readonly balancer?: MadeBalancer;
  readonly nodes: readonly TrafficNode[];
  readonly pods: readonly TrafficPod[];
  /** The zones that the balancer stands in, where they are known. */
  readonly balancerZones?: readonly string[];
  /** The node that has the address of the balancer, where one node has it and is known. */
  readonly nodeWithAddress?: string;
  /** What was taken for granted in making this input; each is repeated beside the figures. */
  readonly assumptions?: readonly string[];
}

/** What is missing or contradicts itself in an input, in words. */
export function faultOf({ service, balancer, nodes, pods, ...more }: TrafficInput): Unknown | undefined {
  const said = faultOfNodes(nodes) ?? faultOfPods(nodes, pods);
  if (said) {
    return { unknown: said };
  }
  if (!balancer) {
    return { unknown: `needs the controller that serves Service ${service.name}` };
  }
  const zones = new Set(nodes.map(({ zone }) => zone));
  const stray = (more.balancerZones ?? []).find((zone) => zones.size > 0 && !zones.has(undefined) && zone === '');
  if (stray !== undefined) {
    return { unknown: 'needs the names of the zones of the balancer; one is empty' };
  }
  const holder = more.nodeWithAddress;
  return holder !== undefined && !nodes.some(({ name }) => name === holder)
    ? { unknown: `needs node ${holder}, which has the address of the balancer, in the list of nodes` }
    : undefined;
}

function faultOfNodes(nodes: readonly TrafficNode[]): string | undefined {
  if (nodes.length === 0) {
    return 'needs the nodes of the cluster; the list is empty';
  }
  const twice = duplicateIn(nodes.map(({ name }) => name));
  if (twice !== undefined) {
    return `needs one entry for node ${twice}; the list has two`;
  }
  const without = nodes.find(({ zone }) => zone === undefined);
  return without && nodes.some(({ zone }) => zone !== undefined)
    ? `needs the zone of node ${without.name}; other nodes have one`
    : undefined;
}

function faultOfPods(nodes: readonly TrafficNode[], pods: readonly TrafficPod[]): string | undefined {
  if (pods.length === 0) {
    return 'needs pods; the Service has none';
  }
  const twice = duplicateIn(pods.map(({ name }) => name));
  if (twice !== undefined) {
    return `needs one entry for pod ${twice}; the list has two`;
  }
  const names = new Set(nodes.map(({ name }) => name));
  const lost = pods.find(({ node }) => !names.has(node));
  return lost && `needs node ${lost.node} in the list of nodes; pod ${lost.name} runs on it`;
}

function duplicateIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}
