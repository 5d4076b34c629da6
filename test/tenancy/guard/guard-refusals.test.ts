import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  CustomController,
  EksAutoMode,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  KubernetesVersion,
  LoadBalancerScheme,
  MetalLb,
} from '../../../src';
import { AllowedClass } from '../../../src/tenancy/guard/allowed-class';
import type {
  LoadBalancerAdmissionPolicyProps,
  LoadBalancerClassDefaultProps,
  SharedListenerPolicyProps,
  TenantLoadBalancerGuardProps,
} from '../../../src/tenancy/guard/guard.options';
import { LoadBalancerAdmissionPolicy } from '../../../src/tenancy/guard/load-balancer-admission-policy';
import {
  ClassDefaultMechanism,
  LoadBalancerClassDefault,
} from '../../../src/tenancy/guard/load-balancer-class-default';
import { LoadBalancerQuota } from '../../../src/tenancy/guard/load-balancer-quota';
import type { LoadBalancerQuotaProps, SharedGatewayReference } from '../../../src/tenancy/guard/options';
import { exemptNamespaces } from '../../../src/tenancy/guard/rules';
import { SharedListenerPolicy, TenantPorts } from '../../../src/tenancy/guard/shared-listener-policy';
import { TenancyIdentity } from '../../../src/tenancy/guard/tenancy-identity';
import { TenantLoadBalancerGuard } from '../../../src/tenancy/guard/tenant-load-balancer-guard';
import { TenantRole } from '../../../src/tenancy/guard/tenant-role';
import { writtenBy } from '../../support/golden-files';

const namespaceLabels = { tenant: 'true' };
const kubernetes = KubernetesVersion.V1_36;
const own = AllowedClass.of('example.com/own');
const team = (namespace: string, more = {}) => ({ namespace, ...more });
const at = (first: number, last = first) => [{ first, last }];

type Make = (chart: Chart) => unknown;

const policy =
  (props: Partial<LoadBalancerAdmissionPolicyProps>): Make =>
  (chart) =>
    new LoadBalancerAdmissionPolicy(chart, 'X', { namespaceLabels, allowedClasses: [], ...props });
const guard =
  (props: Partial<TenantLoadBalancerGuardProps>): Make =>
  (chart) =>
    new TenantLoadBalancerGuard(chart, 'X', { namespaceLabels, kubernetes, ...props });
const classDefault =
  (props: Partial<LoadBalancerClassDefaultProps>): Make =>
  (chart) =>
    new LoadBalancerClassDefault(chart, 'X', { namespaceLabels, kubernetes, ...props });
const quota =
  (props: LoadBalancerQuotaProps): Make =>
  (chart) =>
    new LoadBalancerQuota(chart, 'X', props);
const fences =
  (props: Partial<SharedListenerPolicyProps>): Make =>
  (chart) =>
    new SharedListenerPolicy(chart, 'X', {
      namespaceLabels,
      gateways: [{ namespace: 'infra', name: 'shared' }],
      ports: TenantPorts.perNamespace(),
      exempt: [],
      ...props,
    });

const SHARED = { namespace: 'infra', name: 'shared' };
const OTHER = { namespace: 'infra', name: 'shared-2' };

function at2(chart: Chart, one?: SharedGatewayReference, other?: SharedGatewayReference): void {
  const policy = fences({ gateways: [SHARED, OTHER] })(chart) as SharedListenerPolicy;
  policy.grantPorts('a', at(1), one && [one]);
  policy.grantPorts('b', at(1), other && [other]);
}

const LIVES =
  'lives in the namespace of a tenant, who can act as it by a pod; run the controller in a namespace of the platform (guard-exempt)';
const EVERYBODY = 'every tenant belongs to it; name the controllers and people of the platform (guard-exempt)';
const BELONGS =
  'belongs to a tenant; name the platform alone, or take it from the subjects of the tenant (guard-exempt)';
const SUBJECTS = [
  TenancyIdentity.user('anna'),
  TenancyIdentity.group('team-a'),
  TenancyIdentity.serviceAccount('ci', 'deployer'),
  TenancyIdentity.group('system:serviceaccounts:robots'),
];

const ROWS: readonly (readonly [what: string, make: Make, said: string])[] = [
  [
    'no label for the namespaces',
    policy({ namespaceLabels: {} }),
    'platform/X: namespaceLabels is empty, which selects every namespace, kube-system among them; name a label that the namespaces of tenants have, and they alone (namespace-labels)',
  ],
  [
    'a label that is none',
    policy({ namespaceLabels: { 'a/b/c': 'x' } }),
    "namespaceLabels: 'a/b/c' has more than one slash; write a label of namespaces (namespace-labels)",
  ],
  ['a value of a label that is none', policy({ namespaceLabels: { a: 'b c' } }), "'b c' is not a valid label value"],
  [
    'an old API server',
    policy({ kubernetes: KubernetesVersion.V1_29 }),
    'Kubernetes 1.29 has no ValidatingAdmissionPolicy v1 that can validate ranges of addresses; use Kubernetes 1.30 or later (policy-kubernetes)',
  ],
  [
    'a prefix of 0',
    policy({ minSourceRangePrefix: 0 }),
    'minSourceRangePrefix is 0, and no whole number from 1 to 32; leave it out for no check of ranges (policy-limit)',
  ],
  ['a prefix of 33', policy({ minSourceRangePrefix: 33 }), 'minSourceRangePrefix is 33'],
  ['half a prefix', policy({ minSourceRangePrefix: 16.5 }), 'minSourceRangePrefix is 16.5'],
  [
    'a prefix of IPv6 out of range',
    policy({ minSourceRangePrefix: 16, minSourceRangePrefixIpv6: 129 }),
    'minSourceRangePrefixIpv6 is 129, and no whole number from 1 to 128',
  ],
  [
    'a prefix of IPv6 alone',
    policy({ minSourceRangePrefixIpv6: 48 }),
    'minSourceRangePrefix is not set; set minSourceRangePrefix as well (policy-limit)',
  ],
  ['no ranges at most', policy({ maxSourceRanges: 0 }), 'maxSourceRanges is 0'],
  ['no ports at most', policy({ maxPorts: 0 }), 'maxPorts is 0'],
  [
    'an empty range of ports',
    policy({ portRange: { first: 2, last: 1 } }),
    'portRange: 2 to 1 is empty; name the lowest port first, and the highest last (policy-ports)',
  ],
  [
    'a port that is none',
    policy({ portRange: { first: 1, last: 65536 } }),
    'portRange: 65536 is not a valid port (1 to 65535)',
  ],
  [
    'a class that is none',
    policy({ allowedClasses: [AllowedClass.of('-x')] }),
    "class '-x' is not a qualified name; write it like example.com/shared (allowed-class)",
  ],
  [
    'a class twice',
    policy({ allowedClasses: [own, own] }),
    'class example.com/own is allowed twice; put everything about it in one AllowedClass (allowed-class)',
  ],
  [
    'an annotation that is none',
    policy({ allowedClasses: [AllowedClass.of('x', { annotations: { 'a b': '' } })] }),
    "class x: annotation 'a b' is not a qualified name",
  ],
  [
    'an annotation that is wanted and forbidden',
    policy({ allowedClasses: [AllowedClass.of('x', { annotations: { a: '' }, forbiddenAnnotations: ['a'] })] }),
    'class x: it both wants and forbids the annotation a; leave it out of one of the two (allowed-class)',
  ],
  [
    'a class for a namespace that is none',
    policy({ allowedClasses: [AllowedClass.of('x', { namespaces: ['A'] })] }),
    "class x: namespace 'A' is not a valid DNS label",
  ],
  [
    'a name that is none',
    policy({ name: 'Tenants' }),
    "'Tenants' is not a valid DNS name; use lower-case letters, digits, dashes and dots (policy-name)",
  ],
  [
    'help of several lines',
    policy({ help: 'a\nb' }),
    'help has 3 characters or several lines, and the API server would drop the whole message; write one line of at most 400 characters (policy-help)',
  ],
  ['help without end', policy({ help: 'x'.repeat(401) }), 'help has 401 characters'],
  [
    'two guards of one name',
    (chart) => [
      guard({ name: 'tenants' })(chart),
      new TenantLoadBalancerGuard(chart, 'Y', { name: 'tenants', namespaceLabels, kubernetes }),
    ],
    'platform/Y/Services: ValidatingAdmissionPolicy tenants is made by platform/X/Services as well, and the second would overwrite the first; give one of the two another name, or the clusters apps of their own (policy-name-twice)',
  ],
  [
    'two guards of one name in two charts',
    (chart) => [guard({ name: 'tenants' })(chart), guard({ name: 'tenants' })(new Chart(App.of(chart), 'other'))],
    'other/X/Services: ValidatingAdmissionPolicy tenants is made by platform/X/Services as well',
  ],
  [
    'a guard with shared Services, without a version',
    (chart) => new TenantLoadBalancerGuard(chart, 'X', { namespaceLabels, sharedServices: true }),
    'platform/X: Kubernetes 1.34 has no MutatingAdmissionPolicy v1, which comes with 1.36; set kubernetes if the cluster is newer, or classDefault to ClassDefaultMechanism.kyverno() if Kyverno runs, or sharedServices to false to refuse Services of type LoadBalancer (class-default-kubernetes)',
  ],
  [
    'a class default for 1.35',
    classDefault({ kubernetes: KubernetesVersion.V1_35 }),
    'Kubernetes 1.35 has no MutatingAdmissionPolicy v1, which comes with 1.36; set kubernetes if the cluster is newer, or mechanism to ClassDefaultMechanism.kyverno() if Kyverno runs, or to .controllerWebhook() if tenants name the class (class-default-kubernetes)',
  ],
  ['a default class that is none', classDefault({ loadBalancerClass: 'a b' }), "class 'a b' is not a qualified name"],
  ['a label for the class that is none', classDefault({ label: '/' }), '(class-label)'],
  [
    'a webhook with several labels to leave out',
    classDefault({
      namespaceLabels: { a: '1', b: '2' },
      mechanism: ClassDefaultMechanism.controllerWebhook('example.com/own'),
    }),
    'namespaceLabels has 2 labels, and no selector leaves out just the namespaces that have all of them; use one label for the namespaces of tenants (class-default-webhook)',
  ],
  [
    'a webhook for no class',
    classDefault({ mechanism: ClassDefaultMechanism.controllerWebhook('') }),
    '(allowed-class)',
  ],
  [
    'balancers of their own beside shared Services',
    guard({ dedicated: 2, dedicatedClasses: [own], tenants: [team('a')], sharedServices: true }),
    'load balancers of their own are counted by a quota, which counts every class: shared Services of type LoadBalancer would use it up; set sharedServices to false, so that shared Services are of type ClusterIP, or dedicated to 0, or split the tenant in two namespaces (guard-dedicated)',
  ],
  [
    'balancers of their own of no class',
    guard({ dedicated: 2, tenants: [team('a')] }),
    '(dedicated is 2), of no class; name dedicatedClasses (guard-dedicated)',
  ],
  [
    'balancers of one tenant of no class',
    guard({ tenants: [team('a', { dedicated: 1 })] }),
    '(dedicated is set for tenants), of no class',
  ],
  [
    'classes for nobody',
    guard({ dedicatedClasses: [own] }),
    'dedicatedClasses are named, and no tenant may have a load balancer of its own; set dedicated, or leave the classes out (guard-dedicated)',
  ],
  [
    'balancers of their own for nobody by name',
    guard({ dedicated: 1, dedicatedClasses: [own] }),
    'dedicated is 1, and a quota needs the namespace of each tenant; name tenants (guard-dedicated)',
  ],
  ['a negative count', guard({ dedicated: -1 }), 'dedicated is -1'],
  ['a negative count of a tenant', guard({ tenants: [team('a', { dedicated: -1 })] }), 'dedicated of tenant a is -1'],
  [
    'shared Services counted for nobody by name',
    guard({ maxSharedServices: 1 }),
    'maxSharedServices is 1, and a quota needs the namespace of each tenant; name tenants (guard-dedicated)',
  ],
  [
    'shared Services counted where there are none',
    guard({ maxSharedServices: 1, sharedServices: false, tenants: [team('a')] }),
    'maxSharedServices has no effect: tenants may have no shared Services; leave maxSharedServices out (guard-shared)',
  ],
  [
    'a class of shared Services beside balancers of their own',
    guard({ dedicated: 1, dedicatedClasses: [own], tenants: [team('a')], loadBalancerClass: 'example.com/shared' }),
    'loadBalancerClass has no effect: tenants may have no shared Services; leave loadBalancerClass out (guard-shared)',
  ],
  ['a tenant twice', guard({ tenants: [team('a'), team('a')] }), "namespace 'a' is named twice"],
  ['a tenant that is no namespace', guard({ tenants: [team('A')] }), "'A' is not a valid DNS label"],
  [
    'a controller among tenants',
    guard({ tenants: [team('a')], exempt: [TenancyIdentity.serviceAccount('a', 'b')] }),
    'system:serviceaccount:a:b is exempt and lives in the namespace of a tenant, who can act as it by a pod; run the controller in a namespace of the platform (guard-exempt)',
  ],
  ...(
    [
      ['a controller among tenants, as a user', TenancyIdentity.user('system:serviceaccount:a:b'), LIVES],
      ['all service accounts of a tenant', TenancyIdentity.group('system:serviceaccounts:a'), LIVES],
      ['everybody who is known', TenancyIdentity.group('system:authenticated'), EVERYBODY],
      ['everybody who is not', TenancyIdentity.group('system:unauthenticated'), EVERYBODY],
      ['nobody, who is everybody', TenancyIdentity.user('system:anonymous'), EVERYBODY],
      ['all pods', TenancyIdentity.group('system:serviceaccounts'), EVERYBODY],
      ['a tenant', TenancyIdentity.user('anna'), BELONGS],
      ['tenants', TenancyIdentity.group('team-a'), BELONGS],
      ['what delivers for a tenant', TenancyIdentity.user('system:serviceaccount:ci:deployer'), BELONGS],
      ['all that could deliver for a tenant', TenancyIdentity.group('system:serviceaccounts:ci'), BELONGS],
      ['one of all that deliver for a tenant', TenancyIdentity.serviceAccount('robots', 'one'), BELONGS],
    ] as const
  ).map(
    ([what, identity, said]) =>
      [
        `an exemption of ${what}`,
        guard({ tenants: [team('a', { subjects: SUBJECTS })], exempt: [identity] }),
        `platform/X: ${identity._isGroup ? 'group ' : ''}${identity.username} is exempt and ${said}`,
      ] as const,
  ),
  [
    'an exemption of everybody, with tenants that nobody knows',
    guard({ exempt: [TenancyIdentity.group('system:authenticated')] }),
    EVERYBODY,
  ],
  [
    'a policy for nobody',
    policy({ exempt: [TenancyIdentity.group('system:authenticated')] }),
    `platform/X: group system:authenticated is exempt and ${EVERYBODY}`,
  ],
  [
    'fences for nobody',
    fences({ exempt: [TenancyIdentity.group('system:serviceaccounts')] }),
    `platform/X: group system:serviceaccounts is exempt and ${EVERYBODY}`,
  ],
  [
    'fences around what gets through them',
    fences({ exempt: [TenancyIdentity.serviceAccount('a', 'b')], ports: TenantPorts.perNamespace({ a: at(1) }) }),
    `platform/X: system:serviceaccount:a:b is exempt and ${LIVES}`,
  ],
  [
    'fences that get ports for what gets through them',
    (chart) =>
      (fences({ exempt: [TenancyIdentity.serviceAccount('a', 'b')] })(chart) as SharedListenerPolicy).grantPorts(
        'a',
        at(1),
      ),
    LIVES,
  ],
  [
    'fences that get host names for what gets through them',
    (chart) =>
      (
        fences({ exempt: [TenancyIdentity.group('system:serviceaccounts:a')], hostnames: {} })(
          chart,
        ) as SharedListenerPolicy
      ).grantHostnames('a', ['a.example.com']),
    LIVES,
  ],
  [
    'a quota that limits nothing',
    quota({ namespaces: ['a'] }),
    'the quota limits nothing; set loadBalancers, nodePorts or listenerSets (quota-limit)',
  ],
  ['less than no ListenerSets', quota({ namespaces: ['a'], listenerSets: -1 }), 'listenerSets is -1'],
  ['a quota below 0', quota({ namespaces: ['a'], loadBalancers: -1 }), 'loadBalancers is -1'],
  ['half a node port', quota({ namespaces: ['a'], nodePorts: 0.5 }), 'nodePorts is 0.5'],
  [
    'a quota nowhere',
    (chart) => new LoadBalancerQuota(new Chart(App.of(chart), 'bare'), 'X', { loadBalancers: 1 }),
    'bare/X: there is no namespace; name some, or give the chart one (no-namespace)',
  ],
  ['a quota in no namespaces', quota({ namespaces: [], loadBalancers: 1 }), 'there is no namespace'],
  [
    'nobody bound',
    (chart) => new TenantRole(chart, 'X').bind('a', []),
    'no subject is named for namespace a; name all subjects of a namespace at once (tenant-subjects)',
  ],
  [
    'a namespace bound twice',
    (chart) => {
      const role = new TenantRole(chart, 'X');
      role.bind('a', [TenancyIdentity.user('u')]);
      role.bind('a', [TenancyIdentity.user('v')]);
    },
    'namespace a was bound already',
  ],
  ['no shared Gateway', fences({ gateways: [] }), 'there is no shared Gateway; name at least one (policy-gateways)'],
  [
    'a port of two tenants',
    fences({ ports: TenantPorts.perNamespace({ a: at(1, 5), b: at(5, 9) }) }),
    'namespaces a and b both get port 5; give each port to one namespace: the first that listens has it, and the other gets no error (policy-ports-twice)',
  ],
  ['a port of two tenants at one Gateway', (chart) => at2(chart, SHARED, SHARED), 'namespaces a and b both get port 1'],
  [
    'a port of one tenant at all Gateways, and of another at one',
    (chart) => at2(chart, undefined, SHARED),
    'namespaces a and b both get port 1',
  ],
  [
    'a shared port of TLS without host names',
    fences({ sharedTlsPorts: [443] }),
    'ports 443 are shared by host name, and host names are not checked; list the hostnames of each namespace, even if there are none (policy-hostnames)',
  ],
  [
    'a range that holds that of another',
    fences({ ports: TenantPorts.perNamespace({ a: at(3), b: at(1, 9) }) }),
    'namespaces a and b both get port 3',
  ],
  [
    'a port that is none, of a tenant',
    fences({ ports: TenantPorts.perNamespace({ a: at(0) }) }),
    'the ports of namespace a: 0 is not a valid port',
  ],
  [
    'ports of a namespace that is none',
    fences({ ports: TenantPorts.perNamespace({ A: at(1) }) }),
    "'A' is not a valid DNS label",
  ],
  [
    'ports where annotations have them',
    (chart) => (fences({ ports: TenantPorts.byAnnotation() })(chart) as SharedListenerPolicy).grantPorts('a', at(1)),
    'the ports of namespace a are in its annotation cdk8s-load-balancers/ports; write them there, or use TenantPorts.perNamespace() (policy-ports)',
  ],
  [
    'ports at no Gateway',
    (chart) => (fences({})(chart) as SharedListenerPolicy).grantPorts('a', at(1), []),
    'there is no shared Gateway; name at least one (policy-gateways)',
  ],
  [
    'ports at one Gateway of several for two tenants',
    (chart) => {
      const policy = fences({ gateways: [SHARED, OTHER] })(chart) as SharedListenerPolicy;
      policy.grantPorts('a', at(1), [SHARED, OTHER]);
      policy.grantPorts('b', at(1), [OTHER]);
    },
    'namespaces a and b both get port 1',
  ],
  [
    'an annotation for ports that is none',
    fences({ ports: TenantPorts.byAnnotation('a b') }),
    "annotation 'a b' is not a qualified name",
  ],
  [
    'a host name of two tenants',
    fences({ hostnames: { a: ['db.example.com'], b: ['db.example.com'] } }),
    'namespaces a and b may both use db.example.com; give each host name to one namespace (policy-hostnames-twice)',
  ],
  [
    'a host name below that of another',
    fences({ hostnames: { a: ['*.example.com'], b: ['db.example.com'] } }),
    'namespaces a and b may both use db.example.com',
  ],
  [
    'a star above that of another',
    fences({ hostnames: { a: ['*.db.example.com'], b: ['*.example.com'] } }),
    'namespaces a and b may both use *.example.com',
  ],
  [
    'a host name that is none',
    fences({ hostnames: { a: ['a_b'] } }),
    "the host names of namespace a: 'a_b' is not a valid DNS name",
  ],
  [
    'a service account that is none',
    () => TenancyIdentity.serviceAccount('a', ''),
    "service account a/: '' is not a valid DNS name; give the name and namespace of an object",
  ],
  ['a user without a name', () => TenancyIdentity.user(' '), "user ' ': the name is empty"],
  [
    'a controller without a class',
    () => AllowedClass.ofController(AwsCloudProvider.nlb(), LoadBalancerScheme.INTERNAL),
    'cloud-provider-aws: it serves Services without a class, and tenants must name one; give the controller a class, or use AllowedClass.of()',
  ],
  [
    'a controller whose Services say no scheme',
    () =>
      AllowedClass.ofController(
        MetalLb.layer2({ loadBalancerClass: 'example.com/metallb' }),
        LoadBalancerScheme.INTERNAL,
      ),
    "no annotation of a Service sets the scheme internal; use AllowedClass.of('example.com/metallb') and restrict the scheme at the controller",
  ],
  [
    'a finalizer that is none',
    policy({ allowedClasses: [AllowedClass.of('x', { finalizers: ['a b'] })] }),
    "class x: finalizer 'a b' is not a qualified name; write the finalizer as it is in a Service (allowed-class)",
  ],
  [
    'a class of Ingresses that is none',
    guard({ ingressClasses: ['nginx', 'service.k8s.aws/alb'] }),
    "platform/X: ingressClasses: 'service.k8s.aws/alb' is not a valid DNS name; write the name of an IngressClass (allowed-class)",
  ],
  [
    'a tenant in the namespace of a known controller',
    guard({ tenants: [team('metallb-system')] }),
    `system:serviceaccount:metallb-system:controller is exempt and ${LIVES}`,
  ],
  [
    'the name of a controller that nobody publishes',
    () => TenancyIdentity.ofController(AzureCloudProvider.standard()),
    'cloud-provider-azure: no name is published under which it writes to the API server; look up user.username of requests to services/status in the audit log, and name it with TenancyIdentity.user(), group() or serviceAccount()',
  ],
  [
    'the name of a controller of your own',
    () => TenancyIdentity.ofController(CustomController.of({ owner: 'example', loadBalancerClass: 'a/b' })),
    'no name is published',
  ],
];

test.each(ROWS)('%s', (_, make, said) => {
  const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
  expect(() => make(chart)).toThrow(said);
});

test('an identity of the platform is exempt beside tenants', () => {
  const exempt = [
    TenancyIdentity.user('delivery'),
    TenancyIdentity.group('platform'),
    TenancyIdentity.group('anna'),
    TenancyIdentity.serviceAccount('flux-system', 'anna'),
    ...TenancyIdentity.knownControllers(),
  ];
  const tenants = [team('a', { subjects: SUBJECTS })];
  expect(() => guard({ tenants, exempt })(new Chart(new App(), 'platform'))).not.toThrow();
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

test.each<[string, ILoadBalancerController, string[]]>([
  ['the cloud provider of AWS on EKS', AwsCloudProvider.nlb(), ['eks:cloud-controller-manager']],
  [
    'the AWS Load Balancer Controller',
    AwsLoadBalancerController.nlb(),
    ['system:serviceaccount:kube-system:aws-load-balancer-controller'],
  ],
  ['EKS Auto Mode', EksAutoMode.nlb(), ['eks:managed']],
  [
    'GKE',
    Gke.passthrough(),
    [
      'system:serviceaccount:kube-system:glbc',
      'system:controller:glbc',
      'system:l4-lb-controller',
      'system:l7-lb-controller',
    ],
  ],
  [
    'that of Hetzner',
    HetznerCloud.loadBalancer(),
    ['system:serviceaccount:kube-system:hcloud-cloud-controller-manager'],
  ],
  [
    'MetalLB',
    MetalLb.layer2(),
    ['system:serviceaccount:metallb-system:controller', 'system:serviceaccount:metallb-system:metallb-controller'],
  ],
  [
    'MetalLB elsewhere',
    MetalLb.bgp({ namespace: 'lb' }),
    ['system:serviceaccount:lb:controller', 'system:serviceaccount:lb:metallb-controller'],
  ],
  [
    'MetalLB, shared',
    MetalLb.layer2({ namespace: 'lb' }).shared('key'),
    ['system:serviceaccount:lb:controller', 'system:serviceaccount:lb:metallb-controller'],
  ],
])('a controller is known by the names that its vendor gives it: %s', (_, controller, usernames) => {
  expect(TenancyIdentity.ofController(controller).map(({ username }) => username)).toEqual(usernames);
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

function warnings(make: Make): string {
  return writtenBy(() => {
    const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
    make(chart);
    return chart;
  }).said;
}

const AUTO_MODE = AllowedClass.ofController(EksAutoMode.nlb(), LoadBalancerScheme.INTERNAL);

test.each<[string, Make, RegExp | '']>([
  [
    'a class of a controller that nobody named',
    policy({ allowedClasses: [own] }),
    /the controller of class example.com\/own is unknown: .*get no address\n.*audit log {2}\(guard-controller\)/,
  ],
  ['the same where somebody is named', policy({ allowedClasses: [own], exempt: [TenancyIdentity.user('x')] }), ''],
  ['the same where no status is guarded', policy({ allowedClasses: [own], guardStatus: false }), ''],
  ['a class of a known controller', policy({ allowedClasses: [AllowedClass.of('service.k8s.aws/nlb')] }), ''],
  ['a controller that is known', policy({ allowedClasses: [AUTO_MODE] }), ''],
  [
    'a shared class that nothing serves',
    policy({ allowedClasses: [AllowedClass.shared('example.com/shared')] }),
    /Services of class example.com\/shared wait for an address: .*\n.*\(shared-class-unserved\)/,
  ],
  ['a guard that follows the app', guard({}), ''],
])('of %s a policy warns only where addresses would never come', (_, make, said) => {
  expect(warnings(make)).toMatch(said === '' ? /^$/ : said);
});

test('a port may be of two tenants at two Gateways', () => {
  expect(() => at2(new Chart(new App(), 'platform'), SHARED, OTHER)).not.toThrow();
});

test('a class of a controller is that of its scheme', () => {
  const nlb = AwsLoadBalancerController.nlb();
  const scheme = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
  const wanted = (of: LoadBalancerScheme) => AllowedClass.ofController(nlb, of)._options.annotations;
  expect(wanted(LoadBalancerScheme.INTERNAL)).toEqual({ [scheme]: 'internal' });
  expect(wanted(LoadBalancerScheme.INTERNET_FACING)).toEqual({ [scheme]: 'internet-facing' });
  expect(AllowedClass.ofController(nlb, LoadBalancerScheme.INTERNAL).loadBalancerClass).toBe('service.k8s.aws/nlb');
});

test.each([
  [
    'its own class',
    'example.com/own',
    { a: '1', b: '2' },
    [
      { key: 'a', relation: 'In', values: ['1'] },
      { key: 'b', relation: 'In', values: ['2'] },
    ],
  ],
  ['another class', 'example.com/other', { a: '1' }, [{ key: 'a', relation: 'NotIn', values: ['1'] }]],
] as const)('a webhook that gives %s selects namespaces by data', (_, webhookClass, labels, selector) => {
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

test.each([
  [{ a: '1' }, [{ key: 'a', relation: 'NotIn', values: ['1'] }]],
  [{ a: '1', b: '2' }, undefined],
])('webhooks that give a class are kept out of namespaces in which Kyverno does: %j', (namespaceLabels, selector) => {
  const chart = new Chart(new App(), 'platform');
  const mechanism = ClassDefaultMechanism.kyverno();
  const made = new LoadBalancerClassDefault(chart, 'Class', { namespaceLabels, mechanism });
  expect(made.webhookNamespaceSelector).toEqual(selector);
});
