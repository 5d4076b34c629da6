import { measuredCurves } from '../bench/curves';
import { MATCHES } from '../bench/matches';
import { readResult, withResults } from '../bench/result';
import { speedPage } from '../scripts/docs/speed-page';
import { curvesPicture } from '../scripts/pictures/curves-picture';

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
    expect(asked.slice(0, 3)).toEqual(['raw 100', 'plus 100', 'ours 100']);
    expect(asked.slice(round, round + 3)).toEqual(['ours 100', 'plus 100', 'raw 100']);
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
    const fast = others.filter(({ ratio, limit }) => ratio <= limit);
    expect(speedPage({ ...result, results: fast })).toContain('no ratio exceeded it');
  });

  test('is of a run with the contests and the limits that there are', () => {
    const now = MATCHES.flatMap(({ contests }) => contests.map(({ title, limit }) => ({ title, limit })));
    expect(result.results.map(({ title, limit }) => ({ title, limit }))).toEqual(now);
  });

  test('takes the ratios of some contests, and keeps those of the others', () => {
    const [first, second] = result.results;
    const newer = { ...second, ratio: second.ratio + 1 };
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
