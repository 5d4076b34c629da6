import type { Citation, Confidence } from './kubernetes.facts';
import type { LoadBalancerScheme } from './load-balancer-scheme';

/** What connections arrive at behind a balancer. */
export enum BalancerTarget {
  /** A port of every node that the balancer knows; kube-proxy takes it from there. */
  NODE_PORT = 'node-port',
  /** The address of a pod. */
  POD = 'pod',
  /** The address of the balancer itself: a node has it, and kube-proxy takes it from there. */
  NODE_WITH_ADDRESS = 'node-with-address',
}

/** How a balancer chooses among its healthy targets. */
export enum BalancerChoice {
  /** Evenly over connections, by hash, by turns or at random. */
  EVEN = 'even',
  /** One target has everything until it fails. */
  ONE = 'one',
}

/** By which means pods could see the address of a client. */
export enum ClientAddressMeans {
  /** It is the source of the packets that the balancer sends on. */
  SOURCE = 'source',
  /** It stands before the first byte, as the PROXY protocol has it. */
  PROXY_PROTOCOL = 'proxy-protocol',
  /** The balancer connects with an address of its own. */
  NONE = 'none',
}

/** What a balancer asks a target, to learn whether it may have connections. */
export interface BalancerHealthCheck {
  /** What answers: the pods, kube-proxy of the node for all Services, or kube-proxy for the pods of this Service on its node. */
  readonly answeredBy: 'pod' | 'kube-proxy' | 'kube-proxy-of-service';
  readonly protocol: string;
  /** The port, as it is asked: a number, or in words such as `traffic port`. */
  readonly port: string;
  readonly path?: string;
  /** Seconds between two questions. */
  readonly interval?: number;
  /** How many wrong answers take the target out. */
  readonly failures?: number;
}

/** A number of things that a product or an account has no more of. */
export interface BalancerLimit {
  /** What is counted: `targets of a target group`. */
  readonly counts: 'targets' | 'listeners' | 'rules' | 'backends';
  /** As the vendor calls it. */
  readonly name: string;
  readonly limit: number;
  /** How many of these one target uses, where `counts` is `rules`: rules for each listener and range, say. */
  readonly each?: number;
  readonly source: Citation;
}

/** What a controller makes of a finished Service, as far as packets, quotas and bills care. */
export interface MadeBalancer {
  /** The product, as the tables of prices and quotas name it: `aws/nlb`; `none` where nothing is made outside the cluster. */
  readonly product: string;
  /** The same for people: `Network Load Balancer`. */
  readonly name: string;
  readonly scheme?: LoadBalancerScheme;
  readonly target: BalancerTarget;
  readonly choice: BalancerChoice;
  /** Whether each zone of the balancer has targets of all zones; unset where the product has no zones, or where it is unknown. */
  readonly crossZone?: boolean;
  /** How many zones it stands in, where the Service says it. */
  readonly zones?: number;
  /** How clients are seen behind the balancer, before kube-proxy has its part. */
  readonly clientAddress: ClientAddressMeans;
  readonly healthCheck?: BalancerHealthCheck;
  /** The labels of the nodes that it knows, where the Service restricts them. */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  readonly listeners: number;
  /** Public IPv4 addresses: for each zone where `perZone`, else in all. */
  readonly publicAddresses: { readonly count: number; readonly perZone: boolean };
  /** What it shares with other Services: those of one key have one balancer. */
  readonly sharedBy?: string;
  readonly limits: readonly BalancerLimit[];
  /** Where this was read. */
  readonly source: Citation;
  readonly confidence: Confidence;
}
