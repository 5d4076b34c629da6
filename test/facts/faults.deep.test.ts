import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, citedFiles } from '../../scripts/facts/changed-files';
import { Checkout } from '../../scripts/facts/checkout';
import { collectedCitations, type PlacedCitation } from '../../scripts/facts/citations';
import { compared } from '../../scripts/facts/compare';
import { byKey, type Fact } from '../../scripts/facts/fact';
import { History } from '../../scripts/facts/history';
import { PRODUCTS } from '../../scripts/facts/products';
import { type Request, run } from '../../scripts/facts/run';
import type { Json } from '../../src/contract/json';
import { AWS_LBC_CATALOGUE } from '../../src/controllers/aws-load-balancer-controller/annotations';
import { folderWith } from '../support/files';
import { casesIn } from '../support/yaml-cases';
import { awsRelease, type Files, NEWER, OLDER } from './aws-release';

const AWS = 'aws-load-balancer-controller';
const older = folderWith(awsRelease(OLDER));

const without = (file: string): Files =>
  Object.fromEntries(Object.entries(awsRelease(NEWER)).filter(([path]) => path !== file));
const withText = (file: string, text: string): Files => ({ ...awsRelease(NEWER), [file]: text });

async function faultOf(request: Partial<Request>): Promise<string> {
  const asked = { product: AWS, checkout: older, against: older, folder: folderWith({}), ...request };
  return run(asked).then(
    () => 'none',
    (error: Error) => error.message,
  );
}

describe('one sentence', () => {
  const GATES = 'pkg/config/feature_gates.go';
  const ROLE = 'config/rbac/role.yaml';
  test.each<[string, () => Partial<Request>, RegExp]>([
    [
      'a product that is not known',
      () => ({ product: 'coffee' }),
      /^'coffee' is not a product that can be read; name one of aws-/,
    ],
    ['no folder', () => ({ checkout: '/no/such' }), /^\/no\/such is not a folder; name a checkout of aws-/],
    ['another product', () => ({ product: 'strimzi' }), /has no release\.version: it is not a checkout of strimzi, or/],
    [
      'a file that is gone',
      () => ({ checkout: folderWith(without(GATES)) }),
      /has no pkg\/config\/feature_gates\.go: /,
    ],
    [
      'definitions that are gone',
      () => ({ checkout: folderWith(without('config/crd/bases/elbv2.k8s.aws_targetgroupbindings.yaml')) }),
      /has no config\/crd\/…/,
    ],
    [
      'no Go',
      () => ({ checkout: folderWith(withText(GATES, 'package config\nconst (')) }),
      /^pkg\/config\/feature_gates\.go is not Go/,
    ],
    ['no YAML', () => ({ checkout: folderWith(withText(ROLE, 'a: [')) }), /^config\/rbac\/role\.yaml is not YAML: /],
    [
      'no JSON',
      () => ({ checkout: folderWith(withText('docs/install/iam_policy.json', '{')) }),
      /iam_policy\.json is not JSON: /,
    ],
    [
      'no version',
      () => ({ checkout: folderWith(withText('helm/aws-load-balancer-controller/Chart.yaml', 'a: b')) }),
      /Chart\.yaml does not say /,
    ],
    [
      'nothing recorded',
      () => ({ against: undefined }),
      /^no release of .* before 3\.5\.0 is recorded: .* is not there yet; name .* --against$/,
    ],
    [
      'a release that is not recorded',
      () => ({ against: undefined, since: '9.9.9' }),
      /^no release of .* like 9\.9\.9 is recorded/,
    ],
    [
      'a record that is broken',
      () => ({ folder: folderWith({ [`${AWS}.json`]: '{' }) }),
      /is not what this command writes .*; restore it$/,
    ],
  ])('for %s', async (_, request, sentence) => {
    const fault = await faultOf(request());
    expect(fault).toMatch(sentence);
    expect(fault.split('\n')).toHaveLength(1);
  });
});

describe('the command', () => {
  const root = join(__dirname, '..', '..');
  const facts = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/facts.ts', ...args], { cwd: root, encoding: 'utf8' });

  test('ends with 2 and its sentence alone where a checkout cannot be read', () => {
    const { status, stderr, stdout } = facts(AWS, folderWith({}));
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(/it is not a checkout of aws-load-balancer-controller/);
  });

  test('prints a report and ends with 0', () => {
    const folder = folderWith({});
    const { status, stdout } = facts(AWS, folderWith(awsRelease(NEWER)), '--against', older, '--folder', folder);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^## Edits: 16 to make/m);
  });

  test('is a script of npm, so that its exit code stays', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts.facts).toMatch(/^tsx .*scripts\/facts\.ts$/);
  });

  test('ends with 2 for an option that it does not know', () => {
    const { status, stderr } = facts(AWS, older, '--coffee');
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  });
});

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
  ])('of %s', (_, who) => expect(whoCites('kubernetes-sigs/aws-load-balancer-controller')).toContain(who));
});

describe('files that citations name', () => {
  const files = casesIn(__dirname, 'faults.yaml').files;
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
  ])('%s', (text, paths) => expect(namedBy(text)).toEqual(paths));

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

const gate = (name: string, value: string, file = 'gates.go'): Fact => ({ kind: 'gate', name, value, file });

describe('what is recorded', () => {
  const RELEASES: readonly (readonly [string, readonly Fact[]])[] = [
    ['1.9.4', [gate('Old', 'true'), gate('Turned', 'false'), gate('Back', 'true')]],
    ['1.10.0', [gate('Old', 'true'), gate('Turned', 'true', 'moved.go')]],
    ['2.0.1', [gate('Turned', 'true', 'moved.go'), gate('Back', 'true'), gate('New: a b', 'it is "quoted"')]],
  ];
  const file = join(folderWith({}), 'product.json');
  const history = RELEASES.reduce(
    (all, [version, facts]) => all.with(version, byKey(facts)),
    History.load(file, 'a/b'),
  );
  history.save(file);
  const loaded = History.load(file, 'a/b');

  test.each<[string, Json[]]>(casesIn(__dirname, 'faults.yaml')['has since and until by minor version'])(
    '%s has since and until by minor version',
    (name, spans) => expect(loaded.spans('gate', name)).toEqual(spans),
  );

  test('is read as it was written, whatever the order of reading', () => {
    for (const [version, facts] of RELEASES) {
      const values = ({ kind, name, value }: Fact) => ({ kind, name, value });
      expect([...(loaded.of(version)?.facts.values() ?? [])].map(values)).toEqual(
        expect.arrayContaining(facts.map(values)),
      );
      expect(loaded.of(version)?.facts.size).toBe(facts.length);
    }
    const other = join(folderWith({}), 'product.json');
    const reversed = [...RELEASES].reverse();
    reversed.reduce((all, [version, facts]) => all.with(version, byKey(facts)), History.load(other, 'a/b')).save(other);
    expect(readFileSync(other, 'utf8')).toBe(readFileSync(file, 'utf8'));
  });

  test('keeps one release of a minor version', () => {
    expect(loaded.with('1.10.3', byKey([])).releases).toEqual(['1.9.4', '1.10.3', '2.0.1']);
    expect([loaded.before('2.0.0'), loaded.before('1.10.0'), loaded.before('1.9.9')]).toEqual([
      '1.10.0',
      '1.9.4',
      undefined,
    ]);
  });
});

/** Rows that the tables have for another reason than what is read: each says why. */
const ON_PURPOSE: Readonly<Record<string, readonly RegExp[]>> = casesIn(__dirname, 'faults.yaml').onPurpose;

describe.each(PRODUCTS.filter(({ name }) => name !== 'envoy-gateway'))('the tables about $name', (product) => {
  const history = History.load(join(__dirname, '..', '..', 'facts', `${product.name}.json`), product.repository);
  const newest = history.releases[history.releases.length - 1];
  const facts = history.of(newest)?.facts ?? byKey<Fact>([]);

  test('say what its newest recorded release says', () => {
    expect(facts.size).toBeGreaterThan(50);
    const { differences } = compared({ product, before: facts, after: facts, versions: [newest, newest] });
    const reasons = ON_PURPOSE[product.name] ?? [];
    expect(differences.filter((line) => !reasons.some((reason) => reason.test(line)))).toEqual([]);
    // and no reason outlives what it is for
    expect(reasons.filter((reason) => !differences.some((line) => reason.test(line)))).toEqual([]);
  });
});
