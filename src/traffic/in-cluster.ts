import type { Citation } from '../contract/kubernetes.facts';
import { BalancerTarget, ClientAddressMeans } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { Figure, Unknown } from './figure';
import { Endpoints } from './kube-proxy';
import type { PlaceShare, Share, Shares } from './shares';
import { PACKET_FACTS } from './traffic.facts';
import type { TrafficInput } from './traffic-input';

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
