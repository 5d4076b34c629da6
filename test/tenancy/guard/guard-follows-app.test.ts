import { App, Chart, JsonPatch, Testing, Yaml } from 'cdk8s';
import {
  AwsLoadBalancerController,
  EksAutoMode,
  KubernetesVersion,
  LoadBalancerScheme,
  LoadBalancers,
} from '../../../src';
import { Gateway } from '../../../src/gateway';
import { SharedLoadBalancerEngine } from '../../../src/tenancy/engines/shared-load-balancer-engine';
import { AllowedClass } from '../../../src/tenancy/guard/allowed-class';
import type { TenantLoadBalancerGuardProps } from '../../../src/tenancy/guard/guard.options';
import { ClassDefaultMechanism } from '../../../src/tenancy/guard/load-balancer-class-default';
import type { TenantRight, TenantRoleProps } from '../../../src/tenancy/guard/options';
import { lookup } from '../../../src/tenancy/guard/policy';
import { SharedListenerPolicy, TenantPorts } from '../../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../../src/tenancy/guard/tenancy-identity';
import { TenantLoadBalancerGuard } from '../../../src/tenancy/guard/tenant-load-balancer-guard';
import { TenantRole } from '../../../src/tenancy/guard/tenant-role';
import { SharedServicesAtRunTime } from '../../../src/tenancy/runtime/shared-services-at-run-time';
import type { SharedLoadBalancerProps } from '../../../src/tenancy/shared/options';
import { SharedLoadBalancer } from '../../../src/tenancy/shared/shared-load-balancer';
import { SHARED_CLASS } from '../../../src/tenancy/tenancy.facts';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { casesIn, table, titled } from '../../support/yaml-cases';
import { lockedAsWished } from '../shared/locked';

// The guard allows the shared class, and gives it to Services, if something in the app serves it.

const namespaceLabels = { 'example.com/tenant': 'true' };
const TENANTS = { tenants: [{ namespace: 'team-a' }] };

const engine = SharedLoadBalancerEngine.existingGateway({
  gateway: Gateway.fromName('shared', { namespace: 'infra', controllerName: 'example.com/gateway' }),
  routesBySni: false,
});

interface World {
  readonly guard?: Partial<TenantLoadBalancerGuardProps>;
  /** What serves Services at run time, if something does. */
  readonly served?: Partial<SharedLoadBalancerProps>;
  readonly isGuardLast?: boolean;
}

const PARTS = ['guard', 'served'] as const;

function appOf({ guard = {}, served, isGuardLast }: World) {
  const app = new App();
  const charts = PARTS.map((part) => new Chart(app, part, { namespace: 'infra' }));
  const make = [
    () =>
      new TenantLoadBalancerGuard(charts[0], 'Guard', {
        namespaceLabels,
        kubernetes: KubernetesVersion.V1_36,
        ...guard,
      }),
    () => {
      if (served) {
        const portLock = lockedAsWished();
        const props = { engine, hostname: 'tcp.example.com', oneTeam: true, namespaceLabels, portLock, ...served };
        const shared = new SharedLoadBalancer(charts[1], 'Shared', props);
        shared.addTenant('team-a', { runtimePorts: { first: 31_000, last: 31_009 } });
        new SharedServicesAtRunTime(charts[1], 'RunTime', { shared });
      }
    },
  ];
  for (const part of isGuardLast ? make.reverse() : make) {
    part();
  }
  return { app, guard: charts[0] };
}

function synthesized(world: World) {
  let yaml = '';
  const said = stderrOf(() => {
    try {
      const { app, guard } = appOf(world);
      app.synthYaml();
      yaml = Yaml.stringify(...guard.toJson());
    } catch (error) {
      yaml = (error as Error).message;
    }
  });
  return { yaml, said };
}

const ALLOWED = /name: allowed\n\s+expression: (.*)/;
const allowedIn = (yaml: string) =>
  ALLOWED.exec(yaml.replace(/- expression: (.*)\n(\s+)name: allowed/, '$2name: allowed\n$2expression: $1'))?.[1];
const TYPE_REFUSED = 'Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP';

test.each<[string, World]>(table('tenancy/guard/guard-follows-app.yaml', 'a class that is not assigned'))(
  'the class is neither allowed nor assigned if %s',
  (_, world) => {
    const { yaml, said } = synthesized(world);
    expect(allowedIn(yaml)).toBe('"[]"');
    expect(yaml).toContain(TYPE_REFUSED);
    expect(yaml).not.toContain('MutatingAdmissionPolicy');
    expect(said).not.toContain('shared-class-without-controller');
  },
);

test.each<[string, World]>(table('tenancy/guard/guard-follows-app.yaml', 'a class that is assigned'))(
  'the class is allowed and assigned, in whatever order the app is made, if %s',
  (_, world) => {
    const { yaml, said } = synthesized(world);
    expect(allowedIn(yaml)).toBe(`"['${SHARED_CLASS}']"`);
    expect(yaml).not.toContain(TYPE_REFUSED);
    expect(yaml).toMatch(/kind: Mutating(Admission)?Policy\n/);
    expect(said).not.toContain('shared-class-without-controller');
    expect(synthesized({ ...world, isGuardLast: true })).toEqual({ yaml, said });
  },
);

test('a guard that allows the class although nothing serves it is a warning, which can be acknowledged', () => {
  const world = { guard: { sharedServices: true } };
  const { yaml, said } = synthesized(world);
  expect(allowedIn(yaml)).toBe(`"['${SHARED_CLASS}']"`);
  expect(said).toMatch(
    /1 warning\n.*Services of class \S+ wait for an address.*\n.*\(shared-class-without-controller\)\n/,
  );
  const { app } = appOf(world);
  LoadBalancers.of(app).acknowledge('shared-class-without-controller', 'another app serves it');
  expect(stderrOf(() => app.synthYaml())).toBe('');
});

test.each<[string, Partial<TenantLoadBalancerGuardProps>]>([
  ['maxSharedServices', { ...TENANTS, maxSharedServices: 5 }],
  ['label', { label: 'example.com/served' }],
  ['classDefault', { classDefault: ClassDefaultMechanism.kyverno() }],
])('%s fails the synth if nothing serves the class', (setting, guard) => {
  const { loadBalancerClass = SHARED_CLASS } = guard;
  expect(synthesized({ guard }).yaml).toContain(
    `[guard/Guard] kubernetes: ${setting} has no effect: nothing in the app serves class ${loadBalancerClass}; add SharedServicesAtRunTime, set sharedServices to true if another app serves the class, or leave ${setting} out (guard-shared-settings-ignored)`,
  );
});

test('below Kubernetes 1.36 a class that is served needs another mechanism, in whatever order the app is made', () => {
  const world = { guard: { kubernetes: KubernetesVersion.V1_33 }, served: {} };
  const { yaml } = synthesized(world);
  expect(yaml).toMatch(
    /^guard\/Guard: Kubernetes 1.33 has no MutatingAdmissionPolicy v1.*\(class-default-unsupported\)$/,
  );
  expect(synthesized({ ...world, isGuardLast: true }).yaml).toBe(yaml);
});

describe('the default name', () => {
  const namesOf = (chart: Chart) => new Set(chart.toJson().map(({ metadata }) => metadata.name));
  const policies = (name: string) => [name, `${name}-finalizers`, `${name}-status`];

  test('of one guard says what it is, and further ones add their path', () => {
    const chart = new Chart(new App(), 'platform');
    for (const [id, tenant] of Object.entries({ Guard: 'a', Owners: 'b', 'Owners-': 'c' })) {
      new TenantLoadBalancerGuard(chart, id, { namespaceLabels: { tenant } });
    }
    const names = [...namesOf(chart)];
    expect(names.slice(0, 6)).toEqual([
      ...policies('load-balancer-guard'),
      ...policies('load-balancer-guard-platform-owners'),
    ]);
    expect(names[6]).toMatch(/^load-balancer-guard-platform-owners-[0-9a-z]+$/);
    expect(names).toHaveLength(9);
  });
});

// What names every tenant: the API server takes no expression of more than 100,000 characters, and stores no policy of any size.

const EXPRESSION_CHARACTERS = 100_000;
const lookupTable = (tenants: number, key = 'request.namespace') =>
  lookup({
    name: 'granted',
    entries: Array.from({ length: tenants }, (_, i) => [`team-${i}`, `'${i}'`]),
    key,
    none: "''",
  });

function evaluated(tenants: number, key: string): string {
  const variables = new Map(lookupTable(tenants, 'KEY').map(({ name, expression }) => [name, expression]));
  const value = (expression: string): string => {
    const chosen = /^\((.+?) < '(.+?)' \? (.*)\)$/.exec(expression);
    if (chosen) {
      const [one, other] = halvesOf(chosen[3]);
      return value(key < chosen[2] ? one : other);
    }
    const looked = /^variables\.(\w+)\[\?.*\]\.orValue\(''\)$/.exec(expression);
    const entries = looked ? (variables.get(looked[1]) ?? '') : expression;
    return new RegExp(`'${key}': '(\\d+)'`).exec(entries)?.[1] ?? '';
  };
  return value(variables.get('granted') ?? '');
}

function halvesOf(text: string): [string, string] {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0 && text.startsWith(' : ', i)) return [text.slice(0, i), text.slice(i + 3)];
  }
  throw new Error('no choice');
}

test('a short table is one expression', () => {
  expect(lookupTable(2)).toEqual([
    { name: 'granted', expression: "{'team-0': '0', 'team-1': '1'}[?request.namespace].orValue('')" },
  ]);
  expect(lookupTable(0)).toEqual([{ name: 'granted', expression: "''" }]);
});

test.each([2_000, 2_500, 10_000, 30_000])(
  '%i tenants are found in expressions that the API server takes',
  (tenants) => {
    const variables = lookupTable(tenants);
    for (const { expression } of variables) {
      expect(expression.length).toBeLessThan(EXPRESSION_CHARACTERS);
    }
    expect(variables.at(-1)?.name).toBe('granted');
    for (const i of [0, 1, 9, 99, 1_234, tenants / 2, tenants - 1]) {
      expect(evaluated(tenants, `team-${i}`)).toBe(`${i}`);
    }
    expect(evaluated(tenants, 'team')).toBe('');
    expect(evaluated(tenants, 'zebra')).toBe('');
  },
);

test('more tenants than one policy can name fail the synth, which says how many characters they are', () => {
  const policyOf = (tenants: number) => {
    const app = Testing.app();
    const policy = new SharedListenerPolicy(new Chart(app, 'platform'), 'Policy', {
      name: 'listeners',
      namespaceLabels: { tenant: 'true' },
      gateways: [{ namespace: 'infra', name: 'shared' }],
      ports: TenantPorts.perNamespace(),
      hostnames: {},
      exempt: [],
    });
    for (let i = 0; i < tenants; i++) {
      policy.grantHostnames(`team-${i}`, [`*.team-${i}.tcp.example.com`]);
    }
    return () => app.synthYaml();
  };
  expect(policyOf(10_000)).not.toThrow();
  expect(policyOf(40_000)).toThrow(
    /policy listeners has \d{7} characters, and the API server stores at most 1400000; give the namespaces .*TenantPorts\.byAnnotation\(\) .*\(policy-too-large\)/s,
  );
});

interface Case {
  readonly title: string;
  readonly right: TenantRight;
  readonly props?: TenantRoleProps;
  readonly says?: string;
}

const CASES: Readonly<Record<'never' | 'may', readonly Case[]>> = casesIn(__dirname, 'tenant-role.yaml');

function chartOf(props: TenantRoleProps): { chart: Chart; role: TenantRole } {
  const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
  return { chart, role: new TenantRole(chart, 'Role', { name: 'tenants', ...props }) };
}

test.each(titled(CASES.never))('%s is never a right of tenants', (_, { right: wanted, says: said }) => {
  const guardedKinds = [{ group: 'example.com', resource: 'doors' }];
  const { chart } = chartOf({ rights: [wanted], guardedKinds });
  const isStar = JSON.stringify(wanted).includes('*');
  const remedy = isStar ? 'leave it out, and name groups, resources and verbs instead of stars' : 'leave it out';
  expect(errorsOf(chart).join('\n')).toContain(`${said}; ${remedy} (tenant-permission-excessive)`);
});

test.each(titled(CASES.may))('%s may be one', (_, { right: wanted, props }) => {
  const { chart } = chartOf({ ...props, rights: [wanted] });
  expect(synth(chart)[0].rules).toContainEqual(wanted);
});

test('listeners that nobody checks are told of', () => {
  const { chart } = chartOf({ attachments: true });
  const app = App.of(chart);
  const told = () => LoadBalancers.of(app).warnings.map(({ path, finding }) => `${path} ${finding.ruleId}`);
  expect(told()).toEqual(['platform/Role tenant-ports-unchecked']);
  const other = new Chart(app, 'fences');
  new SharedListenerPolicy(other, 'Fences', {
    namespaceLabels: { tenant: 'true' },
    gateways: [{ namespace: 'infra', name: 'shared' }],
    ports: TenantPorts.perNamespace(),
    exempt: [],
  });
  expect(told()).toEqual([]);
  app.node.tryRemoveChild('fences');
  expect(told()).toHaveLength(1);
});

test('a patch is checked as well', () => {
  const { chart, role } = chartOf({});
  role.role.addJsonPatch(JsonPatch.add('/rules/1/verbs/-', 'update'));
  expect(errorsOf(chart).join('\n')).toContain('can write services/status');
});

test('all that belongs to a tenant is bound in its namespace', () => {
  const { chart, role } = chartOf({});
  role.bind('team-a', [
    TenancyIdentity.group('team-a'),
    TenancyIdentity.user('anna'),
    TenancyIdentity.serviceAccount('ci', 'deployer'),
  ]);
  expect(synth(chart)[1]).toEqual(casesIn(__dirname, 'guard-follows-app.yaml')['written role']);
});

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const OPENING = ['security-groups', 'security-group-prefix-lists', 'disable-nlb-sg'].map((key) => `${AWS}${key}`);

// Annotations that let clients in whom the source ranges keep out are none of a tenant's.
test.each<[string, AllowedClass, string[]]>([
  [
    'the AWS controller',
    AllowedClass.ofController(AwsLoadBalancerController.nlb(), LoadBalancerScheme.INTERNAL),
    OPENING,
  ],
  [
    'the AWS controller under a class of another name',
    AllowedClass.ofController(
      AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/nlb' }),
      LoadBalancerScheme.INTERNAL,
    ),
    OPENING,
  ],
  ['EKS Auto Mode', AllowedClass.ofController(EksAutoMode.nlb(), LoadBalancerScheme.INTERNAL), OPENING],
  [
    'a class with one that is allowed',
    AllowedClass.of('service.k8s.aws/nlb', { openingAnnotations: [OPENING[1]] }),
    [OPENING[0], OPENING[2]],
  ],
  [
    'a class with one that is required',
    AllowedClass.of('service.k8s.aws/nlb', { annotations: { [OPENING[0]]: 'sg-0123456789abcdef0' } }),
    OPENING.slice(1),
  ],
  ['a class of others', AllowedClass.of('example.com/own'), []],
  ['the shared class', AllowedClass.shared(), []],
])('%s', (_, allowed, forbidden) => {
  expect(allowed._forbiddenAnnotations).toEqual(forbidden);
  expect(allowed._fault).toBeUndefined();
});
