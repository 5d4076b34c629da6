import type { MetalLbVersion } from './version';

/**
 * Options of MetalLB, whichever way it announces addresses.
 *
 * @see https://metallb.io/usage/
 */
export interface MetalLbOptions {
  /**
   * The IPAddressPool that the address comes from. Changing it later gives the Service a new address. Needed for
   * `backendNodes`.
   * @default - any pool that assigns by itself and admits the Service: nothing says whether its addresses are private
   */
  readonly addressPool?: string;
  /**
   * The address of the Service; one of each family for a dual-stack Service. Must lie in a pool. The static addresses
   * of the request say the same in neutral words.
   * @default - assigned from a pool
   */
  readonly loadBalancerIps?: string[];
  /**
   * A key that Services with the same address have in common; `shared(key)` says the same. They need different ports,
   * and traffic policy Cluster or identical selectors. MetalLB is free not to share: to make sure, give all of them the
   * same address.
   * @default - the address is not shared
   */
  readonly allowSharedIp?: string;
  /**
   * The class that MetalLB was installed with (`--lb-class`, `loadBalancerClass` in its Helm chart). It then serves
   * only Services of this class. Cannot be changed on a live Service.
   * @default - MetalLB was installed without, and serves Services that have no class
   */
  readonly loadBalancerClass?: string;
  /**
   * The namespace that MetalLB runs in, where the advertisement of a node pool is put: MetalLB reads its own namespace
   * only.
   * @default 'metallb-system'
   */
  readonly namespace?: string;
  /**
   * Whether the advertisements of the installed MetalLB have `serviceSelectors`, as they do since 0.16.0. Without them
   * `backendNodes` restricts the whole address pool, so the pool must serve no other Service.
   * @default - where `version` has them
   */
  readonly serviceSelectors?: boolean;
  /**
   * The version of the installed MetalLB. Before 0.14.9 it reads annotations under `metallb.universe.tf/` alone, and ignores
   * those under `metallb.io/` without a word: the pool does not count then, and the Service gets an address of any pool that
   * assigns by itself.
   * @default - the newest one that is known: MetalLbVersion.V0_16_2
   */
  readonly version?: MetalLbVersion;
}

/**
 * Options of MetalLB in layer 2 mode.
 *
 * @see https://metallb.io/configuration/_advanced_l2_configuration/
 */
export interface MetalLbLayer2Options extends MetalLbOptions {
  /**
   * The network interfaces that the addresses are announced on; for the advertisement that `backendNodes` makes, and of
   * no effect without.
   * @default - all interfaces of the node
   */
  readonly interfaces?: string[];
}

/**
 * Options of MetalLB in BGP mode.
 *
 * @see https://metallb.io/configuration/_advanced_bgp_configuration/
 */
export interface MetalLbBgpOptions extends MetalLbOptions {
  /**
   * The BGPPeers that the addresses are announced to; for the advertisement that `backendNodes` makes, and of no effect
   * without.
   * @default - all peers
   */
  readonly peers?: string[];
  /**
   * The BGP communities of the announcement (`64512:100`), or names of Community objects; for the advertisement that
   * `backendNodes` makes, and of no effect without.
   * @default - none
   */
  readonly communities?: string[];
  /**
   * The LOCAL_PREF of the announcement; for the advertisement that `backendNodes` makes, and of no effect without. Two
   * advertisements that match one Service with different values keep it from being announced at all.
   * @default 0
   */
  readonly localPref?: number;
}
