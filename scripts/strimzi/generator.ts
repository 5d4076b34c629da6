import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StrimziVersion } from '../../src/kafka/strimzi/strimzi-version';
import type { MavenArtifact } from './toolchain';

// How the definitions of a release of Strimzi are made of its Java model, which is in Maven repositories.
// strimzi/strimzi-kafka-operator, tags 0.49.1, 0.50.1, 0.51.0, 1.0.1, 1.1.0, 1.2.0: api/pom.xml (arguments of the generator),
// packaging/install/cluster-operator/04*.yaml, and Makefile (release_single_file). The definitions that are made of 0.49.1, 0.50.1,
// 0.51.0 and 1.2.0 equal the file of the release byte by byte; those of 0.48.0 do not, so nothing is made for versions before 0.49.

/** Kinds that are defined with the same arguments. */
interface StrimziKinds {
  /** Files of the release by the class of their kind, below `io.strimzi.api.kafka.model`. */
  readonly files: Readonly<Record<string, string>>;
  readonly apiVersions: string;
  readonly storageVersion: string;
  readonly describeApiVersions?: string;
}

/** An artifact with the SHA-256 of its file. */
export interface PinnedArtifact extends MavenArtifact {
  readonly sha256: string;
}

const GROUP = 'io.strimzi';

/** The generator of definitions: the first one in Maven repositories, which serves older models as well. */
const CRD_GENERATOR = { group: GROUP, name: 'crd-generator', version: '1.2.0' };

const CRD_GENERATOR_SHA256 = '76bb2430e702a1e6a24c071d26c865d5e9572cbc630d176d3b912033ae23ed00';

const CRD_GENERATOR_CLASS = 'io.strimzi.crdgenerator.CrdGenerator';

/** Of every definition. */
const CRD_ARGUMENTS = [
  ...['--label', 'app:strimzi', '--label', 'strimzi.io/crd-install:true'],
  ...['--target-kube', '1.16+', '--crd-api-version', 'v1'],
];

const MODEL_PACKAGE = 'io.strimzi.api.kafka.model';

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

/** SHA-256 of io.strimzi:api by version, the oldest first. */
const API_SHA256: Readonly<Record<string, string>> = {
  '0.49.1': '8b7defedfc973dc0082bc18fbbf50e2113ba5d5662570bfc08e48144d697d26d',
  '0.50.1': 'd7de57982df2733e355789942ec1e5e45d7a50db1b588a2bc586f8b794e9f73c',
  '0.51.0': '219b54d570c408523f62bffc999041c64ea926afbc784be942290709fbbcde62',
  '1.2.0': '566961ae5e5646a001ae91312beda5cba3a5d467e740e205e1b761754335fe4e',
};

/** The jars that definitions of a version are made with and their hashes; nothing for a version whose jar is not pinned. */
export function jarsOf(version: string): readonly PinnedArtifact[] | undefined {
  const api = API_SHA256[version];
  return api === undefined
    ? undefined
    : [
        { ...CRD_GENERATOR, sha256: CRD_GENERATOR_SHA256 },
        { group: GROUP, name: 'api', version, sha256: api },
      ];
}

/** The versions that definitions can be made of, the oldest first. */
export const MADE_VERSIONS = Object.keys(API_SHA256);

/** Lines of the generator that an error shows. */
const LINES_SHOWN = 8;

/** Runs the generator once, and returns the files that it wrote. */
function generated(kinds: StrimziKinds, java: string, classPath: readonly string[], folder: string): string[] {
  const { files, apiVersions, storageVersion, describeApiVersions } = kinds;
  const { status, stdout, stderr, error } = spawnSync(
    java,
    [
      ...['--class-path', classPath.join(delimiter), CRD_GENERATOR_CLASS, ...CRD_ARGUMENTS],
      ...['--api-versions', apiVersions, '--storage-version', storageVersion],
      ...(describeApiVersions ? ['--describe-api-versions', describeApiVersions] : []),
      '--yaml',
      ...Object.entries(files).map(([kind, file]) => `${MODEL_PACKAGE}.${kind}=${join(folder, file)}`),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    const output = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(0, LINES_SHOWN);
    const failure = `Strimzi's generator made no definition of ${Object.keys(files).join(', ')}`;
    throw new Error([failure, ...output].join('\n'));
  }
  return Object.values(files).map((file) => join(folder, file));
}

/**
 * The definitions of a version as the file of its release has them.
 *
 * @param classPath jars with the generator and the Java model of the version
 * @param folder where the generator may write
 */
export function madeDefinitions(version: string, java: string, classPath: readonly string[], folder: string): string {
  const strimzi = StrimziVersion.of(version);
  const row = STRIMZI_KINDS.find(({ since }) => strimzi.isAtLeast(StrimziVersion.of(since)));
  if (!row) {
    throw new Error(
      `definitions of Strimzi ${version} cannot be made: the generator makes other files than that release has`,
    );
  }
  mkdirSync(folder, { recursive: true });
  const made = row.kinds.flatMap((each) => generated(each, java, classPath, folder)).sort();
  return made.map((file) => `${readFileSync(file, 'utf8')}\n---\n`).join('');
}
