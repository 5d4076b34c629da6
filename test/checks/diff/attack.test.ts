import { CONTEXT, Folder, service } from './repository';

const KUSTOMIZATION = 'resources: [echo.yaml]\npatches: [{ path: patch.yaml, target: { kind: Service } }]\n';
const patch = (value: string) => `- { op: add, path: /metadata/annotations/scheme, value: ${value} }\n`;

describe('what kustomize renders is not what is compared', () => {
  const side = (name: string, more: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries({ 'load-balancers.yaml': CONTEXT, 'echo.yaml': service('echo'), ...more }).map(([file, text]) => [
        `${name}/${file}`,
        text,
      ]),
    );

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string | undefined]>([
    [
      'a patch that is no object',
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internal') },
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internet-facing') },
      'patch in patch.yaml',
    ],
    [
      'the same patch',
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internal') },
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internal') },
      undefined,
    ],
    [
      'a kustomization without an ending',
      { Kustomization: 'resources: [echo.yaml]\n' },
      { Kustomization: 'resources: [echo.yaml]\nnamePrefix: x-\n' },
      'kustomization Kustomization',
    ],
  ])('%s', (_, before, after, title) => {
    const outcomes = new Folder({ ...side('old', before), ...side('new', after) }).outcomes('old', 'new');
    expect(outcomes).toEqual({ 'edge/echo': title ? 'unknown' : 'kept', ...(title && { [title]: 'unknown' }) });
  });

  const both = (files: Readonly<Record<string, string>>, of: string) =>
    Object.fromEntries(
      Object.entries({ 'load-balancers.yaml': CONTEXT, ...files }).map(([file, text]) => [`${of}/${file}`, text]),
    );
  const TREE = {
    'base/echo.yaml': service('echo'),
    'base/web.yaml': service('web'),
    'base/kustomization.yaml': 'resources: [echo.yaml, web.yaml]\n',
    'parts/internal/kustomization.yaml': 'kind: Component\n',
    'prod/kustomization.yaml': 'resources: [../base]\ncomponents: [../parts/internal]\n',
    'other/mail.yaml': service('mail'),
  };

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing', {}, []],
    ['a file that is listed no more', { 'base/kustomization.yaml': 'resources: [web.yaml]\n' }, ['edge/echo']],
    [
      'one more file',
      {
        'base/kustomization.yaml': 'resources: [echo.yaml, web.yaml, amqp.yaml]\n',
        'base/amqp.yaml': service('amqp'),
      },
      [],
    ],
    [
      'a namespace of the overlay',
      { 'prod/kustomization.yaml': `namespace: shop\n${TREE['prod/kustomization.yaml']}` },
      ['edge/echo', 'edge/web'],
    ],
    [
      'a patch in a component',
      { 'parts/internal/kustomization.yaml': 'kind: Component\npatches: [{ patch: "{}" }]\n' },
      ['edge/echo', 'edge/web'],
    ],
    [
      'images alone',
      { 'prod/kustomization.yaml': `images: [{ name: a, newTag: b }]\n${TREE['prod/kustomization.yaml']}` },
      [],
    ],
    ['a kustomization that is new and only lists', { 'other/kustomization.yaml': 'resources: [mail.yaml]\n' }, []],
    [
      'a kustomization that is new and renames',
      { 'other/kustomization.yaml': 'namePrefix: a-\nresources: [mail.yaml]\n' },
      ['edge/mail'],
    ],
  ])('no balancer is kept that it reaches: %s', (_, more, reached) => {
    const folder = new Folder({ ...both(TREE, 'old'), ...both({ ...TREE, ...more }, 'new') });
    const { changes } = folder.json('old', 'new');
    const unknown = changes.filter(({ outcome, before, after }) => outcome === 'unknown' && before && after);
    expect(unknown.map(({ title }) => title).filter((title) => title.startsWith('edge/'))).toEqual(reached);
    expect(changes.filter(({ outcome }) => outcome === 'kept')).toHaveLength(3 - reached.length);
  });

  test('what one kustomization reaches is told once', () => {
    const renamed = { ...TREE, 'prod/kustomization.yaml': `namePrefix: a-\n${TREE['prod/kustomization.yaml']}` };
    const { out } = new Folder({ ...both(TREE, 'old'), ...both(renamed, 'new') }).diff(['old', 'new']);
    expect(out).toContain('UNKNOWN      edge/echo and 1 more\n    also     edge/web\n  kustomization (');
    expect(out.match(/what it renders of the file changes/g)).toHaveLength(1);
  });

  test('a cluster has what kustomize made of the files', () => {
    const live = service('echo').replace('  name: echo\n', '  name: echo\n  uid: 1-2\n');
    const files = { 'load-balancers.yaml': CONTEXT, 'live.yaml': live, 'new/echo.yaml': service('echo') };
    const folder = new Folder(files).write({ 'new/kustomization.yaml': 'namePrefix: a-\nresources: [echo.yaml]\n' });
    expect(folder.outcomes('live.yaml', 'new')['edge/echo']).toBe('unknown');
  });
});

describe('a webhook that may be on gives new Services another owner', () => {
  const context = (webhook: string) => `
controllers:
  - cloud-provider-aws
  - { name: aws-load-balancer-controller, version: 3.5.0${webhook} }
`;
  const classless = (scheme: string) => `
apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
  annotations: { service.beta.kubernetes.io/aws-load-balancer-scheme: ${scheme} }
spec:
  type: LoadBalancer
  selector: { app: echo }
  ports: [{ name: tcp, port: 80 }]
`;
  const side = (name: string, scheme: string, webhook: string) => ({
    [`${name}/load-balancers.yaml`]: context(webhook),
    [`${name}/echo.yaml`]: classless(scheme),
  });

  test.each([
    ['is not spoken of', '', 'unknown'],
    ['is off', ', serviceMutatorWebhook: false', 'kept'],
    ['is on', ', serviceMutatorWebhook: true', 'replaced'],
  ])('where it %s', (_, webhook, outcome) => {
    const folder = new Folder({ ...side('old', 'internal', webhook), ...side('new', 'internet-facing', webhook) });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': outcome });
  });
});

describe('an annotation by which a Service may get another owner', () => {
  const typed = (type: string) => `apiVersion: v1
kind: Service
metadata:
  { name: echo, namespace: edge, annotations: { service.beta.kubernetes.io/aws-load-balancer-type: ${type} } }
spec: { type: LoadBalancer, selector: { app: echo }, ports: [{ port: 443 }] }
`;
  const outcomes = (context: string, before: string, after: string) =>
    new Folder({
      'old/load-balancers.yaml': context,
      'new/load-balancers.yaml': context,
      'old/echo.yaml': typed(before),
      'new/echo.yaml': typed(after),
    }).outcomes('old', 'new');

  test.each([
    ['external', 'nlb'],
    ['nlb', 'external'],
    ['nlb', 'nlb-ip'],
  ])('from %s to %s it is unknown where a webhook may be on', (before, after) => {
    expect(outcomes(CONTEXT, before, after)).toEqual({ 'edge/echo': 'unknown' });
  });

  test('of what nobody balanced nothing is lost', () => {
    expect(outcomes('controllers: [cloud-provider-aws]\n', 'external', 'nlb')).toEqual({ 'edge/echo': 'created' });
  });
});

describe('a file that a kustomization names decides of what it renders', () => {
  test.each([
    ['transformers: [named.yaml]', 'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: { name: a }\nprefix: '],
    ['replacements: [{ path: named.yaml }]', 'source: { kind: ConfigMap }\ntargets: '],
    ['helmCharts: [{ name: a, valuesFile: named.yaml }]', 'port: '],
    ['configurations: [named.yaml]', 'namePrefix: '],
  ])('%s', (field, text) => {
    const files = (side: string, value: string) => ({
      [`${side}/kustomization.yaml`]: `resources: [echo.yaml]\n${field}\n`,
      [`${side}/echo.yaml`]: service('echo'),
      [`${side}/named.yaml`]: `${text}${value}\n`,
    });
    expect(new Folder({ ...files('old', 'a'), ...files('new', 'b') }).outcomes('old', 'new')['edge/echo']).toBe(
      'unknown',
    );
    expect(new Folder({ ...files('old', 'a'), ...files('new', 'a') }).outcomes('old', 'new')['edge/echo']).toBe('kept');
  });

  test('a folder of transformers', () => {
    const files = (side: string, value: string) => ({
      [`${side}/apps/kustomization.yaml`]: 'resources: [echo.yaml]\ntransformers: [../parts]\n',
      [`${side}/apps/echo.yaml`]: service('echo'),
      [`${side}/parts/kustomization.yaml`]: 'resources: [prefix.yaml]\n',
      [`${side}/parts/prefix.yaml`]: `apiVersion: builtin\nkind: PrefixTransformer\nmetadata: { name: a }\nprefix: ${value}\n`,
    });
    expect(new Folder({ ...files('old', 'a'), ...files('new', 'b') }).outcomes('old', 'new')['edge/echo']).toBe(
      'unknown',
    );
    expect(new Folder({ ...files('old', 'a'), ...files('new', 'a') }).outcomes('old', 'new')['edge/echo']).toBe('kept');
  });

  test('a namespace with the name of a folder is no folder', () => {
    const files = (side: string, port: number) => ({
      [`${side}/kustomization.yaml`]: 'resources: [edge, web.yaml]\nnamespace: edge\n',
      [`${side}/web.yaml`]: service('web'),
      [`${side}/edge/kustomization.yaml`]: 'resources: [echo.yaml]\n',
      [`${side}/edge/echo.yaml`]: service('echo', { port }),
    });
    const folder = new Folder({ ...files('old', 80), ...files('new', 81) });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'interrupted', 'edge/web': 'kept' });
  });

  test('what is generated is copied into Services', () => {
    const files = (side: string, value: string) => ({
      [`${side}/kustomization.yaml`]: `resources: [echo.yaml]\nreplacements: [{}]\nconfigMapGenerator: [{ name: a, literals: [a=${value}] }]\n`,
      [`${side}/echo.yaml`]: service('echo'),
    });
    expect(new Folder({ ...files('old', 'a'), ...files('new', 'b') }).outcomes('old', 'new')['edge/echo']).toBe(
      'unknown',
    );
  });
});

test.each([
  ['is filled in later', 'internal', '$(SCHEME)', 'unknown'],
  ['was filled in', '$(SCHEME)', 'internal', 'unknown'],
  ['is another variable', '$SCHEME', '$(SCHEME)', 'unknown'],
  ['is the same variable', '$(SCHEME)', '$(SCHEME)', 'kept'],
  ['is written on both sides', 'internal', 'internet-facing', 'replaced'],
])('what a value does that %s', (_, before, after, outcome) => {
  const folder = new Folder({
    'load-balancers.yaml': CONTEXT,
    'old/echo.yaml': service('echo', { scheme: before }),
    'new/echo.yaml': service('echo', { scheme: after }),
  });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': outcome });
});
