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
