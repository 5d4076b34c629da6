import { Annotation, AnnotationCatalogue, type AnnotationFact } from '../../contract/annotation-catalogue';
import { address, list, text } from '../../contract/annotation-codec';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { SHARED_ADDRESS } from '../../contract/own-thing';

/** Upstream name of the controller. */
export const METALLB_CONTROLLER = 'metallb';

/** Where these facts were read. */
export const METALLB_SOURCE: Citation = {
  repository: 'metallb/metallb',
  version: 'v0.16.2',
  file: 'controller/service.go',
};

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

const PREFIX = 'metallb.io/';
const DEPRECATED_PREFIX = 'metallb.universe.tf/';

type Facts<T> = Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>;

const common = { badValue: 'refused', source: METALLB_SOURCE, confidence: Confidence.SOURCE } as const;

/** How an annotation is spelt: by every version since the current prefix is read, and by those before. */
export type MetalLbSpelling = 'current' | 'deprecated';

/** An annotation and its older spelling, which is read where the current one is absent. */
function entry<T>(name: string, fact: Facts<T>): Record<MetalLbSpelling, Annotation<T>> {
  return {
    current: new Annotation<T>({ ...common, ...fact, key: PREFIX + name, since: METALLB_PREFIX_SINCE }),
    deprecated: new Annotation<T>({
      ...common,
      ...fact,
      key: DEPRECATED_PREFIX + name,
      option: undefined,
      deprecated: true,
      deprecatedSince: METALLB_PREFIX_SINCE,
      remark: `use ${PREFIX}${name} instead, beside which it is ignored`,
    }),
  };
}

const POOL_NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** The annotations of MetalLB, each in both spellings. */
export const METALLB = {
  addressPool: entry('address-pool', {
    option: 'addressPool',
    codec: text({ says: 'the name of an IPAddressPool', matches: POOL_NAME, example: 'edge' }),
    default: 'any pool that assigns by itself and admits the Service',
    remark: 'a change gives the Service a new address',
  }),
  loadBalancerIps: entry('loadBalancerIPs', {
    namesOne: SHARED_ADDRESS,
    option: 'loadBalancerIps',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: list(address()),
    default: 'assigned from a pool',
    remark: 'one address a family; not together with spec.loadBalancerIP; a change gives the Service a new address',
  }),
  allowSharedIp: entry('allow-shared-ip', {
    option: 'allowSharedIp',
    codec: text(),
    default: 'the address is not shared',
    badValue: 'accepted',
    remark:
      'sharers need the same key, different ports, and policy Cluster or identical selectors; in layer 2 no advertisement of the Service may have serviceSelectors: from 0.16.2 on no speaker announces the address then (speaker/layer2_controller.go), before several nodes may',
  }),
  ipAllocatedFromPool: entry('ip-allocated-from-pool', {
    codec: text(),
    default: 'none',
    badValue: 'accepted',
    remark: 'written by MetalLB',
  }),
};

/** All of them. */
export const METALLB_CATALOGUE = new AnnotationCatalogue(
  [PREFIX, DEPRECATED_PREFIX],
  Object.values(METALLB).flatMap(({ current, deprecated }) => [current, deprecated]) as Annotation<never>[],
);
