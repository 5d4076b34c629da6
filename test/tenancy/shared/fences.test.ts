import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { MetalLb } from '../../../src/controllers';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';
import type { AwsNetworkLoadBalancerEngineOptions } from '../../../src/tenancy/engines/aws-network-load-balancer/options';
import type { SharedLoadBalancerProps } from '../../../src/tenancy/shared/options';
import { casesIn, revived } from '../../support/yaml-cases';
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
const removeOf = (kind: string, name: string) => (made: World) => {
  const object = made.object(kind, name);
  object.node.scope?.node.tryRemoveChild(object.node.id);
};
const patchOf =
  (kind: string, name: string, ...patches: JsonPatch[]) =>
  (made: World) =>
    made.object(kind, name).addJsonPatch(...patches);

const ops = { set: JsonPatch.replace, add: JsonPatch.add, remove: JsonPatch.remove };
const patches = Object.entries(ops).map(([op, patch]) => [
  op,
  (kind: string, name: string, path: string, value?: unknown) => patchOf(kind, name, patch(path, value)),
]);

type Change = (made: World) => void;

const CASES = revived(casesIn(__dirname, 'fences.yaml'), {
  ...Object.fromEntries(patches),
  removed: removeOf,
  policies:
    (): Change =>
    ({ shared }) =>
      shared.node.tryRemoveChild('IsolationPolicies'),
  chart:
    (name: string): Change =>
    ({ app }) =>
      app.node.tryRemoveChild(name),
});

describe('what keeps tenants apart', () => {
  test('as it is made', () => expect(told(() => {})).toBe(''));

  test.each<[string, Change, string]>(CASES.removed)('is not removed: %s', (_, change, says) => {
    expect(told(change)).toContain(says);
    expect(told(change)).toContain('(isolation-removed)');
    expect(told(change, { oneTeam: true })).not.toContain('isolation-');
  });

  test.each<[string, Change, string]>(CASES.weakened)('is not weakened: %s', (_, change, says) => {
    expect(told(change)).toContain(says);
    expect(told(change)).toContain('(isolation-weakened)');
    expect(told(change, { oneTeam: true })).not.toContain('isolation-');
  });

  test.each<[string, Change]>(CASES.patched)('may be patched otherwise: %s', (_, change) =>
    expect(told(change)).toBe(''),
  );

  test('HAProxy: the platform and the host name of the balancer are its own, and its fences stay', () => {
    const engine = SharedLoadBalancerEngine.haproxy({ controller: MetalLb.bgp() });
    const made = patchOf(BINDING, 'shared-published-services', JsonPatch.replace('/spec/validationActions', ['Audit']));
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
    patchOf(BINDING, 'shared-listeners', JsonPatch.replace('/spec/validationActions', ['Audit']))(made);
    expect(() => made.app.synthYaml()).toThrow(/without Deny.*\(isolation-weakened\)/);
  });
});
