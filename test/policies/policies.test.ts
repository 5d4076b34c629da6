import { App, Chart, Testing } from 'cdk8s';
import {
  KeeperEngine,
  KeptServices,
  KubernetesVersion,
  LoadBalancerKeeper,
  type LoadBalancerKeeperProps,
  LoadBalancerLock,
  LoadBalancerWarningPolicies,
  PolicyAction,
  TenancyIdentity,
} from '../../src';
import { policiesText } from '../../src/checks/main';
import type { Json } from '../../src/contract/json';
import { readKubernetesYaml } from '../../src/contract/kubernetes-yaml';
import { LOCKED_FIELDS, RESOURCE_FINALIZERS } from '../../src/policies/policy.facts';
import { knownKinds } from '../../src/rules/known-kinds';
import { run } from '../support/command';

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
  ...keeper({ services: KeptServices.ALL, annotations: LoadBalancerKeeper.lookupAnnotations() }),
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
    'an API server without the policies',
    (of) => new LoadBalancerKeeper(of, 'K', { kubernetes: KubernetesVersion.V1_35 }),
    /Kubernetes 1\.35 has no MutatingAdmissionPolicy v1, .*KeeperEngine\.API_SERVER_BETA.*KeeperEngine\.KYVERNO.*keeper-kubernetes/,
  ],
  [
    'the beta below 1.34',
    (of) =>
      new LoadBalancerKeeper(of, 'K', { engine: KeeperEngine.API_SERVER_BETA, kubernetes: KubernetesVersion.V1_33 }),
    /v1beta1, which comes with 1\.34/,
  ],
  [
    'a key that is none',
    (of) => new LoadBalancerKeeper(of, 'K', { kubernetes: V1_36, annotations: ['a b'] }),
    /annotations: .*a b.*keeper-annotation-key/,
  ],
  [
    'everybody as a controller',
    (of) =>
      new LoadBalancerKeeper(of, 'K', {
        kubernetes: V1_36,
        controllers: [TenancyIdentity.group('system:authenticated')],
      }),
    /guard-exempt/,
  ],
  [
    'a lock below 1.30',
    (of) => new LoadBalancerLock(of, 'L', { kubernetes: KubernetesVersion.V1_29 }),
    /policy-kubernetes/,
  ],
  ['a lock without actions', (of) => new LoadBalancerLock(of, 'L', { actions: [] }), /lock-actions/],
  [
    'a lock that refuses and warns',
    (of) => new LoadBalancerLock(of, 'L', { actions: [PolicyAction.DENY, PolicyAction.WARN] }),
    /actions is \[Deny, Warn\].*lock-actions/,
  ],
  [
    'a lock that everybody may set',
    (of) => new LoadBalancerLock(of, 'L', { lockedBy: [TenancyIdentity.group('system:serviceaccounts')] }),
    /guard-exempt/,
  ],
  [
    'two keepers of one name',
    (of) => {
      new LoadBalancerKeeper(of, 'A', { kubernetes: V1_36 });
      new LoadBalancerKeeper(of, 'B', { kubernetes: V1_36 });
    },
    /policy-name-twice/,
  ],
  [
    'no label of namespaces',
    (of) => new LoadBalancerWarningPolicies(of, 'W', { namespaceLabels: {} }),
    /namespace-labels/,
  ],
])('refuses %s', (_title, make, says) => {
  expect(() => make(chart())).toThrow(says);
});

describe('cdk8s-load-balancers policies', () => {
  test.each(['keeper', 'lock', 'warnings'])('prints %s as YAML', (name) => {
    const { out, code } = run('policies', name);
    const { values, faults } = readKubernetesYaml(out);
    expect([code, faults]).toEqual([0, []]);
    expect(values.map(({ value }) => (value as Json).kind)).toEqual(expect.arrayContaining(['ConfigMap']));
  });

  test.each([
    [['policies', 'keepr'], /write keeper, lock, warnings/],
    [['policies', 'keeper', '--kubernetes', '1.33'], /Kubernetes 1\.33 has no MutatingAdmissionPolicy/],
    [['policies', 'keeper', '--engine', 'opa'], /api-server, api-server-beta, kyverno/],
    [['policies', 'lock', '--engine', 'kyverno'], /--engine is an option of keeper, and lock does not read it/],
    [['policies', 'warnings', '--all-services'], /--all-services is an option of keeper/],
  ])('%p is a usage error', (args, says) => {
    const { out, error, code } = run(...args);
    expect([out, code]).toEqual(['', 2]);
    expect(error).toMatch(says);
  });
});
