import { App, Chart, Testing } from 'cdk8s';
import { KubernetesVersion, LoadBalancerKeeper, type LoadBalancerKeeperProps, PolicyFailure } from '../../src';
import { type Api, ApiRefusal, type Body, type Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { addNode } from '../real/objects';
import { permit } from '../real/policies';
import { count, pause, until } from '../real/program';

import { AWS_LOAD_BALANCER_CONTROLLER, AWS_RESOURCES, KEP_980, LEFT_TO_OTHERS } from './models/owners';
import { operatorWrites } from './models/strimzi';

// Operators that write Services on every reconcile, without the finalizer that a controller adds, under a keeper: on a real API server with
// the real service controller. The AWS controller is a model that adds and removes its finalizer as the real one does.

const OPERATOR = 'system:serviceaccount:operators:operator';
const KEPT = { 'example.com/kept': 'yes' };
const LOOKUP = 'service.beta.kubernetes.io/aws-load-balancer-type';
const NAMES = ['one', 'two', 'three'];
/** Ways of writing that start kubectl. */
const PROCESSES = ['kubectl replace', 'client-side apply'];

const OWNERS: Readonly<Record<string, { readonly spec: Body; readonly finalizer: string }>> = {
  'the AWS controller': { spec: { loadBalancerClass: 'service.k8s.aws/nlb' }, finalizer: AWS_RESOURCES },
  'the service controller': { spec: {}, finalizer: KEP_980 },
};
const owners = Object.values(OWNERS);
type Owner = (typeof owners)[number];

let plane: ControlPlane;
let operator: Api;
let writes: ReturnType<typeof operatorWrites>;
let ways: string[];
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
  await permit(plane.api, OPERATOR, [{ apiGroups: [''], resources: ['services', 'configmaps'], verbs: ['*'] }]);
  operator = plane.api.actingAs(OPERATOR);
  writes = operatorWrites(plane, operator, OPERATOR);
  ways = Object.keys(writes);
  await keeper();
  const { one } = await served(await namespace(KEPT), owners[0]);
  await until('the keeper', async () => {
    await plane.api.merge(one, { metadata: { finalizers: [AWS_RESOURCES] } });
    await write('merge patch', one);
    return finalizersOf(one);
  });
});

afterAll(() => plane?.stop());

async function keeper(props: LoadBalancerKeeperProps = {}): Promise<void> {
  const chart = new Chart(new App(), 'keeper');
  new LoadBalancerKeeper(chart, 'Keeper', { kubernetes: KubernetesVersion.V1_36, namespaceLabels: KEPT, ...props });
  for (const object of Testing.synth(chart) as Ref[]) {
    await plane.api.apply(object, { as: 'platform', force: true });
  }
}

async function namespace(labels: Body = {}): Promise<string> {
  const name = `raced-${++namespaces}`;
  await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  await plane.api.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'resource', namespace: name } });
  return name;
}

/** An operator declares no finalizer. */
async function manifest(name: string, owner: Owner, id = 'db'): Promise<Ref> {
  const { metadata } = await plane.api.get({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'resource', namespace: name },
  });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'resource', uid: metadata.uid }];
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: id, namespace: name, labels: { written: 'yes' }, ownerReferences },
    spec: { type: 'LoadBalancer', selector: { app: id }, ports: [{ name: 'tcp', port: 5432 }], ...owner.spec },
  };
}

const finalizersOf = async (one: Ref): Promise<string[] | undefined> =>
  (await plane.api.find(one))?.metadata.finalizers;

async function served(name: string, owner: Owner, id?: string): Promise<{ readonly one: Ref; readonly owner: Owner }> {
  const one = await manifest(name, owner, id);
  await operator.create(one);
  await until('the finalizer', async () => (await finalizersOf(one))?.includes(owner.finalizer));
  return { one, owner };
}

const gone = (name: string) =>
  until(
    'the end of the Services',
    async () => (await plane.api.list({ apiVersion: 'v1', kind: 'Service' }, name)).length === 0,
    { seen: () => plane.api.list({ apiVersion: 'v1', kind: 'Service' }, name) },
  );
const nothingLeft = (name: string) =>
  until('the cloud', () => plane.ledger.of(name).length === 0, { seen: () => plane.ledger.of(name) });

const write = (way: string, one: Ref) => writes[way](one);

const accepts = (way: string, one: Ref): Promise<boolean> =>
  write(way, one).then(
    () => true,
    (error) => {
      if (!(error instanceof ApiRefusal)) {
        throw error;
      }
      return false;
    },
  );

/** Each way ten times, and then those that start no process. */
function wayOf(i: number): string {
  const some = i < 10 * ways.length ? ways : ways.filter((way) => !PROCESSES.includes(way));
  return some[i % some.length];
}

/** Writes, deletes and writes at once; returns the number of accepted writes. */
async function race(name: string, i: number, isKept: boolean): Promise<number> {
  const way = wayOf(i);
  const { one, owner } = await served(name, owners[Math.floor(i / ways.length) % owners.length], `race-${i}`);
  let accepted = Number(await accepts(way, one));
  if (isKept) {
    expect([way, await finalizersOf(one)]).toEqual([way, expect.arrayContaining([owner.finalizer])]);
  }
  const strip = async () => {
    for (let n = 0; n < (PROCESSES.includes(way) ? 1 : 3); n++) {
      accepted += Number(await accepts(way, one));
    }
  };
  await Promise.all([strip(), pause(i % 60).then(() => operator.delete(one))]);
  // replace and apply create again what is gone; deleted before its controller has added a finalizer, there is nothing to keep
  const again = await plane.api.find(one);
  if (isKept && again && again.metadata.deletionTimestamp === undefined) {
    await until('the finalizer', async () => (await finalizersOf(one))?.includes(owner.finalizer));
  }
  await operator.delete(one).catch(() => undefined);
  return accepted;
}

test.each([
  ['with the keeper', KEPT, 300],
  ['without it', {}, 70],
])('deletions while operators strip in seven ways, %s', async (title, labels: Body, races) => {
  const isKept = labels === KEPT;
  const name = await namespace(labels);
  const begin = Date.now();
  let accepted = 0;
  for (let i = 0; i < races; i += 20) {
    const some = Array.from({ length: Math.min(20, races - i) }, (_, k) => race(name, i + k, isKept));
    accepted += (await Promise.all(some)).reduce((sum, one) => sum + one, 0);
  }
  const minutes = (Date.now() - begin) / 60_000;
  await gone(name);
  await (isKept ? nothingLeft(name) : pause(1000));
  const left = plane.ledger.of(name).length;
  expect(left > 0).toBe(!isKept);
  // one at first and three in the race, each once or not at all
  expect(accepted).toBeLessThanOrEqual(races * 4);
  count(`races of a deletion with an operator that strips, ${title}`, races);
  count(`load balancers left of them, ${title}`, left);
  count(`writes accepted a minute, ${title}`, Math.round(accepted / minutes));
});

describe('an operator that compares finalizers with its own list', () => {
  /** Reconciles at every change of the Service, or all the time, until there is nothing to write; returns its accepted writes. */
  async function loop(way: string, one: Ref, isResyncing: boolean): Promise<number> {
    let [made, seen] = [0, ''];
    for (const end = Date.now() + 2000; Date.now() < end; await pause(10)) {
      const { metadata } = await plane.api.get(one);
      if (metadata.finalizers && (isResyncing || metadata.resourceVersion !== seen)) {
        made += Number(await accepts(way, one));
      }
      seen = metadata.resourceVersion;
    }
    return made;
  }
  const versionOf = async (one: Ref) => (await plane.api.get(one)).metadata.resourceVersion;

  test.each(['PUT of the whole object', 'merge patch', 'strategic merge patch', 'JSON patch'])(
    'settles if changes wake it: %s',
    async (way) => {
      const { one } = await served(await namespace(KEPT), owners[0]);
      const made = await loop(way, one, false);
      const rested = await versionOf(one);
      expect(await loop(way, one, false)).toBeLessThanOrEqual(1);
      expect(await versionOf(one)).toBe(rested);
      expect(made).toBeLessThanOrEqual(5);
      count(`writes until an operator settles, ${way}`, made);
      await operator.delete(one);
    },
  );

  test('fights if it does not wait for a change, at its own pace, and wakes nobody', async () => {
    const { one } = await served(await namespace(KEPT), owners[0]);
    await loop('merge patch', one, true);
    const rested = await versionOf(one);
    const made = await loop('merge patch', one, true);
    expect(made).toBeGreaterThan(5);
    expect(made).toBeLessThanOrEqual(200);
    expect(await versionOf(one)).toBe(rested);
    count('writes accepted a minute of an operator that fights, each without a change', made * 30);
    await operator.delete(one);
  });
});

describe.each(Object.entries(OWNERS))('with %s', (_title, owner) => {
  /** Strips Services until it is told to stop. */
  function stripping(all: readonly Ref[]): () => Promise<void> {
    let goesOn = true;
    const loops = all.map(async (one) => {
      for (; goesOn; await pause(20)) {
        await accepts('merge patch', one);
      }
    });
    return async () => {
      goesOn = false;
      await Promise.all(loops);
    };
  }

  test('the deletion of a namespace finishes while an operator strips', async () => {
    const name = await namespace(KEPT);
    const all = await Promise.all(NAMES.map(async (id) => (await served(name, owner, id)).one));
    const stop = stripping(all);
    const space: Ref = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await plane.api.delete(space);
    await until('the end of the namespace', async () => (await plane.api.find(space)) === undefined);
    await nothingLeft(name);
    await stop();
  });

  test('a change of type finishes, and hands the Service over to the other controller', async () => {
    const name = await namespace(KEPT);
    const { one } = await served(name, owner);
    const other = owners.find((each) => each !== owner) as Owner;
    const { loadBalancerClass: _, ...spec } = one.spec;
    await write('PUT of the whole object', { ...one, spec: { ...spec, type: 'ClusterIP' } });
    await nothingLeft(name);
    await until('no finalizer', async () => (await finalizersOf(one)) === undefined);
    const handed = await manifest(name, other);
    await write('PUT of the whole object', handed);
    await until('the other finalizer', async () => (await finalizersOf(one))?.includes(other.finalizer));
    await write('PUT of the whole object', handed);
    expect(await finalizersOf(one)).toEqual([other.finalizer]);
    await until('the other balancer', () => plane.ledger.of(name).length === 1);
    await operator.delete(one);
    await gone(name);
    await nothingLeft(name);
  });

  test('an upgrade of the policies under live Services strips and refuses nothing', async () => {
    const name = await namespace(KEPT);
    const all = await Promise.all(NAMES.map(async (id) => (await served(name, owner, id)).one));
    const lost: unknown[] = [];
    let [goesOn, made] = [true, 0];
    const checking = all.map(async (one) => {
      for (; goesOn; made++) {
        const isAccepted = await accepts(made % 7 === 1 ? 'PUT of the whole object' : 'merge patch', one);
        const finalizers = await finalizersOf(one);
        if (!isAccepted || !finalizers?.includes(owner.finalizer)) {
          lost.push([isAccepted, finalizers]);
        }
      }
    });
    await keeper({ annotations: [LOOKUP], failurePolicy: PolicyFailure.FAIL });
    const [one] = all;
    await until('the new version', async () => {
      await plane.api.merge(one, { metadata: { annotations: { [LOOKUP]: 'nlb' } } });
      await plane.api.merge(one, { metadata: { annotations: null } });
      return (await plane.api.get(one)).metadata.annotations?.[LOOKUP] !== undefined;
    });
    await keeper();
    await pause(500);
    goesOn = false;
    await Promise.all(checking);
    expect(lost).toEqual([]);
    expect(made).toBeGreaterThan(10);
    await Promise.all(all.map((each) => operator.delete(each)));
    await gone(name);
    await nothingLeft(name);
  });
});
