import type { NodePool } from '../../contract/node-pool';
import type { MetalLbAddressPool } from './objects';

/**
 * Which Services may have addresses of a pool. Without any namespaces and selectors all may.
 */
export interface MetalLbServiceAllocation {
  /**
   * Which of several pools comes first, that with the lowest number; at least 1. Pools without one come last.
   *
   * @default - last
   */
  readonly priority?: number;

  /**
   * The namespaces of Services that may have its addresses.
   *
   * @default - none by name
   */
  readonly namespaces?: string[];

  /**
   * Labels of namespaces whose Services may have its addresses: all labels of one entry.
   *
   * @default - none by label
   */
  readonly namespaceSelectors?: { [key: string]: string }[];

  /**
   * Labels of Services that may have its addresses: all labels of one entry.
   *
   * @default - none by label
   */
  readonly serviceSelectors?: { [key: string]: string }[];
}

/**
 * A pool of addresses of MetalLB.
 */
export interface MetalLbAddressPoolProps {
  /**
   * Its ranges: CIDRs, whose first and last address are given out as well, or two addresses with a dash between them. An
   * address that is taken away later is taken from its Service at once.
   */
  readonly addresses: string[];

  /**
   * Its name.
   *
   * @default - made of the path of the construct
   */
  readonly name?: string;

  /**
   * Whether Services that name no pool get its addresses.
   *
   * @default true
   */
  readonly autoAssign?: boolean;

  /**
   * Whether addresses that end with .0 and .255 are left out, which some old routers drop.
   *
   * @default false
   */
  readonly avoidBuggyIps?: boolean;

  /**
   * Which Services may have its addresses.
   *
   * @default - all
   */
  readonly serviceAllocation?: MetalLbServiceAllocation;

  /**
   * The namespace that MetalLB runs in. It looks nowhere else.
   *
   * @default 'metallb-system'
   */
  readonly namespace?: string;
}

/**
 * What all advertisements of MetalLB have in common.
 */
export interface MetalLbAdvertisementProps {
  /**
   * The pools whose addresses are announced. An advertisement without any announces all pools, also those of others, and adds
   * its nodes to what `backendNodes` of a Service restricts.
   *
   * @default - all pools, unless `poolNames` names some
   */
  readonly pools?: MetalLbAddressPool[];

  /**
   * Pools that are made elsewhere, by name.
   *
   * @default - none
   */
  readonly poolNames?: string[];

  /**
   * The nodes that announce: those of each of these pools of nodes.
   *
   * @default - all nodes
   */
  readonly nodePools?: NodePool[];

  /**
   * Labels of the Services whose addresses are announced: all labels of one entry. Such Services cannot share an address.
   * Needs MetalLB 0.16.0: the API server of an older one drops the field unless it validates strictly, and the advertisement is
   * then for **every** Service of its pools.
   *
   * @default - all Services with addresses of the pools
   * @see https://github.com/metallb/metallb/blob/v0.16.2/website/content/release-notes/_index.md
   */
  readonly serviceSelectors?: { [key: string]: string }[];

  /**
   * The name of the object.
   *
   * @default - made of the path of the construct
   */
  readonly name?: string;

  /**
   * The namespace that MetalLB runs in. It looks nowhere else.
   *
   * @default - that of the first of `pools`, or else 'metallb-system'
   */
  readonly namespace?: string;
}

/**
 * How MetalLB announces addresses by ARP and NDP.
 */
export interface MetalLbLayer2AdvertisementProps extends MetalLbAdvertisementProps {
  /**
   * The network interfaces that announce.
   *
   * @default - all interfaces of the node
   */
  readonly interfaces?: string[];
}

/**
 * How MetalLB announces addresses to routers.
 */
export interface MetalLbBgpAdvertisementProps extends MetalLbAdvertisementProps {
  /**
   * The LOCAL_PREF, which routers of the own autonomous system compare: the highest wins.
   *
   * @default 0
   */
  readonly localPref?: number;

  /**
   * Communities: values such as `64512:100` or `large:64512:100:1`, or names in an object of kind `Community`.
   *
   * @default - none
   */
  readonly communities?: string[];

  /**
   * The names of the routers (objects of kind `BGPPeer`) that it is announced to.
   *
   * @default - all
   */
  readonly peers?: string[];
}
