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

const NOTHING = "kubernetes: '1.36'\n";
const TOLD = 'controllers: [aws-load-balancer-controller]\n';
const LBC = 'Deployment kube-system/aws-load-balancer-controller';

describe.each([
  ['inferred', NOTHING],
  ['told by the context file', TOLD],
])('where what runs is %s', (_, context) => {
  test.each<[string, Installed, Installed, string, readonly string[]]>([
    ['nothing', {}, {}, 'kept', []],
    ['the name of the cluster', {}, { args: ['--cluster-name=other'] }, 'orphaned', [`${LBC}, --cluster-name`]],
    [
      'the same name, written otherwise',
      {},
      { args: ['--cluster-name', 'prod', '--log-level=debug', '--metrics-bind-addr=:9'] },
      'kept',
      [],
    ],
    [
      'namespaces that it watches',
      {},
      { args: ['--cluster-name=prod', '--watch-namespace=shop'] },
      'unknown',
      [`${LBC}, --watch-namespace`],
    ],
    ['a variable', {}, { env: '{ name: AWS_REGION, value: eu-west-1 }' }, 'unknown', [`${LBC}, variable AWS_REGION`]],
    ['an image without a version', {}, { image: 'latest' }, 'unknown', [`${LBC}, image`]],
  ])('%s', (__, from, to, outcome, fields) => {
    expect(outcomeOf(deployment(from), deployment(to), context)).toMatchObject({ outcome, fields });
  });

  test.each([
    ['values', '{ clusterName: other }', '', 'unknown'],
    ['how it is rolled out', '{ clusterName: prod }', '  timeout: 5m\n', 'kept'],
  ])('of a chart: %s', (__, values, more, outcome) => {
    const before = release('{ clusterName: prod }');
    expect(outcomeOf(before, release(values, more), context).outcome).toBe(outcome);
  });
});

test('a version that is known of both sides is looked at as such', () => {
  const { outcome, fields } = outcomeOf(deployment({ image: 'v2.8.1' }), deployment(), NOTHING);
  expect(outcome).toBe('kept');
  expect(fields).not.toContain(`${LBC}, image`);
});

test('what is taken away is not there because the context file has it still', () => {
  const { outcome, echo } = outcomeOf(deployment(), undefined, TOLD);
  expect(outcome).toBe('unknown');
  expect(echo?.causes[0]).toMatchObject({ field: 'controllers', from: LBC });
  expect(outcomeOf(deployment(), undefined, TOLD, '--no-prune').outcome).toBe('kept');
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
