import { LoadBalancerValidation } from '../../../src';
import { RENDERERS, run, withPrograms } from '../../support/command';
import { table } from '../../support/yaml-cases';
import { CONTEXT, type FileTexts, Folder, Repository, service } from '../diff/repository';

const AZURE = 'controllers: [cloud-provider-azure]\n';

function azure(name: string, more = ''): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: edge
  annotations: { service.beta.kubernetes.io/azure-load-balancer-internal: 'true' }
  finalizers: [service.kubernetes.io/load-balancer-cleanup]
spec: { type: LoadBalancer, selector: { app: ${name} }, ports: [{ port: 443 }]${more} }
`;
}

interface Said {
  readonly code: number;
  readonly error: string;
  readonly out: string;
}

/** Runs a command in a folder of these files, with renderers that print a file. */
function said(files: FileTexts, args: readonly string[], programs: Readonly<Record<string, string>> = RENDERERS): Said {
  const folder = new Folder(files);
  const before = process.cwd();
  process.chdir(folder.path);
  try {
    return withPrograms(programs, () => run(...args));
  } finally {
    process.chdir(before);
  }
}

const json = (files: FileTexts, ...args: string[]) => JSON.parse(said(files, [...args, '--format', 'json']).out);

const TWO_CLOUDS = {
  'eks/load-balancers.yaml': CONTEXT,
  'eks/svc.yaml': service('echo'),
  'aks/load-balancers.yaml': AZURE,
  'aks/svc.yaml': azure('api'),
};

describe('each manifest belongs to the nearest context file', () => {
  test.each([[['.']], [['eks', 'aks']], [['aks', 'eks']], [['aks/svc.yaml', 'eks/svc.yaml']]])('%j', (paths) => {
    const { code, out } = said(TWO_CLOUDS, ['check', ...paths]);
    expect(out).toContain('0 errors, 0 warnings in 2 objects');
    expect(code).toBe(0);
  });

  test('and one that is above the others has the rest', () => {
    const files = { ...TWO_CLOUDS, 'load-balancers.yaml': AZURE, 'web.yaml': azure('web') };
    expect(said(files, ['check']).out).toContain('0 errors, 0 warnings in 3 objects');
    const owners = JSON.parse(said(files, ['list', '--format', 'json']).out).map(
      ({ cluster, name, owner }: Record<string, string>) => [cluster, name, owner],
    );
    expect(owners.sort()).toEqual([
      ['.', 'web', 'cloud-provider-azure'],
      ['aks', 'api', 'cloud-provider-azure'],
      ['eks', 'echo', 'aws-load-balancer-controller'],
    ]);
  });

  test('objects of two clusters are never compared', () => {
    const files = { ...TWO_CLOUDS, 'aks/svc.yaml': azure('echo') };
    expect(json(files, 'check').findings).toEqual([]);
  });

  test('findings name their cluster in every format', () => {
    const files = { ...TWO_CLOUDS, 'aks/svc.yaml': azure('api', ', externalTrafficPolicy: local') };
    const { code, out } = said(files, ['check']);
    expect(code).toBe(1);
    expect(out).toContain('aks/svc.yaml:8:77  Service edge/api in aks');
    expect(json(files, 'check').findings.map(({ cluster }: { cluster: string }) => cluster)).toEqual(['aks']);
    const [result] = JSON.parse(said(files, ['check', '--format', 'sarif']).out).runs[0].results;
    expect(result.properties.cluster).toBe('aks');
    expect(said(files, ['check', '--format', 'junit']).out).toContain('classname="aks: Service edge/api"');
    expect(said(files, ['check', '--format', 'github']).out).toContain('Service edge/api in aks');
  });
});

describe('a path of one of several clusters', () => {
  const files = {
    'load-balancers.yaml': `clusters:
  - { name: eks, controllers: [aws-load-balancer-controller], sources: [{ files: [a] }] }
  - { name: aks, controllers: [cloud-provider-azure], sources: [{ files: [b] }] }
`,
    'a/svc.yaml': service('echo'),
    'b/svc.yaml': azure('api', ', externalTrafficPolicy: local'),
  };

  test.each(['check', 'list', 'report'])('%s says nothing of the others', (command) => {
    expect(said(files, [command, 'a']).out).not.toMatch(/aks|api|azure/);
    expect(said(files, [command, 'b']).out).not.toMatch(/eks|echo|aws/);
  });

  test('keeps the name of its cluster in every format', () => {
    const { findings, context } = json(files, 'check', 'b');
    expect([...findings, ...context].map(({ cluster }: { cluster: string }) => cluster)).toEqual(['aks', 'aks']);
    expect(json(files, 'list', 'b').map(({ cluster }: { cluster: string }) => cluster)).toEqual(['aks']);
  });

  test('a list of all ends with the totals', () => {
    expect(said(files, ['list']).out).toMatch(/\n\n2 clusters: 2 load balanced Services, 1 error, 0 warnings\n$/);
    expect(said(files, ['list', 'a']).out).not.toContain('clusters:');
  });
});

test('a guess that rests on an option of a known controller asks for the option', () => {
  const classless = service('echo')
    .replace(/ +loadBalancerClass:.*\n/, '')
    .replace(/, loadBalancerClass: [^,}]*/, '');
  const { out } = said(
    { 'load-balancers.yaml': 'controllers: [aws-load-balancer-controller]\n', 'a.yaml': classless },
    ['check'],
  );
  expect(out).toContain('set serviceMutatorWebhook of aws-load-balancer-controller');
  expect(out).toContain(
    '1 warning would be an error if the cluster were known; write into load-balancers.yaml what the',
  );
});

const SEVERAL = {
  'load-balancers.yaml': `clusters:
  - name: prod-eks
    kubernetes: '1.36'
    controllers: [aws-load-balancer-controller, cloud-provider-aws]
    sources:
      - kustomize: overlays/eks
      - helm: { chart: charts/shop, namespace: shop, values: [prod.yaml] }
      - files: [dist]
  - name: prod-aks
    controllers: [cloud-provider-azure]
    sources: [{ kustomize: overlays/aks }]
exclude: ['**/testdata/**']
`,
  'base/kustomization.yaml': 'resources: [svc.yaml]\n',
  'base/svc.yaml': service('echo'),
  'overlays/eks/kustomization.yaml': 'resources: [../../base]\n',
  'overlays/eks/rendered.yaml': service('echo'),
  'overlays/aks/kustomization.yaml': 'resources: [../../base]\n',
  'overlays/aks/rendered.yaml': azure('echo'),
  'charts/shop/Chart.yaml': 'name: shop\n',
  'charts/shop/templates/svc.yaml': 'kind: {{ .Values.kind }}\n  externalTrafficPolicy: {{ .Values.policy }}\n',
  'charts/shop/rendered.yaml': `---\n# Source: shop/templates/svc.yaml\n${service('shop', { namespace: 'shop' })}`,
  'prod.yaml': 'kind: Service\n',
  'dist/svc.yaml': service('dist'),
  'dist/testdata/svc.yaml': service('testdata'),
  'stray.yaml': service('stray'),
};

describe('clusters with sources', () => {
  test('have what is rendered and applied, and nothing else', () => {
    const found = JSON.parse(said(SEVERAL, ['list', '--format', 'json']).out);
    expect(
      found.map(({ cluster, namespace, name }: Record<string, string>) => `${cluster} ${namespace}/${name}`),
    ).toEqual(['prod-eks edge/dist', 'prod-eks edge/echo', 'prod-eks shop/shop', 'prod-aks edge/echo']);
    expect(said(SEVERAL, ['check']).code).toBe(0);
  });

  test('have the places of the files that are edited, in list, explain, report and what is inferred', () => {
    const places = [
      'base/svc.yaml:1',
      'charts/shop/templates/svc.yaml:1',
      'dist/svc.yaml:1',
      'dist/testdata/svc.yaml:1',
    ];
    const { 'load-balancers.yaml': declared, ...files } = SEVERAL;
    const [eks] = declared.split('  - name: prod-aks');
    const guessed = { ...files, 'load-balancers.yaml': eks.replace(/ {4}controllers.*\n/, '') };
    const placesOf = (all: Record<string, unknown>[]) =>
      all.map(({ file, line, place }) => place ?? `${file}:${line}`).sort();
    expect(placesOf(json(guessed, 'list'))).toEqual(places);
    expect(placesOf(json(guessed, 'report').balancers)).toEqual(places);
    expect(said(guessed, ['explain', 'shop/shop']).out).toContain(
      'Service shop/shop  (charts/shop/templates/svc.yaml:1)',
    );
    expect(said(guessed, ['explain', '--trace', 'edge/echo']).out).toContain('Service edge/echo  (base/svc.yaml:1)');
    expect(said(guessed, ['list']).out).toMatch(/^inferred: .*in (base|charts|dist)[^ ]*svc.yaml:1/);
  });

  test('one of them is chosen', () => {
    expect(said(SEVERAL, ['check', '--cluster', 'prod-aks']).out).toContain('in 1 object');
    expect(said(SEVERAL, ['check', '--cluster', 'prod']).error).toBe(
      '--cluster prod is unknown; known are prod-eks, prod-aks\n',
    );
  });

  test('a path is for the sources in it and around it', () => {
    expect(json(SEVERAL, 'check', 'overlays/aks').summary.objects).toBe(1);
    expect(json(SEVERAL, 'check', 'overlays').summary.objects).toBe(2);
    expect(json(SEVERAL, 'check', 'dist/svc.yaml').summary.objects).toBe(1);
    const stray = said(SEVERAL, ['check', 'stray.yaml']);
    expect(stray).toMatchObject({ code: 2, out: '' });
    expect(stray.error).toBe(
      'stray.yaml is in no source of the clusters in load-balancers.yaml; name its cluster: --cluster prod-eks | prod-aks\n',
    );
    expect(said(SEVERAL, ['check', 'stray.yaml', '--cluster', 'prod-eks']).out).toContain('in 1 object');
  });

  test('a finding is where its field is written, and names the source', () => {
    const wrong = service('echo').replace('internal', 'intern');
    const files = { ...SEVERAL, 'base/svc.yaml': wrong, 'overlays/eks/rendered.yaml': wrong };
    const [finding] = json(files, 'check').findings;
    expect(finding).toMatchObject({
      cluster: 'prod-eks',
      object: { name: 'echo', renderedFrom: 'overlays/eks' },
      place: { file: 'base/svc.yaml', line: 7 },
    });
    expect(said(files, ['check']).out).toContain('rendered from overlays/eks');
  });

  test('a field that the kustomization itself writes is there', () => {
    const rendered = service('echo').replace('internal', 'intern');
    const [finding] = json({ ...SEVERAL, 'overlays/eks/rendered.yaml': rendered }, 'check').findings;
    expect(finding.place).toEqual({ file: 'overlays/eks/kustomization.yaml', line: 1, column: 1 });
  });

  test('a field of a template is in the only line with its key', () => {
    const wrong = SEVERAL['charts/shop/rendered.yaml'].replace('spec:\n', 'spec:\n  externalTrafficPolicy: local\n');
    const [finding] = json({ ...SEVERAL, 'charts/shop/rendered.yaml': wrong }, 'check').findings;
    expect(finding.place).toEqual({ file: 'charts/shop/templates/svc.yaml', line: 2, column: 3 });
    expect(finding.object).toMatchObject({ renderedFrom: 'charts/shop', template: 'shop/templates/svc.yaml' });
  });

  test('the namespace of a chart is not known without a declaration', () => {
    const rendered = `---\n# Source: shop/templates/svc.yaml\n${service('shop', { namespace: 'default' })}`;
    const files = { ...SEVERAL, 'charts/shop/rendered.yaml': rendered };
    const { 'load-balancers.yaml': declared, ...bare } = files;
    const namespacesOf = (all: FileTexts) =>
      json(all, 'list').flatMap(({ name, namespace }: Record<string, string>) =>
        name === 'shop' ? [namespace ?? 'unknown'] : [],
      );
    expect(namespacesOf(bare)).toEqual(['unknown']);
    const without = declared.replace('namespace: shop, ', '');
    expect(namespacesOf({ ...bare, 'load-balancers.yaml': without })).toEqual(['default']);
  });

  test('Helm gives the namespace of the release to objects without one', () => {
    const bare = SEVERAL['charts/shop/rendered.yaml'].replace('  namespace: shop\n', '');
    expect(said({ ...SEVERAL, 'charts/shop/rendered.yaml': bare }, ['list']).out).toContain(
      'shop/shop  aws-load-balancer-controller',
    );
  });

  test('what is accepted in all of them need not be found in each', () => {
    const entry = 'accepted: [{ rule: traffic-policy-unknown, object: edge/echo, reason: known }]\n';
    const wrong = azure('echo', ', externalTrafficPolicy: local');
    const files = { ...SEVERAL, 'load-balancers.yaml': SEVERAL['load-balancers.yaml'] + entry };
    const { findings, notes } = json({ ...files, 'overlays/aks/rendered.yaml': wrong }, 'check');
    expect([findings.length, findings[0].accepted.reason, notes]).toEqual([1, 'known', []]);
    expect(json(files, 'check').notes).toEqual([expect.stringContaining('no longer found; remove the entry')]);
  });
});

describe('a source that cannot be rendered', () => {
  test.each<[string, { kustomize?: string; helm?: string }, string]>(table('cli/sources/clusters.yaml', 'bad usage'))(
    '%s is bad usage, with the place of the source',
    (_, programs, message) => {
      const { code, out } = said(SEVERAL, ['check'], programs);
      expect(code).toBe(2);
      expect(out).toMatch(/load-balancers\.yaml:\d+:\d+ {2}cannot be rendered/);
      expect(out.replace(/\n\s+/g, ' ')).toContain(message);
      expect(said(SEVERAL, ['list'], programs).code).toBe(2);
      expect(said(SEVERAL, ['report'], programs).code).toBe(2);
    },
  );

  test('kubectl renders where kustomize is not there', () => {
    const { kustomize, helm } = RENDERERS;
    expect(said(SEVERAL, ['check'], { kubectl: kustomize, helm }).code).toBe(0);
  });

  test('renderers get no secret of the environment, and no network', () => {
    process.env.A_TOKEN = 'hunter2';
    const printing = {
      ...RENDERERS,
      kustomize: 'echo "Error: $A_TOKEN, $HTTPS_PROXY, $GIT_ALLOW_PROTOCOL" >&2; exit 1',
    };
    const { out } = said(SEVERAL, ['check'], printing);
    delete process.env.A_TOKEN;
    expect(out.replace(/\n\s+/g, ' ')).toContain('kustomize fails: , http://127.0.0.1:9, none');
  });
});

describe('without clusters in a file', () => {
  const { 'load-balancers.yaml': _, 'stray.yaml': __, ...files } = SEVERAL;

  test('kustomizations and charts are looked for, and the rest is applied as it is', () => {
    const { notes, summary } = json(files, 'check');
    expect(summary.objects).toBe(5);
    expect(notes[0]).toBe(
      'assumed that one cluster gets 2 kustomizations (overlays/aks, overlays/eks), 1 chart with default values (charts/shop), 3 other files; declare clusters and sources in load-balancers.yaml',
    );
  });

  test('a source that cannot be rendered is a note', () => {
    const { code, out } = said(files, ['check', 'overlays', 'charts'], {});
    expect(code).toBe(0);
    const notes = out.replace(/\n\s+/g, ' ');
    expect(notes).toContain('overlays/aks, overlays/eks are not rendered, so their objects are not known: neither');
    expect(notes).toContain('charts/shop is not rendered, so its objects are not known: helm is not in PATH');
    const strict = (...args: string[]) => said(files, [...args, '--strict'], {}).code;
    expect(strict('check', 'overlays')).toBe(1);
    expect(strict('list', 'overlays')).toBe(1);
    expect(strict('report', 'overlays')).toBe(1);
    expect(strict('diff', 'overlays', 'charts')).toBe(1);
    expect(strict('diff', '.', '.')).toBe(1);
  });

  test('patterns leave files out', () => {
    expect(json(files, 'check', '--exclude', 'testdata', '--exclude', '/overlays').summary.objects).toBe(2);
  });
});

test('a synth names the cluster of its app', async () => {
  const folder = new Folder(SEVERAL);
  const told = async (properties: object) => {
    const said: string[] = [];
    await new LoadBalancerValidation({ config: `${folder.path}/load-balancers.yaml`, ...properties }).validate({
      manifests: [`${folder.path}/dist/svc.yaml`],
      report: { addViolation: (one) => said.push(JSON.stringify(one)), submit: (status) => said.push(status) },
    });
    return said.join('\n');
  };
  expect(await told({ cluster: 'prod-eks' })).toBe('success');
  expect(await told({})).toContain('write cluster: prod-eks or prod-aks in properties');
  expect(await told({ cluster: 'prod' })).toContain('failure');
});

test('one object of two overlays of one cluster is a warning, with a remedy', () => {
  const { 'load-balancers.yaml': _, ...files } = SEVERAL;
  const { findings } = JSON.parse(said(files, ['check', '--format', 'json']).out);
  const [found] = findings.filter((one: { ruleId: string }) => one.ruleId === 'object-duplicate-in-sources');
  expect(found).toMatchObject({
    level: 'warning',
    what: expect.stringContaining('also rendered from overlays/aks,'),
  });
  expect(found.remedy).toContain('set clusters');
});

describe('the first file', () => {
  const initial = (files: FileTexts) => {
    const folder = new Folder(files);
    const before = process.cwd();
    process.chdir(folder.path);
    try {
      const { out } = withPrograms(RENDERERS, () => run('check', '--init'));
      return { out, text: folder.read('load-balancers.yaml'), check: withPrograms(RENDERERS, () => run('check')) };
    } finally {
      process.chdir(before);
    }
  };
  const { 'load-balancers.yaml': _, ...files } = SEVERAL;

  test('has the sources that were discovered', () => {
    const { out, text, check } = initial(files);
    expect(out).toBe('load-balancers.yaml is written for 3 clusters: aks, eks, main\n');
    for (const name of ['aks', 'eks']) {
      expect(text).toContain(`  - name: ${name}\n    sources:\n      - kustomize: overlays/${name}\n    #`);
    }
    expect(text).toContain('  - name: main\n    sources:\n      - helm: { chart: charts/shop }\n');
    expect(check.error).toBe('');
  });

  test('has the clusters of Argo CD and Flux with what is applied to them', () => {
    const application = (name: string, cluster: string, source: string) =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd }\nspec: { destination: { name: ${cluster}, namespace: shop }, source: ${source} }\n`;
    const { out, text, check } = initial({
      ...files,
      'overlays/dev/kustomization.yaml': 'resources: [../../base]\n',
      'overlays/dev/rendered.yaml': service('dev'),
      'argocd/apps.yaml': [
        application('edge', 'prod-eks', '{ path: overlays/eks }'),
        application('shop', 'prod-eks', '{ path: charts/shop, helm: { valueFiles: [../../prod.yaml] } }'),
      ].join('---\n'),
      'argocd/set.yaml':
        'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: dist }\nspec: { generators: [{ git: { directories: [{ path: dis* }] } }], template: { spec: { destination: { server: https://kubernetes.default.svc }, source: { path: "{{path}}" } } } }\n',
      'clusters/prod-aks/edge.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: edge, namespace: flux-system }\nspec: { path: ./overlays/aks, prune: true }\n',
    });
    expect(out).toBe(
      'load-balancers.yaml is written for 3 clusters: prod-eks, in-cluster, prod-aks\nno object of Argo CD or Flux applies overlays/dev; add each as a source of its cluster\n',
    );
    const head = (name: string) => new RegExp(`  - name: ${name}\\n    sources:\\n((?: {6}- .*\\n)*)`).exec(text)?.[1];
    expect(head('prod-eks')).toBe(
      '      - kustomize: overlays/eks\n      - helm: { chart: charts/shop, namespace: shop, values: [prod.yaml] }\n',
    );
    expect(head('in-cluster')).toBe('      - files: [dist]\n');
    expect(head('prod-aks')).toBe('      - kustomize: overlays/aks\n      - files: [clusters/prod-aks]\n');
    expect(check).toMatchObject({ error: '', code: 0 });
  });

  const kustomization = (name: string, source: string, path: string) =>
    `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\nspec: { sourceRef: { kind: ${source}, name: apps }, path: ${path} }\n`;
  const generator = (from: string) =>
    `apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: { name: flux-system, namespace: flux-system }\nspec: { artifacts: [{ name: apps, copy: [{ from: '@monorepo/${from}/**', to: '@artifact/live/' }] }] }\n`;
  const overlay = (path: string, name: string) => ({
    [`${path}/kustomization.yaml`]: 'resources: [rendered.yaml]\n',
    [`${path}/rendered.yaml`]: service(name),
  });

  test.each<[string, FileTexts, Record<string, string[]>]>([
    [
      'folders of an artifact of Flux',
      {
        ...overlay('apps/east', 'echo'),
        ...overlay('apps/west', 'echo'),
        ...overlay('clusters/west/flux-system', 'sync'),
        'clusters/east/apps.yaml': `${kustomization('apps', 'ExternalArtifact', './live')}---\n${generator('apps/east')}`,
        'clusters/west/apps.yaml': `${kustomization('apps', 'ExternalArtifact', './live')}---\n${generator('apps/west')}`,
      },
      {
        east: ['kustomize: apps/east', 'files: [clusters/east]'],
        west: ['kustomize: apps/west', 'kustomize: clusters/west/flux-system', "files: ['clusters/west/*.yaml']"],
      },
    ],
    [
      'kustomizations and files of a folder for which Flux writes a kustomization',
      {
        ...overlay('apps/east/echo', 'echo'),
        'apps/east/plain/db.yaml': service('db'),
        'apps/east/api.yaml': service('api'),
        'clusters/east/apps.yaml': kustomization('apps', 'GitRepository', './apps/east'),
      },
      { east: ['kustomize: apps/east/echo', "files: ['apps/east/*.yaml', apps/east/plain]", 'files: [clusters/east]'] },
    ],
    [
      'paths that name a cluster, of which no object says more',
      { ...overlay('clusters/east/edge', 'echo'), ...overlay('apps/echo', 'echo') },
      { main: ['kustomize: apps/echo'], east: ['kustomize: clusters/east/edge'] },
    ],
    [
      'overlays that differ in one folder',
      { ...overlay('live/east/edge', 'echo'), ...overlay('live/west/edge', 'echo'), ...overlay('live/db', 'db') },
      { main: ['kustomize: live/db'], east: ['kustomize: live/east/edge'], west: ['kustomize: live/west/edge'] },
    ],
    [
      'no overlays in folders whose objects of one name are of different kinds',
      {
        ...overlay('live/east', 'echo'),
        ...overlay('live/west', 'db'),
        'live/west/rendered.yaml': service('echo').replace('kind: Service', 'kind: Gateway'),
      },
      { main: ['kustomize: live/east', 'kustomize: live/west'] },
    ],
    [
      'no overlays in folders of different products that render one Service',
      { ...overlay('edge/echo/app', 'echo'), ...overlay('all', 'echo') },
      { main: ['kustomize: all', 'kustomize: edge/echo/app'] },
    ],
  ])('proposes %s', (_, repository, expected) => {
    const { text } = initial(repository);
    const entries = text.split(/^ {2}- name: /m).slice(1);
    const sources = entries.map((one) => [
      one.slice(0, one.indexOf('\n')),
      [...one.matchAll(/^ {6}- (.*)/gm)]
        .map(([, source]) => source)
        .filter((source) => /^(kustomize|files|helm):/.test(source)),
    ]);
    expect(Object.fromEntries(sources)).toEqual(expected);
  });
});

describe('diff', () => {
  test('compares each cluster with itself, as it is rendered', () => {
    const repository = new Repository(SEVERAL);
    repository.write({ 'overlays/eks/rendered.yaml': service('echo', { scheme: 'internet-facing' }) });
    const { clusters } = withPrograms(RENDERERS, () => repository.json('--git', 'main')) as unknown as {
      clusters: Record<string, { changes: { title: string; outcome: string }[] }>;
    };
    const outcomes = Object.entries(clusters).map(([name, { changes }]) => [
      name,
      Object.fromEntries(changes.map(({ title, outcome }) => [title, outcome])),
    ]);
    expect(Object.fromEntries(outcomes)).toEqual({
      'prod-eks': { 'edge/dist': 'kept', 'edge/echo': 'replaced', 'shop/shop': 'kept' },
      'prod-aks': { 'edge/echo': 'kept' },
    });
  });

  test('renders what did not change once', () => {
    const repository = new Repository(SEVERAL);
    repository.write({ 'overlays/eks/rendered.yaml': service('echo', { port: 80 }) });
    const log = new Folder({ log: '' });
    const logging = (script: string) => `echo "$@" >> ${log.path}/log; ${script}`;
    const { kustomize, helm } = RENDERERS;
    const programs = { kustomize: logging(kustomize), helm: logging(helm) };
    withPrograms(programs, () => repository.diff(['--git', 'main']));
    expect(log.read('log').split('\n').filter(Boolean)).toHaveLength(4);
  });

  test.each<[string, FileTexts]>([
    ['documentation', { 'README.md': 'a\n' }],
    ['a manifest that is no source', { 'stray.yaml': service('stray', { port: 80 }) }],
    [
      'a chart that is no source',
      { 'charts/other/Chart.yaml': 'name: other\n', 'charts/other/templates/a.yaml': '{{ a }}' },
    ],
    ['an excluded file', { 'dist/testdata/svc.yaml': undefined }],
    ['the name of a cluster', { 'load-balancers.yaml': SEVERAL['load-balancers.yaml'].replace('prod-aks', 'aks') }],
  ])('%s changes nothing', (_, files) => {
    const repository = new Repository(SEVERAL);
    repository.write(files);
    const { out, code } = withPrograms(RENDERERS, () => repository.diff(['--git', 'main']));
    expect([code, out.match(/\d+ \w+\n(?!.)/g)]).toEqual([0, ['3 kept\n', '1 kept\n']]);
  });

  test('a cluster that is in the file no more loses what is applied to it', () => {
    const repository = new Repository(SEVERAL);
    const text = SEVERAL['load-balancers.yaml'];
    repository.write({ 'load-balancers.yaml': text.replace(/ {2}- name: prod-aks[\s\S]*?(?=exclude)/, '') });
    const { out } = withPrograms(RENDERERS, () => repository.diff(['--git', 'main', '--prune']));
    expect(out).toContain('cluster prod-aks');
    expect(out).toMatch(/DELETED +edge\/echo/);
  });
});

const CLUSTER = (name: string, files: string) =>
  `  - {name: ${name}, controllers: [cloud-provider-azure], sources: [{files: [${files}]}]}\n`;
const LOCAL = azure('api').replace('type: LoadBalancer', 'type: LoadBalancer, externalTrafficPolicy: Local');

describe('one object counts once in its cluster', () => {
  test.each<[string, FileTexts, balancers: number, warnings: number]>([
    ['alike in one folder', { 'a.yaml': azure('api'), 'b.yaml': azure('api') }, 1, 0],
    ['alike in two folders', { 'one/a.yaml': azure('api'), 'two/a.yaml': azure('api') }, 1, 0],
    ['not alike in two folders', { 'one/a.yaml': azure('api'), 'two/a.yaml': LOCAL }, 1, 1],
    ['in folders for two clusters', { 'dev/a.yaml': azure('api'), 'clusters/east/a.yaml': LOCAL }, 2, 0],
    [
      'in folders of one declared cluster',
      {
        'load-balancers.yaml': `clusters:\n${CLUSTER('all', 'dev, prod')}`,
        'dev/a.yaml': azure('api'),
        'prod/a.yaml': LOCAL,
      },
      1,
      1,
    ],
    [
      'in two declared clusters',
      {
        'load-balancers.yaml': `clusters:\n${CLUSTER('a', 'one')}${CLUSTER('b', 'two')}`,
        'one/a.yaml': azure('api'),
        'two/a.yaml': LOCAL,
      },
      2,
      0,
    ],
  ])('%s', (_, written, balancers, warnings) => {
    const files = { 'load-balancers.yaml': AZURE, ...written };
    expect(json(files, 'list')).toHaveLength(balancers);
    const copies = json(files, 'check').findings.filter(
      ({ ruleId }: { ruleId: string }) => ruleId === 'object-duplicate-in-files',
    );
    expect(copies).toHaveLength(warnings);
    const { clusters: reports, ...report } = json(files, 'report');
    const made = Object.values(reports ?? { report }) as { readonly balancers: readonly unknown[] }[];
    expect(made.flatMap((one) => one.balancers)).toHaveLength(balancers);
  });
});
