// What the policies of tenants cost at admission: each request is made in turns in a namespace that they hold in and in one
// that they do not, at a real API server, as a dry run; the ratios of the medians and of the requests per second are printed. Absolute times
// say more of the machine.
//
//   npx tsx --tsconfig tsconfig.scripts.json bench/admission.ts [--rounds 150] [--only TEXT] [--policy NAME] [--json FILE]
//
// With --policy, that policy holds alone, so that its own cost is seen.
// CONTROL_PLANE names the program that the cluster suite builds; without it, it is built.
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { App, Chart, Size } from 'cdk8s';
import { builtBinary } from '../scripts/go/binary';
import { downloadedModules } from '../scripts/go/go-modules';
import { CONTROL_PLANE, CRDS } from '../scripts/suites/programs';
import {
  AwsLoadBalancerController,
  KubernetesVersion,
  LoadBalancerKeeper,
  LoadBalancerLock,
  type LoadBalancerPolicyProps,
  LoadBalancerWarningPolicies,
} from '../src';
import {
  SharedListenerPolicy,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  TenancyIdentity,
  TenantLoadBalancerGuard,
  TenantPorts,
} from '../src/tenancy';
import type { Api, Body, Ref } from '../test/real/api';
import { ControlPlane } from '../test/real/control-plane';
import { definitionsOfGroup, install } from '../test/real/objects';
import { refusalOf } from '../test/real/policies';
import { until } from '../test/real/program';
import { lockedAsWished } from '../test/tenancy/shared/locked';

const text = { type: 'string' } as const;
const { rounds, only, policy, json } = parseArgs({
  options: { rounds: text, only: text, policy: text, json: text },
}).values;
const ROUNDS = Number(rounds ?? 150);

const GROUP = 'gateway.networking.k8s.io';
const HAPROXY = 'ingress.v3.haproxy.org';
const DELIVERY = [TenancyIdentity.user('delivery')];

/** Which policies hold in a namespace, by its label. */
const KINDS = ['guard', 'nlb', 'haproxy', 'named', 'thousand', 'keeper', 'lock', 'warnings', 'three', 'none'] as const;
type Kind = (typeof KINDS)[number];

/** The least that HAProxy's kind needs to be served. */
const TCPS: Ref = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `tcps.${HAPROXY}` },
  spec: {
    group: HAPROXY,
    names: { kind: 'TCP', plural: 'tcps' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v3',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    service: {
                      type: 'object',
                      properties: { name: { type: 'string' }, port: { type: 'integer' } },
                    },
                  },
                  'x-kubernetes-preserve-unknown-fields': true,
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** The policies for load balancers. */
const OF_BALANCERS: Readonly<
  Record<'keeper' | 'lock' | 'warnings', (chart: Chart, props: LoadBalancerPolicyProps & { name: string }) => void>
> = {
  keeper: (chart, props) => void new LoadBalancerKeeper(chart, props.name, { ...props, allServices: true }),
  lock: (chart, props) => void new LoadBalancerLock(chart, props.name, props),
  warnings: (chart, props) => void new LoadBalancerWarningPolicies(chart, props.name, props),
};

/** Everything that a platform writes, each part for namespaces with a label of its own. */
function platform(): Ref[] {
  const app = new App();
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  const kubernetes = KubernetesVersion.V1_36;
  for (const kind of ['guard', 'nlb', 'haproxy'] as const) {
    new TenantLoadBalancerGuard(chart, `Guard-${kind}`, {
      name: `guard-${kind}`,
      namespaceLabels: { tenant: kind },
      kubernetes,
      minSourceRangePrefix: 16,
      maxPorts: 100,
      tenants: [{ namespace: kind }],
      sharedServices: true,
      maxSharedServices: 10,
    });
  }
  const engines = {
    nlb: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] }),
    haproxy: SharedLoadBalancerEngine.haproxy({
      controller: AwsLoadBalancerController.nlb(),
      proxyProtocol: true,
    }),
  };
  for (const [kind, engine] of Object.entries(engines)) {
    const shared = new SharedLoadBalancer(chart, kind, {
      engine,
      name: kind,
      namespaceLabels: { tenant: kind },
      platform: DELIVERY,
      kubernetes,
      portLock: lockedAsWished(...['haproxy/db:5432'].filter((key) => key.startsWith(kind))),
    });
    shared.addTenant(kind, kind === 'haproxy' ? { maxConnections: 10, bandwidth: Size.mebibytes(10) } : {});
  }
  const common = { gateways: [{ namespace: 'infra', name: 'shared' }], exempt: DELIVERY, kubernetes };
  new SharedListenerPolicy(chart, 'Named', {
    ...common,
    name: 'named',
    namespaceLabels: { tenant: 'named' },
    ports: TenantPorts.perNamespace({ named: [{ first: 20000, last: 20999 }] }),
  });
  const thousand = new SharedListenerPolicy(chart, 'Thousand', {
    ...common,
    name: 'thousand',
    namespaceLabels: { tenant: 'thousand' },
    ports: TenantPorts.perNamespace({ thousand: [{ first: 20000, last: 20099 }] }),
    sharedTlsPorts: [443],
    hostnames: { thousand: ['*.thousand.example.com'] },
  });
  for (let tenant = 0; tenant < 1000; tenant++) {
    const first = 30000 + tenant * 2;
    thousand.grantPorts(`tenant-${tenant}`, [{ first, last: first }]);
    thousand.grantHostnames(`tenant-${tenant}`, [`*.tenant-${tenant}.example.com`]);
  }
  for (const kind of ['keeper', 'lock', 'warnings'] as const) {
    for (const namespace of [kind, 'three']) {
      const props = { name: `${kind}-${namespace}`, namespaceLabels: { tenant: namespace }, kubernetes };
      OF_BALANCERS[kind](chart, props);
    }
  }
  const kinds = [
    'ConfigMap',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
  ];
  const isOurs = ({ kind, metadata }: Ref) => kind !== 'ConfigMap' || metadata.namespace === 'kube-system';
  return app.charts
    .flatMap((one) => one.toJson() as Ref[])
    .filter((one) => kinds.includes(one.kind) && isOurs(one))
    .sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

const meta = (namespace: string, name = 'db') => ({ name, namespace });

function service(namespace: string, name: string, spec: Body = {}): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(namespace, name),
    spec: { selector: { app: 'db' }, ports: [{ name: 'tcp', port: 5432 }], ...spec },
  };
}

const listener = (port: number, more: Body = {}) => ({ name: `p${port}`, port, protocol: 'TCP', ...more });

function listenerSet(namespace: string, listeners: Body[]): Ref {
  const parentRef = { group: GROUP, kind: 'Gateway', name: 'shared', namespace: 'infra' };
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'ListenerSet',
    metadata: meta(namespace),
    spec: { parentRef, listeners },
  };
}

function route(namespace: string, kind: string, rule: Body): Ref {
  return {
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: meta(namespace),
    spec: { parentRefs: [{ group: GROUP, kind: 'ListenerSet', name: 'db' }], rules: [rule] },
  };
}

/** A request, and the namespaces in which it is compared with one where nothing holds. */
interface Row {
  readonly what: string;
  readonly kind: Kind;
  readonly ask: (api: Api, namespace: string, i: number) => Promise<unknown>;
  /** Rounds by which those that take long are fewer. */
  readonly share?: number;
}

const dryRun = { dryRun: true };
const create = (make: (namespace: string) => Ref) => (api: Api, namespace: string) =>
  api.create(make(namespace), dryRun);
const many = (count: number, first: number, more: Body = {}) =>
  Array.from({ length: count }, (_, i) => listener(first + i, more));
const backend = { backendRefs: [{ name: 'db', port: 5432 }] };
const balanced = {
  type: 'LoadBalancer',
  loadBalancerClass: 'cdk8s-load-balancers/shared',
  allocateLoadBalancerNodePorts: false,
  loadBalancerSourceRanges: ['10.1.0.0/16'],
};
const named = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...listener(443, { protocol: 'TLS', hostname: `h${i}.thousand.example.com`, tls: { mode: 'Passthrough' } }),
    name: `h${i}`,
  }));

/** A live load balancer whose finalizer is kept, and which is locked. */
function live(namespace: string, more: Body = {}): Ref {
  const one = service(namespace, 'live', { type: 'LoadBalancer', loadBalancerClass: 'example.com/none' });
  const annotations = { 'cdk8s-load-balancers/protected': 'any' };
  return { ...one, metadata: { ...one.metadata, annotations, finalizers: ['service.k8s.aws/resources'], ...more } };
}

const put = (more: (i: number) => Body) => (api: Api, namespace: string, i: number) =>
  api.replace(live(namespace, more(i)), dryRun);
const labelled = put((i) => ({ labels: { a: `${i}` } }));
const strips = put((i) => ({ labels: { a: `${i}` }, finalizers: undefined }));

const ROWS: readonly Row[] = [
  { what: 'Service PUT, keeper', kind: 'keeper', ask: labelled },
  { what: 'Service PUT without its finalizer, keeper', kind: 'keeper', ask: strips },
  { what: 'Service PUT, lock', kind: 'lock', ask: labelled },
  { what: 'Service PUT, warnings', kind: 'warnings', ask: labelled },
  { what: 'Service PUT, keeper, lock and warnings', kind: 'three', ask: labelled },
  { what: 'Service ClusterIP, guard', kind: 'guard', ask: create((ns) => service(ns, 'new')) },
  { what: 'Service LoadBalancer, guard', kind: 'guard', ask: create((ns) => service(ns, 'new', balanced)) },
  {
    what: 'Service labelled, guard',
    kind: 'guard',
    ask: (api, ns, i) => api.merge(service(ns, 'db'), { metadata: { labels: { a: `${i}` } } }, dryRun),
  },
  { what: 'Service ClusterIP, guard and NLB', kind: 'nlb', ask: create((ns) => service(ns, 'new')) },
  {
    what: 'Service labelled, guard and HAProxy',
    kind: 'haproxy',
    ask: (api, ns, i) => api.merge(service(ns, 'db'), { metadata: { labels: { a: `${i}` } } }, dryRun),
  },
  {
    what: 'Service with another selector, guard and HAProxy with parameters',
    kind: 'haproxy',
    ask: (api, ns, i) => api.merge(service(ns, 'db'), { spec: { selector: { app: `a${i}` } } }, dryRun),
  },
  { what: 'Service ClusterIP, guard and HAProxy', kind: 'haproxy', ask: create((ns) => service(ns, 'new')) },
  { what: 'ListenerSet of 1', kind: 'named', ask: create((ns) => listenerSet(ns, [listener(20000)])) },
  { what: 'ListenerSet of 64', kind: 'named', ask: create((ns) => listenerSet(ns, many(64, 20000))), share: 5 },
  { what: 'TCPRoute', kind: 'named', ask: create((ns) => route(ns, 'TCPRoute', backend)) },
  { what: 'HTTPRoute', kind: 'named', ask: create((ns) => route(ns, 'HTTPRoute', backend)) },
  {
    what: 'ListenerSet of 1, 1,000 tenants',
    kind: 'thousand',
    ask: create((ns) => listenerSet(ns, [listener(20000)])),
  },
  {
    what: 'ListenerSet of 64 names of TLS, 1,000 tenants',
    kind: 'thousand',
    ask: create((ns) => listenerSet(ns, named(64))),
    share: 5,
  },
  {
    what: 'ConfigMap, which no policy matches',
    kind: 'guard',
    ask: create((ns) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta(ns), data: { a: 'b' } })),
  },
];

/** The medians of a request where policies hold, and where none does, in milliseconds. */
async function measured(api: Api, { ask, kind, share = 1 }: Row): Promise<readonly [held: number, free: number]> {
  const times = { held: [] as number[], free: [] as number[] };
  const once = async (where: 'held' | 'free', i: number) => {
    const begin = performance.now();
    await ask(api, where === 'held' ? kind : 'none', i);
    times[where].push(performance.now() - begin);
  };
  for (let i = 0; i < Math.ceil(ROUNDS / share) + WARM; i++) {
    // who is first changes, so that neither has the advantage of it
    const [one, other] = i % 2 === 0 ? (['held', 'free'] as const) : (['free', 'held'] as const);
    await once(one, i);
    await once(other, i);
  }
  return [median(times.held.slice(WARM)), median(times.free.slice(WARM))];
}

/** Requests per second with several at a time, where policies hold, and where none does. */
async function rates(api: Api, { ask, kind, share = 1 }: Row): Promise<readonly [held: number, free: number]> {
  const seconds = { held: 0, free: 0 };
  const batches = Math.ceil(ROUNDS / share / EACH);
  const batch = async (where: 'held' | 'free') => {
    const begin = performance.now();
    const lane = async () => {
      for (let i = 0; i < EACH; i++) {
        await ask(api, where === 'held' ? kind : 'none', i);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    seconds[where] += (performance.now() - begin) / 1000;
  };
  for (let i = 0; i < batches; i++) {
    const [one, other] = i % 2 === 0 ? (['held', 'free'] as const) : (['free', 'held'] as const);
    await batch(one);
    await batch(other);
  }
  const requests = batches * LANES * EACH;
  return [requests / seconds.held, requests / seconds.free];
}

/** Requests at a time, and how many of each in a batch. */
const LANES = 8;
const EACH = 15;

/** Milliseconds after which a policy holds, where no request tells. */
const LATEST = 3000;

/** Requests that are made first, and not counted. */
const WARM = 5;

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function compare(): Promise<void> {
  process.env.CONTROL_PLANE ??= await builtBinary(CONTROL_PLANE);
  const gatewayApi = 'sigs.k8s.io/gateway-api';
  process.env.CRD_MODULES ??= JSON.stringify(downloadedModules(CRDS, [gatewayApi]));
  const plane = await ControlPlane.start();
  try {
    const { api } = plane;
    await install(api, [
      ...definitionsOfGroup(gatewayApi, GROUP, 'Gateway', 'ListenerSet', 'TCPRoute', 'TLSRoute', 'HTTPRoute'),
      TCPS,
    ]);
    for (const kind of KINDS) {
      await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: kind, labels: { tenant: kind } } });
      await api.create(service(kind, 'db'));
      await api.create(live(kind));
    }
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } }).catch(() => undefined);
    await api.create({
      apiVersion: `${HAPROXY}/v3`,
      kind: 'TCP',
      metadata: meta('haproxy', 'haproxy'),
      spec: [{ service: { name: 'db', port: 5432 } }],
    });
    const policies = platform().filter(({ metadata }) => policy === undefined || metadata.name === policy);
    for (const one of policies) {
      await api.create(one);
    }
    await (policy === undefined ? untilAllHold(api) : undefined);
    await setTimeout(LATEST);
    const rows = ROWS.filter(({ what }) => only === undefined || what.includes(only));
    const held = new Map<Row, readonly [number, number]>();
    const rate = new Map<Row, readonly [number, number]>();
    for (const row of rows) {
      held.set(row, await measured(api, row));
      rate.set(row, await rates(api, row));
    }
    for (const one of policies) {
      await api.delete(one);
    }
    await until(
      'the policies to be gone',
      async () => (await refusalOf(api.create(external('guard'), dryRun))) === undefined,
    );
    const results: Body[] = [];
    for (const row of rows) {
      const [with_, without] = held.get(row) as readonly [number, number];
      const [a, b] = await measured(api, row);
      const [perSecond, perSecondWithout] = rate.get(row) as readonly [number, number];
      const measures = { with: with_, without, ratio: with_ / without, after: a / b };
      results.push({ what: row.what, ...measures, perSecond, perSecondWithout });
    }
    print(results);
  } finally {
    await plane.stop();
  }
}

const external = (namespace: string) => service(namespace, 'probe', { externalIPs: ['192.0.2.1'] });

/** Policies hold a moment after they are written; those of Services are the first to be made. */
async function untilAllHold(api: Api): Promise<void> {
  const forbidden: Ref[] = [
    ...['guard', 'nlb', 'haproxy'].map(external),
    { ...service('haproxy', 'new'), metadata: { ...meta('haproxy', 'new'), annotations: { 'server-crt': 'a/b' } } },
    ...['named', 'thousand'].map((namespace) => listenerSet(namespace, [listener(1)])),
    service('nlb', 'new', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'] }),
  ];
  for (const object of forbidden) {
    await until(
      `the policies of ${object.metadata.namespace}`,
      async () => (await refusalOf(api.create(object, dryRun))) !== undefined,
    );
  }
}

const HEAD = [
  ...['request', 'with policies', 'without', 'ratio', 'ratio after all policies were deleted'],
  ...['requests per second', 'without', 'ratio'],
];

function print(results: readonly Body[]): void {
  const lines = results.map(
    (one) =>
      `| ${one.what} | ${one.with.toFixed(2)} ms | ${one.without.toFixed(2)} ms | ${one.ratio.toFixed(2)} | ${one.after.toFixed(2)} | ${one.perSecond.toFixed(0)} | ${one.perSecondWithout.toFixed(0)} | ${(one.perSecond / one.perSecondWithout).toFixed(2)} |`,
  );
  process.stdout.write(`${[`| ${HEAD.join(' | ')} |`, `|${'---|'.repeat(HEAD.length)}`, ...lines].join('\n')}\n`);
  if (json) {
    writeFileSync(json, `${JSON.stringify(results, undefined, 2)}\n`);
  }
}

void compare();
