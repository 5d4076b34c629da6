import type { Json } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { NodePool } from '../contract/node-pool';
import type { Finding } from '../contract/rule';
import type { ControllerDefinition } from './controller-definition';
import type { IndexedObject } from './objects';

/** What may be known beside any object. */
export interface ObjectContext {
  /** The object among the others of its app or folder; unset where these are not known. */
  readonly among?: IndexedObject;
  /** All controllers that run in the cluster; unset where that is not known. */
  readonly controllers?: readonly ILoadBalancerController[];
}

/** What is known beside a Service. */
export interface RuleContext extends ObjectContext {
  /** The definition of the controller that owns the balancer; none where it is unknown or written by a user. */
  readonly kind?: ControllerDefinition;
  /** The owner itself, with its options; its name is the one in messages. */
  readonly controller?: ILoadBalancerController;
  /** Finalizers that the owner removes, where it has no definition. */
  readonly ownFinalizers?: readonly string[];
  /** The finished workload that a Service was made for, where there is one. */
  readonly workload?: Json;
  /** All workloads that a Service selects; unset where these are not known. */
  readonly workloads?: readonly Json[];
  /** The specs of the pods behind a Service, as far as they are known to say on which nodes they run. */
  readonly pods?: readonly Json[];
  /** Whether each node has one of them, as of a DaemonSet. */
  readonly isOnEachNode?: boolean;
  /** The region of the cluster, as its cloud calls it; unset where that is not known. */
  readonly region?: string;
  /** The node pools of the cluster; unset where they are not known. */
  readonly nodePools?: readonly NodePool[];
  /** The node pool that is requested as the backend, or else the one that the pods are pinned to. */
  readonly nodePool?: NodePool;
  /** Fields that were left out of the object, since their types are wrong; unset where nothing was left out. */
  readonly wrongFields?: readonly Finding[];
  /** The API server that will read the object. */
  readonly kubernetes: KubernetesVersion;
  /** Whether the writer of the object is known to leave finalizers that it does not declare. */
  readonly keepsForeignFinalizers?: boolean;
}
