import { table } from '../../support/yaml-cases';
import { Folder, service } from './repository';

// A controller that is installed otherwise: nobody edits its Services.

interface Installed {
  readonly image?: string;
  readonly args?: readonly string[];
  readonly env?: string;
}

const deployment = ({
  image = 'v3.5.0',
  args = ['--cluster-name=prod'],
  env = '',
}: Installed = {}) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: aws-load-balancer-controller, namespace: kube-system }
spec:
  selector: { matchLabels: { app: lbc } }
  template:
    metadata: { labels: { app: lbc } }
    spec:
      containers:
        - name: controller
          image: public.ecr.aws/eks/aws-load-balancer-controller:${image}
          args: ${JSON.stringify(args)}
          env: [${env}]
`;
const release = (values: string, more = '') => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: lbc, namespace: kube-system }
spec:
  interval: 10m
  chart: { spec: { chart: aws-load-balancer-controller } }
  values: ${values}
${more}`;

function outcomeOf(before: string, after: string | undefined, context: string, ...args: readonly string[]) {
  const folder = new Folder({
    'load-balancers.yaml': context,
    'old/echo.yaml': service('echo'),
    'new/echo.yaml': service('echo'),
    'old/lbc.yaml': before,
    ...(after === undefined ? {} : { 'new/lbc.yaml': after }),
  });
  const { changes } = folder.json('old', 'new', ...args);
  const echo = changes.find(({ title }) => title === 'edge/echo');
  return { outcome: echo?.outcome, fields: (echo?.causes ?? []).map(({ field }) => field), echo };
}

const SPEC = {
  type: 'LoadBalancer',
  loadBalancerClass: 'service.k8s.aws/nlb',
  selector: { app: 'echo' },
  ports: [{ port: 80 }],
};
const NOTHING = "kubernetes: '1.36'\n";
const TOLD = 'controllers: [aws-load-balancer-controller]\n';
const LBC = 'Deployment kube-system/aws-load-balancer-controller';

describe.each([
  ['inferred', NOTHING],
  ['told by the context file', TOLD],
])('where what runs is %s', (_, context) => {
  test.each<[string, Installed, Installed, string, readonly string[]]>(
    table('cli/diff/installs.yaml', 'what runs is different'),
  )('%s', (__, from, to, outcome, fields) => {
    expect(outcomeOf(deployment(from), deployment(to), context)).toMatchObject({ outcome, fields });
  });

  test.each<[string, string, string, string]>(table('cli/diff/installs.yaml', 'of a chart'))(
    'of a chart: %s',
    (__, values, more, outcome) => {
      const before = release('{ clusterName: prod }');
      expect(outcomeOf(before, release(values, more), context).outcome).toBe(outcome);
    },
  );
});

test('a version that is known of both sides is looked at as such', () => {
  const { outcome, fields } = outcomeOf(deployment({ image: 'v2.8.1' }), deployment(), NOTHING);
  expect(outcome).toBe('kept');
  expect(fields).not.toContain(`${LBC}, image`);
});

test('what is removed is not there because the context file has it still', () => {
  const { outcome, echo } = outcomeOf(deployment(), undefined, TOLD);
  expect(outcome).toBe('unknown');
  expect(echo?.causes[0]).toMatchObject({ field: 'controllers', from: LBC });
  expect(outcomeOf(deployment(), undefined, TOLD, '--no-prune').outcome).toBe('kept');
});

test('what alone shows the owner runs on if nothing prunes it', () => {
  const cloud = deployment().replace(
    'public.ecr.aws/eks/aws-load-balancer-controller',
    'hetznercloud/hcloud-cloud-controller-manager',
  );
  const classless = service('echo')
    .replace(/ {2}annotations:\n.*\n.*\n/, '')
    .replace(/.*loadBalancerClass.*\n/, '');
  const folder = new Folder({ 'old/a.yaml': classless, 'new/a.yaml': classless, 'old/ccm.yaml': cloud });
  const outcomes = (...args: readonly string[]) =>
    folder.json('old', 'new', ...args).changes.map(({ outcome }) => outcome);
  expect(outcomes('--no-prune')).toEqual(['kept']);
  expect(outcomes()).not.toContain('kept');
  // of a dump, what the newer side lacks stays
  const live = new Folder({
    'old/a.yaml': `${classless.replace('metadata:', "metadata:\n  uid: 1-2-3\n  resourceVersion: '7'")}status: { loadBalancer: {} }\n`,
    'new/a.yaml': classless,
    'old/ccm.yaml': `${cloud}status: { replicas: 1 }\n`,
  });
  const ofLive = (...args: readonly string[]) => live.json('old', 'new', ...args).changes.map(({ outcome }) => outcome);
  expect(ofLive()).toEqual(['kept']);
  expect(ofLive('--prune')).not.toContain('kept');
});

test.each<[string, string, string]>(
  table('cli/diff/installs.yaml', 'the version of a chart can be told as that of what it'),
)('the version of a chart can be told as that of what it installs: %s', (_, before, field) => {
  const after = before.replace('1.8.1', '1.14.0');
  const { outcome, fields, echo } = outcomeOf(before, after, TOLD);
  expect([outcome, fields]).toEqual(['unknown', [field]]);
  expect(echo?.causes[0]).toMatchObject({ from: '1.8.1', to: '1.14.0' });
  expect(echo?.causes[0].needs).toEqual([
    'the versions, as --controller-from aws-load-balancer-controller@VERSION and --controller-to',
  ]);
  const versions = ['--controller-from', 'aws-load-balancer-controller@2.8.1'];
  const known = [...versions, '--controller-to', 'aws-load-balancer-controller@2.14.0'];
  expect(outcomeOf(before, after, TOLD, ...known).outcome).toBe('kept');
});

test('an image of which the version is not known can be given one', () => {
  const { echo } = outcomeOf(deployment({ image: 'a' }), deployment({ image: 'b' }), TOLD);
  expect(echo?.causes[0].needs).toEqual([
    'the versions, as --controller-from aws-load-balancer-controller@VERSION and --controller-to',
  ]);
  const given = ['--controller-from', '--controller-to'].flatMap((option, i) => [
    option,
    `aws-load-balancer-controller@3.${4 + i}.0`,
  ]);
  const told = outcomeOf(deployment({ image: 'a' }), deployment({ image: 'b' }), TOLD, ...given);
  expect(told.fields).not.toContain(`${LBC}, image`);
});

test('several settings are told once for all balancers', () => {
  const files = (side: string, lbc: string) => ({
    [`${side}/all.yaml`]: `${service('echo')}---\n${service('web')}`,
    [`${side}/lbc.yaml`]: lbc,
  });
  const folder = new Folder({
    'load-balancers.yaml': TOLD,
    ...files('old', deployment({ args: ['--a=1'] })),
    ...files('new', deployment({ args: ['--b=1'] })),
  });
  expect(folder.diff(['old', 'new']).out).toContain('UNKNOWN      edge/echo and 1 more\n    also     edge/web\n');
});

test('a controller that is scaled to nothing holds what is deleted', () => {
  const off = deployment().replace('spec:\n', 'spec:\n  replicas: 0\n');
  const { outcome, fields } = outcomeOf(deployment(), off, TOLD);
  expect([outcome, fields]).toEqual(['stuck', [`${LBC}, spec.replicas`]]);
  expect(outcomeOf(off, deployment(), TOLD).outcome).toBe('kept');
});

test('each cluster has the controller of its own folder', () => {
  const files = (side: string, cluster: string) => ({
    [`${side}/a/echo.yaml`]: service('echo'),
    [`${side}/a/lbc.yaml`]: deployment(),
    [`${side}/b/web.yaml`]: service('web'),
    [`${side}/b/lbc.yaml`]: deployment({ args: [`--cluster-name=${cluster}`] }),
  });
  const folder = new Folder({ 'load-balancers.yaml': TOLD, ...files('old', 'one'), ...files('new', 'other') });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/web': 'orphaned', 'edge/echo': 'kept' });
});

describe('what installs it is another object, or what it says is elsewhere', () => {
  const otherName = ['--cluster-name=other'];
  const moved = (text: string) => text.replace('namespace: kube-system', 'namespace: lbc');
  const app = (namespace: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: lbc, namespace: argocd }
spec:
  destination: { server: https://kubernetes.default.svc, namespace: ${namespace} }
  source: { chart: aws-load-balancer-controller, helm: { valuesObject: { clusterName: prod } } }
`;
  const withObject = (kind: string, name: string, more: string) =>
    `${deployment({ env: '{ name: A, valueFrom: { configMapKeyRef: { name: config, key: a } } }' })}---
apiVersion: v1
kind: ${kind}
metadata: { name: ${name}, namespace: kube-system${more}
`;
  const withSettings = (name: string, a: string) => withObject('ConfigMap', name, ` }\ndata: { a: ${a} }`);
  const withRole = (name: string, role: string) =>
    withObject('ServiceAccount', name, `, annotations: { eks.amazonaws.com/role-arn: ${role} } }`);

  test.each<[string, string, string, string]>([
    ['another namespace', deployment(), moved(deployment()), 'unknown'],
    ['another namespace and cluster', deployment(), moved(deployment({ args: otherName })), 'orphaned'],
    [
      'another name and cluster',
      deployment(),
      deployment({ args: otherName }).replace('name: aws-load-balancer-controller', 'name: lbc'),
      'orphaned',
    ],
    ['a chart in place of a workload', deployment(), release('{ clusterName: prod }'), 'unknown'],
    ['a chart for another cluster in place of a workload', deployment(), release('{ clusterName: other }'), 'unknown'],
    [
      'another account',
      deployment(),
      deployment().replace('      containers:', '      serviceAccountName: a\n      containers:'),
      'unknown',
    ],
    ['the namespace of an Application', app('kube-system'), app('other'), 'unknown'],
    ['settings that a variable names', withSettings('config', 'a'), withSettings('config', 'b'), 'unknown'],
    ['settings that nothing names', withSettings('other', 'a'), withSettings('other', 'b'), 'kept'],
    ['the role of the default account', withRole('default', 'a'), withRole('default', 'b'), 'unknown'],
    ['the role of an account of others', withRole('other', 'a'), withRole('other', 'b'), 'kept'],
  ])('%s', (_, before, after, outcome) => expect(outcomeOf(before, after, TOLD).outcome).toBe(outcome));

  const ofSource = (values: string) =>
    release(values).replace(
      'chart: { spec: { chart: aws-load-balancer-controller } }',
      'chartRef: { kind: OCIRepository, name: lbc }',
    ) +
    '---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: lbc, namespace: kube-system }\n' +
    'spec: { url: oci://example.com/charts/aws-load-balancer-controller }\n';
  const set = (name: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: lbc, namespace: argocd }\nspec: { template: { spec: ` +
    `{ source: { chart: aws-load-balancer-controller, helm: { valuesObject: { clusterName: ${name} } } } } } }\n`;

  test.each([
    ['a release of a source', ofSource('{ clusterName: prod }'), ofSource('{ clusterName: other }'), 'orphaned'],
    ['a set of applications', set('prod'), set('other'), 'orphaned'],
    ['a set of applications that is gone', set('prod'), undefined, 'unknown'],
  ])('%s', (_, before, after, outcome) => expect(outcomeOf(before, after, TOLD).outcome).toBe(outcome));

  test('a cluster has more than its manifests', () => {
    const stored = (object: object) =>
      JSON.stringify(object).replace('"metadata":{', '"metadata":{"uid":"a","resourceVersion":"1",');
    const image = 'public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0';
    const lbc = (more: object = {}, ofPod: object = {}) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'lbc', namespace: 'kube-system' },
      spec: {
        template: { spec: { containers: [{ name: 'a', image, args: ['--cluster-name=prod'] }], ...ofPod } },
        ...more,
      },
      ...('replicas' in more && { status: { replicas: 2 } }),
    });
    const owned = (annotations: object) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: 'kube-system', annotations },
    });
    const role = { 'eks.amazonaws.com/role-arn': 'a' };
    const live = [
      lbc({ replicas: 2 }, { serviceAccount: 'default', serviceAccountName: 'default', dnsPolicy: 'ClusterFirst' }),
      owned({ ...role, 'kubectl.kubernetes.io/last-applied-configuration': '{}' }),
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo', namespace: 'edge' }, spec: SPEC },
    ];
    const files = (side: string, objects: readonly object[]) => ({
      [`${side}/all.yaml`]: objects
        .map((object) => (side === 'live' ? stored(object) : JSON.stringify(object)))
        .join('\n---\n'),
    });
    const folder = new Folder({
      'load-balancers.yaml': TOLD,
      ...files('live', live),
      ...files('new', [lbc(), owned(role), live[2]]),
    });
    expect(folder.outcomes('live', 'new')).toEqual({ 'edge/echo': 'kept' });
    folder.write(files('new', [lbc(), live[2]]));
    expect(folder.outcomes('live', 'new')).toEqual({ 'edge/echo': 'kept' });
    folder.write(files('new', [lbc({}, { serviceAccountName: 'other' }), live[2]]));
    expect(folder.outcomes('live', 'new')).toEqual({ 'edge/echo': 'unknown' });
  });

  test('one cluster of two loses its controller', () => {
    const files = (side: string, names: readonly string[]) =>
      Object.fromEntries([
        ...names.map((name) => [`${side}/${name}/lbc.yaml`, deployment()]),
        ...['one', 'two'].map((name) => [`${side}/${name}/service.yaml`, service(name)]),
      ]);
    const folder = new Folder({ ...files('old', ['one', 'two']), ...files('new', ['two']) });
    expect(folder.outcomes('old', 'new', '--prune')).toEqual({ 'edge/one': 'stuck', 'edge/two': 'kept' });
  });

  test('nothing announces the addresses of MetalLB any more', () => {
    const workload = (kind: string, name: string) =>
      `apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: metallb-system }\n` +
      `spec: { template: { spec: { containers: [{ name: a, image: 'quay.io/metallb/${name}:v0.16.2' }] } } }\n`;
    const echo =
      'apiVersion: v1\nkind: Service\nmetadata: { name: echo, namespace: edge }\nspec: { type: LoadBalancer, ports: [{ port: 80 }] }\n';
    const folder = new Folder({
      'load-balancers.yaml': 'controllers: [metallb]\n',
      'old/all.yaml': [echo, workload('Deployment', 'controller'), workload('DaemonSet', 'speaker')].join('---\n'),
      'new/all.yaml': [echo, workload('Deployment', 'controller')].join('---\n'),
    });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'unknown' });
  });
});
