import type { Citation } from '../../contract/kubernetes.facts';
import { BOOLEAN, INT32, INTEGER, SELECTOR, TEXTS } from '../../contract/schema/common.facts';
import { listOf, mapOf, type SchemaField, type SchemaFields } from '../../contract/schema/walk';
import { METALLB_SOURCE } from '../../controllers/metal-lb/annotations';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/facts';

// Configuration of MetalLB: metallb/metallb, tag v0.16.2.

/** The API group of its kinds. api/v1beta1/groupversion_info.go */
export const METALLB_GROUP = 'metallb.io';

export const METALLB_POOL = 'IPAddressPool';

/** Its programs, with their version where the tag is one, of any registry. config/manifests/metallb-native.yaml; before v0.13 manifests/metallb.yaml */
export const METALLB_IMAGE = /\bmetallb[/-](?:controller|speaker)\b(?::v?(\d+\.\d+\.\d+))?/;

export const metalLbFile = (file: string): Citation => ({ ...METALLB_SOURCE, file });

export const AGGREGATION = { ipv4: 32, ipv6: 128 } as const;

/**
 * The largest numbers of BGP. Of the preference the definition has 32 bits with a sign, as the API server validates it.
 * config/crd/bases/metallb.io_bgpadvertisements.yaml, internal/bgp/community/community.go
 */
export const BGP_LIMITS = { localPref: 2147483647, community: 65535, largeCommunity: 4294967295 } as const;

function numberFrom(atLeast: number, atMost: number, field = INT32): SchemaField {
  return { ...field, atLeast, atMost, takes: `a number from ${atLeast} to ${atMost}` };
}

const SELECTORS = listOf(SELECTOR.fields as SchemaFields);

const ADVERTISEMENT: SchemaFields = {
  ipAddressPools: TEXTS,
  ipAddressPoolSelectors: SELECTORS,
  nodeSelectors: SELECTORS,
  serviceSelectors: SELECTORS,
};

/** The fields of `spec` by kind. api/v1beta1/ipaddresspool_types.go, l2advertisement_types.go, bgpadvertisement_types.go */
export const METALLB_FIELDS: Readonly<Record<string, SchemaFields>> = {
  [METALLB_POOL]: {
    addresses: TEXTS,
    autoAssign: BOOLEAN,
    avoidBuggyIPs: BOOLEAN,
    serviceAllocation: mapOf({
      // of any number in the definition; which comes first: internal/allocator/allocator.go
      priority: {
        ...INTEGER,
        atLeast: 1,
        takes: 'a whole number of at least 1: the lowest comes first, and 0 is that of pools without one',
      },
      namespaces: TEXTS,
      namespaceSelectors: SELECTORS,
      serviceSelectors: SELECTORS,
    }),
  },
  [METALLB_ADVERTISEMENTS.layer2]: {
    ...ADVERTISEMENT,
    interfaces: TEXTS,
    // since v0.16.2
    preferredNodeSelectors: listOf({
      weight: { ...numberFrom(1, 100), required: true },
      preference: { ...SELECTOR, required: true },
    }),
  },
  [METALLB_ADVERTISEMENTS.bgp]: {
    ...ADVERTISEMENT,
    // the longest prefixes, and that none of IPv6 is negative, are of internal/config/config.go
    aggregationLength: numberFrom(1, AGGREGATION.ipv4),
    aggregationLengthV6: numberFrom(0, AGGREGATION.ipv6),
    localPref: numberFrom(0, BGP_LIMITS.localPref),
    // since v0.16.2
    asPathPrepend: numberFrom(1, 10, INTEGER),
    communities: TEXTS,
    peers: TEXTS,
  },
};
