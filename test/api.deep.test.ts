import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measuredCurves } from '../bench/curves';
import { MATCHES } from '../bench/matches';
import { readResult, withResults } from '../bench/result';
import { type Assembly, apiOf, readBaseline } from '../scripts/api/baseline';
import { allowedBreaksOf, breaksBetween, problemsOf } from '../scripts/api/breaks';
import { speedPage } from '../scripts/docs/speed-page';
import { curvesPicture } from '../scripts/pictures/curves-picture';
import { tablesOf } from './support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'api-breaks.yaml'));

/** As much of an assembly as these tests change. */
interface Changed {
  readonly types: Record<string, { methods: Member[]; properties: Member[]; members: Member[] }>;
}

interface Member {
  name: string;
  optional?: boolean;
  type?: object;
  parameters?: Member[];
}

const ROOM = 'cdk8s-load-balancers';
const baseline = readBaseline();

/** The keys of what breaks where the API of the last release is changed so. */
function breaksOf(change: (types: Changed['types']) => void): string[] {
  const changed = structuredClone(baseline) as unknown as Changed;
  change(changed.types);
  return breaksBetween(baseline, changed as unknown as Assembly).map(({ key }) => key);
}

function named(members: readonly Member[], name: string): Member {
  const found = members.find((member) => member.name === name);
  if (!found) throw new Error(`the baseline has no ${name}`);
  return found;
}

const props = (types: Changed['types']) => types[`${ROOM}.LoadBalancedServiceProps`].properties;

test.each<[string, (types: Changed['types']) => void, string[]]>([
  ['nothing where nothing changed', () => undefined, []],
  [
    'a type that is gone',
    (types) => {
      delete types[`${ROOM}.NodePools`];
    },
    [`removed:${ROOM}.NodePools`],
  ],
  [
    'a method that is gone',
    (types) => {
      types[`${ROOM}.NodePool`].methods = types[`${ROOM}.NodePool`].methods.filter(({ name }) => name !== 'pin');
    },
    [`removed:${ROOM}.NodePool.pin`],
  ],
  [
    'a word of an enum that is gone',
    (types) => {
      types[`${ROOM}.TrafficPolicy`].members.splice(0, 1);
    },
    [expect.stringMatching(`^removed:${ROOM}.TrafficPolicy.[A-Z]+$`)],
  ],
  [
    'each property of one struct that is required now, or of another type',
    (types) => {
      named(props(types), 'labels').optional = undefined;
      named(props(types), 'name').optional = undefined;
      named(props(types), 'namespace').type = { primitive: 'number' };
    },
    ['labels', 'name', 'namespace'].map((name) => `strengthened:${ROOM}.LoadBalancedServiceProps.${name}`),
  ],
  [
    'a property that must be given now',
    (types) => {
      props(types).push({ name: 'owner', type: { primitive: 'string' } });
    },
    [`strengthened:${ROOM}.LoadBalancedServiceProps.owner`],
  ],
  [
    'a parameter more',
    (types) => {
      const more = { name: 'more', type: { primitive: 'string' } };
      named(types[`${ROOM}.NodePool`].methods, 'labeled').parameters?.push(more);
    },
    [`new-argument:${ROOM}.NodePool.labeled`],
  ],
  [
    'a method more of what users implement',
    (types) => {
      const { methods } = types[`${ROOM}.ILoadBalancerController`];
      methods.push({ ...named(methods, 'bind'), name: 'unbind' });
    },
    ['ILoadBalancerController', 'ISharingLoadBalancerController'].map(
      (name) => `new-abstract-member:${ROOM}.${name}.unbind`,
    ),
  ],
  [
    'nothing in an optional property more, or a class',
    (types) => {
      props(types).push({ name: 'owner', type: { primitive: 'string' }, optional: true });
      const name = 'Another';
      types[`${ROOM}.${name}`] = { ...types[`${ROOM}.NodePools`], ...{ name, fqn: `${ROOM}.${name}` } };
    },
    [],
  ],
])('the comparison with the last release notices %s', (_, change, keys) => {
  expect(breaksOf(change).sort()).toEqual(keys);
});

test('docs and places in the sources are no API', () => {
  const type = { fqn: 'a.B', docs: { summary: 'Words.', stability: 'stable' }, locationInModule: { line: 1 } };
  expect(apiOf({ types: { 'a.B': type }, readme: { markdown: '# Words' } })).toEqual({
    types: { 'a.B': { fqn: 'a.B' } },
  });
});

test('what is deprecated, and what users implement, decides how a change is checked', () => {
  const docs = { deprecated: 'Use C.', subclassable: true };
  expect(apiOf({ docs: { ...docs, summary: 'Words.', stability: 'stable' } })).toEqual({ docs });
});

describe('every break has a reason', () => {
  const removed = { key: 'removed:a.B', message: 'CLASS a.B: has been removed' };

  test.each<[string, string, string[]]>(tables.it)('and it %s', (_, text, problems) => {
    expect(problemsOf([removed], allowedBreaksOf(text))).toEqual(problems);
  });
});

/** Takes a millisecond a Service, twice as long for the library, and now and then much longer. */
function noisy() {
  const asked: string[] = [];
  const curves = measuredCurves((name, size) => {
    asked.push(`${name} ${size}`);
    const outlier = asked.length % 11 === 0 ? 50 : 1;
    return { time: size * (name === 'ours' ? 2 : 1) * outlier, memory: 50.4 + size / 100 };
  });
  return { asked, curves };
}

describe('curves', () => {
  test('are parts of what cdk8s alone takes for the largest size, and outliers do not move them', () => {
    const { curves } = noisy();
    expect(curves.curves.map(({ name, time }) => [name, time.at(-1)])).toEqual([
      ['cdk8s alone', 1],
      ['cdk8s-plus-27', 1],
      ['this library', 2],
    ]);
    expect(curves.curves[0].time).toEqual(curves.sizes.map((size) => size / 10_000));
    expect(curves.curves[0].memory).toEqual(curves.sizes.map((size) => Math.round(50.4 + size / 100)));
  });

  test('take turns, and change who is first', () => {
    const { asked, curves } = noisy();
    const round = 3 * curves.sizes.length;
    expect(asked.slice(0, 3)).toEqual(['raw 100', 'plus-27 100', 'ours 100']);
    expect(asked.slice(round, round + 3)).toEqual(['ours 100', 'plus-27 100', 'raw 100']);
  });

  test('beyond the scale of a picture are an error', () => {
    const { curves } = noisy();
    const axis = { title: 't', heading: 'h', valuesOf: () => [1, 2, 3, 4, 5], label: String };
    expect(() => curvesPicture(curves, { ...axis, ticks: [1, 2, 4] })).toThrow('t: 5, 5, 5 beyond the scale');
    expect(curvesPicture(curves, { ...axis, ticks: [1, 5] })).toContain('cdk8s alone: 1 for 100, 2 for 300');
  });
});

describe('the page on speed', () => {
  const result = readResult();

  test('says which ratios were over their limits', () => {
    const [first, ...others] = result.results;
    const slow = { ...first, ratio: first.limit + 1 };
    expect(speedPage({ ...result, results: [slow] })).toContain('1 of 1 ratios exceeded it');
    const fast = others.filter(({ ratio = 0, limit }) => ratio <= limit);
    expect(speedPage({ ...result, results: fast })).toContain('no ratio exceeded it');
  });

  test('is of a run with the contests and the limits that there are', () => {
    const now = MATCHES.flatMap(({ contests }) => contests.map(({ title, limit }) => ({ title, limit })));
    expect(result.results.map(({ title, limit }) => ({ title, limit }))).toEqual(now);
  });

  test('takes the ratios of some contests, and keeps those of the others', () => {
    const [first, second] = result.results;
    const newer = { ...second, ratio: (second.ratio ?? 0) + 1 };
    const contests = [first, { title: 'new' }, second];
    const added = { title: 'new', ratio: 1, limit: 2 };
    expect(withResults(result, [added, newer], contests).results).toEqual([first, added, newer]);
  });

  test('has every point of every curve against the first', () => {
    const [base, plus] = result.curves;
    const row = plus.time.map((value, index) => (value / base.time[index]).toFixed(2));
    expect(speedPage(result)).toContain(`| ${plus.name} | ${row.join(' | ')} |`);
  });
});

describe('consumers', () => {
  // The app that is written in every language, from the sources of the library: what it must write is in test/consumers/expected.
  // `npm run test:languages` runs it with what is published, and `npm run test:languages -- --update` writes that folder again.

  const ROOT = join(__dirname, '..');
  const CONSUMERS = join(__dirname, 'consumers');
  const EXPECTED = join(CONSUMERS, 'expected');
  const TSX = [join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs'), '--tsconfig', join(ROOT, 'tsconfig.scripts.json')];

  const folder = mkdtempSync(join(tmpdir(), 'consumers-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(program: string) {
    cpSync(join(CONSUMERS, 'inputs'), folder, { recursive: true });
    const args = [...TSX, join(CONSUMERS, 'typescript', 'src', program)];
    return spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CDK8S_OUTDIR: 'dist' },
    });
  }

  test('the app writes what the apps of all languages must write', () => {
    const { status, stderr } = run('main.ts');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const manifests = readdirSync(EXPECTED).filter((file) => file.endsWith('.k8s.yaml'));
    const dist = join(folder, 'dist');
    expect(readdirSync(dist).sort()).toEqual(manifests.sort());
    for (const file of manifests) {
      expect([file, readFileSync(join(dist, file), 'utf8')]).toEqual([
        file,
        readFileSync(join(EXPECTED, file), 'utf8'),
      ]);
    }
    const [written, expected] = [folder, EXPECTED].map((at) =>
      JSON.parse(readFileSync(join(at, 'permissions.json'), 'utf8')),
    );
    expect(written).toEqual(expected);
  });

  test('its mistake is reported as in all languages', () => {
    const { status, stderr } = run('mistake.ts');
    expect(status).not.toBe(0);
    expect(stderr).toContain(readFileSync(join(EXPECTED, 'mistake.txt'), 'utf8').trimEnd());
  });
});
