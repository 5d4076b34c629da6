import {
  Annotation,
  AnnotationCatalogue,
  type AnnotationFact,
  type AnyAnnotation,
} from '../../contract/annotation-catalogue';
import { type Codec, cidr, codec, exactFlag, list, oneOf, onlyWord, text } from '../../contract/annotation-codec';
import { type Citation, Confidence, SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { SHARED_ADDRESS } from '../../contract/own-thing';
import { GkeNetworkTier, GkeWeightedLoadBalancing } from './options';

/** The name of the controller in messages. */
export const GKE_CONTROLLER = 'gke';

/** Where the facts of the newer controllers were read. */
export const GKE_SOURCE: Citation = {
  repository: 'kubernetes/ingress-gce',
  version: 'acbcf5d6 (2026-08-21)',
  file: 'pkg/l4/annotations/service.go',
};

/** A file of the same version. */
export const gkeFile = (file: string): Citation => ({ ...GKE_SOURCE, file });

/** Where the facts of the older controller were read. */
export const GKE_LEGACY_SOURCE: Citation = {
  repository: 'kubernetes/cloud-provider-gcp',
  version: '4e245312 (2026-08-19)',
  file: 'providers/gce/gce_annotations.go',
};

/** The classes of GKE. pkg/l4/annotations/gce_annotations.go */
export const GKE_CLASS = {
  external: 'networking.gke.io/l4-regional-external',
  internal: 'networking.gke.io/l4-regional-internal',
  externalLegacy: 'networking.gke.io/l4-regional-external-legacy',
  internalLegacy: 'networking.gke.io/l4-regional-internal-legacy',
  standaloneNeg: 'networking.gke.io/standalone-passthrough-lb-neg',
};

/** The classes by what they make. */
export const GKE_CLASSES = {
  internal: [GKE_CLASS.internal, GKE_CLASS.internalLegacy],
  external: [GKE_CLASS.external, GKE_CLASS.externalLegacy],
  legacy: [GKE_CLASS.externalLegacy, GKE_CLASS.internalLegacy],
  l4: [GKE_CLASS.external, GKE_CLASS.internal, GKE_CLASS.standaloneNeg],
};

/**
 * The finalizers by which GKE marks which of its controllers has a Service: never written by others.
 * pkg/utils/common/finalizer.go
 */
export const GKE_OWNERSHIP_FINALIZERS = [
  'gke.networking.io/l4-ilb-v1',
  'gke.networking.io/l4-ilb-v2',
  'gke.networking.io/l4-netlb-v1',
  'gke.networking.io/l4-netlb-v2',
  'gke.networking.io/l4-netlb-v3',
];

const NETWORKING = 'networking.gke.io/';
const CLOUD = 'cloud.google.com/';

function entry<T>(
  key: string,
  fact: Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>,
): Annotation<T> {
  const common = { badValue: 'accepted', source: GKE_SOURCE, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ ...common, ...fact, key });
}

/** `Internal`; anything else means external. */
function internalOrExternal(): Codec<boolean> {
  const says = "'Internal' or 'External'";
  return codec(
    says,
    [true, false],
    (internal) => (internal === true ? 'Internal' : internal === false ? 'External' : String(internal)),
    (word) => {
      const internal = word === 'Internal' || word === 'internal';
      return internal || /^external$/i.test(word) ? { value: internal } : { fault: `'${word}' is not ${says}` };
    },
  );
}

const resourceName = () =>
  text({
    says: 'the name of a resource, not an address',
    matches: /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
    example: 'edge',
  });

/** The controllers look at two names. */
function addressNames(): Codec<string[]> {
  const names = list(resourceName());
  const says = 'at most two names of reserved addresses, one of IPv4 and one of IPv6, separated by a comma';
  return codec(
    says,
    names.examples,
    (values) => names.encode(values),
    (whole) => {
      const read = names.decode(whole);
      return 'value' in read && read.value.length > 2 ? { fault: `'${whole}' is not ${says}` } : read;
    },
  );
}

function json(): Codec<string> {
  const says = 'a JSON object';
  return codec<string>(says, ['{"a":1}'], String, (whole) => {
    try {
      const value: unknown = JSON.parse(whole);
      return typeof value === 'object' && value !== null ? { value: whole } : { fault: `'${whole}' is not ${says}` };
    } catch {
      return { fault: `'${whole}' is not ${says}` };
    }
  });
}

const NOT_HERE = 'nothing: it is for Ingress and standalone NEGs, not for passthrough balancers';

/** The annotations of GKE on Services. */
export const GKE = {
  loadBalancerType: entry(`${NETWORKING}load-balancer-type`, {
    wish: LoadBalancerWish.SCHEME,
    codec: internalOrExternal(),
    default: 'external',
    remark: 'a class wins over it; anything but Internal means external',
    source: gkeFile('pkg/l4/annotations/gce_annotations.go'),
  }),
  oldLoadBalancerType: entry(`${CLOUD}load-balancer-type`, {
    wish: LoadBalancerWish.SCHEME,
    codec: internalOrExternal(),
    default: 'external',
    remark: `use a class or ${NETWORKING}load-balancer-type instead, beside which it is not read`,
    deprecated: true,
    source: gkeFile('pkg/l4/annotations/gce_annotations.go'),
  }),
  l4Rbs: entry(`${CLOUD}l4-rbs`, {
    codec: onlyWord('enabled'),
    default: 'a target pool before GKE 1.37, a backend service from then on',
    since: 'GKE 1.25.5',
    remark: 'read at creation only: taken off again from a Service that has a target pool; pointless from GKE 1.37',
  }),
  allowGlobalAccess: entry(`${NETWORKING}internal-load-balancer-allow-global-access`, {
    option: 'allowGlobalAccess',
    codec: exactFlag(),
    default: 'false',
    remark: 'internal balancers only; anything but true means false',
    source: GKE_LEGACY_SOURCE,
  }),
  loadBalancerSubnet: entry(`${NETWORKING}load-balancer-subnet`, {
    option: 'loadBalancerSubnet',
    codec: resourceName(),
    default: 'the subnet of the cluster',
    remark: 'external balancers: IPv6 only',
    badValue: 'refused',
  }),
  internalLoadBalancerSubnet: entry(`${NETWORKING}internal-load-balancer-subnet`, {
    option: 'internalLoadBalancerSubnet',
    codec: resourceName(),
    default: 'the subnet of the cluster',
    remark: `internal balancers only; superseded by ${NETWORKING}load-balancer-subnet; a change gives a new address`,
    badValue: 'refused',
    source: GKE_LEGACY_SOURCE,
  }),
  loadBalancerIpAddresses: entry(`${NETWORKING}load-balancer-ip-addresses`, {
    namesOne: { ...SHARED_ADDRESS, thing: 'reserved address' },
    option: 'loadBalancerIpAddresses',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: addressNames(),
    default: 'assigned by Google',
    remark: 'wins over spec.loadBalancerIP; a name that is not found is passed over, and another address assigned',
    source: gkeFile('pkg/l4/annotations/l4_static_address.go'),
  }),
  networkTier: entry(`${CLOUD}network-tier`, {
    option: 'networkTier',
    codec: oneOf(Object.values(GkeNetworkTier)),
    default: 'Premium',
    remark: 'external balancers only; the older controller refuses an unknown value, the newer one takes the default',
    source: gkeFile('pkg/l4/annotations/network_tier.go'),
  }),
  weightedLoadBalancing: entry(`${NETWORKING}weighted-load-balancing`, {
    option: 'weightedLoadBalancing',
    codec: oneOf(Object.values(GkeWeightedLoadBalancing)),
    default: 'all nodes alike',
    remark: 'needs traffic policy Local; internal balancers: enabled by Google project by project',
  }),
  strongSessionAffinity: entry(`${NETWORKING}l4-strong-session-affinity`, {
    option: 'strongSessionAffinity',
    codec: onlyWord('enabled'),
    default: 'off',
    remark: 'external balancers only; enabled by Google project by project',
  }),
  l4LbConfig: entry(`${NETWORKING}l4lb-config`, { option: 'l4LbConfig', codec: text(), default: 'none' }),
  customForwardingRule: entry(`${NETWORKING}custom-forwarding-rule`, {
    namesOne: { thing: 'forwarding rule', fate: 'a rule leads to one Service' },
    codec: list(text()),
    default: 'none',
    remark: `forwarding rules of your own; for class ${GKE_CLASS.standaloneNeg} only, and required there`,
  }),
  ipCollectionV6: entry(`${NETWORKING}ip-collection-v6`, {
    option: 'ipCollectionV6',
    codec: text({ says: 'the full URL of a resource', matches: /^https:\/\/\S+$/, example: 'https://example.com/a' }),
    default: 'none',
    remark: 'external balancers of IPv6 only',
    badValue: 'refused',
  }),
  loadBalancerBackendShare: entry(`alpha.${CLOUD}load-balancer-backend-share`, {
    option: 'loadBalancerBackendShare',
    codec: onlyWord('true'),
    default: 'not shared',
    remark: 'alpha; internal balancers of the older controller only',
    source: GKE_LEGACY_SOURCE,
  }),
  resourceLabels: entry(`${CLOUD}load-balancer-resource-labels`, {
    codec: text({
      says: 'key=value, several separated by commas',
      matches: /^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/,
      example: 'team=edge',
    }),
    default: 'labels are left as they are',
    remark: 'labels of the forwarding rule; proposed for the older controller, and read by no version that was read',
    source: { ...GKE_LEGACY_SOURCE, version: 'pull request 1360 (083ea28f)' },
  }),
  sourceRanges: entry(SOURCE_RANGES_ANNOTATION, {
    wish: LoadBalancerWish.SOURCE_RANGES,
    codec: list(cidr()),
    default: 'everybody',
    remark: 'the older place of spec.loadBalancerSourceRanges, which wins',
    badValue: 'refused',
    source: gkeFile('pkg/l4/utils/sourceranges.go'),
  }),
  neg: entry(`${CLOUD}neg`, { codec: json(), default: NOT_HERE, badValue: 'refused' }),
  negStatus: entry(`${CLOUD}neg-status`, { codec: json(), default: 'written by GKE' }),
  backendConfig: entry(`${CLOUD}backend-config`, { codec: json(), default: NOT_HERE, badValue: 'refused' }),
  appProtocols: entry(`${CLOUD}app-protocols`, { codec: json(), default: NOT_HERE, badValue: 'refused' }),
  transparentHealthChecker: entry(`${NETWORKING}transparent-health-checker`, { codec: json(), default: NOT_HERE }),
  backendService: entry(`${NETWORKING}backend-service`, { codec: text(), default: 'written by GKE' }),
  targetPool: entry(`${NETWORKING}target-pool`, { codec: text(), default: 'written by GKE' }),
};

/** What the controllers note down on a Service. */
export const GKE_STATUS = [
  'backend-service',
  'firewall-rule',
  'firewall-rule-for-hc',
  'healthcheck',
  'tcp-forwarding-rule',
  'udp-forwarding-rule',
].map((name) => entry(`service.kubernetes.io/${name}`, { codec: text(), default: 'written by GKE' }));

const some = (...entries: AnyAnnotation[]): readonly AnyAnnotation[] => entries;

/** What means something to internal balancers only. */
export const INTERNAL_ONLY = some(GKE.allowGlobalAccess, GKE.internalLoadBalancerSubnet, GKE.loadBalancerBackendShare);

/** What means something to external balancers only. */
export const EXTERNAL_ONLY = some(GKE.networkTier, GKE.l4Rbs, GKE.strongSessionAffinity, GKE.ipCollectionV6);

/** What the newer controllers read only. */
export const L4_ONLY = some(
  GKE.loadBalancerSubnet,
  GKE.loadBalancerIpAddresses,
  GKE.weightedLoadBalancing,
  GKE.strongSessionAffinity,
  GKE.l4LbConfig,
  GKE.ipCollectionV6,
);

/** What the older controller reads only. */
export const LEGACY_ONLY = some(GKE.loadBalancerBackendShare);

/** What GKE writes itself. */
export const WRITTEN_BY_GKE = some(GKE.negStatus, GKE.backendService, GKE.targetPool, ...GKE_STATUS);

/** All of them. */
export const GKE_CATALOGUE = new AnnotationCatalogue(
  [
    `${NETWORKING}load-balancer`,
    `${NETWORKING}internal-load-balancer`,
    `${NETWORKING}l4`,
    `${NETWORKING}weighted`,
    `${CLOUD}load-balancer`,
    `${CLOUD}l4`,
    `${CLOUD}network-tier`,
  ],
  [...Object.values(GKE), ...GKE_STATUS],
);
