import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import type { ILoadBalancerController } from '../../../src';
import { Gateway } from '../../../src/gateway';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import type { AwsNetworkLoadBalancerEngineOptions } from '../../../src/tenancy/engines/aws-network-load-balancer/options';
import type { SharedLoadBalancerProps } from '../../../src/tenancy/shared/options';
import { table } from '../../support/yaml-cases';
import { lockedAsWished, lockFile } from '../shared/locked';

type Written = ReturnType<ApiObject['toJson']>;

function platform(
  options: AwsNetworkLoadBalancerEngineOptions = {},
  props: Partial<SharedLoadBalancerProps> = {},
): Written[] {
  const app = Testing.app();
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  const shared = new SharedLoadBalancer(chart, 'Shared', {
    engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'], ...options }),
    platform: [TenancyIdentity.user('delivery')],
    portLock: lockedAsWished('team-a/db:5432'),
    ...props,
  });
  shared.addTenant('team-a');
  shared.attach(new Chart(app, 'team-a', { namespace: 'team-a' }), {
    tenant: 'team-a',
    service: 'db',
    ports: [{ port: 5432 }],
  });
  return chart.toJson();
}

const named = (objects: Written[], kind: string, name: string) =>
  objects.find((each) => each.kind === kind && each.metadata.name === name);

describe('targets of Services that nobody attached', () => {
  test.each([['pods', {}, { targetType: 'ip' }]])('%s', (_, options, defaultConfiguration) => {
    const objects = platform(options);
    const { name } = named(objects, 'LoadBalancerConfiguration', 'shared').spec.defaultTargetGroupConfiguration;
    const targets = named(objects, 'TargetGroupConfiguration', name);
    expect(targets.metadata.namespace).toBe('infra');
    // a reference would make it one of a single Service, and an error as a default
    expect(targets.spec).toEqual({ defaultConfiguration });
  });

  test('each balancer has its own', () => {
    const portLock = lockFile({
      'team-a/db:5432': { balancer: 0, port: 5432 },
      'team-b/db:5432': { balancer: 1, port: 5432 },
    });
    const names = platform({}, { portLock })
      .filter(({ kind }) => kind === 'LoadBalancerConfiguration')
      .map(({ spec }) => spec.defaultTargetGroupConfiguration.name);
    expect(names).toEqual(['shared-default-targets', 'shared-2-default-targets']);
  });
});

test('settings of targets that the definition refuses fail the synth', () => {
  const app = Testing.app();
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  const shared = new SharedLoadBalancer(chart, 'Shared', {
    engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] }),
    platform: [TenancyIdentity.user('delivery')],
    portLock: lockedAsWished('team-a/db:5432'),
  });
  shared.addTenant('team-a');
  const [targets] = app.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one) && one.kind === 'TargetGroupConfiguration');
  targets.addJsonPatch(JsonPatch.add('/spec/defaultConfiguration/protocol', 'tcp'));
  expect(() => Testing.synth(chart)).toThrow(/protocol is 'tcp'.*\(target-group-configuration-value-unknown\)/);
});

function told(options: AwsNetworkLoadBalancerEngineOptions, oneTeam = false, ...patches: JsonPatch[]): string {
  const app = Testing.app();
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer(options),
    platform: [TenancyIdentity.user('delivery')],
    portLock: lockFile({}),
    oneTeam,
  });
  const configuration = shared.node.findAll().find(({ node }) => node.id === 'Configuration') as ApiObject;
  configuration.addJsonPatch(...patches);
  try {
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  [[' '], 'has " "'],
  [['a\nb'], 'has "a\\nb"'],
  [['sg-0123456789abcdef0', 'sg-0123456789abcdef0'], 'has "sg-0123456789abcdef0" twice'],
])('security groups %j are none', (securityGroups, says) => {
  expect(told({ securityGroups })).toContain(`securityGroups ${says}`);
  expect(told({ securityGroups }, true)).toContain('(nlb-security-groups-invalid)');
});

test.each([[['sg-01234567']], [['of the platform']]])('security groups %j are some', (securityGroups) =>
  expect(told({ securityGroups })).toBe(''),
);

test('no security group is no fence', () => {
  expect(told({ securityGroups: [] })).toContain('(isolation-security-groups-missing)');
  expect(told({ securityGroups: [] }, true)).toBe('');
});

test.each([['10.0.0.0'], [''], ['2001:db8::/129']])('%j is no source range', (range) => {
  expect(told({ sourceRanges: ['10.0.0.0/8', range] }, true)).toContain(
    `sourceRanges: '${range}' is not a valid address range like 10.0.0.0/8`,
  );
  expect(told({ sourceRanges: [range] }, true)).toContain('(nlb-source-range-invalid)');
});

test('source ranges of both families are some', () => {
  expect(told({ sourceRanges: ['10.0.0.0/8', '2001:db8::/32'] }, true)).toBe('');
});

test.each<[string, unknown, string]>([
  ['tags', { team: 1 }, "spec.tags['team'] is 1, but must be a string, in quotes; write a string, in quotes"],
])('%s cannot be patched to %j', (field, value, says) => {
  const securityGroups = ['sg-01234567'];
  expect(told({ securityGroups }, false, JsonPatch.add(`/spec/${field}`, value))).toContain(says);
});

describe('kinds of fronts', () => {
  // Kinds by which a tenant reaches what stands before the proxies, or the proxies themselves.

  const platform = [TenancyIdentity.user('delivery')];
  const BINDINGS = 'elbv2.k8s.aws/targetgroupbindings';

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
    test.each<[string, ILoadBalancerController, string[]]>(
      table('tenancy/engines/aws-network-load-balancer.yaml', 'controllers behind a balancer'),
    )('%s', (__, controller, kinds) => {
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
});
