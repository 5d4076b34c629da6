import { App, Chart } from 'cdk8s';
import { AwsLoadBalancerController, KubernetesVersion, LoadBalancerScheme } from '../../src';
import { AllowedClass } from '../../src/tenancy/guard/allowed-class';
import { LoadBalancerAdmissionPolicy } from '../../src/tenancy/guard/load-balancer-admission-policy';
import { TenancyIdentity } from '../../src/tenancy/guard/tenancy-identity';
import { TenantLoadBalancerGuard } from '../../src/tenancy/guard/tenant-load-balancer-guard';
import { type Api, ApiRefusal, type Body, type Ref } from './harness/api';
import { ControlPlane } from './harness/control-plane';
import { untilDenied } from './harness/policies';
import { count } from './harness/report';
import { install, permit, refusalOf, untilAdmitted } from './harness/tenants';

// The guard in a real API server: requests of tenants, controllers and administrators, each with what becomes of it.

const SHARED = 'cdk8s-load-balancers/shared';
const NLB = 'service.k8s.aws/nlb';
const LEGACY_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
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

const FREE_CHOICE = `use ${SHARED}`;
const MISSING_RANGES = 'spec.loadBalancerSourceRanges is missing: name the clients that may connect';
const BAD_RANGES = 'source ranges too wide or badly written (IPv4 /16 or longer, IPv6 /48 or longer): ';
const STATUS =
  'services/status is written by load balancer controllers alone, its labels and annotations included: change the Service itself';
const HELP = ' (ask in #platform)';
const KEEP = `metadata.finalizers must keep ${OF_NLB}: its controller removes it once the load balancer is gone; without it the load balancer would stay. Delete the Service, or change its type, and leave the finalizer`;
const INGRESS_CLASS = 'kubernetes.io/ingress.class';
const INGRESS = (name: string) =>
  `ingress class ${name} is not allowed, since its controller may make a load balancer of its own: set spec.ingressClassName to nginx${HELP}`;

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

const ports = (first: number, many: number) =>
  Array.from({ length: many }, (_, i) => ({ name: `p${i}`, port: first + i }));
const ranges = (many: number, prefix = 24) => Array.from({ length: many }, (_, i) => `10.1.${i}.0/${prefix}`);
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
const merge = (name: string, patch: Body) => (api: Api) => api.merge(service({ name }), patch, dryRun);
const status = (name: string, patch: Body) => (api: Api) =>
  api.merge(service({ name }), patch, { ...dryRun, subresource: 'status' });
const mergeOwn = (name: string, patch: Body) => (api: Api) => api.merge(balanced(name), patch, dryRun);
const createIngress = (said: Said) => (api: Api) => api.create(ingress('new', said), dryRun);
const put = (name: string, change: (object: Body) => void) => async (api: Api) => {
  const object = (await plane.api.get(service({ name }))) as Ref;
  change(object);
  return api.replace(object, dryRun);
};
const spec = (of: Body): Said => ({ spec: of });

/** Who does what, and what becomes of it: the refusal to the letter, a part of it, or what is there afterwards. */
type Row = readonly [
  what: string,
  who: keyof typeof WHO,
  act: (api: Api) => Promise<Body>,
  outcome: string | RegExp | Body,
];

const SERVED = {
  metadata: { labels: { [SHARED]: 'true' } },
  spec: { loadBalancerClass: SHARED, allocateLoadBalancerNodePorts: false },
};
const ADDRESS = { status: { loadBalancer: { ingress: [{ hostname: 'tcp.example.com' }] } } };

const ROWS: readonly Row[] = [
  ['a manifest as it always was gets the class', 'tenant', create({}), SERVED],
  ['the shared class by its name', 'tenant', create(spec({ loadBalancerClass: SHARED })), SERVED],
  [
    'labels of its own stay',
    'tenant',
    create({ metadata: { labels: { app: 'db' } } }),
    { metadata: { labels: { app: 'db', [SHARED]: 'true' } } },
  ],
  ['a label that says no', 'tenant', create({ metadata: { labels: { [SHARED]: 'false' } } }), SERVED],
  [
    'node ports that the API server would allocate',
    'tenant',
    create(spec({ allocateLoadBalancerNodePorts: true })),
    SERVED,
  ],
  [
    'a class of others',
    'tenant',
    create(spec({ loadBalancerClass: NLB })),
    `spec.loadBalancerClass ${NLB} is not allowed: ${FREE_CHOICE}${HELP}`,
  ],
  [
    'a class of others without node ports',
    'tenant',
    create(spec({ loadBalancerClass: NLB, allocateLoadBalancerNodePorts: false })),
    `spec.loadBalancerClass ${NLB} is not allowed: ${FREE_CHOICE}${HELP}`,
  ],
  [
    'a class of others, with a node port by number',
    'tenant',
    create(
      spec({ loadBalancerClass: NLB, ports: [{ port: 20000, nodePort: 30124 }], allocateLoadBalancerNodePorts: false }),
    ),
    `spec.loadBalancerClass ${NLB} is not allowed: ${FREE_CHOICE}; node ports are not allowed (30124): set spec.allocateLoadBalancerNodePorts to false and name no nodePort${HELP}`,
  ],
  ['no ranges', 'tenant', create(spec({ loadBalancerSourceRanges: undefined })), MISSING_RANGES + HELP],
  ['an empty list of ranges', 'tenant', create(spec({ loadBalancerSourceRanges: [] })), MISSING_RANGES + HELP],
  [
    'the internet in two halves',
    'tenant',
    create(spec({ loadBalancerSourceRanges: ['0.0.0.0/1', '128.0.0.0/1'] })),
    `${BAD_RANGES}0.0.0.0/1, 128.0.0.0/1${HELP}`,
  ],
  [
    'one range too wide of two',
    'tenant',
    create(spec({ loadBalancerSourceRanges: ['10.1.0.0/16', '10.0.0.0/15'] })),
    `${BAD_RANGES}10.0.0.0/15${HELP}`,
  ],
  [
    'a range with blanks',
    'tenant',
    create(spec({ loadBalancerSourceRanges: [' 10.0.0.0/8 '] })),
    `${BAD_RANGES} 10.0.0.0/8 ${HELP}`,
  ],
  [
    'a long range with blanks',
    'tenant',
    create(spec({ loadBalancerSourceRanges: ['10.1.1.0/24 '] })),
    `${BAD_RANGES}10.1.1.0/24 ${HELP}`,
  ],
  [
    'all of IPv4 in IPv6',
    'tenant',
    create(spec({ loadBalancerSourceRanges: ['::ffff:0:0/96'] })),
    /must not have an IPv4-mapped IPv6 address$/,
  ],
  ['all of IPv6', 'tenant', create(spec({ loadBalancerSourceRanges: ['::/0'] })), `${BAD_RANGES}::/0${HELP}`],
  ['both families', 'tenant', create(spec({ loadBalancerSourceRanges: ['10.1.0.0/16', '2001:db8:1::/48'] })), SERVED],
  ['20 ranges', 'tenant', create(spec({ loadBalancerSourceRanges: ranges(20) })), SERVED],
  [
    '21 ranges',
    'tenant',
    create(spec({ loadBalancerSourceRanges: ranges(21) })),
    `spec.loadBalancerSourceRanges has 21 ranges: name at most 20${HELP}`,
  ],
  [
    'ranges in the old annotation',
    'tenant',
    create({ metadata: { annotations: { [LEGACY_RANGES]: '0.0.0.0/0' } } }),
    `the annotation ${LEGACY_RANGES} is not allowed: use spec.loadBalancerSourceRanges${HELP}`,
  ],
  ['3 ports', 'tenant', create(spec({ ports: ports(20047, 3) })), SERVED],
  [
    '4 ports',
    'tenant',
    create(spec({ ports: ports(20000, 4) })),
    `spec.ports has 4 ports: a Service of type LoadBalancer may have 3${HELP}`,
  ],
  ['ports of others', 'tenant', create(spec({ ports: ports(20049, 2) })), `ports outside 20000 to 20049: 20050${HELP}`],
  [
    'a node port of its own',
    'tenant',
    create(spec({ ports: [{ port: 20000, nodePort: 30123 }] })),
    `node ports are not allowed (30123): set spec.allocateLoadBalancerNodePorts to false and name no nodePort${HELP}`,
  ],
  [
    'Local',
    'tenant',
    create(spec({ externalTrafficPolicy: 'Local' })),
    `externalTrafficPolicy Local takes a health check node port, which is not allowed: use Cluster${HELP}`,
  ],
  [
    'a fixed address',
    'tenant',
    create(spec({ loadBalancerIP: '192.0.2.1' })),
    `spec.loadBalancerIP is not allowed, since the address may be another's: remove it${HELP}`,
  ],
  [
    'an external IP on any type',
    'tenant',
    (api) => api.create(clusterIp('db', { externalIPs: ['192.0.2.1'] }), dryRun),
    `spec.externalIPs is not allowed: remove it${HELP}`,
  ],
  [
    'type NodePort',
    'tenant',
    (api) => api.create(clusterIp('db', { type: 'NodePort' }), dryRun),
    /^node ports are not allowed \(\d+\): use type ClusterIP \(ask in #platform\)$/,
  ],
  [
    'everything wrong at once is told at once',
    'tenant',
    create({
      metadata: { annotations: { [LEGACY_RANGES]: '10.0.0.0/8' } },
      spec: {
        loadBalancerClass: 'x.example/y',
        loadBalancerSourceRanges: [],
        ports: [{ port: 80 }],
        externalIPs: ['192.0.2.1'],
        allocateLoadBalancerNodePorts: false,
      },
    }),
    `spec.loadBalancerClass x.example/y is not allowed: ${FREE_CHOICE}; ${MISSING_RANGES}; the annotation ${LEGACY_RANGES} is not allowed: use spec.loadBalancerSourceRanges; ports outside 20000 to 20049: 80; spec.externalIPs is not allowed: remove it${HELP}`,
  ],
  [
    '900 ports and 900 ranges are refused in words',
    'tenant',
    create(spec({ ports: ports(1, 900), loadBalancerSourceRanges: Array(900).fill('0.0.0.0/0') })),
    /^spec\.loadBalancerSourceRanges has 900 ranges: name at most 20; spec\.ports has 900 ports.{2000,} \.\.\. \(ask in #platform\)$/,
  ],
  ['type ClusterIP', 'tenant', (api) => api.create(clusterIp('db'), dryRun), { spec: { type: 'ClusterIP' } }],
  ['900 ports of type ClusterIP', 'tenant', (api) => api.create(clusterIp('db', { ports: ports(1, 900) }), dryRun), {}],
  ['a headless Service', 'tenant', (api) => api.create(clusterIp('db', { clusterIP: 'None' }), dryRun), {}],
  [
    'an ExternalName',
    'tenant',
    (api) =>
      api.create(
        clusterIp('db', { type: 'ExternalName', externalName: 'example.com', ports: undefined, selector: undefined }),
        dryRun,
      ),
    {},
  ],
  [
    'ClusterIP becomes LoadBalancer',
    'tenant',
    merge('inside', spec({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.1.0.0/16'] })),
    SERVED,
  ],
  [
    'a file without the class over what has it',
    'tenant',
    put('good', ({ spec: its }) => delete its.loadBalancerClass),
    SERVED,
  ],
  ['a file without the label', 'tenant', put('good', ({ metadata }) => delete metadata.labels), SERVED],
  [
    'a file without the class over a class of others',
    'tenant',
    put('foreign', ({ spec: its }) => delete its.loadBalancerClass),
    { spec: { loadBalancerClass: 'example.com/foreign', allocateLoadBalancerNodePorts: true } },
  ],
  [
    'ranges widened',
    'tenant',
    merge('good', spec({ loadBalancerSourceRanges: ['0.0.0.0/0'] })),
    `${BAD_RANGES}0.0.0.0/0${HELP}`,
  ],
  [
    'ranges widened while it is being deleted',
    'tenant',
    merge('dying', spec({ loadBalancerSourceRanges: ['0.0.0.0/0'] })),
    `${BAD_RANGES}0.0.0.0/0${HELP}`,
  ],
  [
    'another annotation while it is being deleted',
    'tenant',
    merge('dying', { metadata: { annotations: { [LEGACY_RANGES]: '10.0.0.0/8' } } }),
    `the annotation ${LEGACY_RANGES} is not allowed: use spec.loadBalancerSourceRanges${HELP}`,
  ],
  ['its finalizer removed', 'tenant', put('dying', ({ metadata }) => delete metadata.finalizers), {}],
  [
    'an annotation of its own',
    'tenant',
    merge('good', { metadata: { annotations: { 'example.com/note': 'x' } } }),
    SERVED,
  ],
  [
    'back to ClusterIP',
    'tenant',
    merge(
      'good',
      spec({
        type: 'ClusterIP',
        loadBalancerClass: null,
        loadBalancerSourceRanges: null,
        allocateLoadBalancerNodePorts: null,
      }),
    ),
    { spec: { type: 'ClusterIP' } },
  ],
  [
    'an old Service without class is labelled',
    'tenant',
    merge('classless', { metadata: { labels: { app: 'x' } } }),
    { metadata: { labels: { app: 'x' } } },
  ],
  [
    'an old Service without class is released',
    'tenant',
    put('classless', ({ metadata }) => delete metadata.finalizers),
    {},
  ],
  [
    'an old Service without class is annotated',
    'tenant',
    merge('classless', { metadata: { annotations: { 'example.com/note': 'x' } } }),
    new RegExp(
      `^spec.loadBalancerClass is missing: ${FREE_CHOICE} \\(the class of a live Service cannot change: delete it and create it again\\) \\(ask`,
    ),
  ],
  [
    'an old wide Service keeps its ranges under another label',
    'tenant',
    merge('wide', { metadata: { labels: { app: 'x' } } }),
    {},
  ],
  [
    'an old wide Service may not be changed into another wide one',
    'tenant',
    merge('wide', spec({ loadBalancerSourceRanges: ['0.0.0.0/1'] })),
    new RegExp(`^${BAD_RANGES.replace(/[()]/g, '\\$&')}0.0.0.0/1; node ports`),
  ],
  ['a status without permission', 'tenant', status('good', ADDRESS), /cannot patch resource "services\/status"/],
  ['an address in the status', 'strong', status('good', ADDRESS), STATUS + HELP],
  ['labels through the status', 'strong', status('good', { metadata: { labels: { app: 'x' } } }), STATUS + HELP],
  ['an address by an administrator', 'admin', status('good', ADDRESS), STATUS + HELP],
  ['an address by a controller that nobody named', 'unknownController', status('good', ADDRESS), STATUS + HELP],
  ['an address by the service controller', 'serviceController', status('good', ADDRESS), ADDRESS],
  ['an address by Metacontroller', 'metacontroller', status('good', ADDRESS), ADDRESS],
  [
    'a finalizer through the status by the service controller',
    'serviceController',
    status('good', { metadata: { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] } }),
    { metadata: { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] } },
  ],
  [
    'a finalizer through the status by a controller that nobody named',
    'unknownController',
    status('good', { metadata: { finalizers: [CLEANUP] } }),
    { metadata: { finalizers: [CLEANUP] } },
  ],
  [
    'a finalizer and an address by a controller that nobody named',
    'unknownController',
    status('good', { metadata: { finalizers: [CLEANUP] }, ...ADDRESS }),
    STATUS + HELP,
  ],
  [
    'a finalizer and an owner by a controller that nobody named',
    'unknownController',
    status('good', {
      metadata: { finalizers: [CLEANUP], ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'x' }] },
    }),
    STATUS + HELP,
  ],
  ['a finalizer through the status by an administrator', 'admin', status('dying', NO_FINALIZERS), {}],
  [
    'a finalizer through the status by somebody who may write statuses in the namespace',
    'strong',
    status('good', { metadata: { finalizers: [CLEANUP] } }),
    STATUS + HELP,
  ],
  [
    'a finalizer through the status by the pods of a tenant that may write statuses everywhere',
    'robot',
    status('good', { metadata: { finalizers: [CLEANUP] } }),
    STATUS + HELP,
  ],
  [
    'its type and the finalizer of its balancer taken away at once',
    'owner',
    mergeOwn('balanced', { ...NO_BALANCER, ...NO_FINALIZERS }),
    KEEP + HELP,
  ],
  ['the finalizer of its balancer taken away', 'owner', mergeOwn('balanced', NO_FINALIZERS), KEEP + HELP],
  [
    'a file without finalizers over a Service with a balancer',
    'owner',
    async (api) => {
      const { metadata, ...object } = (await plane.api.get(balanced('balanced'))) as Ref;
      const { finalizers: _, ...rest } = metadata;
      return api.replace({ ...object, metadata: rest }, dryRun);
    },
    KEEP + HELP,
  ],
  [
    'its type taken away, with the finalizer left to the controller',
    'owner',
    mergeOwn('balanced', NO_BALANCER),
    { metadata: { finalizers: [OF_NLB] }, spec: { type: 'ClusterIP' } },
  ],
  ['the finalizer of a balancer that is being released', 'owner', mergeOwn('released', NO_FINALIZERS), KEEP + HELP],
  ['the finalizer of a balancer whose Service is being deleted', 'owner', mergeOwn('gone', NO_FINALIZERS), KEEP + HELP],
  ['another finalizer beside it', 'owner', mergeOwn('balanced', { metadata: { finalizers: [OF_NLB, 'a.b/c'] } }), {}],
  [
    'the finalizer of a live balancer by a controller that nobody named',
    'unknownController',
    mergeOwn('balanced', NO_FINALIZERS),
    KEEP + HELP,
  ],
  ['the finalizer of a live balancer by an administrator', 'admin', mergeOwn('balanced', NO_FINALIZERS), KEEP + HELP],
  [
    'the finalizer of a live balancer by a controller that is known',
    'serviceController',
    mergeOwn('balanced', NO_FINALIZERS),
    { spec: { type: 'LoadBalancer' } },
  ],
  [
    'the finalizer of a balancer that is released, by an unknown controller',
    'unknownController',
    mergeOwn('released', NO_FINALIZERS),
    {},
  ],
  [
    'the finalizer of a Service that is being deleted, by an unknown controller',
    'unknownController',
    mergeOwn('gone', NO_FINALIZERS),
    {},
  ],
  [
    'the finalizer of a Service that is being deleted, by an administrator',
    'admin',
    mergeOwn('gone', NO_FINALIZERS),
    {},
  ],
  ['a balancer for an Ingress', 'strong', createIngress({ spec: { ingressClassName: 'alb' } }), INGRESS('alb')],
  [
    'a balancer for an Ingress by the annotation',
    'strong',
    createIngress({ spec: { ingressClassName: undefined }, metadata: { annotations: { [INGRESS_CLASS]: 'gce' } } }),
    INGRESS('gce'),
  ],
  [
    'a balancer for an Ingress by both',
    'strong',
    createIngress({ spec: { ingressClassName: 'nginx' }, metadata: { annotations: { [INGRESS_CLASS]: 'alb' } } }),
    /must match `ingressClassName`/,
  ],
  [
    'an Ingress without a class, which some clouds take',
    'strong',
    createIngress({}),
    `Ingresses without a class are not allowed: set spec.ingressClassName to nginx${HELP}`,
  ],
  ['an Ingress of a class that shares', 'strong', createIngress({ spec: { ingressClassName: 'nginx' } }), {}],
  [
    'an Ingress that was there before, annotated',
    'strong',
    (api) => api.merge(ingress('old'), { metadata: { annotations: { 'alb.ingress.kubernetes.io/x': 'y' } } }, dryRun),
    {},
  ],
  [
    'an Ingress that was there before, of another class',
    'strong',
    (api) => api.merge(ingress('old'), { spec: { ingressClassName: 'alb-2' } }, dryRun),
    INGRESS('alb-2'),
  ],
  [
    'a whole Service written by Metacontroller as it was',
    'metacontroller',
    put('wide', ({ metadata }) => {
      metadata.annotations = { 'example.com/note': 'x' };
    }),
    {},
  ],
  [
    'a wide Service by a controller that nobody named',
    'unknownController',
    create(spec({ loadBalancerSourceRanges: ['0.0.0.0/0'] })),
    `${BAD_RANGES}0.0.0.0/0${HELP}`,
  ],
  [
    'a wide Service by an administrator',
    'admin',
    create(spec({ loadBalancerSourceRanges: ['0.0.0.0/0'] })),
    `${BAD_RANGES}0.0.0.0/0${HELP}`,
  ],
  [
    'anything where no tenants are',
    'admin',
    create({ namespace: 'free', spec: { loadBalancerSourceRanges: ['0.0.0.0/0'], externalIPs: ['192.0.2.1'] } }),
    { spec: { externalIPs: ['192.0.2.1'] } },
  ],
  ['anything by a group that is exempt', 'admin', create({ namespace: 'team-g' }), { spec: { type: 'LoadBalancer' } }],
  [
    'anything by a user who is exempt',
    'metacontroller',
    create({ namespace: 'team-g' }),
    { spec: { type: 'LoadBalancer' } },
  ],
  [
    'a balancer where no class is allowed',
    'unknownController',
    create({ namespace: 'team-g', spec: { allocateLoadBalancerNodePorts: false } }),
    'Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP',
  ],
  ['a namespace of others', 'tenant', create({ namespace: 'free' }), /cannot create resource "services"/],
  [
    'its own quota',
    'tenant',
    (api) =>
      api.merge(
        { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'tenants', namespace: 'team-a' } },
        { spec: { hard: null } },
        dryRun,
      ),
    /cannot patch resource "resourcequotas"/,
  ],
  [
    'a look at its quota',
    'tenant',
    (api) => api.get({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'tenants', namespace: 'team-a' } }),
    { spec: { hard: { 'services.loadbalancers': '9' } } },
  ],
  [
    'the label of its namespace',
    'tenant',
    (api) =>
      api.merge(
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } },
        { metadata: { labels: null } },
        dryRun,
      ),
    /cannot patch resource "namespaces"/,
  ],
  [
    'the policy',
    'tenant',
    (api) =>
      api
        .delete({
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name: 'tenants' },
        })
        .then(() => ({})),
    /cannot delete resource/,
  ],
  [
    'a balancer of its own, internal',
    'owner',
    create({
      namespace: 'team-o',
      spec: { loadBalancerClass: NLB, allocateLoadBalancerNodePorts: false },
      metadata: { annotations: { [SCHEME]: 'internal' } },
    }),
    { spec: { loadBalancerClass: NLB } },
  ],
  [
    'a balancer of its own, public',
    'owner',
    create({
      namespace: 'team-o',
      spec: { loadBalancerClass: NLB, allocateLoadBalancerNodePorts: false },
      metadata: { annotations: { [SCHEME]: 'internet-facing' } },
    }),
    `class ${NLB} needs the annotation ${SCHEME}: internal${HELP}`,
  ],
  [
    'a balancer of its own with security groups of its own',
    'owner',
    create({
      namespace: 'team-o',
      spec: { loadBalancerClass: NLB, allocateLoadBalancerNodePorts: false },
      metadata: {
        annotations: { [SCHEME]: 'internal', 'service.beta.kubernetes.io/aws-load-balancer-security-groups': 'sg-1' },
      },
    }),
    `the annotation service.beta.kubernetes.io/aws-load-balancer-security-groups is not allowed with class ${NLB}: remove it${HELP}`,
  ],
  ...['security-group-prefix-lists', 'disable-nlb-sg', 'attributes'].map(
    (key): Row => [
      `a balancer of its own with ${key}`,
      'owner',
      create({
        namespace: 'team-o',
        spec: { loadBalancerClass: NLB, allocateLoadBalancerNodePorts: false },
        metadata: {
          annotations: { [SCHEME]: 'internal', [`service.beta.kubernetes.io/aws-load-balancer-${key}`]: 'pl-1' },
        },
      }),
      `the annotation service.beta.kubernetes.io/aws-load-balancer-${key} is not allowed with class ${NLB}: remove it${HELP}`,
    ],
  ),
  [
    'the shared class where the quota counts balancers of their own',
    'owner',
    create({ namespace: 'team-o', spec: { loadBalancerClass: SHARED, allocateLoadBalancerNodePorts: false } }),
    `spec.loadBalancerClass ${SHARED} is not allowed: use ${NLB}${HELP}`,
  ],
  [
    'no class where nothing gives one',
    'owner',
    create({ namespace: 'team-o', spec: { allocateLoadBalancerNodePorts: false } }),
    `spec.loadBalancerClass is missing: use ${NLB}${HELP}`,
  ],
  [
    'a balancer of its own where no quota counts',
    'owner',
    create({
      namespace: 'team-p',
      spec: { loadBalancerClass: NLB, allocateLoadBalancerNodePorts: false },
      metadata: { annotations: { [SCHEME]: 'internal' } },
    }),
    `Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP${HELP}`,
  ],
];

test.each(ROWS.map(([what, who, act, outcome]) => [who, what, act, outcome] as const))(
  '%s: %s',
  async (who, _, act, outcome) => {
    let made: Body = {};
    const said = await refusalOf(
      act(as(who)).then((object) => {
        made = object;
      }),
    );
    if (typeof outcome === 'string') {
      expect(said).toBeDefined();
      expect(outcome.endsWith(HELP) ? said : said?.slice(0, outcome.length)).toBe(outcome);
    } else if (outcome instanceof RegExp) {
      expect(said).toMatch(outcome);
    } else {
      expect(said).toBeUndefined();
      expect(made).toMatchObject(outcome);
    }
    count('requests judged by the guard');
  },
);

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
    count('requests judged by the guard');
  },
);

test('what was there before the guard is let go by a controller that nobody named', async () => {
  const old = service({ name: 'foreign' });
  await plane.api.merge(old, { metadata: { finalizers: [CLEANUP] } }, { subresource: 'status' });
  await as('tenant').delete(old);
  await as('unknownController').merge(old, NO_FINALIZERS, { subresource: 'status' });
  expect(await refusalOf(plane.api.get(old))).toMatch(/not found/);
});

test('there are enough rows', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(40);
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
