import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import CITED from '../../facts/cited.json';
import { citedFile } from '../../scripts/descriptors/cited-file';
import { PRODUCTS } from '../../scripts/facts/products';
import { agreement, reportOf } from '../../scripts/facts/report';
import { type Request, run } from '../../scripts/facts/run';
import { OPERATORS } from '../../src/predicted/operators/operators.facts';
import { folderWith } from '../support/files';
import { casesIn } from '../support/yaml-cases';
import { awsRelease, type Files, NEWER, OLDER } from './aws-release';

const AWS = 'aws-load-balancer-controller';

const older = folderWith(awsRelease(OLDER));
const newer = folderWith(awsRelease(NEWER));
const runOf = (more: Partial<Request> = {}) =>
  run({ product: AWS, checkout: newer, against: older, folder: folderWith({}), ...more });

const both = runOf();

describe('two releases of the AWS Load Balancer Controller', () => {
  const ROWS: readonly (readonly [kind: string, what: string, name: string, edit: RegExp])[] = casesIn(
    __dirname,
    'releases.yaml',
  ).rows;

  test.each(ROWS)('%s %s: %s', async (kind, what, name, edit) => {
    const { comparison } = await both;
    const proposals = comparison.proposals.filter(({ fact }) => fact.kind === kind && fact.name === name);
    expect(new Set(proposals.map((each) => `${each.what} ${each.isDone}`))).toEqual(new Set([`${what} false`]));
    expect(proposals[0].edit).toMatch(edit);
  });

  test('have no edits beside these', async () => {
    const { comparison } = await both;
    // the version is in three files
    const names = new Set(comparison.proposals.map(({ what, fact }) => `${fact.kind} ${what} ${fact.name}`));
    expect([...names].sort()).toEqual(ROWS.map(([kind, what, name]) => `${kind} ${what} ${name}`).sort());
  });

  test('of which the first is the second have no edits', async () => {
    const { comparison, changedFiles } = await runOf({ checkout: older });
    expect([comparison.changes, comparison.proposals, changedFiles]).toEqual([[], [], []]);
  });

  test('are cited by entries and rules, first by those whose name is in a changed line', async () => {
    const { changedFiles = [], citations } = await both;
    const gates = changedFiles.find(({ file }) => file === 'pkg/annotations/constants.go');
    expect(citations).toBeGreaterThan(300);
    expect(gates?.added.length).toBe(1);
    expect(gates?.removed.length).toBe(1);
    expect(gates?.citations.map(({ who }) => who)).toContain('AWS_LBC_SOURCE');
    const policies = changedFiles.find(({ file }) => file === 'docs/install/iam_policy.json');
    expect(policies?.citations.map(({ who }) => who)).toContain('rule iam-actions-missing');
  });

  test('are cited where imports and comments alone changed by nobody', async () => {
    const files = awsRelease(OLDER);
    const moved = folderWith({
      ...files,
      'pkg/config/flags.go': files['pkg/config/flags.go']
        .replace('import "github.com/spf13/pflag"', '// Flags of the program.\nimport "example.test/v4/spf13/pflag"')
        .replace('"what it is for")', '"what it is for")  '),
    });
    const { changedFiles } = await runOf({ checkout: moved });
    expect(changedFiles).toEqual([]);
  });

  test('are compared without the older one where that is recorded', async () => {
    const folder = folderWith({});
    await runOf({ folder, write: true });
    const recorded = await runOf({ folder, against: undefined });
    const { comparison } = await both;
    expect(recorded.before).toBe('3.5.0');
    expect(recorded.comparison.proposals).toEqual(comparison.proposals);
    expect(recorded.changedFiles).toBeUndefined();
    expect(recorded.citing.map(({ who }) => who)).toContain('rule iam-actions-missing');
  });

  test('are one report, with the edits by file', async () => {
    const text = reportOf(await both, { all: false });
    expect(text).toMatch(/^# aws-load-balancer-controller 3\.6\.0, against 3\.5\.0$/m);
    expect(text).toMatch(/^## Edits: 16 to make, 0 already made$/m);
    expect(text).toMatch(/^src\/installations\/aws-load-balancer-controller\/flags\.facts\.ts:$/m);
    expect(text).toContain('/compare/v3.5.0...v3.6.0');
  });
});

test('a release that the tables know already has its edits marked, and is measured', async () => {
  const before = folderWith(awsRelease({ ...OLDER, version: '3.4.3' }));
  const after = folderWith(
    awsRelease({ ...OLDER, flags: { ...OLDER.flags, 'required-secrets-label': '', 'coffee-label': '' } }),
  );
  const report = await runOf({ checkout: after, against: before });
  const flags = report.comparison.proposals.filter(({ fact }) => fact.kind === 'flag');
  expect(flags.map(({ row, isDone }) => [row, isDone])).toEqual([
    ['required-secrets-label', true],
    ['coffee-label', false],
  ]);
  const { known, missed, noise } = agreement(report);
  // what these small releases do not change is missed
  expect(missed).toContain(
    'dependency sigs.k8s.io/gateway-api (src/controllers/aws-load-balancer-controller/upgrades.facts.ts)',
  );
  // the flag, and the version in three files
  expect(known - missed.length).toBe(4);
  expect(noise).toBe(1);
});

describe('strimzi release', () => {
  interface SmallRelease {
    readonly version: string;
    readonly kafka: readonly string[];
    readonly gates: string;
    readonly variables: readonly string[];
    readonly resources: readonly string[];
    readonly apis: readonly string[];
    readonly types: readonly string[];
  }

  const INSTALL = 'packaging/install/cluster-operator';
  const COMMON = 'operator-common/src/main/java/io/strimzi/operator/common';

  /** The files of a small release in the shape of Strimzi, written for these tests. */
  const strimziRelease = ({ version, kafka, gates, variables, resources, apis, types }: SmallRelease): Files => ({
    'release.version': `${version}\n`,
    'bridge.version': '1.1.0',
    'kafka-versions.yaml': [
      '- { version: 3.0.0, supported: false, default: false }',
      ...kafka.map((each, i) => `- { version: ${each}, supported: true, default: ${i === kafka.length - 1} }`),
    ].join('\n'),
    [`${COMMON}/featuregates/FeatureGates.java`]: `class FeatureGates {
    private static final String PREFIX = "Use";
    ${gates}
}
`,
    [`${COMMON}/Annotations.java`]: 'class Annotations { public static final String ANNO_A = DOMAIN + "a"; }\n',
    'api/src/main/java/io/strimzi/api/ResourceLabels.java':
      'class L { public static final String DOMAIN = "strimzi.io/"; }\n',
    'api/src/main/java/io/strimzi/api/ResourceAnnotations.java': 'class R { }\n',
    'cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java': `class ClusterOperatorConfig {
    ${variables.map((name, i) => `static final ConfigParameter<Long> V${i} = new ConfigParameter<>("${name}", LONG, "10", VALUES);`).join('\n    ')}
}
`,
    [`${INSTALL}/020-ClusterRole-operator.yaml`]: `kind: ClusterRole
metadata: { name: strimzi-cluster-operator-namespaced }
rules:
  - { apiGroups: [apps], resources: [${resources.join(', ')}], verbs: [get, list] }
`,
    [`${INSTALL}/040-Crd-kafka.yaml`]: `kind: CustomResourceDefinition
spec:
  group: kafka.strimzi.io
  scope: Namespaced
  names: { kind: Kafka, plural: kafkas }
  versions:
${apis
  .map(
    (api) => `    - name: ${api}
      served: true
      storage: ${api === 'v1'}
      schema:
        openAPIV3Schema:
          properties:
            spec:
              type: object
              properties:
                kafka:
                  type: object
                  properties:
                    listeners:
                      type: array
                      items:
                        type: object
                        properties: { type: { type: string, enum: [${types.join(', ')}] } }`,
  )
  .join('\n')}
`,
    [`${INSTALL}/060-Deployment-operator.yaml`]: `kind: Deployment
spec:
  template:
    spec:
      containers:
        - name: strimzi-cluster-operator
          image: registry.example/operator:${version}
          env:
            - { name: STRIMZI_DEFAULT_TOPIC_OPERATOR_IMAGE, value: 'registry.example/operator:${version}' }
`,
  });

  const gate = (name: string, text: string, on: boolean): string =>
    `private final FeatureGate ${name} = new FeatureGate(${text}, ${on});`;

  const OLDER: SmallRelease = {
    version: '1.2.0',
    kafka: ['4.2.0', '4.2.1', '4.3.0', '4.3.1'],
    gates: gate('one', 'PREFIX + "BackgroundPodDeletion"', false),
    variables: ['STRIMZI_FULL_RECONCILIATION_INTERVAL_MS'],
    resources: ['deployments'],
    apis: ['v1'],
    types: ['internal', 'route', 'tlsroute', 'loadbalancer', 'nodeport', 'ingress', 'cluster-ip'],
  };

  const NEWER: SmallRelease = {
    version: '1.3.0',
    kafka: ['4.3.1', '4.10.0'],
    gates: gate('one', 'PREFIX + "BackgroundPodDeletion"', true) + gate('two', '"SlowRolls"', false),
    variables: ['STRIMZI_COFFEE'],
    resources: ['deployments', 'daemonsets'],
    apis: ['v1', 'v2'],
    types: ['internal', 'loadbalancer', 'quic'],
  };

  test('two releases of Strimzi: every kind of fact, and nothing else', async () => {
    const [checkout, against] = [NEWER, OLDER].map((release) => folderWith(strimziRelease(release)));
    const { comparison } = await run({ product: 'strimzi', checkout, against, folder: folderWith({}) });
    const hash = /^[0-9a-f]{64}$/;
    const edits = comparison.proposals.map(({ what, row, fact }) => [
      what,
      row,
      hash.test(fact.value) ? 'a hash' : fact.value,
    ]);
    expect(edits).toEqual(
      casesIn(__dirname, 'releases.yaml')['two releases of Strimzi every kind of fact and nothing else'],
    );
    // the version of the release in an image is no change of the image
    expect(comparison.unheld).toEqual([]);
  });
});

describe('a repository that descriptors cite', () => {
  const REPOSITORY = 'dragonflydb/dragonfly-operator';
  const FILE = 'internal/resources/resources.go';
  const of = (body: string) => folderWith({ [FILE]: `package resources\n\nconst ${body}\n` });

  test('is compared by its cited files, and by the annotations in them', async () => {
    const [before, after] = ['old', 'new'].map((key) => of(`ServiceAnnotation = "dragonflydb.io/${key}"`));
    const versions = { olderRelease: 'v1.6.1', release: 'v1.7.0' };
    const {
      tags,
      comparison,
      changedFiles = [],
    } = await run({
      product: REPOSITORY,
      checkout: after,
      against: before,
      folder: folderWith({}),
      ...versions,
    });
    expect(tags).toEqual(['v1.6.1', 'v1.7.0']);
    expect(changedFiles.map(({ file, added, removed }) => [file, added.length, removed.length])).toEqual([
      [FILE, 1, 1],
    ]);
    expect(comparison.changes.map(({ what, fact }) => `${what} ${fact.name}`).sort()).toEqual([
      'added dragonflydb.io/new',
      'removed dragonflydb.io/old',
    ]);
  });

  test('has a version by name only', async () => {
    const checkout = of('a = 1');
    await expect(run({ product: REPOSITORY, checkout, folder: folderWith({}) })).rejects.toThrow(
      /name it with --release/,
    );
  });

  test('is in the list, with those of all operators and vendors', () => {
    expect(readFileSync(join(__dirname, '..', '..', 'facts', 'cited.json'), 'utf8')).toBe(citedFile()[1]);
    const listed = new Set(CITED.map(({ repository }) => repository));
    const cited = OPERATORS.flatMap(({ source, resources }) => [
      source,
      ...resources.flatMap(({ services }) => services.flatMap((service) => service.source ?? [])),
    ]);
    const known = PRODUCTS.map(({ repository }) => repository);
    expect(cited.filter(({ repository }) => !listed.has(repository) && !known.includes(repository))).toEqual([]);
  });
});

const WORKFLOW = join(__dirname, '..', '..', '.github', 'workflows', 'facts.yml');

describe('the workflow that reads releases', () => {
  const { read, cited } = parse(readFileSync(WORKFLOW, 'utf8')).jobs;

  test('reads every product that can be read, of its own repository', () => {
    const known = PRODUCTS.map(({ name, repository }) => ({ product: name, repository }));
    expect(read.strategy.matrix.include).toEqual(known);
  });

  test('may open issues, and write nothing else', () => {
    const own = { contents: 'read', issues: 'write' };
    expect([read.permissions, cited.permissions]).toEqual([own, own]);
  });

  test('puts no text of a release into its own shell', () => {
    const commands = [...read.steps, ...cited.steps].map(({ run = '' }: { run?: string }) => run).join('\n');
    expect(commands).not.toMatch(/\$\{\{/);
  });
});
