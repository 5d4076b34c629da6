import { collectedRules } from '../../scripts/docs/collected-rules';
import { ruleIdsOf, rulesPage } from '../../scripts/docs/rules-page';
import { entriesOf, readChangelog } from '../../scripts/release/changelog';
import { rulesOfLastRelease, wronglyDatedRules } from '../../scripts/release/released-rules';
import { API_SERVER } from '../../src/lifecycle/api-server.facts';
import { CACHES } from '../../src/lifecycle/cluster.facts';
import { STATUS_REFUSED } from '../../src/lifecycle/owners.facts';
import { knownKinds } from '../../src/rules/known-kinds';
import { sources } from '../support/sources';
import { casesIn } from '../support/yaml-cases';

// A message names its rule, which is in docs/reference/rules.md. The reference collects the rules that the modules of src export.

const PAGE = rulesPage(knownKinds());
const LISTED = new Set(ruleIdsOf(PAGE));

/** What is generated of the reference names every rule. */
const GENERATED = ['rules/described-rules.facts.ts'];

const CODE = sources
  .filter(({ path }) => !GENERATED.includes(path))
  .map(({ file }) => file.text)
  .join('\n');

/** Ids that are spelt where something is reported: `ruleId: 'a-b'`, and at the end of a sentence. */
const SPELT = /\bruleId(?::| =) '([a-z][a-z0-9-]*)'| \(([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\)['`]/g;

/** Ids that are put together: `a-b-${…}`. They are known by how they begin. */
const PUT_TOGETHER = /(?:\bruleId(?::| =) `| \()([a-z][a-z0-9-]*-)\$\{/g;

/** The ids that some code spells, and not those of rules that it exports. */
function speltIds(code: string): string[] {
  const whole = [...code.matchAll(SPELT)].map(([, property, end]) => property ?? end);
  return [...whole, ...[...code.matchAll(PUT_TOGETHER)].map(([, family]) => `${family}*`)];
}

function isListed(id: string): boolean {
  return id.endsWith('*') ? [...LISTED].some((one) => one.startsWith(id.slice(0, -1))) : LISTED.has(id);
}

test('every rule that is reported stands in the reference', () => {
  expect(speltIds(CODE).filter((id) => !isListed(id))).toEqual([]);
});

test('every rule of the reference is one place to link to, in its line', () => {
  const anchored = [...PAGE.matchAll(/^- <a id="([^"]+)"><\/a>`([^`]+)`: \S/gm)];
  expect(anchored.filter(([, anchor, id]) => id !== anchor)).toEqual([]);
  expect(anchored.map(([, id]) => id).sort()).toEqual([...LISTED]);
});

test('the sections of the reference have titles, and not the paths of modules', () => {
  expect([...PAGE.matchAll(/^## (.*\/.*)$/gm)].map(([, title]) => title)).toEqual([]);
});

test('a step of the model of a load balancer is no rule, though it has an id and a sentence', () => {
  const steps = [...API_SERVER, ...CACHES, STATUS_REFUSED].map(({ id }) => id);
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter((id) => LISTED.has(id))).toEqual([]);
});

/** What works and surprises: the operator, the controller or the API server takes it, and no balancer is lost or exposed. */
const TAKEN: string[] = casesIn(__dirname, 'rule-ids.yaml').taken;

test.each(TAKEN)('%s is a warning', (id) => {
  expect(PAGE).toMatch(new RegExp(`^- <a id="${id}"></a>\`${id}\`: .* \\(warning\\)$`, 'm'));
});

/** How often a name or an id stands in the code; once is where it is described. */
const mentions = (text: string) => CODE.split(new RegExp(`(?<![\\w-])${text}(?![\\w-])`)).length - 1;

test('every rule that is described outside of a rule set is reported', () => {
  const described = collectedRules().filter(({ rule }) => !('check' in rule));
  expect(described.length).toBeGreaterThan(70);
  const families = speltIds(CODE).filter((id) => id.endsWith('*'));
  const isReported = (id: string, name: string) =>
    mentions(id) > 1 || mentions(name) > 1 || families.some((family) => id.startsWith(family.slice(0, -1)));
  expect(described.filter(({ rule, name }) => !isReported(rule.id, name)).map(({ rule }) => rule.id)).toEqual([]);
});

test('every rule has the release that added it: the next one, unless the last one had the rule', () => {
  const rules = collectedRules().map(({ rule }) => rule);
  const [{ version }] = entriesOf(readChangelog());
  expect(wronglyDatedRules(rules, rulesOfLastRelease(), version)).toEqual([]);
  const newer = [{ id: 'a' }, { id: 'b' }, { id: 'c', addedIn: '0.2.0' }];
  expect(wronglyDatedRules(newer, ['a 0.1.0'], '0.2.0')).toEqual(['b 0.1.0: write addedIn: 0.2.0']);
});

test.each<[string, string[]]>([
  ["const finding = { ruleId: 'a-b', who: 'x' };", ['a-b']],
  ["class C { warn(ruleId = 'a-b', what = '') {} }", ['a-b']],
  ["const RULE = { id: 'a-b', says: 'what must hold' };", []],
  ["throw new Error('x: no; do y (a-b)');", ['a-b']],
  ['throw new Error(`x: $' + '{what}; do y (a-b)`);', ['a-b']],
  ['const finding = { ruleId: `a-b-$' + '{word}` };', ['a-b-*']],
  ['throw new Error(`x: $' + '{what}; do y (a-b-$' + '{word})`);', ['a-b-*']],
  ['throw new Error(`x: $' + '{what}; do y ($' + '{ruleId})`);', []],
  ["throw new Error('x: so (and so); do y (word)');", []],
])('in %s, %j is reported', (text, ids) => expect(speltIds(text)).toEqual(ids));

test('an id names its subject and the fault, and no id ends in how a sentence would go on', () => {
  const unclear =
    /-(twice|elsewhere|gone|left|said|unsaid|few|some|away|word|shape|since|left-out)$|^(bad|wrong|old|no)-/;
  expect([...LISTED].filter((id) => unclear.test(id))).toEqual([]);
});
