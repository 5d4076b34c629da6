// How tools that apply manifests are told an order.

/** Argo CD: objects of lower waves are applied first and deleted last. argoproj/argo-cd, docs/user-guide/sync-waves.md */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * From here on owner references of Strimzi block the deletion of a Kafka until what it owns is gone.
 * strimzi/strimzi-kafka-operator, tag 1.2.0, CHANGELOG.md
 */
export const OWNERS_WAIT_SINCE = '0.49.0';

/** The version of Flux's Kustomization. fluxcd/kustomize-controller v1.9.4, api/v1/groupversion_info.go */
export const FLUX_API_VERSION = 'kustomize.toolkit.fluxcd.io/v1';

/** Its kind, and where its objects usually are. */
export const FLUX_KIND = 'Kustomization';
export const FLUX_NAMESPACE = 'flux-system';

/** The kinds of sources, the usual one first. fluxcd/kustomize-controller v1.9.4, api/v1/reference_types.go */
export const FLUX_SOURCES: readonly string[] = ['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact'];
