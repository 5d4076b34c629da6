import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DiffJson } from '../../../src/cli/diff/diff-report';
import { RENDERERS, run, withPrograms } from '../../support/command';
import { revived, table } from '../../support/yaml-cases';
import { type FileTexts, Folder, Repository, service } from '../diff/repository';

const FILES = {
  'load-balancers.yaml': `clusters:
  - name: eks
    controllers: [aws-load-balancer-controller]
    sources: [{ kustomize: one }, { kustomize: two }, { helm: { chart: shop } }]
  - name: aks
    controllers: [cloud-provider-azure]
    sources: [{ kustomize: three }]
`,
  'one/kustomization.yaml': 'resources: [svc.yaml]\n',
  'one/rendered.yaml': service('one'),
  'two/kustomization.yaml': 'resources: [svc.yaml]\n',
  'two/rendered.yaml': service('two'),
  'three/kustomization.yaml': 'resources: [svc.yaml]\n',
  'three/rendered.yaml': service('three'),
  'shop/Chart.yaml': 'name: shop\n',
  'shop/rendered.yaml': service('shop'),
};

function said(programs: Readonly<Record<string, string>>, args: readonly string[], files: FileTexts = FILES) {
  const repository = new Repository(files);
  const before = process.cwd();
  process.chdir(repository.path);
  try {
    const { out, error, code } = withPrograms(programs, () => run(...args));
    return { code, error, out: out.replace(/\n {4,}(?! )/g, ' ') };
  } finally {
    process.chdir(before);
  }
}

const failing = (text: string) => `cat >&2 <<'END'\n${text}\nEND\nexit 1`;

const ACCUMULATED = "Error: accumulating resources: accumulation err='accumulating resources from ";

test.each([
  [
    'a remote base',
    `${ACCUMULATED}'../base': x ${ACCUMULATED.slice(7)}'git@example.com:a/b': evalsymlink failure on '/a/b' : lstat /a/git@example.com:a: no such file or directory': failed to run '/usr/bin/git fetch --depth=1 git@example.com:a/b HEAD': fatal: transport 'ssh' not allowed\n: exit status 128`,
    'it includes git@example.com:a/b, which is not in the repository, and nothing is fetched',
  ],
  [
    'a remote file',
    `${ACCUMULATED}'https://example.com/a.yaml': Get "https://example.com/a.yaml": proxyconnect tcp: dial tcp 127.0.0.1:9: connect: connection refused': must build at directory`,
    'it includes https://example.com/a.yaml, which is not in the repository, and nothing is fetched',
  ],
  [
    'a file that is not there',
    `${ACCUMULATED}'none.yaml': evalsymlink failure on '/tmp/load-balancers-abc123/one/none.yaml' : lstat /tmp/load-balancers-abc123/one/none.yaml: no such file or directory': must build at directory`,
    'it includes one/none.yaml, which is not there',
  ],
  [
    'a chart in a kustomization',
    'Error: trouble configuring builtin HelmChartInflationGenerator with config: `\nname: shop\n`: must specify --enable-helm',
    'it renders a chart by helmCharts, which stays off, since it fetches charts',
  ],
  [
    'a plugin',
    "Error: loading generator plugins: failed to load generator: external plugins disabled; unable to load external plugin 'Gen'",
    'it needs a plugin, and plugins stay off',
  ],
  [
    'dependencies of a chart',
    'Error: An error occurred while checking for chart dependencies. found in Chart.yaml, but missing in charts/ directory: common',
    'dependencies of the chart are not in its folder charts: common',
  ],
  [
    'several lines',
    "# Warning: 'bases' is deprecated.\nError: values don't meet the specifications:\nshop:\n- at '': missing property 'zone'\n\nUse --debug flag to render out invalid YAML",
    "kustomize fails: values don't meet the specifications: shop: - at '': missing property 'zone'",
  ],
  ['kubectl', 'error: invalid Kustomization', 'kustomize fails: invalid Kustomization'],
  ['no error at all', 'a\nthe last line', 'kustomize fails: the last line'],
])('%s is told in words', (_, text, words) => {
  const { out, code } = said({ ...RENDERERS, kustomize: failing(text) }, ['check', '--cluster', 'aks']);
  expect(out).toContain(`three: ${words}\n`);
  expect(code).toBe(2);
});

test('a missing program is told once in each cluster', () => {
  const { out, code } = said({}, ['check']);
  expect(out.match(/cannot be rendered/g)).toHaveLength(3);
  expect(out).toContain('load-balancers.yaml:4:15  cannot be rendered');
  expect(out).toContain('one, two: neither kustomize nor kubectl is in PATH');
  expect(out).toContain('shop: helm is not in PATH');
  expect(out).toContain('three: neither kustomize nor kubectl is in PATH');
  expect(code).toBe(2);
});

test('what neither side can render is told once, and by every format as not rendered', () => {
  for (const format of ['text', 'markdown', 'github']) {
    const { out, code } = said({}, ['diff', '--git', 'main', '--format', format]);
    expect(out.match(/one, two: neither/g)).toHaveLength(1);
    expect(out).not.toMatch(/cannot be read$/m);
    expect(out).toMatch(/rendered/);
    expect(code).toBe(2);
  }
});

test.each(['text', 'github', 'sarif'])('check says in %s that a source cannot be rendered', (format) => {
  const { out } = said({}, ['check', '--format', format]);
  expect(out).toContain('cannot be rendered');
  expect(out).not.toContain('cannot be read');
});

test('explain and list say it as well, and end with the same code', () => {
  const { kustomize } = RENDERERS;
  for (const args of [['explain', 'edge/one'], ['list']]) {
    const { error, code } = said({ kustomize }, args);
    expect(error).toContain('eks: load-balancers.yaml:4: cannot be rendered: shop: helm is not in PATH; install helm');
    expect(code).toBe(2);
  }
});

test('annotations of a difference name the cluster', () => {
  const repository = new Repository(FILES);
  repository.write({ 'two/rendered.yaml': service('two', { scheme: 'internet-facing' }) });
  const { out } = withPrograms(RENDERERS, () => repository.diff(['--git', 'main', '--format', 'github']));
  expect(out).toContain('title=load balancer replaced::edge/two in eks%0A');
});

test.each([
  ['leads nowhere', 'nowhere'],
  ['leads back', '..'],
])('a link in a source that %s does not stop a difference', (_, target) => {
  const repository = new Repository(FILES);
  symlinkSync(target, join(repository.path, 'shop', 'link'));
  const { out, code } = withPrograms(RENDERERS, () => repository.diff(['--git', 'main']));
  expect(out).toContain('3 kept');
  expect(code).toBe(0);
});

const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';

function patch(name: string, scheme: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  annotations:
    ${SCHEME}: ${scheme}
`;
}

/** An overlay that renders to a Service with a wrong scheme, so that there is a finding at its field. */
function overlay(rendered: string, files: FileTexts): FileTexts {
  return {
    'load-balancers.yaml':
      'clusters: [{ name: a, controllers: [aws-load-balancer-controller], sources: [{ kustomize: overlay }] }]\n',
    'base/kustomization.yaml': 'resources: [svc.yaml]\n',
    'base/svc.yaml': service('echo'),
    'overlay/rendered.yaml': rendered,
    ...files,
  };
}

const WRONG = service('echo', { scheme: 'wrong' });
const KUSTOMIZATION = 'overlay/kustomization.yaml';

test.each<[string, FileTexts, string]>(revived(table('cli/sources/failures.yaml', 'places of fields'), { patch }))(
  'the place of a field is in %s',
  (_, files, place) => {
    const folder = new Folder(overlay(WRONG, files));
    expect(placesIn(folder, 'annotation-value-invalid')).toEqual([place]);
  },
);

test('of two names in a name with a prefix, the longer one counts', () => {
  const files = {
    [KUSTOMIZATION]: 'namePrefix: new-\nresources: [../base]\n',
    'base/svc.yaml': `${service('echo', { scheme: 'wrong' })}---\n${service('echo-api', { scheme: 'wrong' })}`,
  };
  const rendered = service('new-echo-api', { scheme: 'wrong' });
  expect(placesIn(new Folder(overlay(rendered, files)), 'annotation-value-invalid')).toEqual(['base/svc.yaml:21:5']);
});

test('a field that is missing is in the object, and not in its patches', () => {
  const files = {
    [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.yaml }]\n',
    'overlay/p.yaml': `${patch('echo', 'internal')}spec: { sessionAffinity: None }\n`,
  };
  const rendered = service('echo').replace('  ports: [{ port: 443 }]\n', '  sessionAffinity: None\n');
  expect(placesIn(new Folder(overlay(rendered, files)), 'service-ports-invalid')).toEqual(['base/svc.yaml:9:1']);
});

test('diff has the file of a field beside its line', () => {
  const before = overlay(service('echo'), { [KUSTOMIZATION]: 'resources: [../base]\n' });
  const repository = new Repository(before);
  const changed = service('echo', { port: 80 });
  repository.write({ 'base/svc.yaml': changed, 'overlay/rendered.yaml': changed });
  const { changes } = within(repository, 'diff', '--git', 'main') as DiffJson;
  expect(changes[0].causes[0].after).toMatchObject({ file: 'base/svc.yaml', line: 13, shown: 'base/svc.yaml:13' });
  expect(changes[0].causes[0].before).toMatchObject({ file: 'base/svc.yaml', shown: 'main:base/svc.yaml:13' });
});

test('diff of two folders has the file from the working folder', () => {
  const files = overlay(service('echo'), { [KUSTOMIZATION]: 'resources: [../base]\n' });
  const now = {
    ...files,
    'base/svc.yaml': service('echo', { port: 80 }),
    'overlay/rendered.yaml': service('echo', { port: 80 }),
  };
  const at = (side: string, all: FileTexts) =>
    Object.fromEntries(Object.entries(all).map(([file, text]) => [`${side}/${file}`, text]));
  const folder = new Folder({ ...at('old', files), ...at('new', now) });
  const { changes } = within(folder, 'diff', 'old', 'new') as DiffJson;
  expect(changes[0].causes[0].after?.shown).toBe('new/base/svc.yaml:13');
  expect(changes[0].causes[0].before?.shown).toBe('old/base/svc.yaml:13');
});

test('diff names places in notes and in the context as they are from the working folder', () => {
  const gateway = (name: string) =>
    `${LBC}---\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: ${name}}\nspec: {gatewayClassName: eg}\n`;
  const folder = new Folder({ 'old/a.yaml': gateway('a'), 'new/a.yaml': gateway('b'), 'new/x.yaml': 'a: 1\n' });
  const { notes, context } = within(folder, 'diff', 'old', 'new') as DiffJson;
  const places = [...notes, ...context.map(({ from }) => from)].join(' ').match(/\S+\.yaml:\d+/g);
  expect(places).toEqual(['old/a.yaml:6', 'new/x.yaml:1', 'new/a.yaml:6', 'new/a.yaml:1']);
});

const LBC = `apiVersion: apps/v1
kind: Deployment
metadata: { name: lbc, namespace: kube-system }
spec: { template: { spec: { containers: [{ name: a, image: 'public.ecr.aws/eks/aws-load-balancer-controller:v2.8.1' }] } } }
`;

interface CheckJson {
  readonly findings: readonly {
    readonly ruleId: string;
    readonly place: { readonly file: string; readonly line: number; readonly column: number };
  }[];
}

function placesIn(folder: Folder, rule: string): string[] {
  const { findings } = within(folder, 'check') as CheckJson;
  return findings
    .filter(({ ruleId }) => ruleId === rule)
    .map(({ place: { file, line, column } }) => `${file}:${line}:${column}`);
}

function within(folder: Folder, ...args: readonly string[]): unknown {
  const before = process.cwd();
  process.chdir(folder.path);
  try {
    return JSON.parse(withPrograms(RENDERERS, () => run(...args, '--format', 'json')).out);
  } finally {
    process.chdir(before);
  }
}

describe('revisions', () => {
  // Two revisions whose files are not about the same clusters.

  const ONE = 'controllers: [aws-load-balancer-controller]\n';
  const SEVERAL = `clusters:
  - { name: a, controllers: [aws-load-balancer-controller], sources: [{ kustomize: a }] }
  - { name: b, controllers: [aws-load-balancer-controller], sources: [{ kustomize: b }] }
`;

  const FILES = {
    'a/kustomization.yaml': 'resources: [svc.yaml]\n',
    'a/rendered.yaml': service('a'),
    'b/kustomization.yaml': 'resources: [svc.yaml]\n',
    'b/rendered.yaml': service('b'),
  };

  const NOTE = (older: string, newer: string) =>
    `load-balancers.yaml of ${older} names no clusters; that of ${newer} is used for both`;

  test.each<[string, string | undefined, string | undefined, string | undefined]>([
    ['clusters where there was no file', undefined, SEVERAL, undefined],
    ['clusters where there was one', ONE, SEVERAL, NOTE('main', 'the working tree')],
    ['one where there were clusters', SEVERAL, ONE, NOTE('the working tree', 'main')],
    ['no file where there were clusters', SEVERAL, undefined, undefined],
  ])('%s: each cluster is compared with itself', (_, before, after, note) => {
    const context = (text: string | undefined) => (text === undefined ? {} : { 'load-balancers.yaml': text });
    const repository = new Repository({ ...FILES, ...context(before) });
    repository.write({ 'load-balancers.yaml': after });
    const { out, code } = withPrograms(RENDERERS, () => repository.diff(['--git', 'main', '--format', 'json']));
    const { clusters } = JSON.parse(out);
    const told = Object.entries<{ changes: { title: string; outcome: string }[]; notes: string[] }>(clusters).map(
      ([name, { changes, notes }]) => [name, changes.map(({ title, outcome }) => `${title} ${outcome}`), notes],
    );
    const notes = note === undefined ? [] : [note];
    expect(told).toEqual([
      ['a', ['edge/a kept'], notes],
      ['b', ['edge/b kept'], notes],
    ]);
    expect(code).toBe(0);
  });

  test('a mistake in the newer file is one of usage, also where the older one names clusters', () => {
    const repository = new Repository({ ...FILES, 'load-balancers.yaml': SEVERAL });
    repository.write({ 'load-balancers.yaml': 'controlers: []\n' });
    const { error, code } = withPrograms(RENDERERS, () => repository.diff(['--git', 'main']));
    expect(error).toContain('load-balancers.yaml:1:1: controlers is unknown; write controllers');
    expect(code).toBe(2);
  });
});
