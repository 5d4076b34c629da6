import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { AwsLoadBalancerController, KubernetesVersion, LoadBalancerScheme, LoadBalancers } from '../../../src';
import { AllowedClass } from '../../../src/tenancy/guard/allowed-class';
import { LoadBalancerAdmissionPolicy } from '../../../src/tenancy/guard/load-balancer-admission-policy';
import {
  ClassDefaultMechanism,
  LoadBalancerClassDefault,
} from '../../../src/tenancy/guard/load-balancer-class-default';
import { LoadBalancerQuota } from '../../../src/tenancy/guard/load-balancer-quota';
import { SharedListenerPolicy, TenantPorts } from '../../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../../src/tenancy/guard/tenancy-identity';
import { TenantLoadBalancerGuard } from '../../../src/tenancy/guard/tenant-load-balancer-guard';
import { TenantRole } from '../../../src/tenancy/guard/tenant-role';
import { expectGolden, expectNoStrayGoldens, writtenBy } from '../../support/golden-files';

const FOLDER = join(__dirname, 'goldens');
const namespaceLabels = { 'example.com/tenant': 'true' };
const kubernetes = KubernetesVersion.V1_36;

const CASES: Record<string, (chart: Chart) => unknown> = {
  guard: (chart) =>
    new TenantLoadBalancerGuard(chart, 'Guard', {
      name: 'tenants',
      namespaceLabels,
      kubernetes,
      sharedServices: true,
      minSourceRangePrefix: 16,
      maxPorts: 3,
      portRange: { first: 20000, last: 20049 },
      maxSharedServices: 5,
      ingressClasses: ['nginx'],
      help: 'ask in #platform',
      tenants: [{ namespace: 'team-a', subjects: [TenancyIdentity.group('team-a')] }, { namespace: 'team-b' }],
    }),
  'guard-with-balancers-of-their-own': (chart) =>
    new TenantLoadBalancerGuard(chart, 'Guard', {
      namespaceLabels,
      dedicated: 2,
      dedicatedClasses: [
        AllowedClass.ofController(AwsLoadBalancerController.nlb(), LoadBalancerScheme.INTERNAL, { nodePorts: true }),
      ],
      tenants: [{ namespace: 'team-a' }, { namespace: 'team-b', dedicated: 0 }],
    }),
  'guard-that-allows-nothing': (chart) =>
    new TenantLoadBalancerGuard(chart, 'Guard', {
      namespaceLabels,
      sharedServices: false,
      forbidNodePorts: false,
      forbidExternalIps: false,
      forbidLoadBalancerIp: false,
    }),
  'admission-policy': (chart) =>
    new LoadBalancerAdmissionPolicy(chart, 'Policy', {
      namespaceLabels,
      allowedClasses: [
        AllowedClass.shared('example.com/shared'),
        AllowedClass.of('example.com/own', {
          annotations: { 'example.com/scheme': "in'ternal" },
          forbiddenAnnotations: ['example.com/groups'],
          finalizers: ['example.com/cleanup'],
          namespaces: ['team-a'],
        }),
      ],
      exempt: [TenancyIdentity.group('controllers'), TenancyIdentity.user('deployer')],
      maxSourceRanges: 3,
      guardStatus: false,
    }),
  'class-default-of-another-name': (chart) =>
    new LoadBalancerClassDefault(chart, 'Class', {
      namespaceLabels,
      loadBalancerClass: 'example.com/shared',
      label: 'example.com/served',
      nodePorts: true,
      kubernetes,
    }),
  'class-default-by-kyverno': (chart) =>
    new LoadBalancerClassDefault(chart, 'Class', { namespaceLabels, mechanism: ClassDefaultMechanism.kyverno() }),
  quota: (chart) => new LoadBalancerQuota(chart, 'Quota', { loadBalancers: 0, nodePorts: 0 }),
  role: (chart) =>
    new TenantRole(chart, 'Role', {
      aggregateTo: ['edit'],
      rights: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'delete'] }],
    }),
  'listener-policy': (chart) => {
    const policy = new SharedListenerPolicy(chart, 'Fences', {
      name: 'fences',
      namespaceLabels,
      gateways: [
        { namespace: 'infra', name: 'shared' },
        { namespace: 'infra', name: 'shared-2' },
      ],
      ports: TenantPorts.perNamespace({ 'team-b': [{ first: 443, last: 443 }] }),
      exempt: [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')],
      hostnames: { 'team-b': ['*.b.example.com'] },
      guardedKinds: [{ group: 'elbv2.k8s.aws', resource: 'targetgroupbindings' }],
    });
    policy.grantPorts('team-a', [
      { first: 30005, last: 30009 },
      { first: 30000, last: 30004 },
    ]);
    policy.grantPorts('team-a', [{ first: 30017, last: 30017 }]);
  },
  'listener-policy-by-annotation': (chart) =>
    new SharedListenerPolicy(chart, 'Fences', {
      namespaceLabels,
      gateways: [{ namespace: 'infra', name: 'shared' }],
      ports: TenantPorts.byAnnotation('example.com/ports'),
      exempt: [],
      protocols: ['TLS'],
      tlsTermination: true,
    }),
};

test.each(Object.entries(CASES))('%s', (name, make) => {
  const { yaml, said } = writtenBy(() => {
    const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
    make(chart);
    LoadBalancers.of(chart).acknowledge('shared-class-unserved', 'another app serves it');
    return chart;
  });
  expect(said).toBe('');
  expectGolden(FOLDER, name, yaml);
});

test('no golden is left over', () => {
  expectNoStrayGoldens(FOLDER, Object.keys(CASES));
});
