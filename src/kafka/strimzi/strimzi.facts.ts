// What releases of the Strimzi operator run, serve and are known for. strimzi/strimzi-kafka-operator, tags 0.45.0 to
// 1.2.0: CHANGELOG.md, kafka-versions.yaml; api/…/kafka/listener; cluster-operator/…/ServiceOperator.java.

/** One release. */
export interface StrimziRelease {
  /** Versions of Kafka that it runs, the oldest first; the last one is its default. */
  readonly kafka: readonly string[];
  /** The oldest Kubernetes that it runs on. */
  readonly kubernetes: string;
}

/** By version, the oldest first. */
export const STRIMZI_RELEASES: Readonly<Record<string, StrimziRelease>> = {
  '0.45.0': { kafka: ['3.8.0', '3.8.1', '3.9.0'], kubernetes: '1.25' },
  '0.45.1': { kafka: ['3.8.0', '3.8.1', '3.9.0', '3.9.1'], kubernetes: '1.25' },
  '0.45.2': { kafka: ['3.8.0', '3.8.1', '3.9.0', '3.9.1', '3.9.2'], kubernetes: '1.25' },
  '0.46.0': { kafka: ['3.9.0', '4.0.0'], kubernetes: '1.25' },
  '0.46.1': { kafka: ['3.9.0', '4.0.0'], kubernetes: '1.25' },
  '0.47.0': { kafka: ['3.9.0', '3.9.1', '4.0.0'], kubernetes: '1.25' },
  '0.48.0': { kafka: ['4.0.0', '4.1.0'], kubernetes: '1.27' },
  '0.49.0': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.49.1': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.50.0': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.50.1': { kafka: ['4.0.0', '4.0.1', '4.1.0', '4.1.1'], kubernetes: '1.27' },
  '0.51.0': { kafka: ['4.1.0', '4.1.1', '4.2.0'], kubernetes: '1.30' },
  '1.0.0': { kafka: ['4.1.0', '4.1.1', '4.1.2', '4.2.0'], kubernetes: '1.30' },
  '1.0.1': { kafka: ['4.1.0', '4.1.1', '4.1.2', '4.2.0'], kubernetes: '1.30' },
  '1.1.0': { kafka: ['4.2.0', '4.2.1', '4.3.0'], kubernetes: '1.30' },
  '1.2.0': { kafka: ['4.2.0', '4.2.1', '4.3.0', '4.3.1'], kubernetes: '1.30' },
};

/** The API group of Kafka, KafkaNodePool, KafkaTopic and KafkaUser. */
export const STRIMZI_GROUP = 'kafka.strimzi.io';

/** The kind of topics, whose finalizer the Topic Operator of their cluster removes. */
export const KAFKA_TOPIC_KIND = 'KafkaTopic';

/** The API version before `v1`. */
export const STRIMZI_OLD_API = 'v1beta2';

/** From here the old API version is served no more. */
export const STRIMZI_OLD_API_UNTIL = '1.0.0';

/** API versions of Kafka that no operator serves from `STRIMZI_REMOVED_APIS_UNTIL` on. */
export const STRIMZI_REMOVED_APIS: readonly string[] = ['v1alpha1', 'v1beta1'];

/** The first release that reads `v1beta2` alone. strimzi/strimzi-kafka-operator 0.23.0: its release notes (CRD upgrades) */
export const STRIMZI_REMOVED_APIS_UNTIL = '0.23.0';

/** The API version that is served beside the old one at first, and alone in the end. */
export const STRIMZI_API = 'v1';

/** From here the API version `v1` is served. */
export const STRIMZI_API_SINCE = '0.49.0';

/** The feature gate by which Services are written with server-side apply. */
export const SERVER_SIDE_APPLY_GATE = 'ServerSideApplyPhase1';

/** The gate is on unless it is switched off: foreign finalizers, annotations and labels of Services survive. */
export const SERVER_SIDE_APPLY_SINCE = '0.51.0';

/** The gate exists from here, switched off. */
export const SERVER_SIDE_APPLY_GATE_SINCE = '0.48.0';

/** From here the gate is gone, always on, and an operator that has it configured does not start. */
export const SERVER_SIDE_APPLY_FIXED_SINCE = '1.2.0';

/** Vulnerabilities of all versions before the one that fixes them. */
export const STRIMZI_SECURITY_FLOORS: readonly { readonly fixed: string; readonly cves: readonly string[] }[] = [
  { fixed: '0.50.1', cves: ['CVE-2026-27133', 'CVE-2026-27134'] },
  { fixed: '1.0.1', cves: ['CVE-2026-55225', 'CVE-2026-55226'] },
];
