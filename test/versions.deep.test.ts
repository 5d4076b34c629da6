import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changedFindings, messagesByRule, type RecordedFinding } from '../scripts/findings/recorded';
import { budgetFigures, largestCircle, lowered, overBudget } from '../scripts/measure/budget';
import { sourceFigures, twoWayPairs } from '../scripts/measure/source-figures';
import { titlesIn } from '../scripts/measure/titles';
import { entriesOf, readChangelog, released } from '../scripts/release/changelog';
import { goldens } from '../scripts/release/last-release';
import { classOf, nextVersion, type ReleaseClass, weightsOfManifests } from '../scripts/release/release-class';
import { compareVersions, reaches } from '../src/contract/compare-versions';
import { parse, sources } from './support/sources';
import { casesIn } from './support/yaml-cases';

test.each<[string, string, number]>(casesIn(__dirname, 'versions.yaml').beside)('%s beside %s', (one, other, sign) => {
  expect(Math.sign(compareVersions(one, other))).toBe(sign);
  expect(Math.sign(compareVersions(other, one))).toBe(sign === 0 ? 0 : -sign);
  expect(reaches({ version: one }, other)).toBe(sign >= 0);
});

const now = goldens();

/** What a release weighs that writes one golden otherwise. */
function weightOf(name: string, change: (yaml: string) => string): string[] {
  const changed = change(now[name]);
  expect(changed).not.toBe(now[name]);
  return weightsOfManifests(now, { ...now, [name]: changed }).map(({ of, why }) => `${of}: ${why}`);
}

test('a release that writes the same is a patch', () => {
  expect(Object.keys(now).length).toBeGreaterThan(25);
  expect(classOf(weightsOfManifests(now, now))).toBe('patch');
});

test.each<[string, string, (yaml: string) => string, string]>([
  [
    'declares no finalizer any more',
    'aws-load-balancer-controller-ip-internal',
    (yaml) => yaml.replace(/ {2}finalizers:\n.*\n/, ''),
    'major: orphaned',
  ],
  [
    'makes a balancer public',
    'aws-load-balancer-controller-ip-internal',
    (yaml) => yaml.replace('scheme: internal', 'scheme: internet-facing'),
    'major: replaced',
  ],
  [
    'leaves a balancer to another controller',
    'aws-load-balancer-controller-ip-internal',
    (yaml) => yaml.replace(/ {2}loadBalancerClass: .*\n/, ''),
    'major: refused',
  ],
  [
    'asks for no balancer any more',
    'gke-internal',
    (yaml) => yaml.replace('type: LoadBalancer', 'type: ClusterIP'),
    'major: deleted',
  ],
  [
    'sets another policy',
    'examples/aks-basic.k8s',
    (yaml) => yaml.replace('externalTrafficPolicy: Local', 'externalTrafficPolicy: Cluster'),
    'major: interrupted',
  ],
])('a release that %s', (_, name, change, weight) => {
  const file = `test/goldens/${name}.yaml`;
  const [of, outcome] = weight.split(': ');
  expect(weightOf(file, change)).toEqual([`${of}: ${file}: ${outcome}`]);
});

test('a release that declares a finalizer which the controller adds by itself changes no balancer', () => {
  const name = 'test/goldens/aws-load-balancer-controller-ip-internal.yaml';
  const without = now[name].replace(/ {2}finalizers:\n.*\n/, '');
  expect(weightsOfManifests({ [name]: without }, now)).toEqual([{ of: 'minor', why: `${name}: kept` }]);
});

test('a golden that is gone was deleted, and a new one does nothing to balancers', () => {
  const { 'test/goldens/gke-internal.yaml': gone, ...rest } = now;
  expect(gone).toContain('LoadBalancer');
  expect(weightsOfManifests(now, rest)).toEqual([{ of: 'major', why: 'test/goldens/gke-internal.yaml: deleted' }]);
  expect(weightsOfManifests(rest, now)).toEqual([]);
});

test('the heaviest reason decides', () => {
  expect(classOf([])).toBe('patch');
  expect(classOf([{ of: 'minor', why: 'A is new' }])).toBe('minor');
  expect(
    classOf([
      { of: 'minor', why: 'A is new' },
      { of: 'major', why: 'B is gone' },
    ]),
  ).toBe('major');
});

test.each<[string, ReleaseClass, string]>(casesIn(__dirname, 'versions.yaml')['after a release is'])(
  'after %s a %s release is %s',
  (version, of, next) => expect(nextVersion(version, of)).toBe(next),
);

describe('the changelog', () => {
  test('has versions, the newest first, with what is in each', () => {
    const entries = entriesOf(readChangelog());
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ notes }) => notes === '')).toEqual([]);
    expect(entries.slice(1).filter(({ date }) => date === undefined)).toEqual([]);
  });

  test('has what is released now first', () => {
    const text =
      '# Changelog\n\n## 1.1.0 - 2027-06-30\n\nMore.\n\n### Manifests\n\n- one\n\n## 1.0.0 - 2027-01-01\n\nAll.\n';
    expect(released(text)).toEqual({ version: '1.1.0', date: '2027-06-30', notes: 'More.\n\n### Manifests\n\n- one' });
  });

  test.each<[string, RegExp]>([
    ['## 1.1.0 - unreleased\n', /^CHANGELOG.md: 1.1.0 has no date; replace unreleased by the date of the release$/],
    ['## Next\n', /^CHANGELOG.md: heading 'Next' is not a version;/],
    ['# Changelog\n', /^CHANGELOG.md: no version has no date;/],
  ])('that begins with %p cannot be released', (text, message) => expect(() => released(text)).toThrow(message));
});

const found = (rule: string, what = 'it is wrong', value = '1'): RecordedFinding => [
  ...(['0a', rule, 'spec.type', value, what, 'mend it'] as const),
];

test('a finding that is gone is named by its rule, and other words are the same finding', () => {
  const before = [found('a'), found('b')];
  expect(changedFindings(before, [found('a', 'the type is wrong'), found('b')]).gone).toBe(0);
  expect(changedFindings(before, [found('b'), found('b', 'it is wrong', '2')])).toEqual({
    gone: 1,
    lines: [
      "a: 1 gone, 0 new; spec.type '1': it is wrong",
      "b: 0 gone, 1 new; spec.type '2': it is wrong",
      '2 before, 1 gone, 1 new',
    ],
  });
});

test('messages are listed by rule, each once', () => {
  expect(messagesByRule([found('b'), found('a'), found('b', 'it is wrong', '2')])).toBe(
    '## a\n\n- it is wrong: mend it\n\n## b\n\n- it is wrong: mend it\n',
  );
});

test.each<[string, string[]]>(casesIn(__dirname, 'versions.yaml')['of the titles are'])(
  'of %s the titles are %j',
  (text, titles) => {
    expect(titlesIn(parse('test/laws/of.test.ts', text).file)).toEqual(titles);
  },
);

test('folders of a room that import each other are found, types included', () => {
  const sources = [
    parse('room/a/one.ts', "import type { Two } from '../b/two';"),
    parse('room/b/two.ts', "export * from '../a/other'; import { three } from '../c/three'; import './deep/five';"),
    parse('room/a/other.ts', "import '../shared';"),
    parse('room/b/deep/five.ts', ''),
    parse('room/c/three.ts', ''),
    parse('room/shared.ts', "import './a/one';"),
    parse('room/index.ts', "export * from './a/one';"),
  ];
  expect(twoWayPairs(sources)).toEqual(['room: a <-> b']);
});

test.each<[string, number]>(casesIn(__dirname, 'versions.yaml')['in types are those of rules'])(
  'in %s, %d types are those of rules',
  (text, count) => {
    expect(sourceFigures([parse('room/file.ts', text)]).ruleTypes).toHaveLength(count);
  },
);

describe('the budget', () => {
  const limits = { 'src lines': 10, 'src files': 2, 'src/gone lines': 3 };

  test.each<[string, Record<string, number>, string[]]>([
    ['met', { 'src lines': 10, 'src files': 1 }, []],
    ['exceeded', { 'src lines': 11, 'src files': 2 }, ['src lines: 11, the limit is 10']],
    ['a figure without a limit', { docs: 1 }, ['docs: 1, and measure.budget.json has no limit for it']],
  ])('%s', (_, figures, over) => expect(overBudget(limits, figures)).toEqual(over));

  test('is only lowered', () => {
    const figures = { 'src files': 1, docs: 5 };
    expect(lowered(limits, { ...figures, 'src lines': 12 })).toEqual({ ...figures, 'src lines': 10 });
  });

  test.each<[string, Record<string, string[]>, number]>([
    ['no circle', { a: ['b'], b: ['c'] }, 1],
    ['two and three files', { a: ['b'], b: ['a'], c: ['d'], d: ['e', 'a'], e: ['c'] }, 3],
  ])('%s', (_, importers, size) => {
    const sets = Object.entries(importers).map(([file, by]) => [file, new Set(by)] as const);
    expect(largestCircle(new Map(sets))).toBe(size);
  });

  test('counts hand-written lines alone, and each folder', () => {
    const figures = budgetFigures(join(__dirname, '..'), 7);
    const foldersOf = (what: string) =>
      Object.entries(figures).filter(([name]) => /^src\//.test(name) && name.endsWith(what));
    const sumOf = (what: string) => foldersOf(what).reduce((sum, [, number]) => sum + number, 0);
    const index = readFileSync(join(__dirname, '..', 'src', 'index.ts'), 'utf8').split('\n').length - 1;
    expect(figures).toMatchObject({
      'public types': 7,
      'src lines': sumOf(' lines') + index,
      'src files': sumOf(' files') + 1,
    });
    expect(foldersOf(' lines').length).toBeGreaterThan(10);
    expect(figures['src files']).toBeLessThan(sources.length);
  });

  test('counts the lines of facts in folders of folders', () => {
    const root = mkdtempSync(join(tmpdir(), 'budget-'));
    for (const [path, text] of [
      ['src/a/b/one.yaml', 'a: 1\nb: 2\n'],
      ['src/a/two.yaml', 'c: 3\n'],
      ['src/a/a.ts', 'const a = 1;\n'],
    ]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    for (const folder of ['docs', 'programs', 'test']) {
      mkdirSync(join(root, folder));
    }
    const figures = budgetFigures(root, 0);
    rmSync(root, { recursive: true });
    expect(figures).toMatchObject({ 'facts lines': 3, 'src lines': 1, 'src/a lines': 1, 'src/a files': 1 });
  });
});
