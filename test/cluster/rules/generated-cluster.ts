import { ZONE_LABEL } from '../../../src/contract/kubernetes.facts';
import { TrafficPolicy } from '../../../src/contract/options';
import type { ServiceTraffic, TrafficNode, TrafficPod } from '../../../src/traffic/input';
import type { ProxiedCluster, ProxiedNode } from './network';
import { seeded } from './packet';

/** A port of a Service. */
export interface GeneratedPort {
  readonly name: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  readonly targetPort: number;
  readonly nodePort: number;
}

/** A pod of a Service, with its address. */
export interface GeneratedPod extends TrafficPod {
  readonly ip: string;
}

/** A Service as the model is given it, and what kube-proxy sees besides. */
export interface GeneratedService {
  readonly traffic: ServiceTraffic;
  readonly pods: readonly GeneratedPod[];
  readonly ports: readonly GeneratedPort[];
  readonly clusterIP: string;
  readonly externalIPs: readonly string[];
  /** The address in its status, where the balancer has one that kube-proxy takes. */
  readonly address?: string;
  readonly sourceRanges: readonly string[];
}

export const POD_CIDR = '10.244.0.0/16';

/** Clients outside of the cluster: source ranges let the first in, and not the second. */
export const CLIENT = '203.0.113.7';
export const OTHER_CLIENT = '198.51.100.9';

/** Five nodes in three zones. */
export const NODES: readonly (TrafficNode & ProxiedNode)[] = ['a', 'a', 'b', 'b', 'c'].map((zone, index) => ({
  name: `node-${index + 1}`,
  ip: `192.168.10.${index + 1}`,
  zone,
  labels: { [ZONE_LABEL]: zone, 'kubernetes.io/hostname': `node-${index + 1}` },
  taints: [],
  ready: true,
  excluded: false,
}));

/** Addresses of pods that are behind no Service, by node. */
export const idlePodOn = (node: ProxiedNode) => `10.244.${NODES.findIndex(({ name }) => name === node.name) + 1}.250`;

class Dice {
  private readonly random: () => number;

  public constructor(seed: number) {
    this.random = seeded(seed);
  }

  /** A whole number, both ends among them. */
  public from(first: number, last: number): number {
    return first + Math.floor(this.random() * (last - first + 1));
  }

  public oneOf<T>(things: readonly T[]): T {
    return things[this.from(0, things.length - 1)];
  }

  public happens(probability: number): boolean {
    return this.random() < probability;
  }
}

/** So many Services of all kinds on five nodes, the same in every run. */
export function generatedServices(count: number, seed: number): GeneratedService[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, (_, index) => generated(dice, index));
}

function generated(dice: Dice, index: number): GeneratedService {
  const policy = () => dice.oneOf([TrafficPolicy.CLUSTER, TrafficPolicy.LOCAL]);
  const hosts = NODES.filter(() => dice.happens(0.6));
  const on = hosts.length > 0 ? hosts : [dice.oneOf(NODES)];
  const pods = Array.from({ length: dice.from(1, 7) }, (_, pod): GeneratedPod => {
    const node = dice.oneOf(on);
    return {
      name: `pod-${pod}`,
      node: node.name,
      ready: dice.happens(0.8),
      terminating: dice.happens(0.2),
      ip: `10.244.${NODES.indexOf(node) + 1}.${(index % 30) * 8 + pod + 1}`,
    };
  });
  const ports = Array.from(
    { length: dice.from(1, 3) },
    (_, port): GeneratedPort => ({
      name: `p${port}`,
      protocol: dice.happens(0.8) ? 'tcp' : 'udp',
      port: 80 + port,
      targetPort: 8000 + 10 * index + port,
      nodePort: 30_000 + 3 * index + port,
    }),
  );
  const sourceRanges = dice.happens(0.3) ? ['203.0.113.0/24', '192.0.2.0/25'] : [];
  const trafficDistribution = dice.happens(0.2) ? dice.oneOf(['PreferClose', 'PreferSameNode'] as const) : undefined;
  return {
    traffic: {
      name: `generated/service-${index}`,
      type: 'LoadBalancer',
      externalTrafficPolicy: policy(),
      internalTrafficPolicy: dice.happens(0.2) ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER,
      ...(trafficDistribution ? { trafficDistribution } : {}),
      sessionAffinity: dice.happens(0.3),
      publishNotReadyAddresses: dice.happens(0.1),
      ports: ports.length,
      sourceRanges: sourceRanges.length,
    },
    pods,
    ports,
    clusterIP: `10.96.${Math.floor(index / 250)}.${(index % 250) + 1}`,
    externalIPs: dice.happens(0.3) ? [`198.18.0.${index + 1}`] : [],
    ...(dice.happens(0.6) ? { address: `198.18.1.${index + 1}` } : {}),
    sourceRanges,
  };
}

/** A Service with one port and pods that are all ready, one on each of the nodes that are named. */
export function plainService(
  index: number,
  externalTrafficPolicy: TrafficPolicy,
  on: readonly string[],
): GeneratedService {
  return {
    traffic: {
      name: `plain/service-${index}`,
      type: 'LoadBalancer',
      externalTrafficPolicy,
      internalTrafficPolicy: TrafficPolicy.CLUSTER,
      sessionAffinity: false,
      publishNotReadyAddresses: false,
      ports: 1,
    },
    pods: on.map((node, pod) => ({
      name: `pod-${pod}`,
      node,
      ready: true,
      terminating: false,
      ip: `10.244.${NODES.findIndex(({ name }) => name === node) + 1}.${pod + 1}`,
    })),
    ports: [{ name: 'http', protocol: 'tcp', port: 80, targetPort: 7000 + index, nodePort: 32_000 + index }],
    clusterIP: `10.97.0.${index + 1}`,
    externalIPs: [],
    sourceRanges: [],
  };
}

/** What kube-proxy watches of some Services. */
export function clusterOf(services: readonly GeneratedService[]): ProxiedCluster {
  return {
    podCIDR: POD_CIDR,
    nodes: NODES.map(({ name, ip, labels }) => ({ name, ip, labels })),
    services: services.map(serviceOf),
    endpointSlices: services.map(sliceOf),
  };
}

function serviceOf(service: GeneratedService): object {
  const { traffic, ports, clusterIP, externalIPs, address, sourceRanges } = service;
  const [namespace, name] = traffic.name.split('/');
  return {
    metadata: { namespace, name },
    spec: {
      type: traffic.type,
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: ['IPv4'],
      externalTrafficPolicy: traffic.externalTrafficPolicy,
      internalTrafficPolicy: traffic.internalTrafficPolicy,
      trafficDistribution: traffic.trafficDistribution,
      sessionAffinity: traffic.sessionAffinity ? 'ClientIP' : 'None',
      ...(traffic.sessionAffinity ? { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } : {}),
      publishNotReadyAddresses: traffic.publishNotReadyAddresses,
      ports: ports.map(({ protocol, ...port }) => ({ ...port, protocol: protocol.toUpperCase() })),
      externalIPs,
      loadBalancerSourceRanges: sourceRanges,
    },
    status: { loadBalancer: address ? { ingress: [{ ip: address, ipMode: 'VIP' }] } : {} },
  };
}

/** What the endpoint slice controller makes of the pods: PACKET_FACTS.conditions and .hints. */
function sliceOf({ traffic, pods, ports }: GeneratedService): object {
  const [namespace, name] = traffic.name.split('/');
  const zoneOf = new Map(NODES.map((node) => [node.name, node.zone]));
  return {
    metadata: { namespace, name: `${name}-1`, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: ports.map(({ protocol, targetPort, ...port }) => ({
      name: port.name,
      protocol: protocol.toUpperCase(),
      port: targetPort,
    })),
    endpoints: pods.map(({ ip, node, ready, terminating }) => {
      const isReady = traffic.publishNotReadyAddresses || (ready && !terminating);
      const forNodes = traffic.trafficDistribution === 'PreferSameNode' ? { forNodes: [{ name: node }] } : {};
      const hints = { forZones: [{ name: zoneOf.get(node) }], ...forNodes };
      return {
        addresses: [ip],
        nodeName: node,
        zone: zoneOf.get(node),
        conditions: { ready: isReady, serving: ready, terminating },
        ...(traffic.trafficDistribution && isReady ? { hints } : {}),
      };
    }),
  };
}
