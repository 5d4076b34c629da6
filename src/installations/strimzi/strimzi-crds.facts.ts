import type { SomeVersions } from './strimzi-operator.facts';

// The custom resource definitions of a release, and what tells those of one release from those of another.
// strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0, packaging/install/cluster-operator/04*-Crd-*.yaml, compared field by
// field: patches of one minor version have the same fields, but for 0.45.1; 0.51 has those of 0.50.

export const DEFINITION = { apiGroup: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' } as const;

/** The labels by which the vendor's definitions are known. */
export const DEFINITION_LABELS = { app: 'strimzi', 'strimzi.io/crd-install': 'true' } as const;

/** The domain of names of definitions that belong to the operator. */
export const DEFINITION_DOMAIN = '.strimzi.io';

const INSTALL = 'packaging/install/cluster-operator';
const kind = (name: string, file: string, versions: Partial<SomeVersions> = {}) => ({
  name,
  file: `${INSTALL}/${file}`,
  tag: '1.2.0',
  ...versions,
});

/** Without any of these the operator does not start: it watches all of them. */
export const DEFINITIONS: readonly (SomeVersions & { readonly name: string })[] = [
  kind('kafkas.kafka.strimzi.io', '040-Crd-kafka.yaml'),
  kind('kafkaconnects.kafka.strimzi.io', '041-Crd-kafkaconnect.yaml'),
  kind('strimzipodsets.core.strimzi.io', '042-Crd-strimzipodset.yaml'),
  kind('kafkatopics.kafka.strimzi.io', '043-Crd-kafkatopic.yaml'),
  kind('kafkausers.kafka.strimzi.io', '044-Crd-kafkauser.yaml'),
  kind('kafkamirrormakers.kafka.strimzi.io', '045-Crd-kafkamirrormaker.yaml', { until: '0.46.0', tag: '0.45.2' }),
  kind('kafkanodepools.kafka.strimzi.io', '045-Crd-kafkanodepool.yaml'),
  kind('kafkabridges.kafka.strimzi.io', '046-Crd-kafkabridge.yaml'),
  kind('kafkaconnectors.kafka.strimzi.io', '047-Crd-kafkaconnector.yaml'),
  kind('kafkamirrormaker2s.kafka.strimzi.io', '048-Crd-kafkamirrormaker2.yaml'),
  kind('kafkarebalances.kafka.strimzi.io', '049-Crd-kafkarebalance.yaml'),
];

/** A field of every API version that is served, by which definitions of a release are known; lists are passed through. */
export interface TellingField extends SomeVersions {
  readonly definition: string;
  readonly path: string;
}

export const TELLING_FIELDS: readonly TellingField[] = [
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.resources.claims.request',
    since: '0.45.1',
    file: `${INSTALL}/04A-Crd-kafkanodepool.yaml`,
    tag: '0.45.1',
  },
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.template.pod.dnsPolicy',
    since: '0.46.0',
    file: `${INSTALL}/045-Crd-kafkanodepool.yaml`,
    tag: '0.46.0',
  },
  {
    definition: 'kafkaconnects.kafka.strimzi.io',
    path: 'spec.plugins',
    since: '0.47.0',
    file: `${INSTALL}/041-Crd-kafkaconnect.yaml`,
    tag: '0.47.0',
  },
  {
    definition: 'kafkabridges.kafka.strimzi.io',
    path: 'spec.metricsConfig',
    since: '0.48.0',
    file: `${INSTALL}/046-Crd-kafkabridge.yaml`,
    tag: '0.48.0',
  },
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.template.pod.hostUsers',
    since: '0.50.0',
    file: `${INSTALL}/045-Crd-kafkanodepool.yaml`,
    tag: '0.50.0',
  },
  {
    definition: 'kafkausers.kafka.strimzi.io',
    path: 'spec.authentication.validityDays',
    since: '1.1.0',
    file: `${INSTALL}/044-Crd-kafkauser.yaml`,
    tag: '1.1.0',
  },
  {
    definition: 'kafkanodepools.kafka.strimzi.io',
    path: 'spec.template.pod.templatedVolumes',
    since: '1.2.0',
    file: `${INSTALL}/045-Crd-kafkanodepool.yaml`,
    tag: '1.2.0',
  },
];

/** The definition whose served API versions are compared. */
export const KAFKA_DEFINITION = 'kafkas.kafka.strimzi.io';

/** Where the vendor has the definitions of all kinds in one file. */
const RELEASES = 'https://github.com/strimzi/strimzi-kafka-operator/releases/download';

export const releaseFileName = (version: string): string => `strimzi-crds-${version}.yaml`;

export const releaseFileUrl = (version: string): string => `${RELEASES}/${version}/${releaseFileName(version)}`;

/**
 * SHA-256 of the file with the definitions, by release: the files packaging/install/cluster-operator/*-Crd-*.yaml of the tag, joined
 * as release_single_file of strimzi/strimzi-kafka-operator:Makefile joins them.
 */
export const RELEASE_FILE_SHA256: Readonly<Record<string, string>> = {
  '0.45.0': 'e859c73429319225b4a52e78dd03ec4d061dcb75b67140d327a0996ea162bdf4',
  '0.45.1': 'fbf66e3326782f9aba03a4447eb319d1113550f5999bc736907892d57d050ad1',
  '0.45.2': 'fbf66e3326782f9aba03a4447eb319d1113550f5999bc736907892d57d050ad1',
  '0.46.0': '81cc621b04f1ca6acb4cf4c6c2070c82a4e71d416011466dd3184bf3be4114e2',
  '0.46.1': '81cc621b04f1ca6acb4cf4c6c2070c82a4e71d416011466dd3184bf3be4114e2',
  '0.47.0': '60dabbf272d17ecdc0d95acdd135c6105472a0ea9ee3126cc24dbb9bcb23222d',
  '0.48.0': '5a2c6579e45e2263b3d44d4ca2d25ddfb293b34bff6deb4bfc9aa69bb69632c8',
  '0.49.0': '28c9c98c324dbe5dbeb5f97ba9f78bc4e83b3a342d654a921aa6cc300f242d37',
  '0.49.1': '80934c2739706c8f79b1d358bb755ca8d6d971f9eed3bf5b2b6cfc30e5c2723e',
  '0.50.0': 'ef87c9aa54f4bb78c068859535b083416b16482a3616168dc6e9beb319fc3bc7',
  '0.50.1': 'ef87c9aa54f4bb78c068859535b083416b16482a3616168dc6e9beb319fc3bc7',
  '0.51.0': 'a11257e67985a946a6facfb17d729aac5670b89675d410d13162fe455a5ac7a8',
  '1.0.0': '6edef9139c1b6f0816f7fc3592d837ec47c7862df6a1f52d94a6b988edbb32d8',
  '1.0.1': '6edef9139c1b6f0816f7fc3592d837ec47c7862df6a1f52d94a6b988edbb32d8',
  '1.1.0': 'af43f68a5f3eb8be6256d25aada98a5e94b3f505cd3ee4622e23888a3d8009cc',
  '1.2.0': '6f300e77128dc0963b8a6153c520a0f11b6f8999486a9b8e361c06aaa17860a3',
};
