import { isDeepStrictEqual } from 'node:util';
import { App, Chart, Duration } from 'cdk8s';
import { KafkaCluster, NodePool, StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { StrimziWatch } from '../../../src/installations/strimzi/watch';
import { stderrOf, synth } from '../../support/apps';
import { casesIn, revived } from '../../support/yaml-cases';
import { installed, one, operatorIn, type Props, variables } from './operators';

const CASES = casesIn(__dirname, 'installation.yaml');

const { V0_45 } = StrimziVersion;

const named = (objects: ReturnType<typeof installed>, kind: string) =>
  objects
    .filter((object) => object.kind === kind)
    .map(({ metadata: { name, namespace } }) => (namespace ? `${namespace}/${name}` : name))
    .sort();

const WATCHING = ['', '-entity-operator-delegation', '-watched'];
const inNamespace = (namespace: string) => WATCHING.map((suffix) => `${namespace}/strimzi-cluster-operator${suffix}`);
const ELECTION = 'strimzi/strimzi-cluster-operator-leader-election';
const ALWAYS = ['', '-kafka-broker-delegation', '-kafka-client-delegation'].map(
  (suffix) => `strimzi-cluster-operator${suffix}`,
);

test.each<[string, Props, string, string[], string[]]>([
  ...revived(CASES.operatorWatchesTold),
  [
    'the same, as a choice',
    { watch: StrimziWatch.namespaces(['kafka']) },
    'kafka',
    [...inNamespace('kafka'), ELECTION],
    ALWAYS,
  ],
  [
    'all namespaces',
    { watch: StrimziWatch.allNamespaces() },
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

test('a name is that of what belongs to the installation, and not that of roles', () => {
  const objects = installed({ name: 'second' });
  expect(one(objects, 'Deployment').spec.template.spec).toMatchObject({
    serviceAccountName: 'second',
    volumes: expect.arrayContaining([{ name: 'co-config-volume', configMap: { name: 'second' } }]),
  });
  expect(named(objects, 'ClusterRoleBinding')[0]).toBe('second');
  expect(named(objects, 'ClusterRole').every((name) => name.startsWith('strimzi-'))).toBe(true);
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

test('without leader election nobody may take leases', () => {
  expect(named(installed({ leaderElection: false }), 'RoleBinding')).toEqual(inNamespace('strimzi').sort());
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

  test('decides what a Kafka of the app looks like', () => {
    const app = new App();
    const { operator } = operatorIn(app, 'strimzi', { version: V0_45, watchNamespaces: ['kafka'] });
    const chart = new Chart(app, 'kafka', { namespace: 'kafka' });
    const { kafka } = new KafkaCluster(chart, 'Kafka', { name: 'events', strimzi: operator.version });
    expect(kafka.apiVersion).toBe('kafka.strimzi.io/v1beta2');
  });
});

test('the operation timeout is known to others', () => {
  const timeoutOf = (props: Props) => operatorIn(new App(), 'strimzi', props).operator.operationTimeout.toSeconds();
  expect([timeoutOf({}), timeoutOf({ operationTimeout: Duration.minutes(20) })]).toEqual([300, 1200]);
});

test('what others patch is judged and written', () => {
  const { chart, operator } = operatorIn(new App(), 'strimzi');
  operator.deployment.metadata.addAnnotation('team', 'data');
  let written: ReturnType<typeof synth> = [];
  stderrOf(() => {
    written = synth(chart);
  });
  expect(one(written, 'Deployment').metadata.annotations).toEqual({ team: 'data' });
});
