// Releases of Strimzi whose Java model is in Maven repositories, and how its definitions are made of it.
// strimzi/strimzi-kafka-operator, tags 0.49.1, 0.51.0, 1.2.0: api/pom.xml (arguments of the generator),
// packaging/install/cluster-operator/04*.yaml (the definitions, which the made ones equal byte by byte).

/** Kinds that are defined with the same arguments. */
export interface StrimziKinds {
  /** Files of the release by the class of their kind, which stands below `io.strimzi.api.kafka.model`. */
  readonly files: Readonly<Record<string, string>>;
  readonly apiVersions: string;
  readonly storageVersion: string;
  readonly describeApiVersions?: string;
}

export interface StrimziSources {
  /** SHA-256 of io.strimzi:api. */
  readonly api: string;
  readonly kinds: readonly StrimziKinds[];
  /** SHA-256 of all definitions, in one file in the order of their own files. */
  readonly definitions: string;
}

const GROUP = 'io.strimzi';

/** The generator of definitions: the first one in Maven repositories, which serves older models as well. */
export const CRD_GENERATOR = {
  group: GROUP,
  name: 'crd-generator',
  version: '1.2.0',
  sha256: '76bb2430e702a1e6a24c071d26c865d5e9572cbc630d176d3b912033ae23ed00',
};

export const CRD_GENERATOR_CLASS = 'io.strimzi.crdgenerator.CrdGenerator';

/** Of every definition. */
export const CRD_ARGUMENTS = [
  ...['--label', 'app:strimzi', '--label', 'strimzi.io/crd-install:true'],
  ...['--target-kube', '1.16+', '--crd-api-version', 'v1'],
];

export const MODEL_PACKAGE = 'io.strimzi.api.kafka.model';

const KAFKA = { 'kafka.Kafka': '040-Crd-kafka.yaml' };
const POD_SET_AND_POOL = {
  'podset.StrimziPodSet': '042-Crd-strimzipodset.yaml',
  'nodepool.KafkaNodePool': '045-Crd-kafkanodepool.yaml',
};
const TOPIC_AND_USER = { 'topic.KafkaTopic': '043-Crd-kafkatopic.yaml', 'user.KafkaUser': '044-Crd-kafkauser.yaml' };

/** Before 1.0. */
const OLD: readonly StrimziKinds[] = [
  { files: KAFKA, apiVersions: 'v1beta2,v1', describeApiVersions: 'v1alpha1', storageVersion: 'v1beta2' },
  { files: POD_SET_AND_POOL, apiVersions: 'v1beta2,v1', storageVersion: 'v1beta2' },
  { files: TOPIC_AND_USER, apiVersions: 'v1alpha1,v1beta1,v1beta2,v1', storageVersion: 'v1beta2' },
];

const NEW: readonly StrimziKinds[] = [
  { files: { ...KAFKA, ...POD_SET_AND_POOL, ...TOPIC_AND_USER }, apiVersions: 'v1', storageVersion: 'v1' },
];

/** By version, the oldest first. */
export const STRIMZI_SOURCES: Readonly<Record<string, StrimziSources>> = {
  '0.49.1': {
    api: '8b7defedfc973dc0082bc18fbbf50e2113ba5d5662570bfc08e48144d697d26d',
    kinds: OLD,
    definitions: '98c629a9ae6a5df3e46ef68217f3b6156d9d15304f287249f958f9043289eb89',
  },
  '0.51.0': {
    api: '219b54d570c408523f62bffc999041c64ea926afbc784be942290709fbbcde62',
    kinds: OLD,
    definitions: 'ebb246be9dd52e4b355982005fcaa01c1f7ade92407e414b2bbd0c9a287bcf5a',
  },
  '1.2.0': {
    api: '566961ae5e5646a001ae91312beda5cba3a5d467e740e205e1b761754335fe4e',
    kinds: NEW,
    definitions: 'a598142473470d27b02078f49a193187f8f0f034677544107c62c3f8b4e65bc4',
  },
};

/** The Java model of a release. */
export const apiOf = (version: string) => ({
  group: GROUP,
  name: 'api',
  version,
  sha256: STRIMZI_SOURCES[version].api,
});
