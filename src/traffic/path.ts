import type { Citation } from '../contract/kubernetes.facts';
import { BalancerTarget, ClientAddressMeans, type MadeBalancer } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/options';
import { type Figure, isUnknown, type Unknown } from './fraction';
import type { ServiceTraffic, TrafficInput } from './input';
import { Endpoints } from './routes';
import { type Share, type Shares, sharesOf } from './shares';
import { PACKET_FACTS } from './traffic.facts';

interface Hop {
  readonly place: 'client' | 'balancer' | 'node' | 'kube-proxy' | 'pod';
  readonly name: string;
}

export interface Path {
  readonly hops: readonly Hop[];
  readonly shares: Shares;
  readonly clientAddress: ClientAddressOnPath;
  /** How many connections depend on one node alone, and how many also on one in the middle. */
  readonly dependsOn: { readonly oneNode: Figure; readonly twoNodes: Figure };
  readonly inCluster: InClusterClients;
  readonly notes: readonly string[];
}

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
interface ClientAddressOnPath {
  readonly survives: boolean;
  readonly means: ClientAddressMeans;
  readonly lostAt?: 'balancer' | 'node';
  readonly why: string;
  readonly source: Citation;
}

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

interface InClusterClients {
  /** Nodes whose pods reach nothing at the cluster IP. */
  readonly withoutClusterIp: readonly string[];
  readonly toBalancer: ToBalancer | Unknown;
}

interface ToBalancer {
  readonly leaves: boolean;
  readonly why: string;
  /** At most so many connections of one client come back to itself and fail. */
  readonly fails: Figure;
  readonly source: Citation;
}

function inClusterOf(input: TrafficInput, shares: Shares): InClusterClients {
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
  const own = balancer.target === BalancerTarget.POD ? shares.pods : shares.nodes.map(({ enters }) => enters);
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
