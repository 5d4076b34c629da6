import { BalancerTarget, ClientAddressMeans, type LoadBalancerModel } from '../contract/load-balancer-model';
import { TrafficPolicy } from '../contract/options';
import { type Figure, isUnknown, type Unknown } from './fraction';
import type { ServiceTraffic, TrafficInput } from './input';
import { Endpoints } from './routes';
import { type Share, type Shares, sharesOf } from './shares';
import { PACKET_FACTS } from './traffic.facts';

export type Path = ReturnType<typeof knownPathOf>;

export function pathOf(input: TrafficInput): Path | Unknown {
  const shares = sharesOf(input);
  const { service, balancer } = input;
  if (isUnknown(shares) || !balancer) {
    return isUnknown(shares) ? shares : { unknown: `needs the controller that serves Service ${service.name}` };
  }
  return knownPathOf(input, shares, balancer);
}

function knownPathOf(input: TrafficInput, shares: Shares, balancer: LoadBalancerModel) {
  const { secondHop, dropped } = shares;
  const oneNode: Figure = {
    value: Math.max(0, 1 - secondHop.value - dropped.value),
    terms: `1 − ${secondHop.terms} with a second hop − ${dropped.value === 0 ? '0' : dropped.terms}`,
  };
  return {
    hops: hopsOf(input, shares),
    shares,
    clientAddress: clientAddressOf(input.service, balancer),
    /** Number of connections that depend on one node alone, and of those that also depend on one in the middle. */
    dependsOn: { oneNode, twoNodes: secondHop },
    inCluster: inClusterOf(input, shares),
    notes: notesOf(input, shares),
  };
}

interface Hop {
  readonly place: 'client' | 'balancer' | 'node' | 'kube-proxy' | 'pod';
  readonly name: string;
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

export function clientAddressOf(service: ServiceTraffic, balancer: LoadBalancerModel) {
  const { clientAddress: means, target, source } = balancer;
  if (means === ClientAddressMeans.NONE) {
    const { clientAddressOfPorts: all = {} } = balancer;
    const ports = Object.keys(all).filter((port) => all[port] === means);
    const why = `${ports.length > 0 ? `for port ${ports.join(', ')} ` : ''}the balancer connects from its own address`;
    return { survives: false, means, lostAt: 'balancer' as const, why, source };
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
        lostAt: 'node' as const,
        why: 'policy Cluster replaces it by the address of the node, even for pods of that node',
        source: PACKET_FACTS.masquerade,
      };
}

function inClusterOf(input: TrafficInput, shares: Shares) {
  const endpoints = new Endpoints(input.service, input.nodes, input.pods);
  const without = input.nodes.filter((node) => node.ready && endpoints.choiceOn(node, 'internal').pods.length === 0);
  return { withoutClusterIp: without.map(({ name }) => name), toBalancer: toBalancer(input, shares) };
}

/** True if packets leave the node for the balancer, and at most how many connections of one client come back to itself and fail. */
function toBalancer({ balancer, service, ...input }: TrafficInput, shares: Shares) {
  const address = input.address ?? (balancer?.target === BalancerTarget.NODE_WITH_ADDRESS ? 'vip' : undefined);
  const fails: Figure = { value: 0, terms: '0' };
  if (address === undefined) {
    const unknown: Unknown = {
      unknown: 'needs how the balancer is reached: by an address, one with ipMode Proxy, or a host name',
    };
    return unknown;
  }
  if (address === 'vip') {
    const bound = service.externalTrafficPolicy === TrafficPolicy.LOCAL ? ', which policy Local does not bind' : '';
    const why = `kube-proxy of the client's node sends it straight to a pod${bound}`;
    return { leaves: false, why, fails, source: PACKET_FACTS.shortCircuit };
  }
  const why = `kube-proxy has no rule for ${address === 'proxy' ? 'an address with ipMode Proxy' : 'a host name'}`;
  if (balancer?.clientAddress !== ClientAddressMeans.SOURCE) {
    return { leaves: true, why, fails, source: PACKET_FACTS.vips };
  }
  const own = balancer.target === BalancerTarget.POD ? shares.pods : shares.nodes.map(({ enters }) => enters);
  const [most] = [...own].sort((one: Share, other: Share) => other.share - one.share);
  return {
    leaves: true,
    why: `${why}; the balancer keeps the client's address, so a client that is its own target gets no answer`,
    fails: { value: most?.share ?? 0, terms: `${most?.exact ?? 0} of the connections of a client on ${most?.name}` },
    source: PACKET_FACTS.hairpin,
  };
}
