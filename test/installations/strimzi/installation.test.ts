import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { App, Chart, Duration } from 'cdk8s';
import {
  HetznerCloud,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  KubernetesVersion,
  LoadBalancers,
  NodePool,
  StrimziClusterOperatorInstallation,
  StrimziCrds,
  StrimziVersion,
} from '../../../src';
import type { Json } from '../../../src/contract/json';
import { isIn } from '../../../src/installations/strimzi/crd-faults';
import {
  BRIDGES,
  CLUSTER_BINDINGS,
  DEFINITIONS,
  FEATURE_GATES,
  LOGGERS,
  OPERATOR_ROLES,
  OWN_BINDINGS,
  TELLING_FIELDS,
  VARIABLES,
  WATCH_ALL_BINDINGS,
  WATCH_BINDINGS,
} from '../../../src/installations/strimzi/installation.facts';
import type { SomeVersions } from '../../../src/installations/tables';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { expectGolden, writtenBy } from '../../support/goldens';
import { casesIn, revived } from '../../support/yaml-cases';
import { installed, one, operatorIn, type Props, VERSIONS, variables } from './operators';

const CASES = casesIn(__dirname, 'installation.yaml');

const named = (objects: ReturnType<typeof installed>, kind: string) =>
  objects
    .filter((object) => object.kind === kind)
    .map(({ metadata: { name, namespace } }) => (namespace ? `${namespace}/${name}` : name))
    .sort();

const ELECTION = 'strimzi/strimzi-cluster-operator-leader-election';
const ALWAYS = ['', '-kafka-broker-delegation', '-kafka-client-delegation'].map(
  (suffix) => `strimzi-cluster-operator${suffix}`,
);

test.each<[string, Props, string, string[], string[]]>([
  ...revived(CASES.operatorWatchesTold),
  [
    'all namespaces',
    { watchNamespaces: ['*'] },
    '*',
    [ELECTION],
    [
      ...ALWAYS,
      ...['-namespaced', '-watched', '-entity-operator-delegation'].map(
        (suffix) => `strimzi-cluster-operator${suffix}`,
      ),
    ],
  ],
])(
  'an operator that watches %s is told of them, and is bound there',
  (_, props, watched, bindings, clusterBindings) => {
    const objects = installed(props);
    expect(variables(objects).STRIMZI_NAMESPACE).toBe(watched);
    expect(named(objects, 'RoleBinding')).toEqual([...bindings].sort());
    expect(named(objects, 'ClusterRoleBinding')).toEqual([...clusterBindings].sort());
    expect(named(objects, 'ClusterRole')).toHaveLength(7);
    for (const { subjects } of objects.filter(({ kind }) => kind.endsWith('RoleBinding'))) {
      expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'strimzi-cluster-operator', namespace: 'strimzi' }]);
    }
  },
);

test('objects of the whole cluster have no namespace, in whatever chart they are', () => {
  const objects = installed().filter(({ kind }) => kind.startsWith('ClusterRole'));
  expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(objects.map(() => undefined));
});

test('without objects of the whole cluster the others stay, and refer to the roles by their names', () => {
  const objects = installed({ createClusterScoped: false });
  expect([...new Set(objects.map(({ kind }) => kind))].sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'RoleBinding',
    'ServiceAccount',
  ]);
  expect(one(objects, 'RoleBinding', 'strimzi-cluster-operator-watched').roleRef.name).toBe(
    'strimzi-cluster-operator-watched',
  );
});

test.each<[string, Props, Record<string, string>]>([
  ...revived(CASES.reachOperator),
  [
    'timeouts',
    { operationTimeout: Duration.minutes(20), extraEnv: { STRIMZI_FULL_RECONCILIATION_INTERVAL_MS: '90000' } },
    { STRIMZI_OPERATION_TIMEOUT_MS: '1200000', STRIMZI_FULL_RECONCILIATION_INTERVAL_MS: '90000' },
  ],
])('%s reach the operator', (_, props, expected) => {
  const objects = installed(props);
  expect(variables(objects)).toMatchObject(expected);
  const names = one(objects, 'Deployment').spec.template.spec.containers[0].env.map(({ name }: never) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('pods have the resources and the node pool of the props', () => {
  const nodePool = NodePool.labeled({ pool: 'system' });
  const objects = installed({
    nodePool,
    replicas: 2,
    resources: { requests: { cpu: '500m', memory: '768Mi' }, limits: { memory: '768Mi' } },
  });
  const { replicas, template } = one(objects, 'Deployment').spec;
  expect(replicas).toBe(2);
  expect(template.spec.containers[0].resources).toEqual({
    limits: { cpu: '1', memory: '768Mi' },
    requests: { cpu: '500m', memory: '768Mi' },
  });
  const [term] = template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  expect(term.matchExpressions).toEqual([{ key: 'pool', operator: 'In', values: ['system'] }]);
});

describe('several pods are spread', () => {
  const inZones = (...zones: string[]) => NodePool.labeled({ pool: 'system' }, { zones });

  test.each<[string, Props, object]>(revived(CASES.severalPodsSpread, { inZones }))('%s', (_, props, expected) => {
    const { template, selector } = one(installed(props), 'Deployment').spec;
    const constraints: Json[] = template.spec.topologySpreadConstraints ?? [];
    expect(
      Object.fromEntries(constraints.map(({ topologyKey, whenUnsatisfiable }) => [topologyKey, whenUnsatisfiable])),
    ).toEqual(expected);
    expect(constraints.every(({ labelSelector }) => isDeepStrictEqual(labelSelector, selector))).toBe(true);
  });
});

describe('the version', () => {
  test.each<[string, Props, string, boolean]>([...revived(CASES.versionFlowsOn), ...revived(CASES.flowsOn)])(
    'flows on %s',
    (_, props, gates, keeps) => {
      const { operator } = operatorIn(new App(), 'strimzi', props);
      expect([operator.version.version, operator.version.keepsForeignFinalizers]).toEqual([
        props.version?.version,
        keeps,
      ]);
      expect(variables(installed(props)).STRIMZI_FEATURE_GATES).toBe(gates);
    },
  );
});

describe('mistakes', () => {
  const CASES = casesIn(__dirname, 'mistakes.yaml');

  const { V1_0, V1_2 } = StrimziVersion;

  const PATH = '[strimzi/Operator] strimzi: ';

  test.each<[string, Props, string, string]>([...revived(CASES.mistakes), ...revived(CASES.error)])(
    '%s is an error',
    (_, props, message, rule) => {
      const { chart } = operatorIn(new App(), 'strimzi', props);
      const said = errorsOf(chart).filter((line) => line.endsWith(`(${rule})`));
      expect(said).not.toEqual([]);
      expect(said.join('\n')).toContain(message);
      expect(said.filter((line) => !line.startsWith(PATH))).toEqual([]);
    },
  );

  test('a chart without a namespace is an error', () => {
    const chart = new Chart(new App(), 'strimzi');
    new StrimziClusterOperatorInstallation(chart, 'Operator', { version: V1_2 });
    expect(errorsOf(chart)).toEqual([
      `${PATH}the operator has no namespace, so nothing can be bound to its ServiceAccount; give the chart a namespace, or set namespace (strimzi-namespace-invalid)`,
    ]);
  });

  test.each([['strimzi-kubernetes-unsupported', { version: V1_0, kubernetes: KubernetesVersion.V1_30 }]] as [
    string,
    Props,
  ][])('%s keeps silent where all is right', (_, props) => {
    expect(stderrOf(() => expect(errorsOf(operatorIn(new App(), 'strimzi', props).chart)).toEqual([]))).toMatch(
      /^cdk8s-load-balancers: 1 warning\n.*strimzi-crds-missing/s,
    );
  });

  test('an unknown release is taken where its images are said', () => {
    const images = '4.9.0=kafka:4.9.0\n';
    const extraEnv = {
      STRIMZI_DEFAULT_KAFKA_EXPORTER_IMAGE: 'kafka:4.9.0',
      STRIMZI_DEFAULT_CRUISE_CONTROL_IMAGE: 'kafka:4.9.0',
      STRIMZI_KAFKA_IMAGES: images,
      STRIMZI_KAFKA_CONNECT_IMAGES: images,
      STRIMZI_KAFKA_MIRROR_MAKER_2_IMAGES: images,
    };
    const version = StrimziVersion.of('1.9.0');
    const errors = (props: Props) => errorsOf(operatorIn(new App(), 'strimzi', { version, ...props }).chart);
    expect(errors({ extraEnv }).join()).toContain('set STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE in extraEnv');
    const all = { ...extraEnv, STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE: 'bridge:2' };
    const warnings = stderrOf(() => expect(errors({ extraEnv: all, featureGates: { Newest: true } })).toEqual([]));
    expect(warnings).toContain(
      'Strimzi 1.9.0 is newer than 1.2.0, the newest one known here, so it is validated as that one',
    );
    expect(warnings).toContain('(strimzi-newer-than-facts)');
  });

  test('what an administrator must do is told where nothing of the whole cluster is made', () => {
    const said = (props: Props) =>
      stderrOf(() => synth(operatorIn(new App(), 'strimzi', { createClusterScoped: false, ...props }).chart));
    expect(said({})).toMatch(/racks by node label.* do not work without\n.*\(strimzi-cluster-scoped-missing\)/);
    expect(said({ watchNamespaces: ['*'] })).toContain('watches all namespaces can do nothing without');
    expect(said({})).not.toContain('strimzi-crds-missing');
  });
});

describe('untyped', () => {
  const CASES = revived(casesIn(__dirname, 'untyped.yaml'));

  /** What a caller without types may pass. */
  // biome-ignore lint/suspicious/noExplicitAny: that is what is tested
  type Anything = any;

  function made(props: Anything): Chart {
    const chart = new Chart(new App(), 'strimzi', { namespace: 'strimzi' });
    new StrimziClusterOperatorInstallation(chart, 'Operator', props);
    return chart;
  }

  const version = StrimziVersion.V1_2;

  test.each<[Anything, string]>([
    ...CASES.refusedPropWhat,
    [undefined, 'the props are undefined, and not an object; pass an object with version'],
    [{ name: () => 'x' }, 'name is a function, which is not a string'],
    [{ name: new Chart(new App(), 'x') }, 'name is a Chart, which is not a string'],
  ])('%j is refused with the prop and what it must be', (props, message) => {
    const given = props && Object.keys(props).length > 0 ? { version, ...props } : props;
    expect(() => made(given)).toThrow(`strimzi/Operator: ${message}`);
  });

  test.each<[() => unknown, string]>([
    [
      () => StrimziCrds.fromFile(null as Anything),
      'strimzi: definitions cannot be read from null; pass the path of a file',
    ],
    [
      () => StrimziCrds.fromManifest('crds.yaml' as Anything),
      'strimzi: fromManifest() takes the construct that holds the definitions',
    ],
    [() => StrimziVersion.of(null as Anything), "strimzi: 'null' is not a version; write it like 1.2.0"],
  ])('%p says what to pass', (make, message) => expect(make).toThrow(message));
});

const kafka = { watchNamespaces: ['kafka'] };

/** A cluster with so many brokers, which has balancers one after the other, 15 seconds each. */
function clusterIn(app: App, replicas: number): KafkaCluster {
  const chart = new Chart(app, 'clusters', { namespace: 'kafka' });
  const cluster = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
  new KafkaNodePool(chart, 'Brokers', {
    kafka: cluster,
    name: 'brokers',
    replicas,
    roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
    storage: { type: 'ephemeral' },
  });
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka: cluster,
    name: 'external',
    port: 9094,
    authentication: { type: 'tls' },
    controller: HetznerCloud.loadBalancer({ location: 'fsn1' }),
  });
  return cluster;
}

function told(rule: string, replicas: number, ...operators: Props[]): string[] {
  const app = new App();
  const cluster = clusterIn(app, replicas);
  for (const [index, props] of operators.entries()) {
    const { operator } = operatorIn(app, `strimzi${index}`, { ...props, createClusterScoped: index === 0 });
    LoadBalancers.of(operator).acknowledge('strimzi-crds-missing', 'applied before');
  }
  const said = stderrOf(() => synth(Chart.of(cluster))).replace(/\s+/g, ' ');
  return said
    .split(/(?= \[)/)
    .filter((text) => text.includes(`(${rule})`))
    .map((text) => text.trim());
}

describe('how long the operator waits for addresses', () => {
  const waits = (replicas: number, ...operators: Props[]) =>
    told('listener-too-many-balancers', replicas, ...operators);
  const waiting = (seconds: number): Props => ({ ...kafka, operationTimeout: Duration.seconds(seconds) });

  test.each<[string, number, Props[], number]>([
    ['is five minutes where no operator is in the app', 21, [], 1],
    ['is five minutes where it says nothing', 21, [kafka], 1],
    ['is as long as it says', 21, [waiting(600)], 0],
    ['is none of an operator that watches elsewhere', 21, [{ ...waiting(600), watchNamespaces: ['shop'] }], 1],
    ['is that of the one that serves it', 21, [waiting(600), { ...waiting(60), watchNamespaces: ['shop'] }], 0],
  ])('%s', (_, replicas, operators, expected) => expect(waits(replicas, ...operators)).toHaveLength(expected));

  test('is told with the operator that says it', () => {
    expect(waits(5, waiting(60))[0]).toMatch(
      /takes 90 s .* the operator waits 60 s .* set STRIMZI_OPERATION_TIMEOUT_MS of strimzi0\/Operator\/Deployment \(operationTimeout\) to 90000 or more/,
    );
  });
});

describe('audit', () => {
  // What is written, held against the tables, and the tables against what the vendor's own files hold.

  const versions = VERSIONS.map((version) => [version.version, version] as const);

  describe.each(versions)('%s', (name, version) => {
    const objects = installed({ version });

    test('has the variables of the table, and no other', () => {
      const rows = VARIABLES.filter((row) => isIn(version, row));
      expect(Object.keys(variables(objects))).toEqual(rows.map((row) => row.name));
    });

    test('has images of exactly its versions of Kafka', () => {
      const { kafka } = STRIMZI_RELEASES[name];
      const expected = kafka.map((each) => `${each}=quay.io/strimzi/kafka:${name}-kafka-${each}\n`).join('');
      const written = Object.entries(variables(objects)).filter(([variable]) => variable.endsWith('_IMAGES'));
      expect(written.length).toBeGreaterThanOrEqual(3);
      expect(written.map(([, value]) => value)).toEqual(written.map(() => expected));
    });

    test.each(OPERATOR_ROLES.map((role) => [role.name, role] as const))('has the rules of %s', (role, { rules }) => {
      const rows = rules.filter((rule) => isIn(version, rule));
      expect(one(objects, 'ClusterRole', role).rules).toEqual(
        rows.map(({ groups, resources, verbs, resourceNames }) => ({
          apiGroups: groups,
          resources,
          verbs,
          ...(resourceNames && { resourceNames }),
        })),
      );
    });

    test('binds each of its roles, and no other', () => {
      const bound = objects.filter(({ kind }) => kind.endsWith('RoleBinding')).map(({ roleRef }) => roleRef.name);
      expect(bound.sort()).toEqual(OPERATOR_ROLES.map((role) => role.name).sort());
    });

    test('has a logger for each row', () => {
      const [properties] = Object.values<string>(one(objects, 'ConfigMap').data);
      const loggers = [...properties.matchAll(/^logger\.(\w+)\.name = (.+)$/gm)].map(([, id, logger]) => [id, logger]);
      const rows = LOGGERS.filter((row) => isIn(version, row));
      expect(loggers).toEqual(rows.map(({ id, logger }) => [id, logger]));
    });
  });

  const COUNTED: Record<string, [variables: number, rules: number, permissions: number, definitions: number]> = casesIn(
    __dirname,
    'installation.yaml',
  ).counted;

  test.each(versions)('%s has as many rows as the vendor has', (name, version) => {
    const rules = OPERATOR_ROLES.flatMap((role) => role.rules).filter((rule) => isIn(version, rule));
    const permissions = rules.map(({ resources, verbs }) => resources.length * verbs.length);
    expect([
      VARIABLES.filter((row) => isIn(version, row)).length,
      rules.length,
      permissions.reduce((sum, each) => sum + each, 0),
      DEFINITIONS.filter((row) => isIn(version, row)).length,
    ]).toEqual(COUNTED[name.replace(/\.\d+$/, '')]);
  });

  test.each(versions)('%s has the bridge of its Deployment', (name, version) => {
    const BRIDGE: Record<string, string> = casesIn(__dirname, 'installation.yaml').bridges;
    const image = variables(installed({ version })).STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE;
    expect(image).toBe(`quay.io/strimzi/kafka-bridge:${BRIDGE[name] ?? BRIDGE[name.replace(/\.\d+$/, '')]}`);
  });

  test.each(versions)('%s has the gates of its FeatureGates.java', (name, version) => {
    const GATES: Record<string, string[]> = {
      '0.45': ['ContinueReconciliationOnManualRollingUpdateFailure'],
      '0.48': ['ServerSideApplyPhase1'],
      '0.49': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
      '0.50': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
      '0.51': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
      '1.0': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
      '1.1': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah', 'UseBackgroundPodDeletion'],
      '1.2': ['UseConnectBuildWithBuildah', 'UseBackgroundPodDeletion'],
    };
    const gates = FEATURE_GATES.filter((row) => isIn(version, row)).map((row) => row.name);
    expect(gates).toEqual(GATES[name.replace(/\.\d+$/, '')] ?? []);
  });

  test.each<[string, readonly (Pick<SomeVersions, 'file' | 'tag'> & Partial<SomeVersions>)[]]>([
    ['variables', VARIABLES],
    ['gates', FEATURE_GATES],
    ['loggers', LOGGERS],
    ['bridges', BRIDGES],
    ['definitions', DEFINITIONS],
    ['telling fields', TELLING_FIELDS],
    ['rules', OPERATOR_ROLES.flatMap(({ rules }) => rules)],
    ['bindings', [...CLUSTER_BINDINGS, ...OWN_BINDINGS, ...WATCH_BINDINGS, ...WATCH_ALL_BINDINGS]],
  ])('each of the %s names a file and a release that has it', (_, rows) => {
    for (const { file, tag, since, until } of rows) {
      expect(file).toMatch(/^(packaging|cluster-operator|operator-common)\/.+\.(yaml|java)$/);
      expect(Object.keys(STRIMZI_RELEASES)).toContain(tag);
      const version = VERSIONS.find((each) => each.version === tag);
      expect(version && isIn(version, { since, until, file, tag })).toBe(true);
    }
  });

  const GOLDENS: Record<string, Props> = {
    'strimzi-1.2': { version: StrimziVersion.V1_2, watchNamespaces: ['kafka'] },
    'strimzi-0.49': {
      version: StrimziVersion.V0_49,
      watchNamespaces: ['*'],
      featureGates: { ServerSideApplyPhase1: true },
      replicas: 2,
    },
  };

  test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
    const { yaml } = writtenBy(() => operatorIn(new App(), 'strimzi', props).chart);
    expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
  });
});
