import type { Citation } from '../../contract/kubernetes.facts';
import { METALLB_SOURCE } from '../../controllers/metal-lb/annotations';

// What is configured in MetalLB: metallb/metallb, tag v0.16.2.

/** The API group of its kinds. api/v1beta1/groupversion_info.go */
export const METALLB_GROUP = 'metallb.io';

/** Kinds beside the advertisements. */
export const METALLB_POOL = 'IPAddressPool';
export const METALLB_PEER = 'BGPPeer';

/** A file of MetalLB, as the source of a rule. */
export const metalLbFile = (file: string): Citation => ({ ...METALLB_SOURCE, file });
export const PARSED_BY = metalLbFile('internal/config/config.go');

/** The longest prefixes. */
export const AGGREGATION = { ipv4: 32, ipv6: 128 } as const;

/** The largest numbers of BGP. api/v1beta1/bgpadvertisement_types.go */
export const BGP_LIMITS = { localPref: 4294967295, community: 65535, largeCommunity: 4294967295 } as const;
