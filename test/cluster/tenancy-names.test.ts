import { App, Chart } from 'cdk8s';
import { KubernetesVersion, MetalLb } from '../../src';
import { SharedLoadBalancer, SharedLoadBalancerEngine } from '../../src/tenancy';
import { TenancyIdentity } from '../../src/tenancy/guard/tenancy-identity';
import { TenantLoadBalancerGuard } from '../../src/tenancy/guard/tenant-load-balancer-guard';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { definitionsOfGroup, install as installDefinitions } from '../real/objects';
import { install, permit, refusalOf, untilAdmitted, untilDenied, untilPoliciesHold } from '../real/policies';
import { count } from '../real/program';

// Names that tenants have external-dns make, and how many ListenerSets they may have, in a real API server.
describe('tenancy names', () => {
  const GROUP = 'gateway.networking.k8s.io';
  const RECORDS = 'externaldns.k8s.io';
  const HOSTNAME = 'external-dns.alpha.kubernetes.io/hostname';
  const CONTROLLER = 'system:serviceaccount:kube-system:cloud-controller-manager';

  /** The least that a DNSEndpoint needs to be served. */
  const DNS_ENDPOINTS: Ref = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `dnsendpoints.${RECORDS}`,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/external-dns/pull/2007' },
    },
    spec: {
      group: RECORDS,
      names: { kind: 'DNSEndpoint', plural: 'dnsendpoints' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };

  let plane: ControlPlane;
  const as = (who?: string): Api => (who === undefined ? plane.api : plane.api.actingAs(who));

  const meta = (namespace: string, name: string, more: Body = {}) => ({ name, namespace, ...more });
  const service = (names?: string, namespace = 'team-a', name = 'db', key = HOSTNAME): Ref => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(namespace, name, names === undefined ? {} : { annotations: { [key]: names } }),
    spec: { clusterIP: 'None', selector: { app: 'db' }, ports: [{ port: 5432 }] },
  });
  const record = (name: string, namespace = 'team-a'): Ref => ({
    apiVersion: `${RECORDS}/v1alpha1`,
    kind: 'DNSEndpoint',
    metadata: meta(namespace, 'db'),
    spec: { endpoints: [{ dnsName: name, targets: ['192.0.2.1'], recordType: 'A' }] },
  });
  const ingress = (spec: Body): Ref => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: meta('team-a', 'db'),
    spec: { defaultBackend: { service: { name: 'db', port: { number: 80 } } }, ...spec },
  });
  const route = (kind: string, hostnames: string[]): Ref => ({
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: meta('team-a', 'db'),
    spec: {
      hostnames,
      parentRefs: [{ name: 'edge', namespace: 'infra' }],
      rules: [{ backendRefs: [{ name: 'db', port: 80 }] }],
    },
  });
  const listenerSet = (name: string): Ref => ({
    apiVersion: `${GROUP}/v1`,
    kind: 'ListenerSet',
    metadata: meta('team-a', name),
    spec: {
      parentRef: { name: 'shared', namespace: 'infra' },
      listeners: [{ name: 'p', port: 5432, protocol: 'TCP' }],
    },
  });

  const INGRESS = '/apis/networking.k8s.io/v1/namespaces/team-a/ingresses/old';
  const HOST_OF_OTHERS = { [HOSTNAME]: 'tcp.example.com' };
  const MERGE = 'application/merge-patch+json';

  const dryRun = { dryRun: true };
  const create = (object: Ref) => (api: Api) => api.create(object, dryRun);

  beforeAll(async () => {
    plane = await ControlPlane.start();
    const { api } = plane;
    await installDefinitions(api, [
      ...definitionsOfGroup('sigs.k8s.io/gateway-api', GROUP, 'HTTPRoute', 'TLSRoute'),
      DNS_ENDPOINTS,
    ]);
    for (const [name, labels] of Object.entries({ 'team-a': { tenant: 'a' }, none: { tenant: 'none' }, free: {} })) {
      await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    }
    await api.create(service('old.example.com', 'team-a', 'old'));
    await api.create({ ...ingress({}), metadata: meta('team-a', 'old') });
    const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
    const common = { kubernetes: KubernetesVersion.V1_36, help: 'ask in #platform' };
    new TenantLoadBalancerGuard(chart, 'Tenants', {
      ...common,
      name: 'tenants',
      namespaceLabels: { tenant: 'a' },
      dnsDomains: ['{namespace}.apps.example.com', 'a.example.net'],
    });
    new TenantLoadBalancerGuard(chart, 'None', {
      ...common,
      name: 'none',
      namespaceLabels: { tenant: 'none' },
      dnsDomains: [],
    });
    await install(api, chart);
    await permit(api, CONTROLLER, [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }]);
  });

  afterAll(() => plane?.stop());

  const NOT = (names: string) =>
    `names that external-dns makes must be in team-a.apps.example.com or a.example.net, not ${names} (ask in #platform)`;

  /** What is asked, what is told then, and who asks. */
  const ROWS: readonly [what: string, act: (api: Api) => Promise<unknown>, told?: string, who?: string][] = [
    ['no name', create(service())],
    ['its name', create(service('db.team-a.apps.example.com'))],
    ['its domain itself, and all below', create(service('a.example.net, *.Team-A.apps.example.com.'))],
    ['a name of a neighbour', create(service('db.team-b.apps.example.com')), NOT('db.team-b.apps.example.com')],
    [
      'a name that only ends like its own',
      create(service('xteam-a.apps.example.com')),
      NOT('xteam-a.apps.example.com'),
    ],
    [
      'names of others among its own',
      create(service('x.example.com,db.team-a.apps.example.com, y.example.com')),
      NOT('x.example.com, y.example.com'),
    ],
    [
      'a name inside, by the newer prefix',
      create(service('x.example.com', 'team-a', 'db', 'external-dns.kubernetes.io/internal-hostname')),
      NOT('x.example.com'),
    ],
    ['a record of others', create(record('tcp.example.com')), NOT('tcp.example.com')],
    ['a record of its own', create(record('x.a.example.net'))],
    [
      'hosts of others',
      create(ingress({ rules: [{ host: 'shop.example.com' }], tls: [{ hosts: ['pay.example.com'] }] })),
      NOT('shop.example.com, pay.example.com'),
    ],
    ['a host of its own', create(ingress({ rules: [{ host: 'shop.team-a.apps.example.com' }] }))],
    ['a route of others', create(route('HTTPRoute', ['shop.example.com'])), NOT('shop.example.com')],
    ['a route for TLS of others', create(route('TLSRoute', ['shop.example.com'])), NOT('shop.example.com')],
    ['a route of its own', create(route('HTTPRoute', ['shop.a.example.net']))],
    [
      'what was there before, labelled',
      (api) => api.merge(service(undefined, 'team-a', 'old'), { metadata: { labels: { a: 'b' } } }, dryRun),
    ],
    [
      'what was there before, with another name',
      (api) =>
        api.merge(
          service(undefined, 'team-a', 'old'),
          { metadata: { annotations: { [HOSTNAME]: 'z.example.com' } } },
          dryRun,
        ),
      NOT('z.example.com'),
    ],
    [
      'a host of others by the status of an Ingress, whoever may write it',
      (api) => api.call('PATCH', `${INGRESS}/status?dryRun=All`, { metadata: { annotations: HOST_OF_OTHERS } }, MERGE),
      NOT('tcp.example.com'),
    ],
    ['a name of others by a controller', create(service('x.example.com')), undefined, CONTROLLER],
    [
      'any name where there is no domain',
      create(service('x.example.com', 'none')),
      'external-dns may make no names in this namespace, remove x.example.com (ask in #platform)',
    ],
    ['any name elsewhere', create(service('x.example.com', 'free'))],
  ];

  test.each(ROWS.map(([what, ...row]) => [what, row] as const))('%s', async (_, [act, told, who]) => {
    expect(await refusalOf(act(as(who)))).toBe(told);
    count('requests checked by the guard');
  });

  test('of 24 ListenerSets that come at once a quota of 5 lets 5 in, and gives free what is deleted', async () => {
    const counting = await ControlPlane.start();
    try {
      const { api } = counting;
      const anna = api.actingAs('anna');
      await installDefinitions(api, definitionsOfGroup('sigs.k8s.io/gateway-api', GROUP, 'ListenerSet'));
      await counting.startManager();
      await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a', labels: { tenant: 'a' } } });
      const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
      new TenantLoadBalancerGuard(chart, 'Guard', {
        name: 'tenants',
        namespaceLabels: { tenant: 'a' },
        kubernetes: KubernetesVersion.V1_36,
        attachments: true,
        maxListenerSets: 5,
        tenants: [{ namespace: 'team-a', subjects: [TenancyIdentity.user('anna')] }],
      });
      await install(api, chart);
      await untilAdmitted('permissions and quotas', () => anna.create(listenerSet('probe'), dryRun));
      const all = await Promise.all(
        Array.from({ length: 24 }, (_, i) => refusalOf(anna.create(listenerSet(`set-${i}`)))),
      );
      const refused = all.filter((said) => said !== undefined);
      expect(refused).toHaveLength(19);
      for (const said of refused) {
        expect(said).toMatch(
          /exceeded quota: tenants, requested: count\/listenersets\.gateway\.networking\.k8s\.io=1, used: .*=5/,
        );
      }
      const [one] = await api.list({ apiVersion: `${GROUP}/v1`, kind: 'ListenerSet' }, 'team-a');
      await anna.delete(listenerSet(one.metadata.name));
      await untilAdmitted('room', () => anna.create(listenerSet('next')));
    } finally {
      await counting.stop();
    }
  });
});

// Who changes the labels of a tenant's namespace, in a real API server: the one that suspends it, and those that make it one.
describe('tenant labels', () => {
  const SUSPENDED = 'cdk8s-load-balancers/suspended';
  const TENANT = 'cdk8s-load-balancers/tenant';
  const REFUSED = 'labels that make a namespace one of a tenant, or suspend it, are changed by the platform alone';

  const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    const { api } = plane;
    for (const [name, labels] of [
      ['team-a', { [TENANT]: 'true' }],
      ['team-b', { [TENANT]: 'true' }],
      ['elsewhere', {}],
    ] as const) {
      await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    }
    // by a binding in their own namespaces
    await permit(api, 'strong', EVERYTHING, 'team-a');
    await permit(api, 'stranger', EVERYTHING, 'elsewhere');
    await permit(api, 'on-call', [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'patch'] }]);
    const chart = new Chart(new App(), 'platform', { namespace: 'infra' });
    new SharedLoadBalancer(chart, 'Shared', {
      engine: SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.bgp() }),
      kubernetes: KubernetesVersion.V1_36,
    });
    const policies = (chart.toJson() as Body[]).filter(({ metadata }) => metadata.name === 'shared-labels');
    expect(policies.map(({ kind }) => kind)).toEqual(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
    for (const policy of policies) {
      await api.create(policy as Ref);
    }
    await untilPoliciesHold(api);
    await untilDenied('the policy for who may', () =>
      label(as('strong'), 'team-a', { [SUSPENDED]: 'probe' }, { dryRun: true }),
    );
    await untilAdmitted('the rights', () => label(as('on-call'), 'team-b', {}, { dryRun: true }));
  });

  afterAll(() => plane?.stop());

  const as = (user: string): Api => plane.api.actingAs(user);

  function label(api: Api, name: string, labels: Body, options: { dryRun?: boolean } = {}): Promise<unknown> {
    const query = options.dryRun ? '?dryRun=All' : '';
    const type = 'application/merge-patch+json';
    return api.call('PATCH', `/api/v1/namespaces/${name}${query}`, { metadata: { labels } }, type);
  }

  test('the platform suspends and resumes, by the right to patch every namespace', async () => {
    expect(await refusalOf(label(as('on-call'), 'team-a', { [SUSPENDED]: 'true' }))).toBeUndefined();
    expect(await refusalOf(label(as('on-call'), 'team-a', { [SUSPENDED]: null }))).toBeUndefined();
  });

  test.each<[string, Body]>([
    ['resume itself', { [SUSPENDED]: null }],
    ['resume itself by another value', { [SUSPENDED]: 'false' }],
    ['leave the policies', { [TENANT]: null }],
    ['leave the policies by another value', { [TENANT]: 'no' }],
    ['do both at once', { [TENANT]: null, [SUSPENDED]: null }],
  ])('a tenant with all rights in its namespace cannot %s', async (_, labels) => {
    await label(plane.api, 'team-a', { [SUSPENDED]: 'true' });
    expect(await refusalOf(label(as('strong'), 'team-a', labels))).toBe(REFUSED);
    // with all labels of the namespace, as a delivery tool writes it
    const { metadata } = await plane.api.get({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
    const kept = Object.fromEntries(
      Object.entries({ ...metadata.labels, ...labels }).filter(([, value]) => value !== null),
    );
    const whole = { apiVersion: 'v1', kind: 'Namespace', metadata: { ...metadata, labels: kept } };
    expect(await refusalOf(as('strong').replace(whole))).toBe(REFUSED);
  });

  test('a namespace is not made one of a tenant by who has all rights in it', async () => {
    expect(await refusalOf(label(as('stranger'), 'elsewhere', { [TENANT]: 'true' }))).toBe(REFUSED);
  });

  test('other labels are the own ones', async () => {
    expect(await refusalOf(label(as('strong'), 'team-a', { 'example.com/owner': 'anna' }))).toBeUndefined();
    expect(await refusalOf(label(as('stranger'), 'elsewhere', { 'example.com/owner': 'anna' }))).toBeUndefined();
  });

  test('a suspended tenant changes its own objects as before', async () => {
    await label(plane.api, 'team-a', { [SUSPENDED]: 'true' });
    const service = (name: string): Ref =>
      ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace: 'team-a' },
        spec: { ports: [{ port: 80 }] },
      }) as Ref;
    expect(await refusalOf(as('strong').create(service('web')))).toBeUndefined();
    expect(await refusalOf(as('strong').delete(service('web')))).toBeUndefined();
  });
});
