import { App, Chart, Yaml } from 'cdk8s';
import { KubernetesVersion, LoadBalancers } from '../../../src';
import { Gateway } from '../../../src/gateway';
import { SharedLoadBalancerEngine } from '../../../src/tenancy/engines/shared-load-balancer-engine';
import type { TenantLoadBalancerGuardProps } from '../../../src/tenancy/guard/guard.options';
import { ClassDefaultMechanism } from '../../../src/tenancy/guard/load-balancer-class-default';
import { TenantLoadBalancerGuard } from '../../../src/tenancy/guard/tenant-load-balancer-guard';
import { SharedServicesAtRunTime } from '../../../src/tenancy/runtime/shared-services-at-run-time';
import type { SharedLoadBalancerProps } from '../../../src/tenancy/shared/options';
import { SharedLoadBalancer } from '../../../src/tenancy/shared/shared-load-balancer';
import { SHARED_CLASS } from '../../../src/tenancy/tenancy.facts';
import { stderrOf } from '../../support/apps';
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

test.each<[string, World]>([
  ['nothing serves it', {}],
  ['nothing serves it, below Kubernetes 1.36', { guard: { kubernetes: KubernetesVersion.V1_33 } }],
  ['another class is served', { served: { loadBalancerClass: 'example.com/shared' } }],
  ['it is served in other namespaces', { served: { namespaceLabels: { 'example.com/other': 'true' } } }],
  [
    'it is served in some of the namespaces',
    { served: { namespaceLabels: { ...namespaceLabels, 'example.com/stage': 'production' } } },
  ],
  ['it is refused', { guard: { sharedServices: false }, served: {} }],
])('the class is neither allowed nor assigned if %s', (_, world) => {
  const { yaml, said } = synthesized(world);
  expect(allowedIn(yaml)).toBe('"[]"');
  expect(yaml).toContain(TYPE_REFUSED);
  expect(yaml).not.toContain('MutatingAdmissionPolicy');
  expect(said).not.toContain('shared-class-unserved');
});

test.each<[string, World]>([
  ['it is served', { served: {} }],
  ['it is served, and limited', { guard: { ...TENANTS, maxSharedServices: 5 }, served: {} }],
  [
    'its namespaces are some of those that are served',
    { guard: { namespaceLabels: { ...namespaceLabels, 'example.com/stage': 'production' } }, served: {} },
  ],
  [
    'Kyverno assigns it',
    { guard: { kubernetes: KubernetesVersion.V1_33, classDefault: ClassDefaultMechanism.kyverno() }, served: {} },
  ],
])('the class is allowed and assigned, in whatever order the app is made, if %s', (_, world) => {
  const { yaml, said } = synthesized(world);
  expect(allowedIn(yaml)).toBe(`"['${SHARED_CLASS}']"`);
  expect(yaml).not.toContain(TYPE_REFUSED);
  expect(yaml).toMatch(/kind: Mutating(Admission)?Policy\n/);
  expect(said).not.toContain('shared-class-unserved');
  expect(synthesized({ ...world, isGuardLast: true })).toEqual({ yaml, said });
});

test('a guard that allows the class although nothing serves it is a warning, which can be acknowledged', () => {
  const world = { guard: { sharedServices: true } };
  const { yaml, said } = synthesized(world);
  expect(allowedIn(yaml)).toBe(`"['${SHARED_CLASS}']"`);
  expect(said).toMatch(/1 warning\n.*Services of class \S+ wait for an address.*\n.*\(shared-class-unserved\)\n/);
  const { app } = appOf(world);
  LoadBalancers.of(app).acknowledge('shared-class-unserved', 'another app serves it');
  expect(stderrOf(() => app.synthYaml())).toBe('');
});

test.each<[string, Partial<TenantLoadBalancerGuardProps>]>([
  ['maxSharedServices', { ...TENANTS, maxSharedServices: 5 }],
  ['loadBalancerClass', { loadBalancerClass: 'example.com/shared' }],
  ['label', { label: 'example.com/served' }],
  ['classDefault', { classDefault: ClassDefaultMechanism.kyverno() }],
])('%s fails the synth if nothing serves the class', (setting, guard) => {
  const { loadBalancerClass = SHARED_CLASS } = guard;
  expect(synthesized({ guard }).yaml).toContain(
    `[guard/Guard] kubernetes: ${setting} has no effect: nothing in the app serves class ${loadBalancerClass}; add SharedServicesAtRunTime, set sharedServices to true if another app serves the class, or leave ${setting} out (guard-shared)`,
  );
});

test('below Kubernetes 1.36 a class that is served needs another mechanism, in whatever order the app is made', () => {
  const world = { guard: { kubernetes: KubernetesVersion.V1_33 }, served: {} };
  const { yaml } = synthesized(world);
  expect(yaml).toMatch(
    /^guard\/Guard: Kubernetes 1.33 has no MutatingAdmissionPolicy v1.*\(class-default-kubernetes\)$/,
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

  test('is free if another guard has it by its props', () => {
    const chart = new Chart(new App(), 'platform');
    new TenantLoadBalancerGuard(chart, 'Guard', { name: 'load-balancer-guard', namespaceLabels: { tenant: 'a' } });
    new TenantLoadBalancerGuard(chart, 'Other', { namespaceLabels: { tenant: 'b' } });
    expect([...namesOf(chart)]).toContain('load-balancer-guard-platform-other');
  });
});
