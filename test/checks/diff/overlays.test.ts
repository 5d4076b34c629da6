import { CONTEXT, Folder, service } from './repository';

// A field that a kustomization writes over whatever its base says of it.

const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';
const POINTER = `/metadata/annotations/${SCHEME.replaceAll('/', '~1')}`;
const merged = (more = `annotations: { ${SCHEME}: internal }`, of = 'name: echo, namespace: edge') =>
  `{ apiVersion: v1, kind: Service, metadata: { ${of}, ${more} } }\n`;
const operation = (path = POINTER, op = 'replace') => `[{ op: ${op}, path: "${path}", value: internal }]\n`;
const listed = (target = '{ kind: Service, name: echo }') => `patches: [{ path: patch.yaml, target: ${target} }]\n`;
const inline = (patch: string, target?: string) =>
  `patches:\n  - ${target === undefined ? '' : `target: ${target}\n    `}patch: |-\n      ${patch}`;
const NAME = '{ name: echo }';

interface Tree {
  readonly of?: Readonly<Record<string, string>>;
  readonly patches: string;
  readonly patch?: string;
}

function outcomesOf({ of = {}, patches, patch }: Tree, [before, after] = [INTERNAL, PUBLIC]) {
  const side = (name: string, text: string) => ({
    [`${name}/base/kustomization.yaml`]: 'resources: [echo.yaml]\n',
    [`${name}/base/echo.yaml`]: text,
    [`${name}/prod/kustomization.yaml`]: `resources: [../base]\n${patches}`,
    ...(patch !== undefined && { [`${name}/prod/patch.yaml`]: patch }),
    ...Object.fromEntries(Object.entries(of).map(([file, content]) => [`${name}/${file}`, content])),
  });
  const folder = new Folder({ 'load-balancers.yaml': CONTEXT, ...side('old', before), ...side('new', after) });
  return folder.json('old', 'new');
}

const INTERNAL = service('echo');
const PUBLIC = service('echo', { scheme: 'internet-facing' });

test.each<[string, Tree]>([
  ['an object that is merged', { patches: 'patches: [{ path: patch.yaml }]\n', patch: merged() }],
  ['the older field', { patches: 'patchesStrategicMerge: [patch.yaml]\n', patch: merged() }],
  ['an operation', { patches: listed(), patch: operation() }],
  ['an operation on what is around it', { patches: listed(), patch: operation('/metadata/annotations') }],
  ['a field that is taken out', { patches: listed(), patch: operation(POINTER, 'remove') }],
  ['an object that is merged and written there', { patches: inline(merged()) }],
  ['an operation that is written there', { patches: inline(operation(), NAME) }],
  ['a patch for any object', { patches: inline(operation(), "{ kind: Service, name: '.*' }") }],
  ['a patch for a namespace', { patches: inline(operation(), '{ kind: Service, namespace: edge }') }],
  ['a name that the patch does not have', { patches: inline(merged(undefined, 'name: any'), NAME) }],
  [
    'a component',
    {
      patches: 'components: [../parts]\n',
      of: { 'parts/kustomization.yaml': `kind: Component\n${inline(operation(), NAME)}` },
    },
  ],
  [
    'every overlay',
    {
      patches: inline(operation(), NAME),
      of: { 'stage/kustomization.yaml': `resources: [../base]\n${inline(merged())}` },
    },
  ],
  [
    'an overlay of an overlay',
    { patches: inline(operation(), NAME), of: { 'eu/kustomization.yaml': 'resources: [../prod]\n' } },
  ],
])('is not told by its base: %s', (_, tree) => {
  const [change] = outcomesOf(tree).changes;
  expect(change).toMatchObject({ outcome: 'unknown', title: 'edge/echo' });
  expect(change.causes).toMatchObject([
    {
      outcome: 'unknown',
      field: SCHEME,
      from: 'internal',
      to: 'internet-facing',
      why: expect.stringMatching(/^(prod|parts)\/kustomization.yaml writes over the field/),
      needs: ['what kustomize build prints'],
    },
  ]);
  expect(change.causes[0]).not.toHaveProperty('remedy');
});

test.each<[string, Tree]>([
  ['another field is patched', { patches: inline(merged('labels: { a: b }')) }],
  ['another object is patched', { patches: inline(operation(), '{ kind: Service, name: web }') }],
  ['another kind is patched', { patches: inline(operation(), '{ kind: Deployment }') }],
  ['an object of another namespace is patched', { patches: inline(merged(undefined, 'name: echo, namespace: shop')) }],
  ['whose names only a pattern says', { patches: inline(operation(), '{ name: ech[o] }') }],
  ['whose labels decide', { patches: inline(operation(), '{ labelSelector: a=b }') }],
  ['it is only looked at', { patches: inline(operation(POINTER, 'test'), NAME) }],
  ['the patch cannot be read', { patches: inline('{ a: [', NAME) }],
  ['the patch is no patch', { patches: 'patches: [5, { patch: 5 }, { path: 5 }, { path: nothing.yaml }]\n' }],
  [
    'another overlay does not patch it',
    { patches: inline(operation(), NAME), of: { 'stage/kustomization.yaml': 'resources: [../base]\n' } },
  ],
  [
    'the base itself is applied',
    {
      patches: inline(operation(), NAME),
      of: {
        'base.yaml':
          'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a, namespace: a }\nspec: { path: ./base }\n',
      },
    },
  ],
])('is told where %s', (_, tree) => {
  expect(outcomesOf(tree).changes[0]).toMatchObject({ outcome: 'replaced', title: 'edge/echo' });
});

test('what else is lost is told', () => {
  const { changes } = outcomesOf({ patches: inline(merged()) }, [
    INTERNAL,
    service('echo', { scheme: 'internet-facing', port: 80 }),
  ]);
  expect(changes[0].outcome).toBe('interrupted');
  expect(changes[0].causes.map(({ outcome }) => outcome)).toEqual(['interrupted', 'unknown']);
});

test('a type that the base no longer has', () => {
  const typed = `${inline('{ apiVersion: v1, kind: Service, metadata: { name: echo, namespace: edge }, spec: { type: LoadBalancer } }\n')}`;
  const [before, after] = [INTERNAL, INTERNAL.replace('type: LoadBalancer', 'type: ClusterIP')];
  const outcomes = (patches: string) => outcomesOf({ patches }, [before, after]).changes.map(({ outcome }) => outcome);
  expect(outcomes(typed)).toEqual(['unknown']);
  expect(outcomes('')).not.toEqual(['unknown']);
});

test('a namespace that the base has otherwise', () => {
  const outcomes = (patches: string) =>
    outcomesOf({ patches }, [service('echo', { namespace: 'a' }), service('echo', { namespace: 'b' })]).changes.map(
      ({ outcome }) => outcome,
    );
  expect(outcomes('namespace: prod\n')).toEqual(['unknown', 'unknown']);
  expect(outcomes('')).toEqual(['replaced', 'created']);
});

test('a cluster has what the overlay made of it', () => {
  const folder = new Folder({
    'load-balancers.yaml': CONTEXT,
    'live.yaml': INTERNAL.replace('  name: echo\n', '  name: echo\n  uid: a-b\n'),
    'new/base/kustomization.yaml': 'resources: [echo.yaml]\n',
    'new/base/echo.yaml': PUBLIC,
    'new/prod/kustomization.yaml': `resources: [../base]\n${inline(merged())}`,
  });
  expect(folder.outcomes('live.yaml', 'new')['edge/echo']).toBe('unknown');
});
