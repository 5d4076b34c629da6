import { MetalLb, SharedLoadBalancerEngine } from '../../src';
import { SHARED_CLASS } from '../../src/tenancy/tenancy.facts';
import type { Api, Body, Ref } from '../real/api';
import { definitionsOfGroup } from '../real/objects';
import { permit, refusalOf, untilDenied, untilPoliciesHold } from '../real/policies';
import { count, until } from '../real/program';
import {
  conditionOf,
  portsOf,
  portsOfEach,
  RunTimeScene,
  runTimeApp,
  sharedService,
  untilGone as untilGoneFrom,
  untilReason,
} from './harness/run-time';

// How Services go that were created at run time: with their ports, whatever a tenant does. With the real API server, its
// garbage collector and the hook as it is shipped; the controller that calls it is Metacontroller where METACONTROLLER names
// its program, and a stand-in else.

const FINALIZER = 'metacontroller.io/decoratorcontroller-shared-services';

let scene: RunTimeScene;
let api: Api;
let tenant: Api;

const TEAMS = ['team-a', 'team-b'];

const app = () =>
  runTimeApp(
    { engine: SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.layer2() }) },
    portsOfEach(TEAMS, 100),
  );

beforeAll(async () => {
  const ofEnvoy = ['BackendTrafficPolicy', 'ClientTrafficPolicy', 'SecurityPolicy'];
  const definitions = definitionsOfGroup('github.com/envoyproxy/gateway', 'gateway.envoyproxy.io', ...ofEnvoy);
  scene = await RunTimeScene.start(app(), TEAMS, definitions);
  ({ api } = scene);
  await permit(api, 'anna', [{ apiGroups: [''], resources: ['services', 'namespaces'], verbs: ['*'] }]);
  tenant = api.actingAs('anna');
});

afterAll(() => scene?.stop());

const pathOf = ({ metadata }: Ref) => `/api/v1/namespaces/${metadata.namespace}/services/${metadata.name}`;
const remove = (by: Api, ref: Ref, options: Body) => by.call('DELETE', pathOf(ref), options);

async function published(name: string, port: number, namespace = 'team-a'): Promise<Ref> {
  const one = sharedService(name, namespace, port);
  await tenant.create(one);
  await untilReason(api, one, 'Programmed');
  return one;
}

const untilClosed = (port: number, namespace = 'team-a') =>
  until(`port ${port} to be closed`, async () => !(await portsOf(api, namespace)).includes(port));
const untilGone = (ref: Ref) => untilGoneFrom(api, ref);

test.each([
  ['in the background', 'Background', 31000],
  ['in the foreground', 'Foreground', 31001],
])('a Service that is deleted %s goes with its ports', async (_, propagationPolicy, port) => {
  const db = await published('db', port);
  expect((await api.get(db)).metadata.finalizers).toContain(FINALIZER);
  const begin = Date.now();
  await remove(tenant, db, { propagationPolicy });
  await untilGone(db);
  count('ms until a deleted Service was gone', Date.now() - begin);
  await untilClosed(port);
  // a new one of the name finds nothing of the old one
  await published('db', port);
  await api.delete(db);
  await untilGone(db);
});

describe('what was made is not left behind', () => {
  const ORPHANED_DRY = { propagationPolicy: 'Orphan', dryRun: ['All'] };
  const ORPHANED = /cannot leave its listeners behind/;

  test.each<[string, (db: Ref) => Promise<unknown>]>([
    ['a deletion that asks for it', (db) => remove(tenant, db, { propagationPolicy: 'Orphan' })],
    ['a deletion that asks for it as before', (db) => remove(tenant, db, { orphanDependents: true })],
    [
      'a deletion of all',
      (db) => tenant.call('DELETE', pathOf(db).replace(/\/[^/]*$/, ''), { propagationPolicy: 'Orphan' }),
    ],
    ['the finalizer of the collector', (db) => tenant.merge(db, { metadata: { finalizers: [FINALIZER, 'orphan'] } })],
  ])('by %s', async (_, act) => {
    const db = await published('kept', 31010);
    expect(await refusalOf(act(db))).toMatch(ORPHANED);
    expect(await portsOf(api, 'team-a')).toContain(31010);
    await tenant.delete(db);
    await untilGone(db);
    await untilClosed(31010);
  });

  test.each<[string, Body]>([
    ['alone', { metadata: { finalizers: null } }],
    [
      'with label, type and class',
      {
        metadata: { finalizers: null, labels: { [SHARED_CLASS]: null } },
        spec: { type: 'ClusterIP', loadBalancerClass: null, allocateLoadBalancerNodePorts: null },
      },
    ],
  ])('by a tenant who takes the finalizer away, %s', async (_, patch) => {
    const db = await published('held', 31011);
    expect(await refusalOf(tenant.merge(db, patch))).toMatch(/is removed by metacontroller, once the ports are closed/);
    await tenant.delete(db);
    await untilGone(db);
  });

  test('where no policy held, the Service waits and says for what', async () => {
    const binding: Ref = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'shared-services-withdrawal' },
    };
    const { spec } = await api.get(binding);
    const db = await published('orphan', 31012);
    await api.delete(binding);
    await until('no policy to hold', async () => {
      const answer = remove(tenant, db, ORPHANED_DRY);
      return (await refusalOf(answer)) === undefined;
    });
    await remove(tenant, db, { propagationPolicy: 'Orphan' });
    const told = await until('the Service to say so', async () => {
      const found = await api.get(db);
      return conditionOf(found)?.reason === 'LeftBehind' && found;
    });
    expect(conditionOf(told)?.message).toBe(
      'ListenerSet service-orphan has lost its owner by a deletion with --cascade=orphan and keeps its ports: ask the platform to delete it',
    );
    const left = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'ListenerSet' };
    await api.delete({ ...left, metadata: { name: 'service-orphan', namespace: 'team-a' } });
    await untilGone(db);
    await api.create({ ...binding, spec });
    const other = await published('again', 31013);
    await untilPoliciesHold(api);
    await untilDenied('the policy', () => remove(tenant, other, ORPHANED_DRY));
    await tenant.delete(other);
    await untilGone(other);
  });
});

test.each<[string, Body]>([
  [
    'label, type and class in one request',
    {
      metadata: { labels: { [SHARED_CLASS]: null } },
      spec: { type: 'ClusterIP', loadBalancerClass: null, allocateLoadBalancerNodePorts: null },
    },
  ],
  ['its label alone', { metadata: { labels: { [SHARED_CLASS]: null } } }],
])('a Service that loses %s loses its ports', async (_, patch) => {
  const db = await published('leaving', 31020);
  await tenant.merge(db, patch);
  await untilClosed(31020);
  const left = await until('the finalizer to be gone', async () => {
    const found = await api.get(db);
    return !found.metadata.finalizers && found;
  });
  expect(left.status.loadBalancer).toEqual({});
  expect(conditionOf(left)).toBeUndefined();
  await tenant.delete(db);
  await untilGone(db);
});

test('a namespace goes with everything that is published there', async () => {
  await Promise.all([31100, 31101, 31102].map((port) => published(`db-${port}`, port, 'team-b')));
  const namespace: Ref = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-b' } };
  const begin = Date.now();
  await api.delete(namespace);
  await untilGone(namespace);
  count('ms until a namespace with three Services was gone', Date.now() - begin);
});
