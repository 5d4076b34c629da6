import { changedFiles, citedFiles } from '../../scripts/facts/changed-files';
import { Checkout } from '../../scripts/facts/checkout';
import { collectedCitations, type PlacedCitation } from '../../scripts/facts/citations';
import { PRODUCTS } from '../../scripts/facts/products';
import { AWS_LBC_CATALOGUE } from '../../src/controllers/aws-load-balancer-controller/annotations';
import { folderWith } from './files';

const all = collectedCitations();
const whoCites = (repository: string) =>
  new Set(all.filter((each) => each.repository === repository).map(({ who }) => who));

describe('citations are data', () => {
  test('with repository, version, file, who cites, and where that is', () => {
    expect(all.filter(({ who, place }) => who === '' || !place.startsWith('src/'))).toEqual([]);
    expect(all.length).toBeGreaterThan(1500);
  });

  test('of every entry of a catalogue', () => {
    const cited = new Set(all.map(({ who }) => who));
    const keys = AWS_LBC_CATALOGUE.annotations.map(({ fact }) => fact.key);
    expect(keys.filter((key) => !cited.has(key))).toEqual([]);
  });

  test.each(PRODUCTS.map(({ name, repository }) => [name, repository]))('of %s', (_, repository) => {
    expect(whoCites(repository).size).toBeGreaterThan(5);
  });

  test.each([
    ['a rule', 'rule iam-actions-missing'],
    ['a row of a table that names files alone', 'required-secrets-label'],
    ['a comment, by what is declared below it', 'NLB_GATEWAY_CONTROLLER'],
  ])('of %s', (_, who) => {
    expect(whoCites('kubernetes-sigs/aws-load-balancer-controller')).toContain(who);
  });
});

describe('files that citations name', () => {
  const files = {
    'pkg/a/one.go': 'package a\n\nconst One = "first"\n',
    'pkg/a/one_test.go': 'package a\n',
    'pkg/a/deep/two.go': 'package deep\n',
    'pkg/b/three.go': 'package b\n',
    'charts/x/values.yaml': 'a: 1\n',
    'charts/y/values.yaml': 'a: 1\n',
    'go.mod': 'module example.test\n',
  };
  const checkout = new Checkout(folderWith(files), 'a product');
  const cite = (file: string, who = 'who'): PlacedCitation => ({
    repository: 'a/b',
    version: '1.0.0',
    file,
    who,
    place: 'src',
  });
  const namedBy = (file: string) => citedFiles([cite(file)], checkout).cited.map((each) => each.file);

  test.each([
    ['pkg/a/one.go', ['pkg/a/one.go']],
    ['pkg/a/one.go and pkg/b/three.go (Three)', ['pkg/a/one.go', 'pkg/b/three.go']],
    ['pkg/…/two.go', ['pkg/a/deep/two.go']],
    ['b/three.go', ['pkg/b/three.go']],
    ['go.mod, pkg/a', ['go.mod', 'pkg/a/']],
    // which of two is not known
    ['values.yaml', []],
    ['the release notes', []],
  ])('%s', (text, paths) => {
    expect(namedBy(text)).toEqual(paths);
  });

  test('are lost where the release has none of them', () => {
    const { lost } = citedFiles([cite('pkg/a/gone.go'), cite('pkg/a/one.go'), cite('the release notes')], checkout);
    expect(lost.map(({ file }) => file)).toEqual(['pkg/a/gone.go']);
  });

  test('that changed say how, and who is named in a changed line', () => {
    const after = new Checkout(
      folderWith({ ...files, 'pkg/a/one.go': 'package a\n\n// new\nconst One = "second"\n' }),
      'a',
    );
    const citations = [cite('pkg/a/one.go', 'example.test/second'), cite('pkg/a', 'other'), cite('pkg/b/three.go')];
    const changed = changedFiles(citedFiles(citations, after).cited, checkout, after);
    expect(
      changed.map(({ file, added, removed, named }) => [file, added, removed, named.map(({ who }) => who)]),
    ).toEqual([
      ['pkg/a/one.go', ['const One = "second"'], ['const One = "first"'], ['example.test/second']],
      ['pkg/a/', ['const One = "second"'], ['const One = "first"'], []],
    ]);
  });
});
