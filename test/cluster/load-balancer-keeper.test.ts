import { App, Chart } from 'cdk8s';
import { KubernetesVersion, LoadBalancerKeeper, type LoadBalancerKeeperProps, TenancyIdentity } from '../../src';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { install, permit, refusalOf } from '../real/policies';
import { count, until } from '../real/program';

import { AWS_LOAD_BALANCER_CONTROLLER, AWS_RESOURCES, LEFT_TO_OTHERS } from './models/owners';
import { deleteListener, operatorWrites, reconcile, StrimziWriter } from './models/strimzi';

// What a keeper changes of the writes of operators, on a real API server with the real service controller. The AWS controller is a
// model that adds and removes its finalizer as the real one does.

const CLASS = 'service.k8s.aws/nlb';
const LOOKUP = 'service.beta.kubernetes.io/aws-load-balancer-type';
const OPERATOR = 'system:serviceaccount:operators:operator';
const OWN_CONTROLLER = 'system:serviceaccount:operators:lb-controller';
const KEPT = { 'example.com/kept': 'owned' };
const ALL = { 'example.com/kept': 'all' };
/** The finalizer of a controller that does not run here. */
const UNSERVED = 'service.eks.amazonaws.com/resources';
const SWITCH = 'cdk8s-load-balancers/keeper';

let plane: ControlPlane;
let operator: Api;
/** A controller of load balancers whose name nobody publishes. */
let unpublished: Api;
let namespaces = 0;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await addNode(plane.api, 'plain');
  await plane.startManager();
  await plane.startCloud(LEFT_TO_OTHERS, 'system:serviceaccount:kube-system:service-controller');
  await plane.startOwners([AWS_LOAD_BALANCER_CONTROLLER]);
  await plane.api
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
    .catch(() => undefined);
  const rules = [{ apiGroups: [''], resources: ['services', 'configmaps'], verbs: ['*'] }];
  for (const user of [OPERATOR, OWN_CONTROLLER]) {
    await permit(plane.api, user, rules);
  }
  operator = plane.api.actingAs(OPERATOR);
  await permit(plane.api, 'cloud-of-azure', [
    { apiGroups: [''], resources: ['services', 'services/status'], verbs: ['*'] },
  ]);
  unpublished = plane.api.actingAs('cloud-of-azure');
  await keeper('owned', { namespaceLabels: KEPT });
  await keeper('all', { namespaceLabels: ALL, allServices: true, annotations: [LOOKUP] });
  await untilKept();
});

afterAll(() => plane?.stop());

async function keeper(name: string, props: LoadBalancerKeeperProps): Promise<void> {
  const chart = new Chart(new App(), name);
  const controllers = [TenancyIdentity.serviceAccount('operators', 'lb-controller')];
  new LoadBalancerKeeper(chart, 'Keeper', {
    name: `keeper-${name}`,
    kubernetes: KubernetesVersion.V1_36,
    controllers,
    ...props,
  });
  await install(plane.api, chart);
}

/** The API server mutates by a policy a moment after it was written. */
async function untilKept(): Promise<void> {
  for (const labels of [KEPT, ALL]) {
    const service = await made(await namespace(labels), { finalizers: [UNSERVED] });
    await until('the keeper', async () => {
      await operator.apply(service, { as: 'applier', force: true });
      await operator.merge(service, { metadata: { finalizers: null } }, { as: 'probe' });
      return (await plane.api.get(service)).metadata.finalizers?.length > 0;
    });
  }
}

async function namespace(labels: Body = {}): Promise<string> {
  const name = `kept-${++namespaces}`;
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  return name;
}

async function ownerIn(name: string): Promise<Body> {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'resource', namespace: name } };
  const { metadata } = (await plane.api.find(owner)) ?? (await plane.api.create(owner));
  return { apiVersion: 'v1', kind: 'ConfigMap', name: 'resource', uid: metadata.uid, controller: false };
}

function service(name: string, metadata: Body = {}, spec: Body = {}): Ref {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'db', namespace: name, ...metadata },
    spec: { type: 'LoadBalancer', selector: { app: 'db' }, ports: [{ name: 'tcp', port: 5432 }], ...spec },
  };
}

/** A Service of the operator that nobody serves, so that nothing but writes changes it. */
async function made(name: string, metadata: Body = {}): Promise<Ref> {
  const owned = service(
    name,
    { ownerReferences: [await ownerIn(name)], ...metadata },
    { loadBalancerClass: 'example.com/none' },
  );
  await operator.apply(owned, { as: 'applier' });
  return owned;
}

/** The writes of operators and people, each of which drops the finalizer, the class, or both, and sets a label. */
const LABELS = { written: 'yes' };

describe.each([
  ...['PUT of the whole object', 'kubectl replace', 'client-side apply', 'server-side apply'],
  ...['merge patch', 'strategic merge patch', 'JSON patch'],
])('%s', (way) => {
  const dropping = async (labels: Body, metadata: Body = {}) => {
    const one = await made(await namespace(labels), { finalizers: [UNSERVED], ...metadata });
    const { ownerReferences } = (await plane.api.get(one)).metadata;
    const { namespace: name = '' } = one.metadata;
    const written = service(name, { ownerReferences, annotations: metadata.annotations, labels: LABELS });
    const refusal = await refusalOf(operatorWrites(plane, operator, OPERATOR, [UNSERVED])[way](written));
    return { refusal, now: await plane.api.get(one) };
  };
  /** Refused for its class, or without the finalizer. */
  const isFree = ({ refusal, now }: { refusal?: string; now: Body }) =>
    refusal !== undefined || !now.metadata.finalizers?.includes(UNSERVED);

  test('keeps the finalizer and the class, and nothing else', async () => {
    const { refusal, now } = await dropping(KEPT);
    expect(refusal).toBeUndefined();
    expect(now.metadata.finalizers).toContain(UNSERVED);
    expect(now.spec.loadBalancerClass).toBe('example.com/none');
    expect(now.metadata.labels).toEqual(LABELS);
  });

  test('is refused, or strips, without the keeper', async () => {
    const found = await dropping({});
    expect(found.refusal ?? 'may not change once set').toMatch(/may not change once set/);
    expect(isFree(found)).toBe(true);
  });

  test('is not looked at if the Service has no owner reference', async () => {
    const { now } = await dropping(ALL, { ownerReferences: undefined });
    expect(now.metadata.finalizers).toContain(UNSERVED);
    expect(now.spec.loadBalancerClass).toBe('example.com/none');
    expect(isFree(await dropping(KEPT, { ownerReferences: undefined }))).toBe(true);
  });

  test('is not looked at if the keeper is switched off with a reason', async () => {
    expect(isFree(await dropping(KEPT, { annotations: { [SWITCH]: 'off: the load balancer is moved' } }))).toBe(true);
    const { now } = await dropping(KEPT, { annotations: { [SWITCH]: 'off' } });
    expect(now.metadata.finalizers).toContain(UNSERVED);
  });
});

test('annotations that are kept may change but not go', async () => {
  const live = await made(await namespace(ALL), { annotations: { [LOOKUP]: 'external', 'example.com/any': 'x' } });
  await operator.merge(live, { metadata: { annotations: null } });
  expect((await plane.api.get(live)).metadata.annotations).toEqual({ [LOOKUP]: 'external' });
  await operator.merge(live, { metadata: { annotations: { [LOOKUP]: 'nlb', 'example.com/any': null } } });
  expect((await plane.api.get(live)).metadata.annotations).toEqual({ [LOOKUP]: 'nlb' });
});

describe('who may remove a finalizer', () => {
  const live = async () => made(await namespace(KEPT), { finalizers: [UNSERVED] });
  const remove = { metadata: { finalizers: null } };
  const finalizersOf = async (ref: Ref) => (await plane.api.find(ref))?.metadata.finalizers;

  test.each([OWN_CONTROLLER, 'system:serviceaccount:kube-system:aws-load-balancer-controller'])('%s', async (user) => {
    await permit(plane.api, user, [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }]).catch(() => undefined);
    const one = await live();
    await plane.api.actingAs(user).merge(one, remove);
    expect(await finalizersOf(one)).toBeUndefined();
  });

  test('on deletion whoever writes addresses, and no operator', async () => {
    const one = await live();
    await operator.delete(one);
    await operator.merge(one, remove);
    expect(await finalizersOf(one)).toEqual([UNSERVED]);
    await unpublished.merge(one, remove);
    expect(await plane.api.find(one)).toBeUndefined();
  });

  test('after a change of type whoever writes addresses, and no operator', async () => {
    const one = await live();
    await operator.merge(one, { ...remove, spec: { type: 'ClusterIP', loadBalancerClass: null } });
    await operator.merge(one, remove);
    expect(await finalizersOf(one)).toEqual([UNSERVED]);
    await unpublished.merge(one, remove);
    expect(await finalizersOf(one)).toBeUndefined();
  });

  test('from a live Service no administrator', async () => {
    const one = await live();
    await plane.api.merge(one, remove);
    expect(await finalizersOf(one)).toEqual([UNSERVED]);
  });

  test('a tenant pins nothing: the platform removes it on deletion, and the tenant with the switch; an unknown one is not kept', async () => {
    const one = await live();
    await operator.merge(one, remove);
    expect(await finalizersOf(one)).toEqual([UNSERVED]);
    await operator.merge(one, {
      metadata: { annotations: { [SWITCH]: 'off: a finalizer by mistake' }, ...remove.metadata },
    });
    expect(await finalizersOf(one)).toBeUndefined();
    const other = await live();
    await plane.api.delete(other);
    await operator.merge(other, { metadata: { finalizers: [UNSERVED, 'example.com/more'] } }).catch(() => undefined);
    await plane.api.merge(other, remove);
    expect(await plane.api.find(other)).toBeUndefined();
    const unknown = await made(await namespace(KEPT), { finalizers: ['example.com/any'] });
    await operator.merge(unknown, remove);
    expect(await finalizersOf(unknown)).toBeUndefined();
  });

  test('a namespace that is deleted ends', async () => {
    const one = await live();
    const { namespace: name = '' } = one.metadata;
    await plane.api.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await until('the deletion of the Service', async () => {
      const current = await plane.api.find(one);
      return current === undefined || current.metadata.deletionTimestamp;
    });
    await unpublished.merge(one, remove).catch(() => undefined);
    const space: Ref = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await until('the end of the namespace', async () => (await plane.api.find(space)) === undefined);
  });
});

describe('Strimzi 0.45, which writes whole objects, and a listener without finalizers', () => {
  const settled = (name: string, finalizers: readonly string[], balancers: number) =>
    until(
      'the state',
      async () => {
        const all = await plane.api.list({ apiVersion: 'v1', kind: 'Service' }, name);
        const asExpected = all.every(({ metadata }) => String(metadata.finalizers ?? []) === String(finalizers));
        return all.length > 0 && asExpected && plane.ledger.of(name).length === balancers;
      },
      { seen: () => plane.api.list({ apiVersion: 'v1', kind: 'Service' }, name) },
    );
  const gone = (name: string) =>
    until(
      'the end of the Services',
      async () => (await plane.api.list({ apiVersion: 'v1', kind: 'Service' }, name)).length === 0,
    );

  test.each([
    ['with the keeper', KEPT, 0],
    ['without it', {}, 4],
  ])('%s', async (_title, labels: Body, left) => {
    const name = await namespace(labels);
    const listener = { loadBalancerClass: CLASS, ownerReference: await ownerIn(name) };
    await reconcile(operator, StrimziWriter.WHOLE_OBJECTS, name, listener);
    await settled(name, [AWS_RESOURCES], 4);
    await reconcile(operator, StrimziWriter.WHOLE_OBJECTS, name, listener);
    await settled(name, left === 0 ? [AWS_RESOURCES] : [], 4);
    await deleteListener(operator, name);
    await gone(name);
    await until('the cloud', () => plane.ledger.of(name).length === left);
    count(`load balancers of a listener left ${_title}`, left);
  });
});
