import type { CheckReport } from '../../../src/checks/check-report';
import { FORMATS, type FormatName } from '../../../src/checks/formats/formats';
import { rulePage } from '../../../src/checks/formats/words';
import { printable } from '../../../src/contract/json';
import { FULL, findingOf, HOSTILE, hostile, RULES, reportOf, SERVICE } from '../../support/check-reports';

const NAMES = Object.keys(FORMATS) as FormatName[];
const OPTIONS = { version: '1.2.3', rules: RULES };

function turned<Value>(value: Value): Value {
  if (Array.isArray(value)) {
    return value.map(turned) as Value;
  }
  return typeof value === 'object' && value !== null
    ? (Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, part]) => [key, turned(part)]),
      ) as Value)
    : value;
}

describe.each(NAMES)('%s', (name) => {
  const format = FORMATS[name];

  test('ends its last line', () => {
    expect(format(FULL, OPTIONS)).toMatch(/[^\n]\n$/);
    expect(format(reportOf())).toMatch(/[^\n]\n$/);
  });

  test('is the same text for the same report, in whatever order it was made', () => {
    expect(format(turned(FULL), OPTIONS)).toBe(format(FULL, OPTIONS));
    expect(format(structuredClone(FULL), OPTIONS)).toBe(format(FULL, OPTIONS));
  });

  test('leaves the report as it is', () => {
    const before = JSON.stringify(FULL);
    format(FULL, OPTIONS);
    expect(JSON.stringify(FULL)).toBe(before);
  });

  test.each(HOSTILE)('%s: no sign that a terminal acts upon', (_, text) => {
    const lines = format(hostile(text), OPTIONS).split('\n');
    expect(lines.filter((line) => printable(line) !== line)).toEqual([]);
  });

  test.each(HOSTILE)('%s: nothing that a runner acts upon', (_, text) => {
    const lines = format(hostile(text), OPTIONS).split('\n');
    const isOwn = (line: string) => name === 'github' && /^::(error|warning|notice) [^:]*::/.test(line);
    expect(lines.filter((line) => !isOwn(line) && /^\s*::|##\[/.test(line))).toEqual([]);
  });

  test('names every object at which a rule found something', () => {
    const findings = ['a', 'b', 'c'].map((object) => findingOf({ object: { ...SERVICE, name: `service-${object}` } }));
    const text = format(reportOf({ findings, objects: 3 }));
    expect(['service-a', 'service-b', 'service-c'].filter((object) => !text.includes(object))).toEqual([]);
  });

  test('takes time in proportion to what was found', () => {
    const time = (number: number) => {
      const report = manyFindings(number);
      const start = process.cpuUsage();
      format(report, OPTIONS);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    time(1_000);
    expect(time(8_000)).toBeLessThan(8 * 8 * Math.max(time(1_000), 2_000));
  });
});

function manyFindings(number: number): CheckReport {
  const findings = Array.from({ length: number }, (_, index) =>
    findingOf({
      object: { ...SERVICE, name: `service-${index % 2}` },
      place: { file: `k8s/${index >> 1}.yaml`, line: 1, column: 1 },
    }),
  );
  return reportOf({ findings, objects: number });
}

test('a rule is in the reference of the repository of this package', () => {
  const { repository } = jest.requireActual<{ repository: { url: string } }>('../../../package.json');
  expect(rulePage('target-port')).toBe(
    `${repository.url.replace(/\.git$/, '')}/blob/main/docs/reference/rules.md#target-port`,
  );
});

test('an address holds no sign of an id that ends it', () => {
  expect(rulePage('a b\n\ud800')).toMatch(/#a%20b%0A%EF%BF%BD$/);
});
