import { entriesOf, readChangelog, released } from '../scripts/release/changelog';
import { goldens } from '../scripts/release/last-release';
import { classOf, nextVersion, type ReleaseClass, weightsOfManifests } from '../scripts/release/release-class';

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
    'sets another label',
    'metallb-bgp-dns',
    (yaml) => yaml.replace('  name: echo\n', '  labels:\n    a: b\n  name: echo\n'),
    'minor: kept',
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

test.each<[string, ReleaseClass, string]>([
  ['1.2.3', 'major', '2.0.0'],
  ['1.2.3', 'minor', '1.3.0'],
  ['1.2.3', 'patch', '1.2.4'],
  ['0.2.3', 'major', '0.3.0'],
  ['0.2.3', 'minor', '0.2.4'],
  ['0.2.3', 'patch', '0.2.4'],
])('after %s a %s release is %s', (version, of, next) => {
  expect(nextVersion(version, of)).toBe(next);
});

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
  ])('that begins with %p cannot be released', (text, message) => {
    expect(() => released(text)).toThrow(message);
  });
});
