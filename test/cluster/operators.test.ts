import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { App, Chart } from 'cdk8s';
import { KubernetesVersion, LoadBalancerKeeper, TenancyIdentity } from '../../src';
import { compareVersions } from '../../src/contract/compare-versions';
import {
  SERVICE_WEBHOOK_NAME,
  WEBHOOKS,
} from '../../src/installations/aws-load-balancer-controller/installation.facts';
import type { Operator } from '../../src/predicted/operator-services';
import { OPERATORS as DESCRIPTORS } from '../../src/predicted/operators/operators.facts';
import { AdmissionWebhook, configure } from '../kyverno/harness/kyverno';
import type { Api, Body, Ref } from '../real/api';
import { built, ControlPlane } from '../real/control-plane';
import { install, permit } from '../real/policies';
import { count, until } from '../real/program';
import { markdownTable } from '../real/story';

import { AWS_RESOURCES, KEP_980 } from './models/owners';

// What the code of real operators does to the Service of a load balancer that a controller has taken, with and without a keeper.

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'explanation', 'finalizers.md'), 'utf8');
/** Modules with their descriptors; the first is an older version of the second, and Knative's operator calls the last. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'cdk8s-load-balancers.example/percona-1.22': 'percona-server-mongodb',
  'github.com/percona/percona-server-mongodb-operator': 'percona-server-mongodb',
  'github.com/scylladb/scylla-operator': 'scylladb',
  'github.com/zalando/postgres-operator': 'zalando-postgres',
  'github.com/projectcontour/contour': 'contour',
  'github.com/cloudnative-pg/cloudnative-pg': 'cloudnative-pg',
  'github.com/elastic/cloud-on-k8s/v3': 'eck',
  'github.com/envoyproxy/gateway': 'envoy-gateway',
  'helm.sh/helm/v3': 'helm',
  'github.com/manifestival/manifestival': 'knative',
};
const USER = 'system:serviceaccount:operators:operator';
const CONTROLLER = 'system:serviceaccount:kube-system:load-balancer-controller';
const CLASS = 'service.k8s.aws/nlb';
const LOOKUP = 'service.beta.kubernetes.io/aws-load-balancer-type';
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'resource', uid: '3b241101-e2bb-4255-8caf-4136c566a962' };
const SERVICES = { apiVersion: 'v1', kind: 'Service' };

/** A custom resource, as far as the Service is made of it; by default of type LoadBalancer without a class. */
type Template = { readonly content?: number; readonly type?: string; readonly class?: string };

/** The labels of a namespace choose what gives its Services a class, and what keeps them. */
type Cluster = { readonly classes?: keyof typeof CLASSES; readonly keeper?: 'plain' | 'annotations' };

const [MUTATOR] = WEBHOOKS.filter(({ name }) => name === SERVICE_WEBHOOK_NAME);

/** Requests at which the webhook is asked that sets the class on creation. */
const CLASSES = {
  created: ['CREATE'],
  shipped: MUTATOR.operations,
  widened: [...MUTATOR.operations, 'UPDATE'],
} as const;

const KEEPERS = (['owned', 'all'] as const).flatMap((services) => [
  [`plain-${services}`, services, []] as const,
  [`annotations-${services}`, services, [LOOKUP]] as const,
]);

let plane: ControlPlane;
let webhook: AdmissionWebhook;
let operators: Operators;
let controller: Api;
let namespaces = 0;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await plane.api
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
    .catch(() => undefined);
  const rules = [{ apiGroups: [''], resources: ['services', 'endpoints', 'secrets'], verbs: ['*'] }];
  await permit(plane.api, USER, rules);
  await permit(plane.api, CONTROLLER, rules);
  controller = plane.api.actingAs(CONTROLLER);
  webhook = await AdmissionWebhook.open(plane.folder, { mutator: async (review) => mutated(review) });
  await configure(
    plane.api,
    'classes',
    Object.entries(CLASSES).map(([classes, operations]) => ({
      name: `${classes}.${SERVICE_WEBHOOK_NAME}`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: webhook.client('mutator'),
      namespaceSelector: { matchLabels: { classes } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['services'], operations }],
    })),
  );
  const chart = new Chart(new App(), 'keepers');
  for (const [name, services, annotations] of KEEPERS) {
    new LoadBalancerKeeper(chart, name, {
      name: `keeper-${name}`,
      kubernetes: KubernetesVersion.V1_36,
      namespaceLabels: { keeper: name },
      controllers: [TenancyIdentity.serviceAccount('kube-system', 'load-balancer-controller')],
      allServices: services === 'all',
      annotations: [...annotations],
    });
  }
  await install(plane.api, chart);
  await untilHeld();
  operators = new Operators(plane.kubeconfig);
});

afterAll(async () => {
  await operators?.close();
  await webhook?.close();
  await plane?.stop();
});

/** The API server asks webhooks and mutates by policies a moment after these were written. */
async function untilHeld(): Promise<void> {
  for (const [name] of KEEPERS) {
    const labels = { keeper: name, classes: 'created' };
    await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    const service: Ref = {
      ...SERVICES,
      metadata: { name: 'probe', namespace: name, finalizers: [AWS_RESOURCES], ownerReferences: [OWNER] },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    };
    await until(name, async () => {
      const { spec } = await plane.api.create(service);
      const { metadata } = await plane.api.merge(service, { metadata: { finalizers: null } });
      const isHeld = spec.loadBalancerClass === CLASS && metadata.finalizers?.length === 1;
      await plane.api.delete(service);
      await controller.merge(service, { metadata: { finalizers: null } }).catch(() => undefined);
      return isHeld;
    });
  }
}

/** The program that holds the operators, in a process of its own. */
class Operators {
  private readonly child: ChildProcess;
  private readonly lines: Interface;
  private readonly ended: Promise<never>;
  private said = '';

  public constructor(kubeconfig: string) {
    const program = built('OPERATORS', 'program of operators', '`npm run test:cluster`');
    this.child = spawn(program, [kubeconfig, USER], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.lines = createInterface(this.child.stdout as NodeJS.ReadableStream);
    this.child.stderr?.on('data', (chunk) => {
      this.said += chunk;
    });
    this.child.stdin?.on('error', () => undefined);
    this.ended = once(this.child, 'close').then(() => {
      throw new Error(`the program of operators has ended: ${this.said}`);
    });
    this.ended.catch(() => undefined);
  }

  /** Reconciles once a custom resource with some content. */
  public async reconcile(operator: string, namespace: string, template: Template): Promise<Body> {
    const line = once(this.lines, 'line');
    const order = { operator, namespace, content: 1, type: 'LoadBalancer', ...template };
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    const [answer] = await Promise.race([line, this.ended]);
    return JSON.parse(answer);
  }

  public async close(): Promise<void> {
    this.child.stdin?.end();
    await this.ended.catch(() => undefined);
  }
}

/** The class as the mutator of kubernetes-sigs/aws-load-balancer-controller v3.5.0 sets it: webhooks/core/service_mutator.go. */
function mutated({ apiVersion, kind, request }: Body): Body {
  const { uid, object, oldObject } = request;
  const was = oldObject ? oldObject.spec.loadBalancerClass : CLASS;
  const lacks = object.spec.type === 'LoadBalancer' && !object.spec.loadBalancerClass && was;
  const patch = [{ op: 'add', path: '/spec/loadBalancerClass', value: was }];
  const change = { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
  return { apiVersion, kind, response: { uid, allowed: true, ...(lacks && change) } };
}

type Observed = Awaited<ReturnType<typeof observe>>;

const descriptorOf = (operator: string) => DESCRIPTORS.find(({ id }) => id === PROGRAMS[operator]) as Operator;

/** True if a keeper of owned Services looks at those of an operator. */
const isOwned = (operator: string) => {
  const { owner } = descriptorOf(operator);
  return owner?.reference === true && !owner.onlyIf;
};

/** A Service of an operator, to which a controller has added its finalizer and an annotation. */
async function takenService(operator: string, labels: Record<string, string>, template: Template, className?: string) {
  const namespace = `operator-${++namespaces}`;
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
  const reconcile = (one: Template) => operators.reconcile(operator, namespace, one);
  const live = async (): Promise<Body> => (await plane.api.list(SERVICES, namespace))[0];

  expect((await reconcile(template)).failure).toBeUndefined();
  const created = await live();
  expect(created.metadata.ownerReferences !== undefined).toBe(isOwned(operator));
  expect(created.spec.type).toBe('LoadBalancer');
  expect(created.spec.loadBalancerClass).toBe(className);
  const ref: Ref = { ...SERVICES, metadata: { name: created.metadata.name, namespace } };
  const finalizer = className ? AWS_RESOURCES : KEP_980;
  const finalizers = [...(created.metadata.finalizers ?? []), finalizer];
  await controller.merge(ref, { metadata: { finalizers, annotations: { [LOOKUP]: 'external' } } });
  return { created, ref, finalizer, reconcile, live };
}

/** What becomes of a Service that a controller has taken when its template changes, in the words of the page. */
async function afterEdit(operator: string, [before, after]: (typeof EDITS)[string]): Promise<string> {
  const { created, ref, finalizer, reconcile, live } = await takenService(operator, {}, before, before.class);
  const { failure } = await reconcile(after);
  const { metadata, spec } = await live();
  if (metadata.deletionTimestamp !== undefined) {
    await controller.merge(ref, { metadata: { finalizers: null } });
    expect((await reconcile(after)).failure).toBeUndefined();
    expect((await live()).metadata.uid).not.toBe(created.metadata.uid);
    return 'created anew';
  }
  expect(metadata.uid).toBe(created.metadata.uid);
  const has = ({ type = 'LoadBalancer', class: className }: Template) =>
    spec.type === type && spec.loadBalancerClass === className;
  if (failure !== undefined) {
    expect(failure).toMatch(/may not change once set/);
    expect(has(before)).toBe(true);
    return 'edit refused';
  }
  const isKept = metadata.finalizers?.includes(finalizer);
  return `${has(after) ? 'changed' : 'kept'}${isKept ? '' : ', finalizer lost'}`;
}

/** An operator makes a Service, a controller takes it, the custom resource is edited, and at last the Service is deleted. */
async function observe(operator: string, { classes, keeper }: Cluster) {
  const services = isOwned(operator) ? 'owned' : 'all';
  const labels = { ...(classes && { classes }), ...(keeper && { keeper: `${keeper}-${services}` }) };
  const { created, ref, finalizer, reconcile, live } = await takenService(operator, labels, {}, classes && CLASS);

  await reconcile({});
  const { release, failure: refused } = await reconcile({ content: 2 });
  await reconcile({ content: 2 });
  const before = await live();
  const { writes } = await reconcile({ content: 2 });
  const { metadata, spec } = await live();
  await plane.api.delete(ref);
  const orphaned = (await plane.api.find(ref)) === undefined;
  if (!orphaned) {
    await controller.merge(ref, { metadata: { finalizers: null } });
    await until('the end of the Service', async () => (await plane.api.find(ref)) === undefined);
  }
  return {
    release: release.replace('github.com/', '').replace(/\/v\d+ /, ' '),
    /** Answer of the API server to the edit of the resource. */
    refused: refused as string | undefined,
    edited: metadata.annotations?.['example.com/content'] === '2',
    finalizer: metadata.finalizers?.includes(finalizer) ?? false,
    loadBalancerClass: !classes || spec.loadBalancerClass === CLASS,
    annotation: metadata.annotations?.[LOOKUP] !== undefined,
    recreated: metadata.uid !== created.metadata.uid,
    /** Requests of a reconciliation that has nothing to do, which write. */
    writes: writes as number,
    settled: metadata.resourceVersion === before.metadata.resourceVersion,
    orphaned,
  };
}

/** What is lost, in the words of the page. */
function inWords({ refused, finalizer, loadBalancerClass, annotation, recreated, writes }: Observed): string {
  const faults = [
    refused !== undefined && 'edit refused',
    !finalizer && 'finalizer lost',
    !loadBalancerClass && 'class lost',
    !annotation && 'annotation lost',
    recreated && 'Service created anew',
    writes > 0 && `${writes} idle write${writes > 1 ? 's' : ''}`,
  ].filter((fault) => fault);
  return faults.join(', ') || 'kept';
}

const COLUMNS: Readonly<Record<string, Cluster>> = {
  'without a class': {},
  'with a class': { classes: 'created' },
  'class, webhook of the AWS controller': { classes: 'shipped' },
  'keeper, without a class': { keeper: 'plain' },
  'keeper, with a class': { classes: 'created', keeper: 'plain' },
  'keeper with `annotations`': { classes: 'created', keeper: 'annotations' },
};

/** Templates of a Service before and after an edit. */
const EDITS: Readonly<Record<string, readonly [before: Template, after: Template]>> = {
  'type ClusterIP': [{}, { type: 'ClusterIP' }],
  'class added': [{}, { class: CLASS }],
  'class changed': [{ class: CLASS }, { class: 'example.com/other' }],
  'class removed': [{ class: CLASS }, {}],
};

/** The result under a keeper. */
const KEPT = { refused: undefined, edited: true, finalizer: true, loadBalancerClass: true, recreated: false };

const [rows, editRows]: string[][][] = [[], []];

test.each(Object.keys(PROGRAMS))('%s orphans no load balancer with a keeper', async (operator) => {
  const seen: Observed[] = [];
  for (const cluster of Object.values(COLUMNS)) {
    const one = await observe(operator, cluster);
    seen.push(one);
    // exactly a Service without the finalizer of its controller goes before it
    expect(one.orphaned).toBe(!one.finalizer);
    if (cluster.keeper) {
      expect(one).toMatchObject({ ...KEPT, settled: true });
      expect(one.annotation || cluster.keeper === 'plain').toBe(true);
    } else {
      expect(one.refused ?? 'may not change once set').toMatch(/may not change once set/);
      expect(one.edited).toBe(one.refused === undefined);
    }
  }
  rows.push([seen[0].release, ...seen.map(inWords)]);
  const { confidence, drops, fixedIn = '0', resources, recreates } = descriptorOf(operator);
  expect(confidence).toBe('seen');
  const isFixed = compareVersions(seen[0].release.split(' v')[1], fixedIn) >= 0;
  const losses = { finalizers: !seen[0].finalizer, annotations: !seen[0].annotation, class: !!seen[1].refused };
  const lost = Object.entries(losses).flatMap(([one, isLost]) => (isLost ? [one] : []));
  expect(lost).toEqual([...(isFixed ? [] : ['finalizers']), ...drops]);
  const hasClass = resources.some(({ services }) => services.some((one) => one.shape || one.fields?.loadBalancerClass));
  const { 'spec.type': type, 'spec.loadBalancerClass': byClass } = recreates?.onlyIf ? {} : (recreates?.fields ?? {});
  const edits: string[] = [];
  for (const [name, templates] of Object.entries(EDITS)) {
    const hasField = hasClass || templates.every((one) => !one.class);
    const edit = hasField ? await afterEdit(operator, templates) : 'no field';
    const recreation = templates[0].type === templates[1].type ? byClass : type;
    const isRecreated = recreation === 'changed' || (recreation === 'set' && name !== 'class removed');
    expect(`${name}: ${edit === 'created anew'}`).toBe(`${name}: ${isRecreated && hasField}`);
    edits.push(edit);
  }
  editRows.push([seen[0].release, ...edits]);
  const widened = await observe(operator, { classes: 'widened' });
  // a webhook that is asked about updates too keeps the class, and no finalizer
  expect(widened).toMatchObject({ refused: undefined, loadBalancerClass: true, finalizer: seen[0].finalizer });
});

test('the page says what was seen', () => {
  const written = [rows, editRows].map((some, i) => markdownTable(['', ...Object.keys([COLUMNS, EDITS][i])], some));
  expect(written.filter((table) => !PAGE.includes(table)).join('\n\n')).toBe('');
  count('operators whose Services a keeper kept', rows.length);
});
