import { Folder, service } from './repository';

// What has a tool apply a folder decides of what is in it.

const flux = (spec: string, metadata = '') =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: flux-system${metadata} }\nspec: { ${spec} }\n`;
const argo = (source: string, more = '', metadata = '') =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: apps, namespace: argocd${metadata} }\nspec: { source: { ${source} }${more} }\n`;
const set = (directory: string, source: string, more = '') =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: apps, namespace: argocd }\n` +
  `spec: { generators: [{ git: { directories: [{ path: ${directory} }] } }], template: { spec: { source: { ${source} } } }${more} }\n`;
const ofSource = (ref: string, more = '') =>
  `${flux('path: ./apps, sourceRef: { kind: GitRepository, name: platform }')}---\napiVersion: source.toolkit.fluxcd.io/v1\n` +
  `kind: GitRepository\nmetadata: { name: platform, namespace: flux-system }\nspec: { url: https://example.com/platform, ref: { ${ref} }${more} }\n`;
const TEMPLATED = "path: '{{.path.path}}'";
const RETRY = ', syncPolicy: { retry: { limit: 5 } }';
const REPLACE = ', syncPolicy: { syncOptions: [Replace=true] }';

test.each([
  ['another namespace', flux('path: ./apps'), flux('path: ./apps, targetNamespace: shop'), 'unknown'],
  ['a variable', flux('path: ./apps'), flux('path: ./apps, postBuild: { substitute: { A: b } }'), 'unknown'],
  ['another folder', flux('path: apps/'), flux('path: ./other'), 'unknown'],
  [
    'a folder below the top of the repository',
    flux('path: ./prod/apps'),
    flux('path: ./prod/apps, namePrefix: a-'),
    'unknown',
  ],
  ['all of the repository', flux('path: ./'), flux('path: ./, namePrefix: a-'), 'unknown'],
  ['all of the repository, by no path', flux('prune: true'), flux('prune: true, namePrefix: a-'), 'unknown'],
  ['when it is applied', flux('path: ./apps, interval: 1m'), flux('path: ./apps, interval: 1h'), 'kept'],
  ['what is so by default', flux('path: ./apps'), flux('path: ./apps, force: false, patches: []'), 'kept'],
  ['nothing is applied for a while', flux('path: ./apps'), flux('path: ./apps, suspend: true'), 'kept'],
  ['it is applied again', flux('path: ./apps, suspend: true'), flux('path: ./apps'), 'unknown'],
  ['another one', flux('path: ./elsewhere'), flux('path: ./elsewhere, namePrefix: a-'), 'kept'],
  ['a prefix of Argo CD', argo('path: apps'), argo('path: apps, kustomize: { namePrefix: a- }'), 'unknown'],
  ['how often Argo CD tries', argo('path: apps'), argo('path: apps', RETRY), 'kept'],
  ['how Argo CD writes', argo('path: apps'), argo('path: apps', REPLACE), 'unknown'],
  ['another branch of a source', ofSource('branch: main'), ofSource('branch: prod'), 'unknown'],
  ['when a source is read', ofSource('branch: main'), ofSource('branch: main', ', interval: 1h'), 'kept'],
  [
    'a set of applications',
    set('apps*', TEMPLATED),
    set('apps*', `${TEMPLATED}, kustomize: { namePrefix: a- }`),
    'unknown',
  ],
  ['a set of other applications', set('x/*', TEMPLATED), set('x/*', `${TEMPLATED}, kustomize: { a: b }`), 'kept'],
  ['how a set is rolled out', set('apps', TEMPLATED), set('apps', TEMPLATED, ', strategy: { type: a }'), 'kept'],
])('%s', (_, before, after, outcome) => {
  const files = (side: string, text: string) => ({
    [`${side}/apps/echo.yaml`]: service('echo'),
    [`${side}/clusters/apps.yaml`]: text,
  });
  const folder = new Folder({ ...files('old', before), ...files('new', after) });
  expect(folder.outcomes('old', 'new')['edge/echo']).toBe(outcome);
});

describe('of several clusters in one repository', () => {
  const files = (side: string, prod: string | undefined, stage: string | undefined) => ({
    [`${side}/apps/prod/echo.yaml`]: service('echo'),
    [`${side}/apps/stage/web.yaml`]: service('web'),
    ...(prod !== undefined && { [`${side}/clusters/prod/apps.yaml`]: prod }),
    ...(stage !== undefined && { [`${side}/clusters/stage/apps.yaml`]: stage }),
  });
  const [prod, stage] = ['prod', 'stage'].map((name) => flux(`path: ./apps/${name}, prune: true`));
  const other = flux('path: ./apps/prod, prune: true, targetNamespace: a');

  test.each<[string, string | undefined, string | undefined, string, string]>([
    ['nothing changes', prod, stage, 'kept', 'kept'],
    ['one of them', other, stage, 'unknown', 'kept'],
    ['one is gone', undefined, stage, 'deleted', 'kept'],
    ['the other one is gone', prod, undefined, 'kept', 'deleted'],
    ['each applies what the other one did', stage, prod, 'unknown', 'unknown'],
  ])('%s', (_, one, two, echo, web) => {
    const folder = new Folder({ ...files('old', prod, stage), ...files('new', one, two) });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': echo, 'edge/web': web });
  });

  test.each([
    ['the first one', 'b', 'a', 'unknown', 'kept'],
    ['the last one', 'a', 'b', 'kept', 'unknown'],
  ])('%s reads another branch', (_, ofProd, ofStage, echo, web) => {
    const of = (name: string, branch: string) => ofSource(`branch: ${branch}`).replace('./apps', `./apps/${name}`);
    const folder = new Folder({
      ...files('old', of('prod', 'a'), of('stage', 'a')),
      ...files('new', of('prod', ofProd), of('stage', ofStage)),
    });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': echo, 'edge/web': web });
  });

  test('they are in other files', () => {
    const moved = { 'new/apps/prod/echo.yaml': service('echo'), 'new/apps/stage/web.yaml': service('web') };
    const folder = new Folder({ ...files('old', prod, stage), ...moved, 'new/all.yaml': `${stage}---\n${prod}` });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'kept', 'edge/web': 'kept' });
  });
});

describe('one that is gone takes along what it has applied, where it', () => {
  const FINALIZER = ', finalizers: [resources-finalizer.argocd.argoproj.io]';
  const renamed = flux('path: ./apps, prune: true').replace('name: apps', 'name: other');

  test.each<[string, string, string | undefined, readonly string[], string]>([
    ['prunes', flux('path: ./apps, prune: true'), undefined, [], 'deleted'],
    ['is sure to', flux('path: ./apps, prune: true'), undefined, ['--prune'], 'deleted'],
    ['stays itself', flux('path: ./apps, prune: true'), undefined, ['--no-prune'], 'kept'],
    ['does not prune', flux('path: ./apps, prune: false'), undefined, [], 'unknown'],
    ['leaves it', flux('path: ./apps, prune: true, deletionPolicy: Orphan'), undefined, [], 'unknown'],
    ['deletes in any case', flux('path: ./apps, prune: false, deletionPolicy: Delete'), undefined, [], 'deleted'],
    ['is followed by another one', flux('path: ./apps, prune: true'), renamed, [], 'unknown'],
    ['has the finalizer of Argo CD', argo('path: apps', '', FINALIZER), undefined, [], 'deleted'],
    ['has no finalizer of Argo CD', argo('path: apps'), undefined, [], 'unknown'],
    ['is a set', set('apps', TEMPLATED), undefined, [], 'deleted'],
    [
      'is a set that leaves it',
      set('apps', TEMPLATED, ', syncPolicy: { preserveResourcesOnDeletion: true }'),
      undefined,
      [],
      'unknown',
    ],
  ])('%s', (_, before, after, args, outcome) => {
    const folder = new Folder({
      'old/apps/echo.yaml': service('echo'),
      'old/c.yaml': before,
      'new/apps/echo.yaml': service('echo'),
      ...(after !== undefined && { 'new/c.yaml': after }),
    });
    const { changes } = folder.json('old', 'new', ...args);
    expect(changes.map((change) => change.outcome)).toEqual([outcome]);
    expect(changes[0].causes.every(({ remedy }) => (outcome === 'deleted') === (remedy !== undefined))).toBe(true);
    expect(changes[0].after === undefined).toBe(outcome === 'deleted');
  });
});

describe('in a cluster', () => {
  const UID = ', uid: a-b';
  const live = service('echo').replace('  name: echo\n', '  name: echo\n  uid: 1-2\n');
  const folder = (applier: string, files: Readonly<Record<string, string>>) =>
    new Folder({ 'live.yaml': `${live}---\n${applier}`, 'new/apps/echo.yaml': service('echo'), ...files });

  test.each([
    ['the same', flux('path: ./apps, force: false', UID), flux('path: ./apps'), 'kept'],
    ['a source that is not in the dump', ofSource('branch: main').split('---')[0], ofSource('branch: main'), 'kept'],
    ['another branch of a source', ofSource('branch: main'), ofSource('branch: prod'), 'unknown'],
    ['another namespace', flux('path: ./apps', UID), flux('path: ./apps, targetNamespace: shop'), 'unknown'],
    ['no namespace any more', flux('path: ./apps, targetNamespace: shop', UID), flux('path: ./apps'), 'unknown'],
    ['another folder', flux('path: ./apps', UID), flux('path: ./stage'), 'unknown'],
    ['that of another cluster', flux('path: ./apps', UID), `${flux('path: ./apps')}---\n${flux('path: ./x')}`, 'kept'],
    ['one that is new', flux('path: ./apps', UID), flux('path: ./apps').replace('name: apps', 'name: b'), 'unknown'],
    ['a prefix of Argo CD', argo('path: apps', '', UID), argo('path: apps, kustomize: { namePrefix: a- }'), 'unknown'],
  ])('%s', (_, before, after, outcome) => {
    const of = folder(before, { 'new/clusters/apps.yaml': after });
    expect(of.outcomes('live.yaml', 'new')['edge/echo']).toBe(outcome);
  });

  test('one that is in no file of the folder is none of it', () => {
    expect(folder(flux('path: ./apps', UID), {}).outcomes('live.yaml', 'new')).toEqual({ 'edge/echo': 'kept' });
  });

  test('a dump without its kind is told', () => {
    const of = folder('', { 'new/clusters/apps.yaml': flux('path: ./apps') });
    const { notes, changes } = of.json('live.yaml', 'new');
    expect(changes.map(({ outcome }) => outcome)).toEqual(['kept']);
    expect(notes).toContain(
      'Kustomization flux-system/apps is not compared: no Kustomization is in live.yaml; add kustomizations.kustomize.toolkit.fluxcd.io to the dump',
    );
  });
});
