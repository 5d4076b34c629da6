/**
 * What is known of how a change is applied.
 */
export interface LoadBalancerDiffOptions {
  /**
   * Whether objects that are not in the newer manifests any more are deleted from the cluster, as `kubectl apply --prune`, Argo CD
   * and Flux do where they are told to.
   *
   * @default - it is not known
   */
  readonly prune?: boolean;
}
