/**
 * How GKE makes the balancer: which of its controllers, and how it is selected.
 *
 * @see https://cloud.google.com/kubernetes-engine/docs/concepts/service-load-balancer-parameters
 */
export enum GkeLoadBalancerGeneration {
  /**
   * By class: a backend service with GCE_VM_IP NEGs (`networking.gke.io/l4-regional-external`, `…-internal`). From GKE
   * 1.33.1-gke.1779000; internal balancers need GKE subsetting, which is on by itself from 1.36.
   */
  CLASS = 'class',
  /**
   * By annotation, without a class: a backend service (`cloud.google.com/l4-rbs`), and for internal balancers GKE
   * subsetting. From GKE 1.25.5; with NEGs from 1.32.2-gke.1652000, with instance groups before. Read at creation only.
   */
  BACKEND_SERVICE_ANNOTATION = 'backend-service-annotation',
  /**
   * By class, with the older controller: a target pool (`networking.gke.io/l4-regional-external-legacy`) or instance
   * groups (`…-internal-legacy`). From GKE 1.33.1-gke.1779000; the only way to a target pool from 1.37.
   */
  LEGACY_CLASS = 'legacy-class',
  /**
   * Without a class, with the older controller: a target pool, or instance groups on clusters without GKE subsetting.
   * Up to GKE 1.36; from then on such an external Service gets a backend service.
   */
  LEGACY = 'legacy',
}

/** The network between the clients and the balancer. */
export enum GkeNetworkTier {
  /** Google's own network, from the edge that is nearest to the client. */
  PREMIUM = 'Premium',
  /** The internet, up to the region of the balancer. */
  STANDARD = 'Standard',
}

/** How nodes are weighed. */
export enum GkeWeightedLoadBalancing {
  /** By the number of their serving pods: removes the imbalance of traffic policy Local. */
  PODS_PER_NODE = 'pods-per-node',
}

/**
 * Options of passthrough balancers of GKE.
 *
 * @see https://cloud.google.com/kubernetes-engine/docs/concepts/service-load-balancer-parameters
 */
export interface GkeOptions {
  /**
   * How GKE makes the balancer. Cannot be changed on a live Service: another one means a new Service with a new address,
   * unless the address is reserved.
   * @default GkeLoadBalancerGeneration.CLASS
   */
  readonly generation?: GkeLoadBalancerGeneration;
  /**
   * Whether clients of other regions reach an internal balancer.
   * @default false
   */
  readonly allowGlobalAccess?: boolean;
  /**
   * The subnet that the address comes from: of an internal balancer, or the IPv6 address of an external one. Not known
   * to the legacy generations.
   * @default - the subnet of the cluster
   */
  readonly loadBalancerSubnet?: string;
  /**
   * The older name of `loadBalancerSubnet`, for internal balancers, and the only one that the legacy generations know.
   * Changing it gives the balancer a new address.
   * @default - the subnet of the cluster
   */
  readonly internalLoadBalancerSubnet?: string;
  /**
   * Names of reserved regional addresses: at most one of IPv4 and one of IPv6. Names, not addresses. Not known to the
   * legacy generations.
   * @default - assigned by Google
   */
  readonly loadBalancerIpAddresses?: string[];
  /**
   * The network between the clients and an external balancer. A reserved address must be of the same tier; a change
   * makes a new forwarding rule.
   * @default GkeNetworkTier.PREMIUM
   */
  readonly networkTier?: GkeNetworkTier;
  /**
   * How nodes are weighed. Works with traffic policy Local only, which is written unless the request says another; for
   * internal balancers Google must have enabled it for the project. Not known to the legacy generations.
   * @default - all alike
   */
  readonly weightedLoadBalancing?: GkeWeightedLoadBalancing;
  /**
   * Whether an external balancer keeps a client on its node for all of its connections. Needs the wish sessionAffinity
   * with a timeout of one minute to 16 hours, and a project for which Google has enabled it. There is no value for false:
   * leave it out. Not known to the legacy generations.
   * @default - off
   */
  readonly strongSessionAffinity?: boolean;
  /**
   * The name of an L4LBConfig object in the namespace of the Service, for logging and the like. Not known to the legacy
   * generations.
   * @default - none
   */
  readonly l4LbConfig?: string;
  /**
   * The full URL of a collection of your own IPv6 addresses, for an external balancer of IPv6 only. Not together with
   * `loadBalancerSubnet`; not known to the legacy generations.
   * @default - none
   */
  readonly ipCollectionV6?: string;
  /**
   * Whether internal balancers share a backend service. Alpha; known to the legacy generations only. There is no value
   * for false: leave it out.
   * @default - not shared
   */
  readonly loadBalancerBackendShare?: boolean;
}
