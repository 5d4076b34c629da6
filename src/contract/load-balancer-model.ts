import type { Citation, Confidence } from './kubernetes.facts';
import type { LoadBalancerScheme } from './options';

export enum BalancerTarget {
  /** A port of every node that the balancer knows; kube-proxy takes it from there. */
  NODE_PORT = 'node-port',
  POD = 'pod',
  /** The address of the balancer itself, which packets still have when they reach a node: kube-proxy takes them by it. */
  NODE_WITH_ADDRESS = 'node-with-address',
}

export enum BalancerChoice {
  /** Evenly over connections, by hash, by turns or at random. */
  EVEN = 'even',
  /** One target has everything until it fails. */
  ONE = 'one',
}

/** Means by which pods could see the address of a client. */
export enum ClientAddressMeans {
  /** It is the source of the packets that the balancer sends on. */
  SOURCE = 'source',
  /** It stands before the first byte, as the PROXY protocol has it. */
  PROXY_PROTOCOL = 'proxy-protocol',
  /** The balancer connects with an address of its own. */
  NONE = 'none',
}

/** Health check of a balancer; if listeners differ, that of the first one. */
export interface BalancerHealthCheck {
  /**
   * The component that answers: a pod by the port of the traffic (with policy Cluster one of any node), kube-proxy of the node for
   * all Services, kube-proxy for the pods of this Service on its node, or another server of the node, which knows
   * nothing of them.
   */
  readonly answeredBy: 'pod' | 'kube-proxy' | 'kube-proxy-of-service' | 'other';
  /** In capitals: `TCP`, `HTTP`, `HTTPS`, `SSL`. */
  readonly protocol: string;
  /** The port, as it is asked: a number, or in words: `traffic port`, `health check node port`. */
  readonly port: string;
  readonly path?: string;
  /** Seconds between two questions. */
  readonly interval?: number;
  readonly failures?: number;
  /** Number of successes that make it healthy, if that is written; else at most the number of failures. */
  readonly successes?: number;
}

/** Delays of a balancer in following its targets, in seconds. */
export interface BalancerNotices {
  /**
   * Time in which it still sends connections to a target whose health check failed.
   * @default 0
   */
  readonly afterFailedCheck?: number;
  /** Time in which it still sends connections to a terminating pod, if pods are its targets. */
  readonly afterRemoval?: number;
  /** Until it sends connections to a target that is new, beside its health check. */
  readonly afterAdding?: number;
  /**
   * The way out, where it ends the connections that a target has when its health check fails.
   * @default - it leaves them alone
   */
  readonly endsHeld?: string;
  /** Labels of a Namespace, by which its pods are ready only once the balancer has taken them in. */
  readonly gates?: Readonly<Record<string, string>>;
}

/** A number of things that a product or an account has no more of. */
export interface BalancerLimit {
  /** Unit of the quota: targets and backends grow with nodes or pods, the others with Services and their ports. */
  readonly counts: 'targets' | 'listeners' | 'rules' | 'backends' | 'frontends';
  /** As the vendor calls it. */
  readonly name: string;
  readonly limit: number;
  /**
   * Number of units that one target uses: a target group for each listener has it several times, say.
   * @default 1 - where targets or backends are counted
   */
  readonly each?: number;
  /** Minimum number that this Service uses; unset where targets or backends are counted. */
  readonly used?: number;
  /**
   * Scope of the limit: the balancer, each zone that it stands in, or a node or the cluster, with all Services that
   * use it.
   * @default 'balancer'
   */
  readonly scope?: 'balancer' | 'zone' | 'node' | 'cluster';
  /**
   * Result of exceeding the limit: refused, or silently left out.
   * @default 'refused'
   */
  readonly beyond?: 'refused' | 'left-out';
  readonly source: Citation;
}

/** Model of a finished Service for packets, quotas and bills. */
export interface LoadBalancerModel {
  /** The product, as the tables of prices and quotas name it: `aws/nlb`; `none` where nothing is made outside the cluster. */
  readonly product: string;
  /** The same for people: `Network Load Balancer`. */
  readonly name: string;
  readonly scheme?: LoadBalancerScheme;
  readonly target: BalancerTarget;
  readonly choice: BalancerChoice;
  /** True if each zone of the balancer has targets of all zones; unset where the product has no zones, or where it is unknown. */
  readonly crossZone?: boolean;
  /** Number of its zones, if subnets or addresses of the Service determine it. */
  readonly zones?: number;
  /** Client address behind the balancer, before kube-proxy. */
  readonly clientAddress: ClientAddressMeans;
  /** The same for each port by its number, where ports differ; `clientAddress` is then that of the port that knows least. */
  readonly clientAddressOfPorts?: Readonly<Record<string, ClientAddressMeans>>;
  readonly healthCheck?: BalancerHealthCheck;
  /** The annotation that would turn its health check on, if it has none: nodes without a pod get connections too. */
  readonly healthCheckSwitch?: string;
  /** Delays in following pods and nodes, beside its health check. */
  readonly notices?: BalancerNotices;
  /** The labels of the nodes that it knows, where the Service restricts them. */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  /** True if nodes without a pod of the Service are no targets at all, and not only unhealthy ones. */
  readonly onlyNodesWithPods?: boolean;
  /** True if a node has its share by the number of its pods; else all targets have the same. */
  readonly weighedByPods?: boolean;
  /** Listeners, forwarding rules or load balancing rules: what the product has for its ports. */
  readonly listeners: number;
  /** Public IPv4 addresses: for each zone where `perZone`, else in all. */
  readonly publicAddresses: { readonly count: number; readonly perZone: boolean };
  /** Key of sharing: Services with the same key have one balancer. */
  readonly sharedBy?: string;
  /** Public addresses that were made before, by name: those of one key are the same ones. */
  readonly addressSharedBy?: string;
  readonly limits: readonly BalancerLimit[];
  readonly source: Citation;
  readonly confidence: Confidence;
}
