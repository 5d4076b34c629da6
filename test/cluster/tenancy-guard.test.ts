import { App, Chart } from 'cdk8s';
import { AwsLoadBalancerController, KubernetesVersion, LoadBalancerScheme } from '../../src';
import { AllowedClass } from '../../src/tenancy/guard/allowed-class';
import { LoadBalancerAdmissionPolicy } from '../../src/tenancy/guard/load-balancer-admission-policy';
import { TenancyIdentity } from '../../src/tenancy/guard/tenancy-identity';
import { TenantLoadBalancerGuard } from '../../src/tenancy/guard/tenant-load-balancer-guard';
import { type Api, ApiRefusal, type Body, type Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { install, permit, refusalOf, testRequests, untilAdmitted, untilDenied } from '../real/policies';
import { count } from '../real/program';

// The guard in a real API server: requests of tenants, controllers and administrators, each with what becomes of it.

const SHARED = 'cdk8s-load-balancers/shared';
const NLB = 'service.k8s.aws/nlb';
const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const ELSEWHERE = 'system:serviceaccount:elsewhere:controller';

/** Who makes requests. */
const WHO = {
  tenant: 'anna',
  // somebody gave this one more than the tenants' role has
  strong: 'berta',
  owner: 'clara',
  admin: undefined,
  serviceController: 'system:serviceaccount:kube-system:service-controller',
  metacontroller: 'system:serviceaccount:metacontroller:metacontroller',
  unknownController: ELSEWHERE,
  // the pods of a tenant, of an operator that was given rights everywhere
  robot: 'system:serviceaccount:team-a:robot',
} as const;

const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
const OF_NLB = 'service.k8s.aws/resources';

let plane: ControlPlane;

function as(who: keyof typeof WHO): Api {
  const user = WHO[who];
  return user === undefined ? plane.api : plane.api.actingAs(user);
}

interface Said {
  readonly name?: string;
  readonly namespace?: string;
  readonly metadata?: Body;
  readonly spec?: Body;
}

/** A Service as a tenant has it in a file, with what it says otherwise. */
function service({ name = 'db', namespace = 'team-a', metadata = {}, spec = {} }: Said = {}): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, ...metadata },
    spec: {
      type: 'LoadBalancer',
      selector: { app: 'db' },
      loadBalancerSourceRanges: ['10.1.0.0/16'],
      ports: [{ name: 'p', port: 20000 }],
      ...spec,
    },
  };
}

const EVERYTHING = [{ apiGroups: [''], resources: ['services', 'services/status'], verbs: ['*'] }];

/** Members of groups have names of their own. */
const usernameOf = ({ _isGroup, username }: TenancyIdentity) => (_isGroup ? `one-of-${username}` : username);

/** A Service with a balancer of its own, whose controller has not cleaned up yet. */
const balanced = (name: string) =>
  service({
    name,
    // where no quota counts
    namespace: 'team-p',
    metadata: { annotations: { [SCHEME]: 'internal' }, finalizers: [OF_NLB] },
    spec: { loadBalancerClass: NLB, allocateLoadBalancerNodePorts: false },
  });

/** What makes a Service one without a balancer. */
const NO_BALANCER = {
  spec: {
    type: 'ClusterIP',
    loadBalancerClass: null,
    loadBalancerSourceRanges: null,
    allocateLoadBalancerNodePorts: null,
  },
};
const NO_FINALIZERS = { metadata: { finalizers: null } };

function ingress(name: string, { spec = {}, metadata = {} }: Said = {}): Ref {
  const service = { name: 'db', port: { number: 80 } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'team-a', ...metadata },
    spec: { defaultBackend: { service }, ...spec },
  };
}
const clusterIp = (name: string, spec: Body = {}) =>
  service({ name, spec: { type: 'ClusterIP', loadBalancerSourceRanges: undefined, ...spec } });

beforeAll(async () => {
  plane = await ControlPlane.start();
  await plane.startManager();
  const { api } = plane;
  for (const [name, labels] of Object.entries({
    'team-a': { 'example.com/tenant': 'true' },
    'team-q': { 'example.com/tenant': 'true' },
    'team-o': { 'example.com/owner': 'true' },
    'team-p': { 'example.com/owner': 'true' },
    'team-g': { 'example.com/grouped': 'true' },
    free: {},
  })) {
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  }
  // what was there before the guard
  await api.create(service({ name: 'classless', metadata: { finalizers: ['example.com/keep'] } }));
  await api.create(
    service({ name: 'wide', spec: { loadBalancerClass: SHARED, loadBalancerSourceRanges: ['0.0.0.0/0'] } }),
  );
  await api.create(service({ name: 'foreign', spec: { loadBalancerClass: 'example.com/foreign' } }));
  await api.create(ingress('old', { spec: { ingressClassName: 'alb' } }));
  for (const name of ['balanced', 'released', 'gone']) {
    await api.create(balanced(name));
  }
  await api.merge(balanced('released'), NO_BALANCER);
  await api.delete(balanced('gone'));

  const chart = new Chart(new App(), 'platform', { namespace: 'platform' });
  const common = { kubernetes: KubernetesVersion.V1_36, minSourceRangePrefix: 16, help: 'ask in #platform' };
  new TenantLoadBalancerGuard(chart, 'Tenants', {
    ...common,
    name: 'tenants',
    namespaceLabels: { 'example.com/tenant': 'true' },
    maxPorts: 3,
    portRange: { first: 20000, last: 20049 },
    sharedServices: true,
    maxSharedServices: 9,
    ingressClasses: ['nginx'],
    tenants: [
      { namespace: 'team-a', subjects: [TenancyIdentity.user(WHO.tenant), TenancyIdentity.user(WHO.strong)] },
      { namespace: 'team-q', subjects: [TenancyIdentity.user(WHO.tenant)] },
    ],
  });
  new TenantLoadBalancerGuard(chart, 'Owners', {
    ...common,
    name: 'owners',
    namespaceLabels: { 'example.com/owner': 'true' },
    dedicated: 1,
    dedicatedClasses: [
      AllowedClass.ofController(AwsLoadBalancerController.nlb(), LoadBalancerScheme.INTERNAL, {
        forbiddenAnnotations: ['service.beta.kubernetes.io/aws-load-balancer-attributes'],
      }),
    ],
    tenants: [{ namespace: 'team-o', subjects: [TenancyIdentity.user(WHO.owner)] }],
  });
  new LoadBalancerAdmissionPolicy(chart, 'Grouped', {
    namespaceLabels: { 'example.com/grouped': 'true' },
    allowedClasses: [],
    exempt: [TenancyIdentity.user(WHO.metacontroller), TenancyIdentity.group('system:masters')],
  });
  await install(api, chart);

  const ingresses = { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['*'] };
  await permit(api, WHO.strong, [...EVERYTHING, ingresses], 'team-a');
  const controllers = TenancyIdentity.knownControllers().map(usernameOf);
  for (const controller of new Set([...controllers, WHO.unknownController, WHO.robot])) {
    await permit(api, controller, EVERYTHING);
  }
  await permit(api, WHO.owner, [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }]);
  await untilDenied('the policy', () => create({ namespace: 'team-g' })(as('unknownController')));
  await untilAdmitted('the class default, quota and permissions', async () => {
    const { spec: its } = await create({})(as('strong'));
    if (its.loadBalancerClass !== SHARED) {
      throw new ApiRefusal(0, 'ClassIsMissing', 'the class is missing');
    }
  });
  // what tenants have under the guard
  await as('tenant').create(service({ name: 'good' }));
  await as('tenant').create(clusterIp('inside'));
  await as('tenant').create(service({ name: 'dying', metadata: { finalizers: ['example.com/mine'] } }));
  await as('tenant').delete(service({ name: 'dying' }));
});

afterAll(() => plane?.stop());

const dryRun = { dryRun: true };
const create = (said: Said) => (api: Api) => api.create(service(said), dryRun);

const SERVED = {
  metadata: { labels: { [SHARED]: 'true' } },
  spec: { loadBalancerClass: SHARED, allocateLoadBalancerNodePorts: false },
};
const ADDRESS = { status: { loadBalancer: { ingress: [{ hostname: 'tcp.example.com' }] } } };

testRequests('tenancy-guard', {
  as: (user) => (user === undefined ? plane.api : plane.api.actingAs(user)),
  users: WHO,
  dryRun: true,
  counted: 'requests checked by the guard',
});

test.each(TenancyIdentity.knownControllers().map((identity) => [identity.username, identity] as const))(
  '%s gives a Service of a tenant its address and its finalizer, and lets it go',
  async (_, identity) => {
    const controller = plane.api.actingAs(usernameOf(identity), identity._isGroup ? [identity.name] : []);
    const its = service({ name: 'served' });
    await as('tenant').create(its);
    const finalizers = { metadata: { finalizers: [CLEANUP] } };
    await controller.merge(its, { ...finalizers, ...ADDRESS }, { subresource: 'status' });
    await controller.merge(its, { metadata: { annotations: { 'example.com/balancer': 'x' } } });
    await as('tenant').delete(its);
    expect(await refusalOf(as('tenant').merge(its, NO_FINALIZERS))).toMatch(/must keep/);
    await controller.merge(its, NO_FINALIZERS, { subresource: 'status' });
    expect(await refusalOf(plane.api.get(its))).toMatch(/not found/);
    count('requests checked by the guard');
  },
);

test('what was there before the guard is let go by a controller that nobody named', async () => {
  const old = service({ name: 'foreign' });
  await plane.api.merge(old, { metadata: { finalizers: [CLEANUP] } }, { subresource: 'status' });
  await as('tenant').delete(old);
  await as('unknownController').merge(old, NO_FINALIZERS, { subresource: 'status' });
  expect(await refusalOf(plane.api.get(old))).toMatch(/not found/);
});

test('an apply without the class leaves class, label and node ports as they are', async () => {
  const applied = service({ name: 'applied' });
  await as('tenant').apply(applied, { as: 'anna' });
  const again = await as('tenant').apply(applied, { as: 'anna' });
  expect(again).toMatchObject(SERVED);
  const fields = JSON.stringify(again.metadata.managedFields);
  expect(fields).not.toContain('loadBalancerClass');
  await as('tenant').delete(applied);
});

test('a quota of 9 lets 9 of 24 in that come at once, says so, and gives free what is deleted', async () => {
  const all = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      refusalOf(as('tenant').create(service({ name: `db-${i}`, namespace: 'team-q' }))),
    ),
  );
  const refused = all.filter((said) => said !== undefined);
  expect(refused).toHaveLength(15);
  for (const said of refused) {
    expect(said).toMatch(
      /exceeded quota: tenants, requested: services.loadbalancers=1, used: services.loadbalancers=9, limited: services.loadbalancers=9$/,
    );
  }
  const [one] = await plane.api.list({ apiVersion: 'v1', kind: 'Service' }, 'team-q');
  await as('tenant').delete(service({ name: one.metadata.name, namespace: 'team-q' }));
  await untilAdmitted('room', () => as('tenant').create(service({ name: 'next', namespace: 'team-q' })));
});
