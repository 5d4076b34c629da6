import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../support/command';
import { RENDERERS, withPrograms } from '../../support/programs-on-path';
import { type FileTexts, Repository, service } from '../diff/repository';

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
