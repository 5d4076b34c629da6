import type { MadeBalancer } from '../contract/made-balancer';
import type { TrafficPolicy } from '../contract/traffic-policy';
import type { Unknown } from './figure';
import { faultOfNodes, type TrafficNode } from './nodes';
import { faultOfPods, type TrafficPod } from './pods';

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
  /** How the balancer is reached: an address that kube-proxy has rules for, one with ipMode Proxy, or a host name. */
  readonly address?: 'vip' | 'proxy' | 'host name';
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
  if (more.balancerZones?.length === 0) {
    return { unknown: 'needs the zones of the balancer; the list is empty' };
  }
  const zones = new Set(nodes.map(({ zone }) => zone)).size;
  const few = balancer.crossZone !== undefined && balancer.zones !== undefined && balancer.zones < zones;
  if (few && more.balancerZones === undefined) {
    return { unknown: `needs the names of the balancer's zones; it is in ${balancer.zones} of ${zones}` };
  }
  const holder = more.nodeWithAddress;
  return holder !== undefined && !nodes.some(({ name }) => name === holder)
    ? { unknown: `needs node ${holder}, which has the address of the balancer, in the list of nodes` }
    : undefined;
}
