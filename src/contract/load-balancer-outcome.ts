/**
 * What a change of manifests does to a live load balancer, worst first.
 */
export enum LoadBalancerOutcome {
  /** It can stay behind with no object that leads to it. */
  ORPHANED = 'orphaned',

  /** Its Service stays in Terminating. */
  STUCK = 'stuck',

  /** It goes, and its address with it. */
  DELETED = 'deleted',

  /** Clients have to go to another address. */
  REPLACED = 'replaced',

  /** The API server or the controller does not accept the change. */
  REFUSED = 'refused',

  /** Another controller owns it than before. */
  HANDED_OVER = 'handed over',

  /** It keeps its address, but clients are cut off or refused for a while. */
  INTERRUPTED = 'interrupted',

  /** What is needed to say it is not known. */
  UNKNOWN = 'unknown',

  /** There was none before. */
  CREATED = 'created',

  /** It stays as it is, or is changed in place. */
  KEPT = 'kept',
}
