import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileTexts, Folder, service } from '../cli/diff/repository';
import { BUILT, said } from './harness';

// A pull request can write every file of a repository: none of them runs a program, and none of them reaches another machine.

const KUSTOMIZATION = 'overlay/kustomization.yaml';

/** Writes a file that shows that a program ran. */
const RUN = { 'overlay/run.sh': '#!/bin/sh\ntouch ran\n', 'run.sh': '#!/bin/sh\ntouch ran\n' };

/** A context file with one source. */
function declared(source: string): FileTexts {
  return {
    'load-balancers.yaml': `clusters: [{ name: a, controllers: [aws-load-balancer-controller], sources: [${source}] }]\n`,
  };
}

const OVERLAY = { ...declared('{ kustomize: overlay }'), 'overlay/svc.yaml': service('echo') };

function chart(more: FileTexts = {}, name = 'shop'): FileTexts {
  return {
    'shop/Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    'shop/templates/svc.yaml': service('shop'),
    ...more,
  };
}

/** A plugin as kustomize can be told to run it. */
function generator(how: string): FileTexts {
  return {
    ...OVERLAY,
    ...RUN,
    [KUSTOMIZATION]: 'generators: [generator.yaml]\n',
    'overlay/generator.yaml': `apiVersion: example.com/v1
kind: Generator
metadata:
  name: generator
  annotations:
    config.kubernetes.io/function: |
      ${how}
`,
  };
}

const remote = (path: string): FileTexts => ({ ...OVERLAY, [KUSTOMIZATION]: `resources: ['${path}']\n` });
const NOT_FETCHED = /it includes .*, which is not in the repository, and nothing is fetched/;
const NO_PLUGINS = /it needs a plugin, and plugins stay off/;

const ROWS: Readonly<Record<string, readonly [FileTexts, RegExp]>> = {
  'a base of another repository, by https': [remote('https://github.com/example/platform//base?ref=v1'), NOT_FETCHED],
  'a base of another repository, by git': [remote('git@github.com:example/platform.git//base'), NOT_FETCHED],
  'a base of another repository, by ssh': [remote('ssh://git@github.com/example/platform'), NOT_FETCHED],
  'a base of another repository, by a file': [remote('file:///srv/platform//base'), NOT_FETCHED],
  'a base of another repository, by its short name': [remote('github.com/example/platform/base'), NOT_FETCHED],
  'a base of another repository, by a program of git': [
    remote('git::ext::sh -c "touch ran"'),
    /it includes overlay\/git::ext::sh -c "touch ran", which is not there/,
  ],
  'a remote file': [remote('https://example.com/service.yaml'), NOT_FETCHED],
  'a remote base in a base': [
    { ...remote('../base'), 'base/kustomization.yaml': "resources: ['https://example.com/service.yaml']\n" },
    NOT_FETCHED,
  ],
  'a server of the machine': [remote('http://127.0.0.1:8080/service.yaml'), NOT_FETCHED],
  'a server of the machine by name': [remote('https://user@LOCALHOST/service.yaml'), NOT_FETCHED],
  'a server of the machine by IPv6': [remote('http://[::1]:8080/service.yaml'), NOT_FETCHED],
  'a server of the machine behind a name': [remote('http://a@b@127.0.0.1/service.yaml'), NOT_FETCHED],
  'a server of the machine in a generator': [
    {
      ...OVERLAY,
      [KUSTOMIZATION]: 'generators: [generator.yaml]\n',
      'overlay/generator.yaml':
        "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: { name: a }\nfiles: ['a=http://127.0.0.1/a']\n",
    },
    NOT_FETCHED,
  ],
  'a server of the machine in a base': [
    { ...remote('../base'), 'base/kustomization.yaml': "patches: [{ path: 'http://127.0.0.1/patch.yaml' }]\n" },
    NOT_FETCHED,
  ],
  'metadata of the machine': [remote('http://169.254.169.254/latest/meta-data/service.yaml'), NOT_FETCHED],
  'a program as a generator': [generator('exec: { path: ./run.sh }'), NO_PLUGINS],
  'a container as a generator': [generator('container: { image: example.com/run:1 }'), NO_PLUGINS],
  'a plugin in the home of kustomize': [
    { ...generator('{}'), '.config/kustomize/plugin/example.com/v1/generator/Generator': RUN['run.sh'] },
    NO_PLUGINS,
  ],
  'a chart in a kustomization': [
    { ...OVERLAY, ...chart(), [KUSTOMIZATION]: 'helmGlobals: { chartHome: .. }\nhelmCharts: [{ name: shop }]\n' },
    /it renders a chart by helmCharts, which stays off/,
  ],
  'a file outside of the kustomization': [
    { ...OVERLAY, [KUSTOMIZATION]: 'configMapGenerator: [{ name: a, files: [/etc/passwd] }]\n' },
    /security; file '\/etc\/passwd' is not in or below 'overlay'/,
  ],
  'a file outside of the repository, with a file of its name in it': [
    {
      ...OVERLAY,
      [KUSTOMIZATION]: 'configMapGenerator: [{ name: a, files: [/etc/passwd] }]\n',
      'overlay/etc/passwd': 'a\n',
    },
    /security; file '\/etc\/passwd' is not in or below 'overlay'/,
  ],
  'a file outside of the repository, with a key': [
    {
      ...OVERLAY,
      [KUSTOMIZATION]: 'configMapGenerator: [{ name: a, files: [a=/etc/passwd] }]\n',
      'overlay/a=/etc/passwd': 'a\n',
    },
    /security; file '\/etc\/passwd' is not in or below 'overlay'/,
  ],
  'a file outside of the repository beside one in it': [
    { ...OVERLAY, [KUSTOMIZATION]: 'resources: [../svc.yaml]\ncrds: [/etc/passwd]\n', 'svc.yaml': service('echo') },
    /security; file .* is not in or below 'overlay'/,
  ],
  'a file outside of the kustomization beside a plugin, which may name any file': [
    {
      ...OVERLAY,
      [KUSTOMIZATION]: 'resources: [../svc.yaml]\ntransformers: [patch.yaml]\n',
      'overlay/patch.yaml':
        'apiVersion: builtin\nkind: PatchTransformer\nmetadata: { name: a }\npath: /etc/passwd\ntarget: { kind: Service }\n',
      'svc.yaml': service('echo'),
    },
    /security; file .* is not in or below 'overlay'/,
  ],
  'a remote chart': [declared('{ helm: { chart: oci://example.com/shop } }'), /there is no Chart.yaml in it/],
  'remote values': [
    { ...declared('{ helm: { chart: shop, values: [https://example.com/values.yaml] } }'), ...chart() },
    /there is no https:\/example.com\/values.yaml/,
  ],
  'a dependency that is not vendored': [
    {
      ...declared('{ helm: { chart: shop } }'),
      ...chart(),
      'shop/Chart.yaml':
        'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{ name: common, version: 1.0.0, repository: https://charts.example.com }]\n',
    },
    /dependencies of the chart are not in its folder charts: common/,
  ],
  'a chart that is called like an option': [
    {
      ...declared('{ helm: { chart: shop } }'),
      ...chart({ 'shop/templates/run.yaml': 'a: $(touch ran)\n' }, '--post-renderer=sh'),
    },
    /release name "--post-renderer=sh": invalid release name/,
  ],
  'a post-renderer in the file': [
    { ...declared('{ helm: { chart: shop, postRenderer: ./run.sh } }'), ...chart(), ...RUN },
    /postRenderer/,
  ],
  'a release that is an option': [
    { ...declared('{ helm: { chart: shop, release: --post-renderer=./run.sh } }'), ...chart(), ...RUN },
    /--post-renderer=\.\/run\.sh/,
  ],
  'a values file that is an option': [
    { ...declared('{ helm: { chart: shop, values: [--post-renderer=./run.sh] } }'), ...chart(), ...RUN },
    /--post-renderer=\.\/run\.sh/,
  ],
  'a folder that is an option': [declared('{ kustomize: --enable-helm }'), /--enable-helm/],
};

test.each(Object.entries(ROWS))('%s: nothing runs, and the reason is told', (_, [files, words]) => {
  const folder = new Folder(files);
  const start = Date.now();
  const { out, error, code } = said(folder, ['check']);
  expect(`${out}${error}`.replace(/\n\s+/g, ' ')).toMatch(words);
  expect(code).toBe(2);
  expect(['ran', 'overlay/ran', 'shop/ran'].filter((file) => existsSync(join(folder.path, file)))).toEqual([]);
  expect(Date.now() - start).toBeLessThan(10_000);
});

test('a file of the repository outside of the kustomization is included, as Flux does', () => {
  const folder = new Folder({
    ...declared('{ kustomize: overlay }'),
    [KUSTOMIZATION]:
      'resources: [../base/svc.yaml]\nconfigMapGenerator: [{ name: a, files: [a=../base/values.yaml] }]\n',
    'base/svc.yaml': service('echo', { scheme: 'wrong' }),
    'base/values.yaml': 'a: 1\n',
  });
  const { out } = said(folder, ['check']);
  expect(out).toMatch(/^base\/svc\.yaml:\d+:\d+ {2}Service edge\/echo/m);
  expect(out.replace(/\n\s+/g, ' ')).toContain('in 2 objects');
});

test('a discovered folder that is called like an option is a folder', () => {
  const folder = new Folder({
    '--enable-helm/kustomization.yaml': 'resources: [svc.yaml]\n',
    '--enable-helm/svc.yaml': service('echo'),
  });
  const { out } = said(folder, ['check']);
  expect(out.replace(/\n\s+/g, ' ')).toContain('in 1 object');
});

describe('the environment', () => {
  const SECRETS = {
    AWS_SECRET_ACCESS_KEY: 'hunter2',
    GITHUB_TOKEN: 'hunter2',
    KUBECONFIG: '/hunter2',
    HELM_PLUGINS: '/hunter2',
  };

  function withSecrets<T>(run: () => T): T {
    Object.assign(process.env, SECRETS);
    try {
      return run();
    } finally {
      for (const name of Object.keys(SECRETS)) {
        delete process.env[name];
      }
    }
  }

  test('renderers get what they need, and nothing else', () => {
    const folder = new Folder({
      ...OVERLAY,
      ...chart(),
      ...declared('{ kustomize: overlay }, { helm: { chart: shop } }'),
      [KUSTOMIZATION]: 'resources: [svc.yaml]\n',
      log: '',
    });
    const printing = `/usr/bin/env >> ${folder.path}/log; cat "${folder.path}/overlay/svc.yaml"`;
    withSecrets(() => said(folder, ['check'], { kustomize: printing, helm: printing }));
    const names = folder
      .read('log')
      .split('\n')
      .flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    const known =
      'PATH HOME USERPROFILE TMPDIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME HELM_PLUGINS KUSTOMIZE_PLUGIN_HOME HTTP_PROXY HTTPS_PROXY GIT_ALLOW_PROTOCOL GIT_TERMINAL_PROMPT LC_ALL'.split(
        ' ',
      );
    // those of the shell that runs the script
    const ofShell = ['PWD', 'OLDPWD', 'SHLVL', '_'];
    expect([...new Set(names)].filter((name) => !known.includes(name) && !ofShell.includes(name))).toEqual([]);
    expect(names.filter((name) => name === 'GIT_ALLOW_PROTOCOL')).toHaveLength(2);
    expect(folder.read('log')).not.toContain('hunter2');
  });

  test('kustomize puts no variable of it into an object', () => {
    const folder = new Folder({
      ...OVERLAY,
      [KUSTOMIZATION]: `resources: [svc.yaml]
configMapGenerator: [{ name: secrets, envs: [secrets.env] }]
replacements:
  - source: { kind: ConfigMap, name: secrets, fieldPath: data.GITHUB_TOKEN }
    targets: [{ select: { kind: Service }, fieldPaths: ['metadata.annotations.[service.beta.kubernetes.io/aws-load-balancer-scheme]'] }]
`,
      'overlay/secrets.env': 'GITHUB_TOKEN\nOTHER=1\n',
    });
    const { out } = withSecrets(() => said(folder, ['check', '--format', 'json']));
    expect(JSON.parse(out).findings.map(({ ruleId, value }: Record<string, string>) => [ruleId, value])).toEqual([
      ['annotation-value-invalid', ''],
    ]);
    expect(out).not.toContain('hunter2');
  });

  test('no folder of a run is left', () => {
    const folder = new Folder({ ...OVERLAY, [KUSTOMIZATION]: 'resources: [svc.yaml]\n', log: '' });
    const kustomize = `echo "$HOME" >> ${folder.path}/log; ${BUILT.kustomize}`;
    expect(said(folder, ['check'], { kustomize }).code).toBe(0);
    const [home] = folder.read('log').split('\n');
    expect(home).toContain('load-balancers-');
    expect(existsSync(home)).toBe(false);
  });
});
