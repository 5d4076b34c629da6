import type { DiffJson } from '../../../src/checks/diff/diff-report';
import { run } from '../../support/command';
import { RENDERERS, withPrograms } from '../../support/programs-on-path';
import { type FileTexts, Folder, Repository, service } from '../diff/repository';

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

test.each<[string, FileTexts, string]>([
  [
    'a patch of the same name',
    {
      [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.yaml }]\n',
      'overlay/p.yaml': patch('echo', 'wrong'),
    },
    'overlay/p.yaml:6:5',
  ],
  [
    'a patch of an older field',
    {
      [KUSTOMIZATION]: 'resources: [../base]\npatchesStrategicMerge: [p.yaml]\n',
      'overlay/p.yaml': patch('echo', 'wrong'),
    },
    'overlay/p.yaml:6:5',
  ],
  [
    'a patch of a target, which has any name',
    {
      [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.yaml, target: { kind: Service } }]\n',
      'overlay/p.yaml': patch('every', 'wrong'),
    },
    'overlay/p.yaml:6:5',
  ],
  [
    'a patch of another object',
    { [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.yaml }]\n', 'overlay/p.yaml': patch('api', 'wrong') },
    `${KUSTOMIZATION}:1:1`,
  ],
  [
    'an operation of a JSON patch',
    {
      [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.yaml, target: { kind: Service } }]\n',
      'overlay/p.yaml': `- op: remove\n  path: /spec/x\n- op: replace\n  path: /metadata/annotations/${SCHEME.replace('/', '~1')}\n  value: wrong\n`,
    },
    'overlay/p.yaml:5:3',
  ],
  [
    'an operation on the map around it',
    {
      [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.json, target: { kind: Service } }]\n',
      'overlay/p.json': `[{ "op": "add", "path": "/metadata/annotations", "value": {\n  "${SCHEME}": "wrong" } }]\n`,
    },
    'overlay/p.json:2:3',
  ],
  [
    'two patches with the same value',
    {
      [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.yaml }, { path: q.yaml }]\n',
      'overlay/p.yaml': patch('echo', 'wrong'),
      'overlay/q.yaml': patch('echo', 'wrong'),
    },
    `${KUSTOMIZATION}:1:1`,
  ],
])('the place of a field is in %s', (_, files, place) => {
  const folder = new Folder(overlay(WRONG, files));
  expect(placesIn(folder, 'annotation-value')).toEqual([place]);
});

test('of two names in a name with a prefix, the longer one counts', () => {
  const files = {
    [KUSTOMIZATION]: 'namePrefix: new-\nresources: [../base]\n',
    'base/svc.yaml': `${service('echo', { scheme: 'wrong' })}---\n${service('echo-api', { scheme: 'wrong' })}`,
  };
  const rendered = service('new-echo-api', { scheme: 'wrong' });
  expect(placesIn(new Folder(overlay(rendered, files)), 'annotation-value')).toEqual(['base/svc.yaml:21:5']);
});

test('a field that is missing is in the object, and not in its patches', () => {
  const files = {
    [KUSTOMIZATION]: 'resources: [../base]\npatches: [{ path: p.yaml }]\n',
    'overlay/p.yaml': `${patch('echo', 'internal')}spec: { sessionAffinity: None }\n`,
  };
  const rendered = service('echo').replace('  ports: [{ port: 443 }]\n', '  sessionAffinity: None\n');
  expect(placesIn(new Folder(overlay(rendered, files)), 'service-ports')).toEqual(['base/svc.yaml:9:1']);
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
