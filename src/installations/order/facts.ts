// The order in which tools apply and delete objects.

/** Argo CD applies objects of lower waves first and deletes them last. */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/** From this version on, owner references of Strimzi block the deletion of a Kafka until what it owns is gone. */
export const OWNERS_WAIT_SINCE = '0.49.0';

/** Files that rules were read in. */
export const ORDER_SOURCES = {
  waves: {
    repository: 'argoproj/argo-cd',
    version: '015ba5e7751492c3d34b4848a4e355277a158553',
    file: 'docs/user-guide/sync-waves.md',
  },
  owners: { repository: 'strimzi/strimzi-kafka-operator', version: '1.2.0', file: 'CHANGELOG.md' },
  topics: {
    repository: 'strimzi/strimzi-kafka-operator',
    version: '1.2.0',
    file: 'topic-operator/src/main/java/io/strimzi/operator/topic/BatchingTopicController.java',
  },
} as const;
