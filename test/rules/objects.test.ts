import { ApiObject, App, Chart } from 'cdk8s';
import { LISTENER_SET_RULE_SET } from '../../src/gateway/gateway-rules';
import { TCP_ROUTE_RULE_SET } from '../../src/gateway/route-rules';
import { appIndexOf } from '../../src/rules/app-objects';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import { type ObjectIndex, titleOf } from '../../src/rules/objects';
import { checked } from '../checks/checked';

const V1 = 'gateway.networking.k8s.io/v1';

function service(name: string, namespace?: string) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } };
}

const OBJECTS = {
  'one/a': [service('web', 'x'), service('db', 'x')],
  'one/b': [service('db', 'y')],
  'two/a': [service('web', 'x')],
};

function ofApp(): ObjectIndex {
  const app = new App();
  const folders = new Map<string, Chart>();
  for (const [path, objects] of Object.entries(OBJECTS)) {
    const [folder, file] = path.split('/');
    const outer = folders.get(folder) ?? new Chart(app, folder);
    folders.set(folder, outer);
    const chart = new Chart(outer, file);
    objects.forEach((object, i) => {
      new ApiObject(chart, `o${i}`, object);
    });
  }
  return appIndexOf(app);
}

function ofFiles(): ObjectIndex {
  return new ManifestIndex(
    Object.entries(OBJECTS).flatMap(([file, objects]) => objects.map((object, line) => ({ file, line, object }))),
  );
}

describe.each([
  ['an app', ofApp],
  ['files', ofFiles],
])('the index of %s', (_, indexed) => {
  const index = indexed();
  const [web] = index.of('', 'Service');
  const [db] = index.named('', 'Service', { namespace: 'x', name: 'db' });

  test('has the objects of a kind in their order', () => {
    expect(index.of('', 'Service').map(({ name, namespace }) => `${namespace}/${name}`)).toEqual([
      'x/web',
      'x/db',
      'y/db',
      'x/web',
    ]);
    expect(index.of('apps', 'Service')).toEqual([]);
  });

  test('has namesakes', () => {
    expect(index.named('', 'Service', { namespace: 'x', name: 'web' })).toHaveLength(2);
    expect(index.named('', 'Service', { name: 'web' })).toEqual([]);
  });

  test('finds of several namesakes the nearest one, and none where two are equally near', () => {
    expect(index.nearest(db, '', 'Service', { namespace: 'x', name: 'web' })).toBe(web);
    const elsewhere = { ...db, scopes: [] };
    expect(index.nearest(elsewhere, '', 'Service', { namespace: 'x', name: 'web' })).toBeUndefined();
  });

  test('finds what is applied together, or else all', () => {
    expect(index.beside(db, '', 'Service', { namespace: 'x', name: 'web' })).toEqual([web]);
    const other = index.of('', 'Service')[2];
    expect(index.beside(other, '', 'Service', { namespace: 'x', name: 'web' })).toHaveLength(2);
  });

  test('computes once', () => {
    const compute = jest.fn(() => 1);
    expect([index.once(compute, compute), index.once(compute, compute)]).toEqual([1, 1]);
    expect(compute).toHaveBeenCalledTimes(1);
  });
});

test('an object without a namespace may be the one of namespace default', () => {
  const files = { 'far/a': service('web', 'default'), 'near/a': service('web'), 'near/b': service('db', 'default') };
  const index = new ManifestIndex(Object.entries(files).map(([file, object]) => ({ file, line: 1, object })));
  const [far, near, db] = index.all;
  const meant = (to: typeof db, namespace?: string) => index.nearest(to, '', 'Service', { namespace, name: 'web' });
  expect([meant(db, 'default'), meant(db), meant(far, 'default'), meant(near)]).toEqual([undefined, near, far, near]);
});

test('rules between objects are asked of files as of an app', () => {
  const parentRef = { name: 'edge', namespace: 'infra' };
  const listeners = [{ name: 'db', port: 5432, protocol: 'TCP' }];
  const gateway = (name: string) => ({ apiVersion: V1, kind: 'Gateway', metadata: { name, namespace: 'infra' } });
  const set = (namespace: string) => ({
    apiVersion: V1,
    kind: 'ListenerSet',
    metadata: { name: 'ports', namespace },
    spec: { parentRef, listeners },
  });
  const route = {
    apiVersion: 'gateway.networking.k8s.io/v1alpha2',
    kind: 'TCPRoute',
    metadata: { name: 'db', namespace: 'a' },
    spec: {
      parentRefs: [{ kind: 'ListenerSet', name: 'ports', sectionName: 'web' }],
      rules: [{ backendRefs: [{ name: 'db', port: 5432 }] }],
    },
  };
  const objects = [{ ...gateway('edge'), spec: { gatewayClassName: 'acme', listeners } }, set('a'), set('b'), route];
  const index = new ManifestIndex(objects.map((object, i) => ({ file: 'all.yaml', line: i + 1, object })));
  const [, , later, tcp] = index.all;
  const { errors } = LISTENER_SET_RULE_SET.judge(later.json, { among: later });
  expect(errors.map(({ ruleId, what }) => `${ruleId}: ${what}`)).toEqual([
    expect.stringMatching(/^gateway-port-conflict: .*listener 'db' of Gateway infra\/edge \(all.yaml:1\)/),
    expect.stringMatching(/^listener-set-admitted: Gateway infra\/edge \(all.yaml:1\) admits no ListenerSets/),
  ]);
  expect(LISTENER_SET_RULE_SET.judge(later.json, {}).unknown.map(({ ruleId }) => ruleId)).toEqual([
    'gateway-port-conflict',
    'listener-set-admitted',
    'gateway-reference-granted',
    'gateway-reference-elsewhere',
  ]);
  const routed = TCP_ROUTE_RULE_SET.judge(tcp.json, { among: tcp }).errors;
  expect(routed.map(({ what }) => what)).toEqual(["ListenerSet a/ports (all.yaml:2) has no listener 'web', but db"]);
});

test('a check calls an object by the name that is written', () => {
  const named = 'apiVersion: v1\nkind: Service\nmetadata: {name: {a: b}, namespace: [x]}\nspec: {type: LoadBalancer}\n';
  const { findings, unknown } = checked(named);
  const objects = [...findings, ...unknown].map(({ object }) => `${object.namespace}/${object.name}`);
  expect(new Set(objects)).toEqual(new Set(['["x"]/{"a":"b"}']));
});

test('a name that is no text is shown as it is written, and none in words', () => {
  expect(titleOf({ namespace: 'shop', name: { a: 'b' } })).toBe('shop/{"a":"b"}');
  expect(titleOf({ namespace: ['x'], name: 'echo' })).toBe('["x"]/echo');
  expect(titleOf({ name: undefined })).toBe('(without a name)');
});
