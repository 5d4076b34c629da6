import type { NlbAddressOptions } from './addresses.options';
import type { AwsLoadBalancerType, NlbBalancerOptions } from './balancer.options';
import type { NlbHealthCheckOptions } from './health-check.options';
import type { NlbListenerOptions } from './listener.options';
import type { NlbSecurityOptions } from './security.options';
import type { NlbTargetGroupOptions } from './target-group.options';

/**
 * Options of the AWS Load Balancer Controller for Services.
 *
 * The controller has no validating webhook for Services: at run time a mistake is an event and no balancer. Here it is
 * an error.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/service/annotations/
 */
export interface AwsLoadBalancerControllerNlbOptions
  extends NlbBalancerOptions,
    NlbAddressOptions,
    NlbListenerOptions,
    NlbTargetGroupOptions,
    NlbHealthCheckOptions,
    NlbSecurityOptions {
  /**
   * The class that the installed controller serves (its flag `--load-balancer-class`).
   * @default - the vendor's class of NLBs
   */
  readonly loadBalancerClass?: string;
  /**
   * Whether the installed controller's webhook gives its class to every new Service of type LoadBalancer without one.
   * Matters only when the Services of others are read: what is written here names its class.
   * @default false
   */
  readonly serviceMutatorWebhook?: boolean;
  /**
   * Claims Services by this annotation instead of by class. Cloud controllers then keep off too, but add a finalizer of
   * their own first; adding or editing it on a live Service leaves a balancer behind. NLB_IP implies ip targets.
   * @default - by class, and no such annotation
   */
  readonly type?: AwsLoadBalancerType;
}
