import type { Construct } from 'constructs';
import type { LoadBalancerRequest } from './load-balancer-request';
import type { LoadBalancerPlan } from './options';

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
