import type { Citation } from '../contract/kubernetes.facts';
import { BalancerTarget, ClientAddressMeans, type MadeBalancer } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/options';
import { type Figure, isUnknown, type Unknown } from './fraction';
import { type InClusterClients, inClusterOf } from './kube-proxy';
import type { ServiceTraffic, TrafficInput } from './services';
import { type Shares, sharesOf } from './shares';
import { PACKET_FACTS } from './traffic.facts';

/** One place that a connection passes. */
export interface Hop {
  readonly place: 'client' | 'balancer' | 'node' | 'kube-proxy' | 'pod';
  readonly name: string;
}

/** The way of connections from a client outside the cluster to a pod. */
export interface Path {
  readonly hops: readonly Hop[];
  readonly shares: Shares;
  readonly clientAddress: ClientAddressOnPath;
  /** How many connections depend on one node alone, and how many also on one in the middle. */
  readonly dependsOn: { readonly oneNode: Figure; readonly twoNodes: Figure };
  readonly inCluster: InClusterClients;
  /** What surprises, a clause each. */
  readonly notes: readonly string[];
}

/** The way of a connection, or what is needed to say it. */
export function pathOf(input: TrafficInput): Path | Unknown {
  const shares = sharesOf(input);
  const { service, balancer } = input;
  if (isUnknown(shares) || !balancer) {
    return isUnknown(shares) ? shares : { unknown: `needs the controller that serves Service ${service.name}` };
  }
  const { secondHop, dropped } = shares;
  return {
    hops: hopsOf(input, shares),
    shares,
    clientAddress: clientAddressOf(service, balancer),
    dependsOn: {
      oneNode: {
        value: Math.max(0, 1 - secondHop.value - dropped.value),
        terms: `1 − ${secondHop.terms} with a second hop − ${dropped.value === 0 ? '0' : dropped.terms}`,
      },
      twoNodes: secondHop,
    },
    inCluster: inClusterOf(input, shares),
    notes: notesOf(input, shares),
  };
}

function hopsOf({ balancer, service }: TrafficInput, { targets, secondHop, oneNode }: Shares): Hop[] {
  const ends: Hop[] = [
    { place: 'client', name: 'client' },
    { place: 'balancer', name: balancer?.name ?? 'balancer' },
  ];
  const healthy = targets.filter(({ state }) => state === 'healthy').length;
  if (healthy === 0) {
    const place = balancer?.target === BalancerTarget.POD ? 'pod' : 'node';
    return [...ends, { place, name: `none of ${targets.length} ${place}s is healthy` }];
  }
  if (balancer?.target === BalancerTarget.POD) {
    return [...ends, { place: 'pod', name: `one of ${healthy} pods` }];
  }
  const node =
    oneNode === undefined ? `node port of one of ${healthy} nodes` : `node ${oneNode}, which has the address`;
  const pod = service.externalTrafficPolicy === TrafficPolicy.LOCAL ? 'a pod of that node' : 'any pod';
  return [
    ...ends,
    { place: 'node', name: node },
    { place: 'kube-proxy', name: 'kube-proxy' },
    { place: 'pod', name: secondHop.value > 0 ? 'a pod, on that node or another' : pod },
  ];
}

function notesOf({ service, balancer }: TrafficInput, { dropped, targets }: Shares): string[] {
  const notes: string[] = [];
  const toNodes = balancer?.target !== BalancerTarget.POD;
  if (dropped.value > 0 && targets.some(({ state }) => state === 'healthy')) {
    notes.push('the health check does not ask for pods of the Service, so nodes without one drop their connections');
  }
  if (dropped.value === 1 && !targets.some(({ state }) => state === 'healthy')) {
    notes.push('no target is healthy; many balancers then send connections to all of them');
  }
  if (service.sessionAffinity && !toNodes) {
    notes.push('sessionAffinity is kept by kube-proxy, which connections to pods do not pass');
  }
  if (service.sessionAffinity && toNodes) {
    notes.push('each node remembers clients by itself; one that arrives through another node gets another pod');
  }
  return notes;
}

/** Whether pods can see the address of a client, by which means, or where it is lost. */
export interface ClientAddressOnPath {
  readonly survives: boolean;
  readonly means: ClientAddressMeans;
  readonly lostAt?: 'balancer' | 'node';
  readonly why: string;
  readonly source: Citation;
}

/** The address of clients outside the cluster on the way to a pod. */
export function clientAddressOf(service: ServiceTraffic, balancer: MadeBalancer): ClientAddressOnPath {
  const { clientAddress: means, target, source } = balancer;
  if (means === ClientAddressMeans.NONE) {
    const { clientAddressOfPorts: all = {} } = balancer;
    const ports = Object.keys(all).filter((port) => all[port] === means);
    const why = `${ports.length > 0 ? `for port ${ports.join(', ')} ` : ''}the balancer connects from its own address`;
    return { survives: false, means, lostAt: 'balancer', why, source };
  }
  if (means === ClientAddressMeans.PROXY_PROTOCOL) {
    const why = 'it is in the PROXY protocol header, which the pods must read';
    return { survives: true, means, why, source };
  }
  if (target === BalancerTarget.POD) {
    return { survives: true, means, why: 'the balancer keeps the source of packets', source };
  }
  return service.externalTrafficPolicy === TrafficPolicy.LOCAL
    ? { survives: true, means, why: 'policy Local masquerades nothing from outside', source: PACKET_FACTS.masquerade }
    : {
        survives: false,
        means,
        lostAt: 'node',
        why: 'policy Cluster replaces it by the address of the node, even for pods of that node',
        source: PACKET_FACTS.masquerade,
      };
}
