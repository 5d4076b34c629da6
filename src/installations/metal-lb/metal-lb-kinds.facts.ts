import type { Citation } from '../../contract/kubernetes.facts';
import { METALLB_SOURCE } from '../../controllers/metal-lb/annotations';

// What is configured in MetalLB: metallb/metallb, tag v0.16.2.

/** The API group of its kinds. api/v1beta1/groupversion_info.go */
export const METALLB_GROUP = 'metallb.io';

/** The version of the kind of peers; all others are in the older one. api/v1beta2/bgppeer_types.go */
export const METALLB_PEER_API_VERSION = 'metallb.io/v1beta2';

/** Kinds that are no advertisements. */
export const METALLB_POOL = 'IPAddressPool';
export const METALLB_PEER = 'BGPPeer';
export const METALLB_COMMUNITY = 'Community';

/** Where its rules stand. */
export const metalLbFile = (file: string): Citation => ({ ...METALLB_SOURCE, file });
export const PARSED_BY = metalLbFile('internal/config/config.go');

/** The longest prefixes. */
export const AGGREGATION = { ipv4: 32, ipv6: 128 } as const;

/** Numbers that BGP and the kinds know. api/v1beta2/bgppeer_types.go, api/v1beta1/bgpadvertisement_types.go */
export const BGP_LIMITS = {
  asn: 4294967295,
  port: 16384,
  localPref: 4294967295,
  holdSeconds: 3,
  connectSeconds: 65535,
  community: 65535,
  largeCommunity: 4294967295,
} as const;
