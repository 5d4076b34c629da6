import { generatedFiles } from '../../scripts/docs/pages';
import { isAmong, reportedIds } from '../support/rule-ids';
import { parse, type Source, sources } from '../support/sources';

// Whoever reads a message finds its rule in docs/reference/rules.md. Tables of rules are listed in scripts/docs/rules-page.ts;
// what is told outside of them is described in the *-findings.ts of its room, or where it is told.

const PAGE = generatedFiles().get('docs/reference/rules.md') ?? '';
const LISTED = new Set([...PAGE.matchAll(/^\| `([^`]+)` \|/gm)].map(([, id]) => id));

/** Descriptions are no reports. */
const isDescription = ({ file }: Source) => /^export const \w+_FINDINGS: readonly DescribedRule\[\]/m.test(file.text);

test('every rule that is reported stands in the reference', () => {
  const places = [...reportedIds(sources)];
  expect(places.filter(([id]) => !isAmong(id, LISTED))).toEqual([]);
});

/** What works and surprises: the operator, the controller or the API server takes it, and no balancer is lost or exposed. */
const TAKEN = [
  'listener-broker-unknown',
  'listener-broker-twice',
  'listener-bootstrap-unused',
  'listener-template-wins',
  'listener-placeholder',
  'listener-placeholder-literal',
  'listener-alternative-name',
  'pools-ids',
  'node-pool-ids',
  'kafka-super-user-prefix',
  'kafka-field-unknown',
  'node-pool-field-unknown',
  'annotation-misread',
  'node-labels-with-ip-targets',
  'azure-unknown-port',
  'azure-ha-ports-public',
  'gke-cleanup-finalizer-of-class',
  'capacity-off',
  'health-check-settings-off',
  'gate-without-effect',
  'disruption-budget',
  'peer-password',
];

test.each(TAKEN)('%s is a warning', (id) => {
  expect(PAGE).toContain(`| \`${id}\` | warning |`);
});

test('every rule that is described outside of a table is reported', () => {
  const described = reportedIds(sources.filter(isDescription));
  const reported = reportedIds(sources.filter((source) => !isDescription(source)));
  expect(described.size).toBeGreaterThan(70);
  expect([...described.keys()].filter((id) => !isAmong(id, reported.keys()))).toEqual([]);
});

test.each<[string, string[]]>([
  ["const finding = { ruleId: 'a-b', who: 'x' };", ['a-b']],
  ["const ID = 'a-b'; const finding = { ruleId: ID };", ['a-b']],
  ["const finding = { ruleId: isOld ? 'a-b' : 'c-d' };", ['a-b', 'c-d']],
  ["const RULE = { id: 'a-b', says: 'what must hold' };", ['a-b']],
  ["const table = { id: 'a-b', name: 'no rule' };", []],
  ["function refuse(what: string, ruleId: string) {} refuse('x', 'a-b');", ['a-b']],
  ["class C { warn(ruleId = 'a-b', what = '') {} } c.warn('c-d', 'what');", ['a-b', 'c-d']],
  ["throw new Error('x: no; do y (a-b)');", ['a-b']],
  ['throw new Error(`x: $' + '{what}; do y (a-b)`);', ['a-b']],
  ["const say = (what: string, ruleId: string) => {}; say('x', 'a-b');", ['a-b']],
  ['const finding = { ruleId: `a-b-$' + '{word}` };', ['a-b-*']],
  ['throw new Error(`x: $' + '{what}; do y (a-b-$' + '{word})`);', ['a-b-*']],
  ['throw new Error(`x: $' + '{what}; do y ($' + '{ruleId})`);', []],
  ["throw new Error('x: so (and so); do y (word)');", []],
])('in %s, %j is reported', (text, ids) => {
  expect([...reportedIds([parse('room/file.ts', text)]).keys()]).toEqual(ids);
});
