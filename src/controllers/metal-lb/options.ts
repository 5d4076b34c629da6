import { compareVersions } from '../../contract/compare-versions';
import { METALLB_CONTROLLER, METALLB_SOURCE } from './annotations';

const SYNTAX = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/;

/** The oldest version whose address pools are objects. metallb/metallb, website/content/release-notes/_index.md */
const OLDEST = '0.13.0';

/**
 * A version of MetalLB: it decides which annotations it reads, and which fields its advertisements have. What a version does not
 * read it ignores in silence, so that a Service gets an address of any pool.
 */
export class MetalLbVersion {
  /** 0.14.8: the last one that reads `metallb.universe.tf/` alone. */
  public static readonly V0_14_8 = MetalLbVersion.of('0.14.8');

  /** 0.14.9: the first one that reads `metallb.io/`. */
  public static readonly V0_14_9 = MetalLbVersion.of('0.14.9');

  /** 0.15.3. */
  public static readonly V0_15_3 = MetalLbVersion.of('0.15.3');

  /** 0.16.0: the first one whose advertisements have `serviceSelectors`. */
  public static readonly V0_16_0 = MetalLbVersion.of('0.16.0');

  /** 0.16.2: in layer 2 it announces no shared address where an advertisement of the Service has `serviceSelectors`. */
  public static readonly V0_16_2 = MetalLbVersion.of('0.16.2');

  /**
   * A version by its number. One that is newer than 0.16.2 is taken for it.
   *
   * @param version `0.16.2` or `v0.16.2`
   * @throws when the text is not such a number, or the version is older than 0.13.0
   */
  public static of(version: string): MetalLbVersion {
    const match = SYNTAX.exec(version);
    if (!match) {
      throw new Error(
        `${METALLB_CONTROLLER}: '${version}' is not a version; write it like ${METALLB_SOURCE.version.slice(1)}`,
      );
    }
    const known = match.slice(1).map(Number).join('.');
    if (compareVersions(known, OLDEST) < 0) {
      throw new Error(
        `${METALLB_CONTROLLER}: version '${version}' is older than ${OLDEST}, the first one whose address pools are objects; upgrade MetalLB`,
      );
    }
    return new MetalLbVersion(known);
  }

  private constructor(
    /** The version as text, such as `0.16.2`. */
    public readonly version: string,
  ) {}

  /**
   * Whether this version is the other one or newer.
   *
   * @param other the version to compare with
   */
  public isAtLeast(other: MetalLbVersion): boolean {
    return compareVersions(this.version, other.version) >= 0;
  }
}

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
   * of the request say the same in neutral terms.
   * @default - assigned from a pool
   */
  readonly loadBalancerIps?: string[];
  /**
   * A key that Services with the same address have in common; `shared(key)` does the same. They need different ports,
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
   * those under `metallb.io/` silently: the pool does not count then, and the Service gets an address of any pool that
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
