import { App, Chart, Testing } from 'cdk8s';
import {
  KeeperEngine,
  KubernetesVersion,
  LoadBalancerKeeper,
  type LoadBalancerKeeperProps,
  LoadBalancerLock,
  LoadBalancerWarningPolicies,
  PolicyAction,
  TenancyIdentity,
} from '../../src';
import { policiesText } from '../../src/cli/main';
import type { Json } from '../../src/contract/json';
import { readKubernetesYaml } from '../../src/contract/kubernetes-yaml';
import { LOCKED_FIELDS, RESOURCE_FINALIZERS } from '../../src/policies/policy.facts';
import { knownKinds } from '../../src/rules/known-kinds';
import { run } from '../support/command';
import { folderWith } from '../support/files';
import { casesIn, revived, table } from '../support/yaml-cases';

const V1_36 = KubernetesVersion.V1_36;
const chart = () => new Chart(new App(), 'chart');
const objectsOf = (make: (of: Chart) => void): Json[] => {
  const of = chart();
  make(of);
  return Testing.synth(of);
};
const keeper = (props: LoadBalancerKeeperProps = {}) =>
  objectsOf((of) => new LoadBalancerKeeper(of, 'Keeper', { kubernetes: V1_36, ...props }));
const isPolicy = ({ kind }: Json) => /Policy$/.test(kind);
const all = (): Json[] => [
  ...keeper({ allServices: true, annotations: LoadBalancerKeeper.lookupAnnotations() }),
  ...objectsOf((of) => new LoadBalancerLock(of, 'Lock', { lockedBy: [TenancyIdentity.group('platform')] })),
  ...objectsOf((of) => new LoadBalancerWarningPolicies(of, 'Warnings', { classlessIsPublic: true })),
];

test('a security reviewer reads one page: no policy has more than 60 lines', () => {
  for (const name of ['keeper', 'lock', 'warnings']) {
    const [, ...policies] = policiesText(name, {}).split(/^---$/m);
    for (const policy of policies.filter((text) => /kind: \w+AdmissionPolicy\n/.test(text))) {
      const lines = policy.trim().split('\n').length;
      expect([name, lines, lines <= 60]).toEqual([name, lines, true]);
    }
  }
});

test('no policy spells a finalizer, a user or an annotation that is in a list', () => {
  for (const policy of all().filter(isPolicy)) {
    const text = JSON.stringify(policy.spec);
    for (const finalizer of [...knownKinds().flatMap(({ finalizers }) => finalizers), ...RESOURCE_FINALIZERS]) {
      expect(text).not.toContain(finalizer);
    }
    expect(text).not.toContain('system:serviceaccount:');
    expect(text).not.toContain(" + ''");
  }
});

test('the lists have the finalizers and identities of every known controller', () => {
  const [{ data }] = keeper();
  const entries = (key: string) => data[key].split('\n');
  for (const { finalizers, untouchableFinalizers = [], identities } of knownKinds()) {
    expect(entries('finalizers')).toEqual(expect.arrayContaining([...finalizers, ...untouchableFinalizers]));
    for (const { kind, name, namespace } of identities(undefined)) {
      const user = kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${name}` : name;
      expect(entries(kind === 'Group' ? 'groups' : 'users')).toContain(user);
    }
  }
  // it writes what programs of others want
  expect(data.users).not.toContain('metacontroller');
});

test('the lock looks at every field of which a table says that an edit loses the load balancer', () => {
  const losing = knownKinds().flatMap(({ fieldEdits = {} }) =>
    Object.entries(fieldEdits).flatMap(([field, { orphaned, deleted, replaced }]) =>
      [orphaned, deleted, replaced].some((what) => what !== undefined) ? [field] : [],
    ),
  );
  const fields = LOCKED_FIELDS.map(([field]) => `spec.${field}`);
  expect([...new Set(losing)].sort()).toEqual(['metadata.finalizers', 'spec.type', ...fields].sort());
  const [, lock] = objectsOf((of) => new LoadBalancerLock(of, 'Lock'));
  for (const field of fields) {
    expect(JSON.stringify(lock.spec.validations)).toContain(`a change of ${field} can`);
  }
});

test('lists of annotations come from the tables of edits', () => {
  expect(LoadBalancerKeeper.lookupAnnotations()).toEqual(
    expect.arrayContaining([
      'service.beta.kubernetes.io/aws-load-balancer-type',
      'service.beta.kubernetes.io/azure-load-balancer-internal',
      'metallb.io/loadBalancerIPs',
    ]),
  );
});

test('Kyverno reads no ConfigMap and needs no binding', () => {
  const objects = keeper({ engine: KeeperEngine.KYVERNO, kubernetes: KubernetesVersion.V1_30 });
  expect(objects.map(({ kind, apiVersion }) => `${apiVersion} ${kind}`)).toEqual([
    'policies.kyverno.io/v1 MutatingPolicy',
    'policies.kyverno.io/v1 MutatingPolicy',
  ]);
  expect(JSON.stringify(objects)).not.toContain('params');
  expect(JSON.stringify(objects)).toContain('service.k8s.aws/resources');
});

test('the beta of the API server', () => {
  const [, policy, binding] = keeper({ engine: KeeperEngine.API_SERVER_BETA, kubernetes: KubernetesVersion.V1_34 });
  expect([policy.apiVersion, binding.apiVersion]).toEqual(Array(2).fill('admissionregistration.k8s.io/v1beta1'));
});

test.each<[string, (of: Chart) => void, RegExp]>([
  [
    'the beta below 1.34',
    (of) =>
      new LoadBalancerKeeper(of, 'K', { engine: KeeperEngine.API_SERVER_BETA, kubernetes: KubernetesVersion.V1_33 }),
    /v1beta1, which comes with 1\.34/,
  ],
  [
    'everybody as a controller',
    (of) =>
      new LoadBalancerKeeper(of, 'K', {
        kubernetes: V1_36,
        controllers: [TenancyIdentity.group('system:authenticated')],
      }),
    /guard-exemption-invalid/,
  ],
  [
    'a lock that refuses and warns',
    (of) => new LoadBalancerLock(of, 'L', { actions: [PolicyAction.DENY, PolicyAction.WARN] }),
    /actions is \[Deny, Warn\].*lock-actions-invalid/,
  ],
  [
    'a lock that everybody may set',
    (of) => new LoadBalancerLock(of, 'L', { lockedBy: [TenancyIdentity.group('system:serviceaccounts')] }),
    /guard-exemption-invalid/,
  ],
  [
    'two keepers of one name',
    (of) => {
      new LoadBalancerKeeper(of, 'A', { kubernetes: V1_36 });
      new LoadBalancerKeeper(of, 'B', { kubernetes: V1_36 });
    },
    /policy-name-duplicate/,
  ],
  [
    'no label of namespaces',
    (of) => new LoadBalancerWarningPolicies(of, 'W', { namespaceLabels: {} }),
    /namespace-labels-invalid/,
  ],
])('refuses %s', (_title, make, says) => expect(() => make(chart())).toThrow(says));

describe('cdk8s-load-balancers policies', () => {
  test.each(['keeper', 'lock', 'warnings'])('prints %s as YAML', (name) => {
    const { out, code } = run('policies', name);
    const { values, faults } = readKubernetesYaml(out);
    expect([code, faults]).toEqual([0, []]);
    expect(values.map(({ value }) => (value as Json).kind)).toEqual(expect.arrayContaining(['ConfigMap']));
  });

  test.each<[string[], RegExp]>(casesIn(__dirname, 'policies.yaml')['is a usage error'])(
    '%p is a usage error',
    (args, says) => {
      const { out, error, code } = run(...args);
      expect([out, code]).toEqual(['', 2]);
      expect(error).toMatch(says);
    },
  );
});

// What a keeper changes of what check and diff say: by the context file, or by its policies among the files.

const CONTEXT =
  "kubernetes: '1.36'\ncontrollers: [aws-load-balancer-controller, cloud-provider-aws]\nstrimzi: 0.45.0\n";
const kafka = (finalizers: string) => `
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata:
  name: events
  namespace: kafka
  annotations: { strimzi.io/kraft: enabled, strimzi.io/node-pools: enabled }
spec:
  kafka:
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        configuration: { class: service.k8s.aws/nlb${finalizers} }
  entityOperator: {}
---
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaNodePool
metadata: { name: brokers, namespace: kafka, labels: { strimzi.io/cluster: events } }
spec: { replicas: 3, roles: [broker, controller], storage: { type: ephemeral } }
`;
const service = (finalizers: string, owners = '') => `
apiVersion: v1
kind: Service
metadata: { name: db, namespace: shop${finalizers}${owners} }
spec: { type: LoadBalancer, loadBalancerClass: service.k8s.aws/nlb, ports: [{ port: 5432 }], selector: { app: db } }
`;
const DECLARED = ', finalizers: [service.k8s.aws/resources]';
const OWNED =
  ', ownerReferences: [{ apiVersion: example.com/v1, kind: Database, name: db, uid: 5f0edc86-85f1-4057-a4d2-3d914e2702b3 }]';

const KEEPERS: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
  ['no keeper', { 'load-balancers.yaml': CONTEXT }, false],
  ['keeper: false', { 'load-balancers.yaml': `${CONTEXT}keeper: false\n` }, false],
  ['keeper: true', { 'load-balancers.yaml': `${CONTEXT}keeper: true\n` }, true],
  ['its policies', { 'load-balancers.yaml': CONTEXT, 'keeper.yaml': policiesText('keeper', {}) }, true],
];

test.each(KEEPERS)('check with %s', (_title, files, isKept) => {
  const { out } = run('check', folderWith({ ...files, 'kafka.yaml': kafka('') }));
  expect(out.includes('finalizer-missing-on-listener')).toBe(!isKept);
  expect(out.includes('LoadBalancerKeeper')).toBe(isKept);
});

test.each(KEEPERS)('diff of a listener that no longer declares its finalizer, with %s', (_title, files, isKept) => {
  const sides = [kafka(DECLARED), kafka('')].map((text) => folderWith({ ...files, 'kafka.yaml': text }));
  const { out, code } = run('diff', ...sides);
  expect([out.includes('ORPHANED'), code]).toEqual(isKept ? [false, 0] : [true, 1]);
});

test.each<[string, string, Readonly<Record<string, string>>, boolean]>(
  revived(table('policies/policies.yaml', 'another set of finalizers', { OWNED }), { policiesText }),
)(
  'diff of %s with another set of finalizers',
  (_title, owners, policies: Readonly<Record<string, string>>, isOrphaned) => {
    const sides = [service(DECLARED, owners), service('', owners)].map((text) =>
      folderWith({
        'load-balancers.yaml': `${CONTEXT}${'keeper.yaml' in policies ? '' : 'keeper: true\n'}`,
        ...policies,
        'db.yaml': text,
      }),
    );
    const { out } = run('diff', ...sides, '--writer', 'server-apply');
    expect(out.includes('ORPHANED')).toBe(isOrphaned);
  },
);

test('a keeper that only one side has promises nothing', () => {
  const context = { 'load-balancers.yaml': CONTEXT };
  const before = folderWith({ ...context, 'kafka.yaml': kafka(DECLARED) });
  const after = folderWith({ ...context, 'keeper.yaml': policiesText('keeper', {}), 'kafka.yaml': kafka('') });
  expect(run('diff', before, after).out).toContain('ORPHANED');
});
