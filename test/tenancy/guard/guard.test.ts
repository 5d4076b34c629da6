import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiObject, App, Chart, Testing } from 'cdk8s';
import { AwsLoadBalancerController, KubernetesVersion, LoadBalancerScheme, LoadBalancers, MetalLb } from '../../../src';
import type { Json } from '../../../src/contract/json';
import * as tenancy from '../../../src/tenancy';
import { SharedLoadBalancer, SharedLoadBalancerEngine } from '../../../src/tenancy';
import { AllowedClass } from '../../../src/tenancy/guard/allowed-class';
import { LoadBalancerAdmissionPolicy } from '../../../src/tenancy/guard/load-balancer-admission-policy';
import {
  ClassDefaultMechanism,
  LoadBalancerClassDefault,
} from '../../../src/tenancy/guard/load-balancer-class-default';
import { ALWAYS, anyFault, faultList } from '../../../src/tenancy/guard/policy';
import { exemptNamespaces } from '../../../src/tenancy/guard/rules';
import { SharedListenerPolicy, TenantPorts } from '../../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../../src/tenancy/guard/tenancy-identity';
import { TenantLoadBalancerGuard } from '../../../src/tenancy/guard/tenant-load-balancer-guard';
import { TenantRole } from '../../../src/tenancy/guard/tenant-role';
import { expectGolden, expectNoStrayGoldens, writtenBy } from '../../support/goldens';
import { casesIn, revived, table, titled } from '../../support/yaml-cases';

const CASES = casesIn(__dirname, 'guard-refusals.yaml');

const namespaceLabels = { tenant: 'true' };
const kubernetes = KubernetesVersion.V1_36;
const SHARED = { namespace: 'infra', name: 'shared' };
const OTHER = { namespace: 'infra', name: 'shared-2' };

// biome-ignore lint/suspicious/noExplicitAny: props and constructs of a file of cases
type Any = any;

const MAKES: Readonly<Record<string, (chart: Chart, id: string, props: Any) => Any>> = {
  policy: (chart, id, props) =>
    new LoadBalancerAdmissionPolicy(chart, id, { namespaceLabels, allowedClasses: [], ...props }),
  guard: (chart, id, props) => new TenantLoadBalancerGuard(chart, id, { namespaceLabels, kubernetes, ...props }),
  classDefault: (chart, id, props) =>
    new LoadBalancerClassDefault(chart, id, { namespaceLabels, kubernetes, ...props }),
  fences: (chart, id, props) =>
    new SharedListenerPolicy(chart, id, {
      namespaceLabels,
      gateways: [SHARED],
      ports: TenantPorts.perNamespace(),
      exempt: [],
      ...props,
    }),
  role: (chart, id, props) => new TenantRole(chart, id, props),
};

/** Makes what a case says in a chart, calls what it says `then`, and makes what is beside it. */
function made(chart: Chart, { id = 'X', chart: other, then = [], and, ...makes }: Any): Any {
  const host = other ? new Chart(App.of(chart), other) : chart;
  const [kind] = Object.keys(MAKES).filter((name) => name in makes);
  const construct = MAKES[kind]?.(host, id, revived(makes[kind])) ?? revived(makes.value);
  for (const [method, ...args] of then) {
    construct[method](...revived(args));
  }
  return and ? made(chart, and) : construct;
}

const platform = () => new Chart(new App(), 'platform', { namespace: 'platform' });

test.each(titled(CASES.refused as Any[]))('%s', (_, { says, ...one }) => {
  expect(() => made(platform(), one)).toThrow(says);
});

test('a guard with shared Services needs a version', () => {
  expect(() => new TenantLoadBalancerGuard(platform(), 'X', { namespaceLabels, sharedServices: true })).toThrow(
    'platform/X: Kubernetes 1.34 has no MutatingAdmissionPolicy v1, which comes with 1.36; set kubernetes if the cluster is newer, or classDefault to ClassDefaultMechanism.kyverno() if Kyverno runs, or sharedServices to false to refuse Services of type LoadBalancer (class-default-unsupported)',
  );
});

test('an identity of the platform is exempt beside tenants', () => {
  const exempt = [
    TenancyIdentity.user('delivery'),
    TenancyIdentity.group('platform'),
    TenancyIdentity.group('anna'),
    TenancyIdentity.serviceAccount('flux-system', 'anna'),
    ...TenancyIdentity.knownControllers(),
  ];
  const tenants = [{ namespace: 'a', subjects: [TenancyIdentity.user('anna'), TenancyIdentity.group('team-a')] }];
  expect(() => MAKES.guard(platform(), 'X', { tenants, exempt })).not.toThrow();
});

test('the namespaces of identities are known whichever way they are spelled', () => {
  expect(
    exemptNamespaces([
      TenancyIdentity.user('delivery'),
      TenancyIdentity.group('system:authenticated'),
      TenancyIdentity.user('system:serviceaccount:two:x'),
      TenancyIdentity.serviceAccount('one', 'x'),
      TenancyIdentity.serviceAccount('one', 'y'),
      TenancyIdentity.group('system:serviceaccounts:three'),
    ]),
  ).toEqual(['one', 'three', 'two']);
});

test.each(titled(CASES.identities as Any[]))(
  'a controller is known by the names that its vendor gives it: %s',
  (_, { controller, usernames }) => {
    expect(TenancyIdentity.ofController(revived(controller)).map(({ username }) => username)).toEqual(usernames);
  },
);

test('a shared controller is known as the one that it wraps', () => {
  const names = TenancyIdentity.ofController(MetalLb.layer2({ namespace: 'lb' }).shared('key'));
  expect(names).toEqual(TenancyIdentity.ofController(MetalLb.layer2({ namespace: 'lb' })));
});

test('the guide names nobody as exempt by default who is not', () => {
  const guide = readFileSync(join(__dirname, '../../../docs/how-to/guard-tenants.md'), 'utf8');
  const [, rows] = /\| platform \| who \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const named = [...(rows ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const known = TenancyIdentity.knownControllers().map(({ name, namespace }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  );
  expect(known).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(10);
});

test.each(titled(CASES.warnings as Any[]))(
  'of %s a policy warns only where addresses would never come',
  (_, { says, ...one }) => {
    const { said } = writtenBy(() => {
      const chart = platform();
      made(chart, one);
      return chart;
    });
    expect(said).toMatch(new RegExp(says));
  },
);

test('a port may be of two tenants at two Gateways', () => {
  const policy = MAKES.fences(platform(), 'X', { gateways: [SHARED, OTHER] });
  policy.grantPorts('a', [{ first: 1, last: 1 }], [SHARED]);
  expect(() => policy.grantPorts('b', [{ first: 1, last: 1 }], [OTHER])).not.toThrow();
});

test('a class of a controller is that of its scheme', () => {
  const nlb = AwsLoadBalancerController.nlb();
  const scheme = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
  const wanted = (of: LoadBalancerScheme) => AllowedClass.ofController(nlb, of)._options.annotations;
  expect(wanted(LoadBalancerScheme.INTERNAL)).toEqual({ [scheme]: 'internal' });
  expect(wanted(LoadBalancerScheme.INTERNET_FACING)).toEqual({ [scheme]: 'internet-facing' });
  expect(AllowedClass.ofController(nlb, LoadBalancerScheme.INTERNAL).loadBalancerClass).toBe('service.k8s.aws/nlb');
});

test.each<[string, string, Json, Json[]]>(
  table('tenancy/guard/guard.yaml', 'a webhook that gives selects namespaces by data'),
)('a webhook that gives %s selects namespaces by data', (_, webhookClass, labels, selector) => {
  const chart = new Chart(new App(), 'platform');
  const made = new LoadBalancerClassDefault(chart, 'Class', {
    namespaceLabels: labels,
    loadBalancerClass: 'example.com/own',
    mechanism: ClassDefaultMechanism.controllerWebhook(webhookClass),
  });
  expect(made.webhookNamespaceSelector).toEqual(selector);
  expect(made.policy).toBeUndefined();
  expect(chart.toJson()).toEqual([]);
});

test.each([[{ a: '1', b: '2' }, undefined]])(
  'webhooks that give a class are kept out of namespaces in which Kyverno does: %j',
  (namespaceLabels, selector) => {
    const chart = new Chart(new App(), 'platform');
    const mechanism = ClassDefaultMechanism.kyverno();
    const made = new LoadBalancerClassDefault(chart, 'Class', { namespaceLabels, mechanism });
    expect(made.webhookNamespaceSelector).toEqual(selector);
  },
);

describe('goldens', () => {
  const FOLDER = join(__dirname, 'goldens');
  const GOLDENS: Readonly<Record<string, [string, string, Json, ...unknown[][]]>> = casesIn(
    __dirname,
    'guard.yaml',
  ).goldens;

  test.each(Object.entries(GOLDENS))('%s', (name, [type, id, props, ...grants]) => {
    const { yaml, said } = writtenBy(() => {
      const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
      const construct = new (tenancy as Any)[type](chart, id, revived(props));
      for (const granted of grants) {
        construct.grantPorts(...granted);
      }
      LoadBalancers.of(chart).acknowledge('shared-class-without-controller', 'another app serves it');
      return chart;
    });
    expect(said).toBe('');
    expectGolden(FOLDER, name, yaml);
  });

  test('no golden is left over', () => expectNoStrayGoldens(FOLDER, Object.keys(GOLDENS)));

  const platform = [TenancyIdentity.user('delivery')];

  function policiesOf(engine: SharedLoadBalancerEngine, platform?: TenancyIdentity[]): string[] {
    const chart = new Chart(Testing.app(), 'platform', { namespace: 'infra' });
    new SharedLoadBalancer(chart, 'Shared', { engine, platform, hostname: 'tcp.example.com' });
    return Testing.synth(chart)
      .filter(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name.includes('-tls-'))
      .map(({ metadata }) => metadata.name);
  }

  test('TLSRoutes are reserved where it is known for whom, and have names of their own everywhere', () => {
    const envoy = () => SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb() });
    expect(policiesOf(envoy(), platform)).toEqual(['shared-listeners-tls-routes', 'shared-listeners-tls-names']);
    expect(policiesOf(envoy())).toEqual(['shared-listeners-tls-names']);
    const nlb = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
    expect(policiesOf(nlb, platform)).toEqual([]);
  });

  const VARIABLES = [
    { name: 'a', expression: 'object.a' },
    { name: 'ab', expression: 'variables.a + object.b' },
  ];

  test('any fault is asked without variables, which may refer to each other', () => {
    const faults = [
      { when: 'variables.ab > 1', says: "'one'" },
      { among: 'variables.a > 0', when: 'size(object.c) > 0', says: "'two'" },
      { among: 'variables.a > 0', when: 'size(object.d) > 0', says: "'three'" },
    ];
    expect(anyFault(faults, VARIABLES).split('\n')).toEqual([
      '(((object.a) + object.b) > 1)',
      '|| ((object.a) > 0 && ((size(object.c) > 0)',
      '|| (size(object.d) > 0)))',
    ]);
    expect(faultList(faults)).toContain("(variables.a > 0 && size(object.d) > 0 ? ['three'] : [])");
  });

  test('texts that look like variables stay as they are', () => {
    const when = "object.x == 'in\\'variables.a' && variables.a != 'variables.a'";
    expect(anyFault([{ when, says: "'x'" }], VARIABLES)).toBe(
      "(object.x == 'in\\'variables.a' && (object.a) != 'variables.a')",
    );
  });

  test('what is always a fault is nothing to be asked for', () => {
    expect(anyFault([{ when: ALWAYS, says: "'x'" }], [])).toBe(ALWAYS);
  });

  function servicePolicy(namespaces: number): Json {
    const chart = new Chart(new App(), 'platform');
    const owners = Array.from({ length: namespaces }, (_, i) => `team-${i}`);
    const { policy } = new LoadBalancerAdmissionPolicy(chart, 'Policy', {
      namespaceLabels: { tenant: 'true' },
      allowedClasses: [AllowedClass.of('example.com/own', { namespaces: owners })],
    });
    return (policy as ApiObject).toJson().spec;
  }

  test('faults that would be too long for one expression are left to the validation', () => {
    const [short, long] = [servicePolicy(10), servicePolicy(5000)].map(({ matchConditions }) => matchConditions[0]);
    expect(short.expression).toContain("'team-9'");
    expect(long.expression).not.toContain("'team-9'");
    expect(long.expression).toContain('object.spec != oldObject.spec');
    expect(long.expression).toContain('request.userInfo.username in');
  });
});
