import type { ILoadBalancerController } from './load-balancer-controller';

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
