import { createHash } from 'node:crypto';
import { compareVersions } from '../../../src/contract/compare-versions';
import { releaseFileName } from '../../../src/installations/strimzi/crd-faults';
import {
  BRIDGES,
  DEFINITIONS,
  FEATURE_GATES,
  OPERATOR_ROLES,
  RELEASE_FILE_SHA256,
  RESTRICTED_SINCE,
  VARIABLES,
} from '../../../src/installations/strimzi/installation.facts';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import type { Checkout } from '../checkout';
import type { Fact, KnownFact } from '../fact';
import { minorOf } from '../history';
import { JavaSource } from '../read/java-source';
import { definitionFacts, podFacts, rbacFacts, readAll, ruleFacts, shortened, variableFacts } from '../read/manifests';
import type { Product, Table } from './product';
import { LISTENERS, listenerFieldRows, servedApis } from './strimzi-fields';
import { has, versionedTable } from './tables';

const INSTALL = 'packaging/install/cluster-operator';
const COMMON = 'operator-common/src/main/java/io/strimzi/operator/common';
const CONFIG = 'cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java';
const RELEASES = 'src/kafka/strimzi/strimzi.facts.yaml';
const INSTALLATION = 'src/installations/strimzi/installation.facts.yaml';

/** Fields that are not looked into: Kubernetes defines them. Those of listeners are. */
const CLOSED = new Set(
  `affinity dnsConfig env hostAliases imagePullSecrets resources securityContext templatedVolumes tolerations
  topologySpreadConstraints volumeMounts pod.volumes networkPolicyPeers`.split(/\s+/),
);

/** Kinds whose fields this library knows; of the others, the versions are read. */
const KINDS = ['Kafka', 'KafkaNodePool'];

async function read(checkout: Checkout, version: string): Promise<readonly Fact[]> {
  const manifests = checkout.below(INSTALL, /\.yaml$/);
  const definitions = manifests.filter((file) => file.includes('-Crd-'));
  const roles = manifests.filter((file) => file.includes('-ClusterRole-'));
  const deployments = manifests.filter((file) => file.includes('-Deployment-'));
  return [
    ...(await gates(checkout)),
    ...readAll(checkout, deployments, (documents, file) => variableFacts(documents, file, version)),
    ...readAll(checkout, deployments, podFacts),
    ...(await parameters(checkout)),
    ...(await annotations(checkout)),
    ...readAll(checkout, roles, rbacFacts),
    ...readAll(checkout, definitions, (documents, file) =>
      definitionFacts(documents, file, { closed: CLOSED, kinds: KINDS }),
    ),
    ...kafkaVersions(checkout),
    { kind: 'dependency', name: 'kafka-bridge', value: checkout.text('bridge.version').trim(), file: 'bridge.version' },
    { kind: 'runs', name: 'release', value: version, file: 'release.version' },
    { kind: 'runs', name: 'definitions', value: sha256(checkout, definitions), file: INSTALL },
  ];
}

async function gates(checkout: Checkout): Promise<Fact[]> {
  const source = await JavaSource.read(checkout, [`${COMMON}/featuregates/FeatureGates.java`]);
  const all = source.made('FeatureGate').map(
    ({ field, args }): Fact => ({
      kind: 'gate',
      name: source.textOf(args[0]) ?? args[0].text,
      value: args[1]?.text ?? '',
      file: field.file,
    }),
  );
  // it is there where there is no other
  return all.filter(({ name }) => name !== 'DummyFeatureGate');
}

/** What the operator reads of its environment, beside what the vendor's Deployment sets. */
async function parameters(checkout: Checkout): Promise<Fact[]> {
  const source = await JavaSource.read(checkout, [CONFIG]);
  return source.made('ConfigParameter').flatMap(({ field, args }) => {
    const name = source.textOf(args[0]);
    const value = args[2] && (source.textOf(args[2]) ?? args[2].text);
    return name?.startsWith('STRIMZI_')
      ? [{ kind: 'variable' as const, name, value: shortened(`${args[1]?.text} ${value}`), file: field.file }]
      : [];
  });
}

async function annotations(checkout: Checkout): Promise<Fact[]> {
  const places = ['api/src/main/java/io/strimzi/api/ResourceAnnotations.java', `${COMMON}/Annotations.java`];
  const source = await JavaSource.read(checkout, [...places, 'api/src/main/java/io/strimzi/api/ResourceLabels.java']);
  return source.fields
    .filter(({ name, type }) => type === 'String' && /^ANNO_/.test(name))
    .flatMap(({ value, file }) => {
      const name = source.textOf(value);
      return name?.includes('/') ? [{ kind: 'annotation' as const, name, value: '', file }] : [];
    });
}

function kafkaVersions(checkout: Checkout): Fact[] {
  const file = 'kafka-versions.yaml';
  const supported = (checkout.yaml(file) as unknown as Record<string, unknown>[][])
    .flat()
    .filter(({ supported }) => supported === true);
  const versions = supported.map(({ version }) => String(version)).sort(compareVersions);
  const byDefault = supported.find((each) => each.default === true)?.version;
  return [
    { kind: 'runs', name: 'kafka', value: versions.join(' '), file },
    { kind: 'runs', name: 'kafka by default', value: String(byDefault), file },
  ];
}

/** The hash of the definitions in one file, as the Makefile of the release joins them. */
function sha256(checkout: Checkout, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${checkout.text(file)}\n---\n`);
  }
  return hash.digest('hex');
}

/** What is below a field that the table does not look into is not for it. */
const isBelow = (name: string, path: string): boolean => name.includes(` ${path}.`);

/** What of the Deployment has a version of its own. */
const RESTRICTED = ['automountServiceAccountToken', 'securityContext of strimzi-cluster-operator'].map(
  (name): KnownFact => ({ kind: 'config', name }),
);

/** The newest minor version that has a constant. */
function newestConstant(): string {
  const versions = Object.values(StrimziVersion as unknown as Record<string, unknown>)
    .filter((each) => each instanceof StrimziVersion)
    .map(({ version }) => minorOf(version));
  return versions.sort(compareVersions)[versions.length - 1];
}

const isKnown = (version: string): boolean => compareVersions(minorOf(version), newestConstant()) <= 0;

const TABLES: readonly Table[] = [
  {
    kind: 'runs',
    place: RELEASES,
    rows: (version) => {
      const { kafka = [] } = STRIMZI_RELEASES[version] ?? {};
      const rows = { kafka: kafka.join(' '), 'kafka by default': kafka[kafka.length - 1] };
      return kafka.length === 0 ? [] : Object.entries(rows).map(([name, value]) => ({ kind: 'runs', name, value }));
    },
    nameOf: ({ name }) => (name.startsWith('kafka') ? name : undefined),
    entry: ({ value }, version) =>
      `'${version}': { kafka: [${value
        .split(' ')
        .map((each) => `'${each}'`)
        .join(', ')}], kubernetes: the oldest one }`,
  },
  {
    kind: 'runs',
    place: INSTALLATION,
    rows: (version) => [{ kind: 'runs', name: 'definitions', value: RELEASE_FILE_SHA256[version] }],
    nameOf: ({ name }) => (name === 'definitions' ? name : undefined),
    entry: ({ value }, version) => `'${version}': '${value}' (${releaseFileName(version)})`,
  },
  {
    kind: 'runs',
    place: 'src/kafka/strimzi/strimzi-version.ts',
    rows: (version) => [
      { kind: 'runs', name: 'release', value: isKnown(version) ? minorOf(version) : newestConstant() },
    ],
    nameOf: ({ name }) => (name === 'release' ? name : undefined),
    written: ({ value }) => minorOf(value),
  },
  versionedTable({
    kind: 'dependency',
    place: INSTALLATION,
    // the newest one that a version reaches
    rows: [...BRIDGES].reverse(),
    known: ({ bridge }) => ({ name: 'kafka-bridge', value: bridge }),
    entry: ({ value }, version) => `{ bridge: '${value}', since: '${version}', file: DEPLOYMENT, tag: '${version}' }`,
  }),
  versionedTable({
    kind: 'gate',
    place: INSTALLATION,
    rows: FEATURE_GATES,
    known: ({ name, onSince }, version) => ({
      name,
      value: String(onSince !== undefined && compareVersions(version, onSince) >= 0),
    }),
    entry: ({ name, value }, version) =>
      `{ name: '${name}', prop: '${name[0].toLowerCase()}${name.slice(1)}', since: '${version}',${
        value === 'true' ? ` onSince: '${version}',` : ''
      } file: GATES, tag: '${version}' }`,
  }),
  versionedTable({
    kind: 'variable',
    place: INSTALLATION,
    rows: VARIABLES,
    known: ({ name }) => ({ name }),
    entry: ({ name, file }, version) => `{ name: '${name}', since: '${version}', file: '${file}', tag: '${version}' }`,
  }),
  {
    kind: 'rbac',
    place: 'src/installations/strimzi/installation.facts.yaml',
    rows: (version) =>
      OPERATOR_ROLES.flatMap(({ name, rules }) => {
        const own = rules
          .filter((rule) => has(version, rule))
          .map(({ groups, ...rule }) => ({ ...rule, apiGroups: groups }));
        return ruleFacts(name, own, '').map(({ kind, name: rule, value }) => ({ kind, name: rule, value }));
      }),
    nameOf: ({ name }) => name,
  },
  {
    kind: 'definition',
    place: INSTALLATION,
    rows: (version) =>
      servedApis(version).flatMap((api) =>
        DEFINITIONS.filter((definition) => has(version, definition)).map(({ name }) => ({
          kind: 'definition',
          name: `${name}/${api}`,
        })),
      ),
    nameOf: ({ name }) => (/\/(v\d+|v1beta2)$/.test(name) ? name : undefined),
  },
  {
    kind: 'config',
    place: INSTALLATION,
    rows: (version) => (has(version, { since: RESTRICTED_SINCE }) ? RESTRICTED : []),
    nameOf: ({ name }) => name,
    entry: ({ name, file }, version) => `${name}, since ${version} (${file})`,
  },
  {
    kind: 'field',
    place: 'src/kafka/strimzi/strimzi.facts.yaml',
    rows: listenerFieldRows,
    // of a field, the values that it takes
    written: ({ value }) => /\(([^)]*)\)/.exec(value)?.[1] ?? '',
    nameOf: ({ name }) => (isBelow(name, LISTENERS) ? name : undefined),
    entry: ({ name }, version) => `'${name.split(`${LISTENERS}.`)[1]}': { its shape, since: '${version}' }`,
  },
];

export const STRIMZI: Product = {
  name: 'strimzi',
  repository: 'strimzi/strimzi-kafka-operator',
  tagOf: (version) => version,
  versionOf: (checkout) => checkout.found('release.version', /^\s*(\d+\.\d+\.\d+)\s*$/),
  read,
  tables: TABLES,
};
