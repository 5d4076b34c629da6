import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { NodePool } from '../contract/node-pool';
import type { DescribedRule, Finding, Findings } from '../contract/rule';
import type { ControllerDefinition } from './controller-definition';
import type { IndexedObject } from './objects';

/**
 * Validates finished objects, as they are written: whether a construct made them or a file holds them does not matter.
 * `Context` is what may be known beside the object.
 */
export interface Rule<Context extends object = RuleContext> extends DescribedRule {
  /** The kinds of objects that it is for, where its table has rules for several. */
  readonly kinds?: readonly string[];
  /** Paths of fields, such as `spec.ports`, of which the object must have one. */
  readonly on?: readonly string[];
  /** Annotations of which the object must have one. A rule with neither is always asked. */
  readonly reads?: readonly AnyAnnotation[];
  /** The same for families of annotations: asked once for each set of keys. */
  concerns?(annotations: readonly string[], context: Context): boolean;
  /** Required context: without it the rule has no answer and is not asked. */
  readonly needs?: readonly (keyof Context & string)[];
  /** Rules with the same cause: what they find at the same place, or around it, is dropped where this one has found something. */
  readonly supersedes?: readonly string[];
  /** The level in files, if it is lower than in an app: a chart of others is used as it is. */
  readonly levelInFiles?: 'note';
  check(object: Json, context: Context): Findings;
}

export interface ObjectContext {
  /** The object among the others of its app or folder; unset where these are not known. */
  readonly among?: IndexedObject;
  readonly controllers?: readonly ILoadBalancerController[];
}

export interface RuleContext extends ObjectContext {
  /** The definition of the controller that owns the balancer; none where it is unknown or written by a user. */
  readonly kind?: ControllerDefinition;
  /** The owner itself, with its options; its name is the one in messages. */
  readonly controller?: ILoadBalancerController;
  readonly ownFinalizers?: readonly string[];
  /** The finished workload that a Service was made for, where there is one. */
  readonly workload?: Json;
  /** All workloads that a Service selects; unset where these are not known. */
  readonly workloads?: readonly Json[];
  /** The specs of the pods behind a Service, as far as they are known to say on which nodes they run. */
  readonly pods?: readonly Json[];
  /** True if each node has one of them, as of a DaemonSet. */
  readonly isOnEachNode?: boolean;
  /** The region of the cluster, as its cloud calls it; unset where that is not known. */
  readonly region?: string;
  readonly nodePools?: readonly NodePool[];
  /** The node pool that is requested as the backend, or else the one that the pods are pinned to. */
  readonly nodePool?: NodePool;
  /** Fields that were left out of the object, since their types are wrong; unset if nobody has looked for them. */
  readonly wrongFields?: readonly Finding[];
  readonly kubernetes: KubernetesVersion;
  /** True if the writer of the object is known to leave finalizers that it does not declare. */
  readonly keepsForeignFinalizers?: boolean;
}
