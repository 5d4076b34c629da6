import { Chart, Testing } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  EksAutoMode,
  type ILoadBalancerController,
  MetalLb,
  NlbTargetType,
} from '../../../src';
import { Gateway } from '../../../src/gateway';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import { lockedAsWished } from '../shared/locked';

// Kinds by which a tenant reaches what stands before the proxies, or the proxies themselves.

const platform = [TenancyIdentity.user('delivery')];
const BINDINGS = 'elbv2.k8s.aws/targetgroupbindings';
const ACCELERATORS = 'aga.k8s.aws/globalaccelerators';

function reserved(engine: SharedLoadBalancerEngine): string[] {
  const chart = new Chart(Testing.app(), 'platform', { namespace: 'infra' });
  new SharedLoadBalancer(chart, 'Shared', { engine, platform, portLock: lockedAsWished() });
  const policy = chart
    .toJson()
    .find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name.endsWith('-kinds'));
  return policy.spec.matchConstraints.resourceRules.map(
    ({ apiGroups, resources }: { apiGroups: string[]; resources: string[] }) => `${apiGroups[0]}/${resources[0]}`,
  );
}

const ENGINES: [string, (controller: ILoadBalancerController) => SharedLoadBalancerEngine][] = [
  ['Envoy Gateway', (controller) => SharedLoadBalancerEngine.envoyGateway({ controller })],
  ['HAProxy', (controller) => SharedLoadBalancerEngine.haproxy({ controller })],
];

describe.each(ENGINES)('%s behind a balancer', (_, engine) => {
  test.each<[string, ILoadBalancerController, string[]]>([
    ['of the AWS controller', AwsLoadBalancerController.nlb(), [BINDINGS, ACCELERATORS]],
    ['of the cloud provider of AWS', AwsCloudProvider.nlb(), [BINDINGS, ACCELERATORS]],
    [
      'of EKS Auto Mode',
      EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE }),
      ['eks.amazonaws.com/targetgroupbindings', BINDINGS, ACCELERATORS],
    ],
    ['of MetalLB', MetalLb.bgp(), []],
  ])('%s', (__, controller, kinds) => {
    const found = reserved(engine(controller)).filter((kind) => /bindings|accelerators/.test(kind));
    expect(found).toEqual(kinds);
  });
});

test.each([
  ['gateway.envoyproxy.io/gatewayclass-controller', 'gateway.envoyproxy.io/clienttrafficpolicies', true],
  ['example.com/gateway', BINDINGS, false],
])('an existing Gateway of %s has its kinds', (controllerName, kind, isReserved) => {
  const gateway = Gateway.fromName('edge', { namespace: 'infra', controllerName });
  const kinds = reserved(SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: false }));
  expect(kinds.includes(kind)).toBe(isReserved);
});
