import { RENDERERS, withPrograms } from '../../support/programs-on-path';
import { Repository, service } from '../diff/repository';

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
