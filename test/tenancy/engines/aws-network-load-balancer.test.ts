import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import type { AwsNetworkLoadBalancerEngineOptions } from '../../../src/tenancy/engines/aws-network-load-balancer/options';
import type { SharedLoadBalancerProps } from '../../../src/tenancy/shared/options';
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
  test.each([
    ['pods', {}, { targetType: 'ip' }],
    [
      'pods, as all other targets',
      { proxyProtocol: true, preserveClientIp: false },
      {
        targetType: 'ip',
        targetGroupAttributes: [
          { key: 'preserve_client_ip.enabled', value: 'false' },
          { key: 'proxy_protocol_v2.enabled', value: 'true' },
        ],
      },
    ],
  ])('%s', (_, options, defaultConfiguration) => {
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
  expect(() => Testing.synth(chart)).toThrow(/protocol is 'tcp'.*\(target-group-configuration-word\)/);
});

describe('fences', () => {
  test('Services of tenants get no IPv6, whoever writes them', () => {
    const { spec } = named(platform(), 'ValidatingAdmissionPolicy', 'shared-ip-families');
    expect(spec.matchConditions.map(({ name }: { name: string }) => name)).toEqual(['at-fault']);
    expect(JSON.stringify(spec.matchConditions)).not.toContain('userInfo');
    expect(spec.matchConstraints.resourceRules[0].resources).toEqual(['services']);
    const bound = named(platform(), 'ValidatingAdmissionPolicyBinding', 'shared-ip-families');
    expect(bound.spec.matchResources.namespaceSelector.matchLabels).toEqual({ 'cdk8s-load-balancers/tenant': 'true' });
  });

  test('none where nobody wants fences', () => {
    const objects = platform({}, { isolationPolicies: false, oneTeam: true });
    expect(objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')).toEqual([]);
  });

  test('the platform alone writes what is attached', () => {
    const { spec } = named(platform(), 'ValidatingAdmissionPolicy', 'shared-listeners-kinds');
    const kinds = spec.matchConstraints.resourceRules.flatMap(({ resources }: { resources: string[] }) => resources);
    expect(kinds).toEqual(expect.arrayContaining(['listenersets', 'tcproutes', 'udproutes', 'tlsroutes']));
  });
});
