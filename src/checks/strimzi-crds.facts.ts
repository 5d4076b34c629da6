import type { MavenArtifact } from './strimzi-crds-maven';

// How the definitions of a release of Strimzi are made of its Java model, which is in Maven repositories.
// strimzi/strimzi-kafka-operator, tags 0.49.1, 0.50.1, 0.51.0, 1.0.1, 1.1.0, 1.2.0: api/pom.xml (arguments of the generator),
// packaging/install/cluster-operator/04*.yaml. The definitions that are made of 0.49.1, 0.50.1, 0.51.0 and 1.2.0 equal the
// files of the release byte by byte; those of 0.48.0 do not, so nothing is made for versions before 0.49.

/** Kinds that are defined with the same arguments. */
export interface StrimziKinds {
  /** Files of the release by the class of their kind, which stands below `io.strimzi.api.kafka.model`. */
  readonly files: Readonly<Record<string, string>>;
  readonly apiVersions: string;
  readonly storageVersion: string;
  readonly describeApiVersions?: string;
}

/** SHA-256 of what belongs to a release. */
export interface StrimziPins {
  /** Of io.strimzi:api. */
  readonly api: string;
  /** Of all definitions, in one file in the order of their own files. */
  readonly definitions: string;
}

const GROUP = 'io.strimzi';

/** The generator of definitions: the first one in Maven repositories, which serves older models as well. */
export const CRD_GENERATOR = { group: GROUP, name: 'crd-generator', version: '1.2.0' } as const;

export const CRD_GENERATOR_SHA256 = '76bb2430e702a1e6a24c071d26c865d5e9572cbc630d176d3b912033ae23ed00';

export const CRD_GENERATOR_CLASS = 'io.strimzi.crdgenerator.CrdGenerator';

/** Of every definition. */
export const CRD_ARGUMENTS = [
  ...['--label', 'app:strimzi', '--label', 'strimzi.io/crd-install:true'],
  ...['--target-kube', '1.16+', '--crd-api-version', 'v1'],
];

export const MODEL_PACKAGE = 'io.strimzi.api.kafka.model';

const KAFKA = { 'kafka.Kafka': '040-Crd-kafka.yaml' };
const TOPIC_AND_USER = { 'topic.KafkaTopic': '043-Crd-kafkatopic.yaml', 'user.KafkaUser': '044-Crd-kafkauser.yaml' };
const OTHERS = {
  'connect.KafkaConnect': '041-Crd-kafkaconnect.yaml',
  'podset.StrimziPodSet': '042-Crd-strimzipodset.yaml',
  'nodepool.KafkaNodePool': '045-Crd-kafkanodepool.yaml',
  'bridge.KafkaBridge': '046-Crd-kafkabridge.yaml',
  'connector.KafkaConnector': '047-Crd-kafkaconnector.yaml',
  'mirrormaker2.KafkaMirrorMaker2': '048-Crd-kafkamirrormaker2.yaml',
  'rebalance.KafkaRebalance': '049-Crd-kafkarebalance.yaml',
};

/** The arguments from a version on, the newest first. */
export const STRIMZI_KINDS: readonly { readonly since: string; readonly kinds: readonly StrimziKinds[] }[] = [
  {
    since: '1.0.0',
    kinds: [{ files: { ...KAFKA, ...OTHERS, ...TOPIC_AND_USER }, apiVersions: 'v1', storageVersion: 'v1' }],
  },
  {
    since: '0.49.0',
    kinds: [
      { files: KAFKA, apiVersions: 'v1beta2,v1', describeApiVersions: 'v1alpha1', storageVersion: 'v1beta2' },
      { files: OTHERS, apiVersions: 'v1beta2,v1', storageVersion: 'v1beta2' },
      { files: TOPIC_AND_USER, apiVersions: 'v1alpha1,v1beta1,v1beta2,v1', storageVersion: 'v1beta2' },
    ],
  },
];

/** By version, the oldest first. */
export const STRIMZI_PINS: Readonly<Record<string, StrimziPins>> = {
  '0.49.1': {
    api: '8b7defedfc973dc0082bc18fbbf50e2113ba5d5662570bfc08e48144d697d26d',
    definitions: 'e38411444114e77cd607be5b653d1ca2ef000bb0dc1374d8284223120b2ea451',
  },
  '0.50.1': {
    api: 'd7de57982df2733e355789942ec1e5e45d7a50db1b588a2bc586f8b794e9f73c',
    definitions: '76268c30c71fb90be0a33bacfa1ba23441180c4c5ce4dcbab0ae0099b368e870',
  },
  '0.51.0': {
    api: '219b54d570c408523f62bffc999041c64ea926afbc784be942290709fbbcde62',
    definitions: '229ceb549538c6f73506eebaa9fbda13c68ab950602fe8c40b72fb649c19cd45',
  },
  '1.2.0': {
    api: '566961ae5e5646a001ae91312beda5cba3a5d467e740e205e1b761754335fe4e',
    definitions: 'ef0e39f8b387422462bb9cc05f1ed8ec2510cf1b532b89014024d5bcd2c784bf',
  },
};

/** Where a release has its definitions, for those that cannot be made. */
export const RELEASES_PAGE = 'https://github.com/strimzi/strimzi-kafka-operator/releases';

/** The Java model of a release. */
export const apiOf = (version: string): MavenArtifact => ({ group: GROUP, name: 'api', version });
