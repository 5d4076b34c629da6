import { ApiObject, type App, Chart, JsonPatch, Testing } from 'cdk8s';
import { Gateway } from '../../../src/gateway';
import { AwsLoadBalancerControllerInstallation, AwsLoadBalancerControllerVersion } from '../../../src/installations';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import type { SharedLoadBalancerProps } from '../../../src/tenancy/shared/shared-load-balancer.options';
import { RIGHT } from '../../installations/aws-load-balancer-controller/installations';
import { lockFile } from '../shared/locked';

interface Container {
  readonly name?: string;
  readonly image: string;
  readonly args?: string[];
  readonly command?: string[];
}

const IMAGE = 'public.ecr.aws/eks/aws-load-balancer-controller';

function appWith(props: Partial<SharedLoadBalancerProps> = {}) {
  const app = Testing.app();
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] }),
    platform: [TenancyIdentity.user('delivery')],
    portLock: lockFile({}),
    ...props,
  });
  const told = () => {
    try {
      app.synthYaml();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { app, shared, told };
}

/** Adds a controller that has no listener sets. */
function old(app: App): void {
  new ApiObject(new Chart(app, 'old'), 'c', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'c' },
    spec: { template: { spec: { containers: [{ name: 'controller', image: `${IMAGE}:v2.4.0` }] } } },
  });
}

/** What synth says beside controllers of somebody's manifests. */
function beside(...containers: Container[]): string {
  const { app, told } = appWith();
  const chart = new Chart(app, 'controllers', { namespace: 'kube-system' });
  for (const [i, container] of containers.entries()) {
    new ApiObject(chart, `c${i}`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `c${i}` },
      spec: { template: { spec: { containers: [{ name: 'controller', ...container }] } } },
    });
  }
  return told();
}

test.each<[string, Container, string, string]>([
  [
    'listener sets',
    { image: `${IMAGE}:v3.5.0`, args: ['--cluster-name=x', '--feature-gates=GatewayListenerSet=false'] },
    'Deployment c0 (controllers/c0) has the feature gate GatewayListenerSet off',
    'nlb-gateway-off',
  ],
  [
    'both, by two words of the command',
    { image: IMAGE, command: ['/controller', '--feature-gates', 'A=true, NLBGatewayAPI=0,GatewayListenerSet=F'] },
    'has the feature gates NLBGatewayAPI and GatewayListenerSet off',
    'nlb-gateway-off',
  ],
  [
    'the last flag, of an image by digest',
    {
      image: `${IMAGE}@sha256:abc`,
      args: ['--feature-gates=NLBGatewayAPI=true', '--feature-gates=NLBGatewayAPI=false'],
    },
    'has the feature gate NLBGatewayAPI off',
    'nlb-gateway-off',
  ],
  [
    'an image of another name',
    {
      name: 'aws-load-balancer-controller',
      image: 'registry.example.com:5000/alb:v3.5.0',
      args: ['--feature-gates=NLBGatewayAPI=false'],
    },
    'has the feature gate NLBGatewayAPI off',
    'nlb-gateway-off',
  ],
  ['an old version', { image: `${IMAGE}:v3.1.9` }, 'is of version v3.1.9', 'nlb-gateway-version'],
  [
    'one that reads older kinds alone',
    { image: `${IMAGE}:v3.4.3` },
    'is of version v3.4.3, which reads neither TCPRoute nor its own kinds in v1: tenants would have no ports; use 3.5.0',
    'nlb-gateway-version',
  ],
  ['a very old one', { image: `${IMAGE}:2.14.1` }, 'is of version 2.14.1', 'nlb-gateway-version'],
])('a controller in the app that does not serve tenants is told: %s', (_, container, says, id) => {
  expect(beside(container)).toContain(says);
  expect(beside(container)).toContain(`(${id})`);
});

test.each<[string, Container[]]>([
  ['no controller', []],
  ['one as it is by default', [{ image: `${IMAGE}:v3.5.0`, args: ['--cluster-name=x'] }]],
  ['a new major version', [{ image: `${IMAGE}:v4.0.0` }]],
  ['a tag that is not a version', [{ image: `${IMAGE}:latest` }]],
  ['gates that are on', [{ image: IMAGE, args: ['--feature-gates=NLBGatewayAPI=true,GatewayListenerSet=true'] }]],
  ['another program', [{ image: 'example.com/other:v1.0.0', args: ['--feature-gates=NLBGatewayAPI=false'] }]],
  ['one of two', [{ image: `${IMAGE}:v2.4.0` }, { image: `${IMAGE}:v3.5.0` }]],
])('nothing is told of %s', (_, containers) => expect(beside(...containers)).toBe(''));

test('the gates of an installation of this library', () => {
  const { app, told } = appWith();
  const installation = new AwsLoadBalancerControllerInstallation(
    new Chart(app, 'controller', { namespace: 'kube-system' }),
    'Controller',
    RIGHT,
  );
  expect(told()).toContain('has the feature gates NLBGatewayAPI and GatewayListenerSet off');
  const deployment = installation.node
    .findAll()
    .find((each): each is ApiObject => ApiObject.isApiObject(each) && each.kind === 'Deployment');
  const args: string[] = deployment?.toJson().spec.template.spec.containers[0].args;
  const at = args.findIndex((arg) => arg.startsWith('--feature-gates='));
  deployment?.addJsonPatch(JsonPatch.remove(`/spec/template/spec/containers/0/args/${at}`));
  expect(told()).not.toContain('nlb-gateway');
});

test.each([
  ['its tag', undefined],
  ['its label, of an image by digest', `registry.example.com/lbc@sha256:${'0'.repeat(64)}`],
])('an installation of this library that is rolled back is known by %s', (_, image) => {
  const { app, told } = appWith();
  const props = { ...RIGHT, image, gatewayApiCrds: '1.6.0', featureGates: { NLBGatewayAPI: true } };
  const install = (id: string, version?: AwsLoadBalancerControllerVersion) =>
    new AwsLoadBalancerControllerInstallation(new Chart(app, id, { namespace: 'kube-system' }), 'Controller', {
      ...props,
      clusterName: id,
      version,
    });
  install('old', AwsLoadBalancerControllerVersion.V3_4_3);
  expect(told()).toMatch(/is of version v3\.4\.3.*\(nlb-gateway-version\)/);
  install('new');
  expect(told()).not.toContain('nlb-gateway');
});

test('an NLB that exists needs it as well', () => {
  const gateway = Gateway.fromName('edge', { namespace: 'infra', controllerName: 'gateway.k8s.aws/nlb' });
  const engine = SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: false });
  const { app, told } = appWith({ engine, oneTeam: true });
  expect(told()).toBe('');
  old(app);
  expect(told()).toContain('(nlb-gateway-version)');
});

test('other engines do not need it', () => {
  const gateway = Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' });
  const { app, told } = appWith({ engine: SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: true }) });
  old(app);
  expect(told()).toBe('');
});
