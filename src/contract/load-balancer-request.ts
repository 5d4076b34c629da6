import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from './default-kubernetes';
import type { KubernetesVersion } from './kubernetes-version';
import type { NodePool } from './node-pool';
import {
  type ClientAddress,
  FinalizerPolicy,
  type HealthCheck,
  type IpFamily,
  type LoadBalancerPlan,
  type LoadBalancerPort,
  type LoadBalancerRequestOverrides,
  type LoadBalancerRequestProps,
  LoadBalancerScheme,
  LoadBalancerWish,
  PortProtocol,
  type Rollout,
  type SessionAffinity,
  type TrafficPolicy,
} from './options';

/**
 * Request for a load balancer, in vendor-neutral terms; made by hosts, read by controllers.
 *
 * A class, not a struct, so that it can grow members without breaking controllers written in other languages.
 */
export class LoadBalancerRequest {
  /** The ports to balance. */
  public readonly ports: LoadBalancerPort[];

  /** Scheme of the balancer, as it was set; unset means internal. */
  public readonly scheme?: LoadBalancerScheme;

  /** Endpoints to which a node forwards traffic. */
  public readonly trafficPolicy?: TrafficPolicy;

  /** True if the pod sees the address of the client. */
  public readonly clientAddress?: ClientAddress;

  /** Keeps the connections of one client on one pod. */
  public readonly sessionAffinity?: SessionAffinity;

  /** Address families, the primary one first. */
  public readonly ipFamilies?: IpFamily[];

  /** The nodes that may be backends. */
  public readonly backendNodes?: NodePool;

  /** The clients that may connect, as CIDRs. */
  public readonly sourceRanges?: string[];

  /** Fixed addresses of the balancer. */
  public readonly staticAddresses?: string[];

  /** A DNS name for the balancer; rendered by the host for external-dns, not a matter of controllers. */
  public readonly dnsName?: string;

  /** True if the balancer speaks the PROXY protocol to the pods. */
  public readonly proxyProtocol?: boolean;

  /** Health check of the balancer. */
  public readonly healthCheck?: HealthCheck;

  /** That no connection is refused while pods are replaced or their node is drained. */
  public readonly rollout?: Rollout;

  /** True if pods count before they are ready; rendered by the host, not a matter of controllers. */
  public readonly publishNotReadyAddresses?: boolean;

  /** Writer of the owner's finalizer. */
  public readonly finalizerPolicy: FinalizerPolicy;

  /** The version of the API server that will read the manifest. */
  public readonly kubernetes: KubernetesVersion;

  /**
   * A request.
   *
   * @param props its members
   */
  constructor(props: LoadBalancerRequestProps) {
    this.ports = props.ports;
    this.scheme = props.scheme;
    this.trafficPolicy = props.trafficPolicy;
    this.clientAddress = props.clientAddress;
    this.sessionAffinity = props.sessionAffinity;
    this.ipFamilies = props.ipFamilies;
    this.backendNodes = props.backendNodes;
    this.sourceRanges = props.sourceRanges;
    this.staticAddresses = props.staticAddresses;
    this.dnsName = props.dnsName;
    this.proxyProtocol = props.proxyProtocol;
    this.healthCheck = props.healthCheck;
    this.rollout = props.rollout;
    this.publishNotReadyAddresses = props.publishNotReadyAddresses;
    this.finalizerPolicy = props.finalizerPolicy ?? FinalizerPolicy.DECLARE;
    this.kubernetes = props.kubernetes ?? DEFAULT_KUBERNETES;
  }

  /** True if the balancer is to be reachable from the internet; without a scheme it is not. */
  public get internetFacing(): boolean {
    return this.scheme === LoadBalancerScheme.INTERNET_FACING;
  }

  /** The protocols of the ports, each once, in the order of the ports. */
  public get protocols(): PortProtocol[] {
    return [...new Set(this.ports.map((port) => port.protocol ?? PortProtocol.TCP))];
  }

  /** The wishes that were set and that the controller must answer. */
  public get wishes(): LoadBalancerWish[] {
    return Object.values(LoadBalancerWish).filter((wish) =>
      wish === LoadBalancerWish.PROTOCOLS ? this.ports.some(isNotTcp) : this[wish] !== undefined,
    );
  }

  /**
   * A copy with some members replaced, for controllers that wrap a controller.
   *
   * @param overrides the members to replace
   */
  public with(overrides: LoadBalancerRequestOverrides): LoadBalancerRequest {
    return new LoadBalancerRequest({ ...this, ...defined(overrides) });
  }
}

function isNotTcp({ protocol }: LoadBalancerPort): boolean {
  return protocol !== undefined && protocol !== PortProtocol.TCP;
}

/** Other languages hand over a struct with every unset member as undefined. */
function defined<T extends object>(struct: T): Partial<T> {
  return Object.fromEntries(Object.entries(struct).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * The component that will own a load balancer: it turns a request in neutral terms into a plan in its own.
 *
 * One method and a name; this interface will not grow. What a request means, the request says
 * (`LoadBalancerRequest` may grow members), what a host can render, the plan says (`LoadBalancerPlan` may grow fields).
 *
 * @subclassable
 */
export interface ILoadBalancerController {
  /** The upstream name of the component, as it appears in messages (`metallb`). */
  readonly name: string;

  /**
   * Answers a request. Pure but for side objects, which it creates under `scope`: the same request gives the same plan.
   * Called once for each object that wants a balancer.
   *
   * @param scope the construct of the host, parent of side objects
   * @param request what is wished for
   */
  bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan;
}

/**
 * A controller that can put several Services on one load balancer.
 *
 * @subclassable
 */
export interface ISharingLoadBalancerController extends ILoadBalancerController {
  /**
   * A controller like this one whose Services share a balancer, or its address, with all others of the same key. The
   * Services must not use the same port and protocol.
   *
   * @param key names what is shared, in the controller's own terms: a sharing key, the name of a public address
   */
  shared(key: string): ILoadBalancerController;
}
