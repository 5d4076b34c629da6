import { Folder, service } from './repository';

// Several clusters in one repository have objects of the same names, in folders of their own.

const release = (scheme: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: nginx, namespace: ingress }
spec:
  chart: { spec: { chart: ingress-nginx } }
  values: { controller: { service: { type: LoadBalancer, annotations: { scheme: ${scheme} } } } }
`;
const gateway = (port: number) => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: g, namespace: edge }
spec: { gatewayClassName: x, listeners: [{ name: a, port: ${port}, protocol: TCP }] }
`;
const pool = (range: string) => `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: a, namespace: metallb-system }
spec: { addresses: [${range}] }
`;
const served = (name: string) =>
  service(name)
    .replace(/ {2}finalizers.*\n/, '')
    .replace(/ {2}loadBalancerClass.*\n/, '');

const both = (prod: string, stage: string) => ({ 'prod/a.yaml': prod, 'stage/a.yaml': stage });

function outcomesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  context = 'controllers: [metallb]\n',
) {
  const under = (side: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`${side}/${file}`, text]));
  const folder = new Folder({ 'load-balancers.yaml': context, ...under('old', before), ...under('new', after) });
  return folder.json('old', 'new').changes.map(({ outcome, title }) => `${outcome} ${title}`);
}

describe.each([
  ['what is rendered elsewhere', release('a'), release('b'), 'HelmRelease ingress/nginx'],
  ['a Gateway of an unknown class', gateway(80), gateway(81), 'Gateway edge/g'],
])('%s', (_, one, other, title) => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing', both(one, one), []],
    ['that of the first cluster', both(other, one), [`unknown ${title}`]],
    ['that of the last cluster', both(one, other), [`unknown ${title}`]],
    ['both', both(other, other), [`unknown ${title}`, `unknown ${title}`]],
    ['another file', { 'prod/b.yaml': one, 'stage/b.yaml': one }, []],
    ['one is gone', { 'prod/a.yaml': one }, [`unknown ${title}`]],
  ])('%s', (__, after, outcomes) => {
    expect(outcomesOf(both(one, one), after)).toEqual(outcomes);
  });
});

describe('what is looked up by its name', () => {
  const binding = (name: string) => `apiVersion: elbv2.k8s.aws/v1beta1
kind: TargetGroupBinding
metadata: { name: t, namespace: edge }
spec: { serviceRef: { name: echo, port: 80 }, targetGroupARN: ${name}, targetType: ip }
`;
  const nlb = (scheme: string, port = 80) => `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: nlb }
spec: { controllerName: gateway.k8s.aws/nlb }
---
apiVersion: gateway.k8s.aws/v1beta1
kind: LoadBalancerConfiguration
metadata: { name: shared, namespace: edge }
spec: { scheme: ${scheme} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: g, namespace: edge }
spec:
  gatewayClassName: nlb
  infrastructure: { parametersRef: { group: gateway.k8s.aws, kind: LoadBalancerConfiguration, name: shared } }
  listeners: [{ name: a, port: ${port}, protocol: TCP }]
`;
  const AWS = 'controllers: [aws-load-balancer-controller]\n';
  const BINDING = 'unknown TargetGroupBinding edge/t, one of several';
  const PARAMETERS = 'unknown LoadBalancerConfiguration edge/shared, one of several';

  test.each<[string, string, string, string | undefined]>([
    ['targets', binding('a'), binding('b'), BINDING],
    ['the same targets', binding('a'), binding('a'), undefined],
    ['parameters', nlb('internal'), nlb('internet-facing'), PARAMETERS],
    ['a Gateway', nlb('internal'), nlb('internal', 81), 'unknown Gateway edge/g'],
    ['the same Gateway', nlb('internal'), nlb('internal'), undefined],
  ])('%s', (_, one, other, said) => {
    for (const after of [both(other, one), both(one, other)]) {
      const outcomes = outcomesOf(both(one, one), after, AWS).filter((outcome) => outcome.startsWith('unknown'));
      expect(outcomes).toEqual(said === undefined ? [] : [said]);
    }
  });
});

describe('a pool of addresses', () => {
  const sides = (prod: string, stage: string) => ({
    ...{ 'prod/pools/p.yaml': pool(prod), 'prod/apps/echo.yaml': served('echo') },
    ...{ 'stage/pools/p.yaml': pool(stage), 'stage/apps/web.yaml': served('web') },
  });
  const [one, other] = ['10.0.0.0/24', '10.0.1.0/24'];

  test.each([
    ['of the first cluster', other, one, ['replaced edge/echo', 'kept edge/web']],
    ['of the last cluster', one, other, ['replaced edge/web', 'kept edge/echo']],
    ['of none', one, one, ['kept edge/echo', 'kept edge/web']],
  ])('%s', (_, prod, stage, outcomes) => {
    expect(outcomesOf(sides(one, one), sides(prod, stage))).toEqual(outcomes);
  });

  test('one of another name counts wherever it is', () => {
    const named = pool('10.0.9.0/24').replace('name: a', 'name: b');
    const before = { ...sides(one, one), 'prod/apps/b.yaml': named };
    expect(outcomesOf(before, { ...sides(other, one), 'prod/apps/b.yaml': named })).toContain('unknown edge/echo');
  });
});
