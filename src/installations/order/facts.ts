// How tools that apply manifests are told an order.

/** Argo CD: objects of lower waves are applied first and deleted last. argoproj/argo-cd, docs/user-guide/sync-waves.md */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * From here on owner references of Strimzi block the deletion of a Kafka until what it owns is gone.
 * strimzi/strimzi-kafka-operator, tag 1.2.0, CHANGELOG.md
 */
export const OWNERS_WAIT_SINCE = '0.49.0';
