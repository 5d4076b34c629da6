import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ruleExamples, rulesOfConstructs, type TestedExample } from '../../scripts/docs/rule-examples';
import { checkExample, describedRules } from '../../src/checks/explain/described-rules';
import { stepsOf } from '../../src/contract/json';

// EXAMPLES=gke,services tests the examples of these files alone.

const SECTIONS = process.env.EXAMPLES?.split(',');
const EXAMPLES = ruleExamples().filter(({ section }) => SECTIONS?.includes(section) ?? true);
/** Rules that `check` can find and that have no example yet: the aim is an empty list. */
const MISSING: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(__dirname, 'rules-without-example.json'), 'utf8'),
);
const OTHER_SECTIONS = [
  'Wishes, controllers and plans',
  'What a change does to protected balancers',
  'Alerts',
  'Load balancers of vendors',
];

/** Field paths as the files have them: `spec.ports[0].port`, `metadata.annotations['a/b']`. */
const fieldAt = (pointer = '') =>
  stepsOf(pointer)
    .map((step) => (/^\d+$/.test(String(step)) ? `[${step}]` : /^\w+$/.test(String(step)) ? `.${step}` : `['${step}']`))
    .join('')
    .replace(/^\./, '') || 'object';

function differences(one: unknown, other: unknown, at = ''): string[] {
  if (isDeepStrictEqual(one, other)) {
    return [];
  }
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) {
    return [at];
  }
  return Object.keys({ ...one, ...other }).flatMap((key) =>
    differences(one[key as never], other[key as never], `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function isChanged({ objects }: TestedExample, name: string, pointer: string): boolean {
  const { bad = [], good = [] } = objects ?? {};
  const i = bad.length === 1 ? 0 : bad.findIndex(({ metadata }) => (metadata as { name?: unknown })?.name === name);
  const changed = differences(bad[i], good[i]);
  return changed.some((at) => `${at}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${at}/`));
}

test.each(EXAMPLES.map((one) => [`${one.section}: ${one.rule}`, one] as const))('%s', (_, example) => {
  const { rule, bad, good, context, at, also } = example;
  const found = checkExample(bad, context);
  expect(found.unreadable).toEqual([]);
  const findings = found.findings.filter(({ level, ruleId }) => level !== 'note' || ruleId === rule);
  expect([...new Set(findings.map(({ ruleId }) => ruleId))].sort()).toEqual([rule, ...also].sort());
  const places = findings.flatMap(({ ruleId, object, pointer = '' }) =>
    ruleId !== rule || (!at && pointer && isChanged(example, object.name, pointer)) ? [] : [fieldAt(pointer)],
  );
  expect(places).toEqual(at ? places.map(() => at) : []);
  const mended = checkExample(good, context);
  expect(mended.unreadable).toEqual([]);
  const left = mended.findings.filter(
    ({ level, ruleId }) => level === 'error' || ruleId === rule || (level === 'warning' && !also.includes(ruleId)),
  );
  expect(left.map(({ ruleId, what }) => `${ruleId}: ${what}`)).toEqual([]);
});

test('every rule that a check can find has an example, but for a list that gets shorter', () => {
  const others = rulesOfConstructs();
  const ids = describedRules().flatMap(({ id, section }) => (OTHER_SECTIONS.includes(section) ? [] : [id]));
  const shown = new Set(ruleExamples().map(({ rule }) => rule));
  const missing = [...new Set(ids)].filter((id) => !shown.has(id) && !others.includes(id));
  const listed = Object.values(MISSING).flat();
  expect(missing.filter((id) => !listed.includes(id))).toEqual([]);
  expect(listed.filter((id) => !missing.includes(id))).toEqual([]);
  const known = describedRules().map(({ id }) => id);
  expect([...shown, ...others].filter((id) => !known.includes(id))).toEqual([]);
  expect(others.filter((id) => shown.has(id))).toEqual([]);
  process.stdout.write(`rules without an example: ${missing.length}, of constructs alone: ${others.length}\n`);
});
