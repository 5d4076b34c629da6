import type { UpgradedBalancer } from '../../contract/edit';

/** The version of MetalLB's own kinds. api/v1beta1/groupversion_info.go */
export const METALLB_API_VERSION = 'metallb.io/v1beta1';

/** How MetalLB makes an address known. */
export type MetalLbMode = 'layer2' | 'bgp';

/** The kinds by which nodes announce addresses. */
export const METALLB_ADVERTISEMENTS: Readonly<Record<MetalLbMode, string>> = {
  layer2: 'L2Advertisement',
  bgp: 'BGPAdvertisement',
};

/** The version of MetalLB whose advertisements first had `serviceSelectors`. api/v1beta1/l2advertisement_types.go, v0.16.0 */
export const METALLB_SERVICE_SELECTORS_SINCE = '0.16.0';

/** The version that first read the current prefix; older ones read the other one alone. controller/service.go, v0.14.8 and v0.14.9 */
export const METALLB_PREFIX_SINCE = '0.14.9';

/** The namespace that upstream's manifests and chart documentation use. */
export const METALLB_NAMESPACE = 'metallb-system';

/** A label of ours, by which an advertisement finds the Service that it was made for. */
export const METALLB_ADVERTISEMENT_LABEL = 'cdk8s-load-balancers/metallb-advertisement';

/** How an annotation is spelt: by every version since the current prefix is read, and by those before. */
export type MetalLbSpelling = 'current' | 'deprecated';

export const hasAddressPools = ({ beside }: UpgradedBalancer) =>
  beside.some((one) => one.kind === 'AddressPool' && String(one.apiVersion).startsWith('metallb.io/'));
