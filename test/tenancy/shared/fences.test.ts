import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { MetalLb } from '../../../src/controllers';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import type { AwsNetworkLoadBalancerEngineOptions } from '../../../src/tenancy/engines/aws-network-load-balancer/options';
import type { SharedLoadBalancerProps } from '../../../src/tenancy/shared/options';
import { lockedAsWished } from './locked';

const GROUPS = ['sg-0123456789abcdef0'];

function world(options: AwsNetworkLoadBalancerEngineOptions = {}, props: Partial<SharedLoadBalancerProps> = {}) {
  const app = Testing.app();
  const platform = new Chart(app, 'platform', { namespace: 'infra' });
  const shared = new SharedLoadBalancer(platform, 'Shared', {
    engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: GROUPS, ...options }),
    platform: [TenancyIdentity.user('delivery')],
    portLock: lockedAsWished('team-a/db:5432'),
    ...props,
  });
  shared.addTenant('team-a');
  const team = new Chart(app, 'team-a', { namespace: 'team-a' });
  shared.attach(team, { tenant: 'team-a', service: 'db', ports: [{ port: 5432 }] });
  const object = (kind: string, name: string): ApiObject => {
    const found = app.node
      .findAll()
      .find((each: IConstruct) => ApiObject.isApiObject(each) && each.kind === kind && each.name === name);
    return found as ApiObject;
  };
  return { app, platform, shared, team, object };
}

type World = ReturnType<typeof world>;

function told(change: (world: World) => void, props: Partial<SharedLoadBalancerProps> = {}): string {
  const made = world({}, props);
  change(made);
  try {
    made.app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const POLICY = 'ValidatingAdmissionPolicy';
const BINDING = 'ValidatingAdmissionPolicyBinding';
const TARGETS = 'TargetGroupConfiguration';
const BALANCER = 'LoadBalancerConfiguration';

const removeOf = (kind: string, name: string) => (made: World) => {
  const object = made.object(kind, name);
  object.node.scope?.node.tryRemoveChild(object.node.id);
};
const patchOf =
  (kind: string, name: string, ...patches: JsonPatch[]) =>
  (made: World) =>
    made.object(kind, name).addJsonPatch(...patches);

const REMOVED: [string, (made: World) => void, string][] = [
  [
    'all policies',
    ({ shared }) => shared.node.tryRemoveChild('IsolationPolicies'),
    'ValidatingAdmissionPolicy shared-listeners ',
  ],
  ['the binding of the routes', removeOf(BINDING, 'shared-listeners-routes'), `${BINDING} shared-listeners-routes`],
  ['the settings of the balancer', removeOf(BALANCER, 'shared'), `${BALANCER} shared (platform/Shared/Configuration)`],
  ['the Gateway', removeOf('Gateway', 'shared'), 'Gateway shared (platform/Shared/Gateway)'],
  ['the targets of what nobody attached', removeOf(TARGETS, 'shared-default-targets'), 'shared-default-targets'],
  ['targets', removeOf(TARGETS, 'db'), `${TARGETS} team-a/db`],
  ['a chart', ({ app }) => app.node.tryRemoveChild('team-a'), 'ListenerSet team-a/shared'],
];

const set = JsonPatch.replace;

const WEAKENED: [string, (made: World) => void, string][] = [
  [
    'a binding that audits alone',
    patchOf(BINDING, 'shared-listeners', set('/spec/validationActions', ['Audit'])),
    'spec.validationActions is ["Audit"], without Deny',
  ],
  [
    'a binding for other namespaces',
    patchOf(
      BINDING,
      'shared-listeners-kinds',
      set('/spec/matchResources/namespaceSelector', { matchLabels: { a: 'b' } }),
    ),
    'spec.matchResources.namespaceSelector',
  ],
  [
    'a binding of another policy',
    patchOf(BINDING, 'shared-listeners', set('/spec/policyName', 'other')),
    'spec.policyName is "other"',
  ],
  [
    'a policy that lets through what it cannot check',
    patchOf(POLICY, 'shared-listeners-routes', set('/spec/failurePolicy', 'Ignore')),
    'spec.failurePolicy is "Ignore"',
  ],
  [
    'a policy without validations',
    patchOf(POLICY, 'shared-listeners', set('/spec/validations', [])),
    'spec.validations is []',
  ],
  [
    'a policy with one more exception',
    patchOf(POLICY, 'shared-listeners', JsonPatch.add('/spec/matchConditions/-', { name: 'a', expression: 'false' })),
    'spec.matchConditions is [',
  ],
  [
    'a policy with more ports',
    patchOf(POLICY, 'shared-listeners', set('/spec/variables/0/expression', "'1-65535'")),
    'spec.variables[0].expression is "\'1-65535\'"',
  ],
  [
    'a policy of another name',
    patchOf(POLICY, 'shared-listeners', set('/metadata/name', 'other')),
    'metadata.name is "other"',
  ],
  [
    'nodes as targets',
    patchOf(TARGETS, 'db', set('/spec/defaultConfiguration/targetType', 'instance')),
    'spec.defaultConfiguration.targetType is "instance"',
  ],
  [
    'nodes as targets of what nobody attached',
    patchOf(TARGETS, 'shared-default-targets', set('/spec/defaultConfiguration/targetType', 'instance')),
    'spec.defaultConfiguration.targetType is "instance"',
  ],
  [
    'no kind of target',
    patchOf(TARGETS, 'db', JsonPatch.remove('/spec/defaultConfiguration/targetType')),
    'spec.defaultConfiguration.targetType is missing',
  ],
  [
    'nodes as targets of one route',
    patchOf(
      TARGETS,
      'db',
      JsonPatch.add('/spec/routeConfigurations', [
        { identifier: 'TCPRoute::', targetGroupProps: { targetType: 'instance' } },
      ]),
    ),
    'spec.routeConfigurations[0].targetGroupProps.targetType is not ip',
  ],
  [
    'a port that is not locked',
    patchOf('ListenerSet', 'shared', set('/spec/listeners/0/port', 22)),
    'spec.listeners[0].port is 22',
  ],
  [
    'one listener more',
    patchOf('ListenerSet', 'shared', JsonPatch.add('/spec/listeners/-', { name: 'ssh', port: 22, protocol: 'TCP' })),
    'spec.listeners is [',
  ],
  [
    'another balancer',
    patchOf('ListenerSet', 'shared', set('/spec/parentRef/name', 'other')),
    'spec.parentRef.name is "other"',
  ],
  [
    'no security groups',
    patchOf(BALANCER, 'shared', JsonPatch.remove('/spec/securityGroups')),
    'spec.securityGroups is missing',
  ],
  [
    'security groups that are none',
    patchOf(BALANCER, 'shared', set('/spec/securityGroups', [''])),
    'spec.securityGroups has ""',
  ],
  [
    'a Gateway for every namespace',
    patchOf('Gateway', 'shared', set('/spec/allowedListeners/namespaces', { from: 'All' })),
    'spec.allowedListeners.namespaces.from is "All"',
  ],
];

describe('what keeps tenants apart', () => {
  test('as it is made', () => expect(told(() => {})).toBe(''));

  test.each(REMOVED)('is not removed: %s', (_, change, says) => {
    expect(told(change)).toContain(says);
    expect(told(change)).toContain('(isolation-removed)');
    expect(told(change, { oneTeam: true })).not.toContain('isolation-');
  });

  test.each(WEAKENED)('is not weakened: %s', (_, change, says) => {
    expect(told(change)).toContain(says);
    expect(told(change)).toContain('(isolation-weakened)');
    expect(told(change, { oneTeam: true })).not.toContain('isolation-');
  });

  test.each<[string, (made: World) => void]>([
    ['warnings as well', patchOf(BINDING, 'shared-listeners', set('/spec/validationActions', ['Deny', 'Warn']))],
    [
      'one rule more',
      patchOf(POLICY, 'shared-listeners', JsonPatch.add('/spec/validations/-', { expression: 'false' })),
    ],
    ['other security groups', patchOf(BALANCER, 'shared', set('/spec/securityGroups', ['edge group']))],
    [
      'health checks',
      patchOf(
        TARGETS,
        'db',
        JsonPatch.add('/spec/defaultConfiguration/healthCheckConfig', { healthCheckInterval: 10 }),
      ),
    ],
    ['labels', patchOf(POLICY, 'shared-listeners', JsonPatch.add('/metadata/labels', { a: 'b' }))],
  ])('may be patched otherwise: %s', (_, change) => expect(told(change)).toBe(''));

  test('HAProxy: the platform and the host name of the balancer are its own, and its fences stay', () => {
    const engine = SharedLoadBalancerEngine.haproxy({ controller: MetalLb.bgp() });
    const made = patchOf(BINDING, 'shared-published-services', set('/spec/validationActions', ['Audit']));
    expect(told(() => {}, { engine })).toBe('');
    expect(told(made, { engine })).toMatch(/spec\.validationActions.*\(isolation-weakened\)/);
    const written = world({}, { engine, hostname: 'tcp.example.com' });
    expect(written.object(POLICY, 'shared-kinds').toJson().spec.matchConditions[0].expression).toContain("'delivery'");
    expect(written.object('Service', 'shared').toJson().metadata.annotations).toMatchObject({
      'external-dns.alpha.kubernetes.io/hostname': 'tcp.example.com',
    });
  });

  test('a patch after a synth is seen by the next', () => {
    const made = world();
    made.app.synthYaml();
    patchOf(BINDING, 'shared-listeners', set('/spec/validationActions', ['Audit']))(made);
    expect(() => made.app.synthYaml()).toThrow(/without Deny.*\(isolation-weakened\)/);
  });
});
