// Names that Kubernetes itself gives a meaning, and external-dns, which every cloud uses alike.

export interface Citation {
  /** Owner and name of the repository, or the name of a vendor's documentation. */
  readonly repository: string;
  /** Tag, or date of the version that was read. */
  readonly version: string;
  /** File or page. */
  readonly file: string;
}

export enum Confidence {
  /** Seen on the running program. */
  SEEN = 'seen',
  /** Read in the source code. */
  SOURCE = 'source',
  /** Stated by the vendor's documentation. */
  DOCS = 'docs',
  /** From third parties or memory: unverified. */
  UNVERIFIED = 'unverified',
}

/**
 * KEP-980: the finalizer of the service controller of cloud providers. Its cleanup ignores the class of a Service, so
 * it also strips it from Services that it does not own; without a service controller it is never removed.
 * kubernetes/cloud-provider v0.36.3, service/helpers/helper.go and controllers/service/controller.go; v0.37.2 says the
 * same
 */
export const LOAD_BALANCER_CLEANUP_FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';

/** The garbage collector's finalizer of an object that was deleted in the foreground. kubernetes/apimachinery v0.36.3, pkg/apis/meta/v1/types.go */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** The garbage collector's finalizer of an object that is deleted without what belongs to it; the same file. */
export const ORPHAN_FINALIZER = 'orphan';

/** The finalizers that need no domain. kubernetes/kubernetes v1.36.3, pkg/apis/core/helper/helpers.go */
export const STANDARD_FINALIZERS: readonly string[] = ['kubernetes', ORPHAN_FINALIZER, FOREGROUND_FINALIZER];

/** The older place of `spec.loadBalancerSourceRanges`. kubernetes/api v0.36, core/v1/annotation_key_constants.go */
export const SOURCE_RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** What kubectl writes of what it applied. kubernetes/api v0.36, core/v1/annotation_key_constants.go */
export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The timeout of session affinity that the API server writes where none is set. kubernetes/kubernetes v1.36.3, pkg/apis/core/v1/defaults.go */
export const DEFAULT_AFFINITY_SECONDS = 10_800;

/**
 * Annotations of the names that external-dns gives to the address of a Service, each a list with commas. Up to 0.21 it
 * reads the first one, and from 0.22 on the second one, unless it is configured otherwise; what it does not read it
 * deletes silently. kubernetes-sigs/external-dns v0.21.0 and v0.22.0, source/annotations/annotations.go; v0.23.0,
 * docs/annotations/annotations.md
 */
export const EXTERNAL_DNS_HOSTNAME_ANNOTATIONS: readonly string[] = [
  'external-dns.alpha.kubernetes.io/hostname',
  'external-dns.kubernetes.io/hostname',
];

/**
 * Annotations that distinguish several records of one name. kubernetes-sigs/external-dns v0.23.0,
 * docs/annotations/annotations.md
 */
export const EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS: readonly string[] = [
  'external-dns.alpha.kubernetes.io/set-identifier',
  'external-dns.kubernetes.io/set-identifier',
];

/** The host name of a node. kubernetes/api v0.36, core/v1/well_known_labels.go */
export const HOSTNAME_LABEL = 'kubernetes.io/hostname';

/** The zone of a node. kubernetes/api v0.36, core/v1/well_known_labels.go */
export const ZONE_LABEL = 'topology.kubernetes.io/zone';

/** The hash that distinguishes a Deployment's generations. kubernetes/api v0.36, apps/v1/types.go */
export const POD_TEMPLATE_HASH_LABEL = 'pod-template-hash';

/** The hash that distinguishes the generations of a StatefulSet or DaemonSet. kubernetes/api v0.36, apps/v1/types.go */
export const CONTROLLER_REVISION_HASH_LABEL = 'controller-revision-hash';

/** The version of a program, on its objects. kubernetes/website, content/en/docs/concepts/overview/working-with-objects/common-labels.md */
export const VERSION_LABEL = 'app.kubernetes.io/version';

/** The operating system and the architecture of a node. staging/src/k8s.io/api/core/v1/well_known_labels.go */
export const OS_LABEL = 'kubernetes.io/os';
export const ARCH_LABEL = 'kubernetes.io/arch';

/** The Service that an EndpointSlice is of, and the group of its kind. staging/src/k8s.io/api/discovery/v1/well_known_labels.go */
export const ENDPOINT_SLICE = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  ofService: 'kubernetes.io/service-name',
};

/** Annotations by which Cilium takes the pods of a Service from other clusters. cilium/cilium 023375f6, pkg/annotation/k8s.go */
export const CLUSTER_MESH_KEYS: readonly string[] = ['service.cilium.io/global', 'io.cilium/global-service'];

/** The label by which the controller of StatefulSets names each pod. kubernetes/api v0.36, apps/v1/types.go (StatefulSetPodNameLabel) */
export const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';

/** Keeps a node out of balancers, unless its value is a false one. kubernetes/api v0.36, core/v1/well_known_labels.go */
export const EXCLUDED_FROM_BALANCERS_LABEL = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** Values of the label that leave a node in, as strconv.ParseBool reads them; whatever is no boolean excludes. kubernetes/cloud-provider v0.36.3, controllers/service/controller.go */
const NOT_EXCLUDED: readonly string[] = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

/** Whether the labels of a node keep it out of balancers. */
export function isExcludedFromBalancers(labels: Readonly<Record<string, unknown>>): boolean {
  const value = labels[EXCLUDED_FROM_BALANCERS_LABEL];
  return value !== undefined && !NOT_EXCLUDED.includes(String(value));
}
