import { BalancerTarget } from '../contract/made-balancer';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { TrafficInput } from './traffic-input';

/** What the rules of kube-proxy for one Service depend on, on one node. */
export interface RuleSubject {
  readonly service: TrafficInput['service'];
  /** Pods that are ready, on all nodes and on this one. */
  readonly pods: number;
  readonly localPods: number;
  /** Addresses of the balancer that kube-proxy has rules for. */
  readonly vips: number;
}

/** Rules that one Service adds on one node. */
export interface RuleCounts {
  /** Lines of both tables; those of the pods are looked at in turn until one takes the connection. */
  readonly iptables: { readonly nat: number; readonly filter: number };
  /** Rules, and elements of the maps and sets that are looked up at once, however many they are. */
  readonly nftables: { readonly rules: number; readonly elements: number };
}

/** What kube-proxy has without any Service: PACKET_FACTS.chain, and its number_generated_rules_test.go. */
export const IPTABLES_BASE = { nat: 5, filter: 4 } as const;

/** How many rules kube-proxy writes for a Service with ready pods: PACKET_FACTS.chain and PACKET_FACTS.numgen. */
export function ruleCountsOf(subject: RuleSubject): RuleCounts {
  const { service, pods, localPods, vips } = subject;
  const parts = partsOf(subject);
  const listed = service.sessionAffinity ? 2 : 1;
  // policy Local inside, and no pod here: the cluster IP leads nowhere, and one rule of the filter drops its connections
  const closedInside = service.internalTrafficPolicy === TrafficPolicy.LOCAL && localPods === 0;
  const nat =
    // the cluster IP and its masquerade, each address, the node port twice: for localhost it is counted, where the kernel has nfacct
    (closedInside ? 0 : 2) +
    vips +
    (parts.external ? 2 : 0) +
    parts.externalRules +
    parts.firewallRules +
    listed * parts.endpoints +
    2 * pods;
  const closed = parts.external && parts.isLocal && localPods === 0 ? vips + 1 : 0;
  const health = parts.external && parts.isLocal ? 1 : 0;
  const affinity = service.sessionAffinity ? parts.endpoints + 2 * pods : 0;
  return {
    iptables: {
      nat: nat * service.ports,
      filter: ((parts.firewallRules > 0 ? vips : 0) + closed + health + (closedInside ? 1 : 0)) * service.ports,
    },
    nftables: {
      rules: (parts.externalRules + (parts.firewallRules > 0 ? 1 : 0) + parts.chains + affinity) * service.ports,
      // the set of cluster IPs has one, however many ports there are
      elements: (parts.addresses + (closed > 0 ? vips + 1 : 0) + localPods + parts.endpoints) * service.ports + 1,
    },
  };
}

/** How many addresses with rules a balancer has: none that is known where it sends to node ports or pods. */
export function vipsOf({ balancer, address }: TrafficInput): number {
  return address === 'vip' || (address === undefined && balancer?.target === BalancerTarget.NODE_WITH_ADDRESS) ? 1 : 0;
}

function partsOf({ service, pods, localPods, vips }: RuleSubject) {
  const external = service.type !== 'ClusterIP';
  const isLocal = service.externalTrafficPolicy === TrafficPolicy.LOCAL;
  const usesLocal = (external && isLocal) || service.internalTrafficPolicy === TrafficPolicy.LOCAL;
  const usesCluster = external || service.internalTrafficPolicy === TrafficPolicy.CLUSTER;
  const listedLocally = usesLocal ? localPods : 0;
  const ranges = service.sourceRanges ?? 0;
  return {
    external,
    isLocal,
    // Cluster: masquerade, and on to the pods; Local: three for clients in the cluster, and on where there is a pod
    externalRules: external ? (isLocal ? 3 + (localPods > 0 ? 1 : 0) : 2) : 0,
    firewallRules: ranges > 0 && vips > 0 ? ranges + 1 : 0,
    endpoints: (usesCluster ? pods : 0) + listedLocally,
    // the cluster IP, each address, twice with a firewall, and the node port
    addresses: 1 + vips * (ranges > 0 ? 2 : 1) + (external ? 1 : 0),
    chains: (usesCluster ? 1 : 0) + (listedLocally > 0 ? 1 : 0),
  };
}
