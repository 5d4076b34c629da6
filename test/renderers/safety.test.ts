import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type FileTexts, Folder, service } from '../cli/diff/repository';
import { casesIn, titled } from '../support/yaml-cases';
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
  const function_ = { 'config.kubernetes.io/function': `${how}\n` };
  const plugin = {
    apiVersion: 'example.com/v1',
    kind: 'Generator',
    metadata: { name: 'generator', annotations: function_ },
  };
  return { ...RUN, [KUSTOMIZATION]: 'generators: [generator.yaml]\n', 'overlay/generator.yaml': stringify(plugin) };
}

interface Row {
  readonly title: string;
  readonly source?: string;
  readonly overlay?: string;
  readonly resources?: string;
  readonly generator?: string;
  readonly runs?: true;
  readonly chart?: string;
  readonly files?: Readonly<Record<string, string | { readonly service: string }>>;
  readonly tells: RegExp;
}

function filesOf({ source, overlay, resources, generator: how, runs, chart: name, files = {} }: Row): FileTexts {
  const kustomization = resources === undefined ? overlay : `resources: ['${resources}']\n`;
  return {
    ...(source === undefined ? OVERLAY : declared(source)),
    ...(kustomization !== undefined && { [KUSTOMIZATION]: kustomization }),
    ...(how !== undefined && generator(how)),
    ...(name !== undefined && chart({}, name)),
    ...(runs && RUN),
    ...Object.fromEntries(
      Object.entries(files).map(([file, text]) => [file, typeof text === 'string' ? text : service(text.service)]),
    ),
  };
}

const ROWS: readonly Row[] = casesIn(__dirname, 'safety.yaml').rows;

test.each(titled(ROWS))('%s: nothing runs, and the reason is told', (_, row) => {
  const folder = new Folder(filesOf(row));
  const start = Date.now();
  const { out, error, code } = said(folder, ['check']);
  expect(`${out}${error}`.replace(/\n\s+/g, ' ')).toMatch(row.tells);
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
