import { type FileTexts, service } from '../cli/diff/repository';
import { type Random, randomOf } from '../support/random';
import { PLATFORM, platform, said } from './harness';

// What is no source of a cluster changes no result and no exit code.

/** Names of files with what is in them: none of these is read by a renderer where it is put. */
const FILES: Readonly<Record<string, string>> = {
  'service.yaml': service('stray', { namespace: 'edge', scheme: 'internet-facing' }),
  'echo.json': JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo', namespace: 'edge' } }),
  'broken.yaml': 'a: [b\n',
  'template.yaml': '{{ if .Values.a }}\nkind: Service\n{{ end }}\n',
  'values.yaml': 'scheme: internet-facing\n',
  'controller.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: cloud-controller-manager, namespace: kube-system }\nspec: { template: { spec: { containers: [{ image: registry.k8s.io/provider-aws/cloud-controller-manager:v1.30.0 }] } } }\n',
  'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: a, labels: { eks.amazonaws.com/nodegroup: other } }\n',
  'application.yaml':
    'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { source: { path: overlays/eks-prod }, destination: { name: other } }\n',
  'README.md': '# Title\n',
  'main.tf': 'resource "aws_lb" "edge" {}\n',
  'package.json': '{ "name": "stray" }\n',
  Dockerfile: 'FROM scratch\n',
  '.env': 'A=1\n',
  'image.png': '\u0089PNG\r\n\u0000',
};

/** The same, in a folder of their own. */
const FOLDERS: readonly FileTexts[] = [
  { 'Chart.yaml': 'apiVersion: v2\nname: stray\nversion: 1.0.0\n', 'templates/service.yaml': service('stray') },
  { 'kustomization.yaml': 'resources: [../../base/edge]\n' },
  { 'kustomization.yaml': 'resources: [none.yaml]\n' },
  { 'kustomization.yaml': 'kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n' },
];

/** Folders that are no sources, or whose other files a source does not read. */
const PLACES = [
  ...['', 'docs', 'terraform', 'values', 'argocd/apps', 'clusters/prod-aks', 'tools/demo/templates', 'new/folder'],
  ...['base', 'base/edge', 'overlays', 'overlays/eks-prod', 'components/aws-internal', 'charts', 'kafka/testdata'],
  ...['.github/workflows', 'node_modules/a'],
];

/** Files of the repository that are no sources. */
const OTHERS = Object.keys(PLATFORM).filter((file) =>
  /^(README|package|docs|terraform|argocd|clusters|tools)/.test(file),
);

function changeOf(random: Random): FileTexts {
  const kind = random(['file', 'file', 'file', 'folder', 'edit', 'removal']);
  const folder = random(PLACES);
  const name = random(Object.keys(FILES));
  const at = (file: string) => (folder === '' ? file : `${folder}/${file}`);
  const other = random(OTHERS);
  switch (kind) {
    case 'file':
      return PLATFORM[at(name)] === undefined ? { [at(name)]: FILES[name] } : {};
    case 'folder': {
      const files = Object.entries(random(FOLDERS));
      return Object.fromEntries(files.map(([file, text]) => [at(`stray/${file}`), text]));
    }
    case 'edit':
      return { [other]: `${PLATFORM[other]}${FILES[name]}` };
    default:
      return { [other]: undefined };
  }
}

// on one day, since the results are compared with those of a run before
const COMMANDS = [
  'check --date 2026-06-30 --format json',
  'list --format json',
  'report --date 2026-06-30 --format json',
  'diff --git main --date 2026-06-30 --format json',
];

/** What each command prints, and how it ends. */
function results(files: FileTexts): unknown {
  const repository = platform(files);
  return COMMANDS.map((command) => {
    const { out, error, code } = said(repository, command.split(' '));
    return { command, code, error, out };
  });
}

const CHANGES = 12;
const unchanged = results({});

test.each([1, 2, 3, 4, 5, 6])('seed %i', (seed) => {
  const random = randomOf(seed);
  const files: FileTexts = Object.assign({}, ...Array.from({ length: CHANGES }, () => changeOf(random)));
  expect({ files, results: results(files) }).toEqual({ files, results: unchanged });
});

test('a source that changes is noticed', () => {
  expect(results({ 'values/shop.yaml': 'port: 8443\n' })).not.toEqual(unchanged);
});
