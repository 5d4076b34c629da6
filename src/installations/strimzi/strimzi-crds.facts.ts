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
