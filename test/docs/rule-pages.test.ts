import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/docs/files';
import { RULES_PAGE, rulePagePath, rulePages, withRuleLinks } from '../../scripts/docs/rule-pages';
import { ruleIdsOf } from '../../scripts/docs/rules-page';
import { llmsOf } from '../../scripts/site/llms';
import { BEGIN, partsOf } from '../../scripts/site/navigation';
import { run } from '../support/command';

const PAGES = new Map(rulePages());

test('every rule of the reference has a page, which says what happens on a live cluster', () => {
  const ids = ruleIdsOf(readFileSync(join(ROOT, RULES_PAGE), 'utf8'));
  expect([...PAGES.keys()].sort()).toEqual(ids.map(rulePagePath).sort());
  expect([...PAGES].filter(([, page]) => !/## What happens\n\n[A-Z`k].{15,230}\.\n/.test(page))).toEqual([]);
});

test.each([
  ['field-wrong-type', 'The API server refuses the object'],
  ['access-logs-without-bucket', 'The controller refuses it'],
])('%s: %s', (id, happens) => {
  expect(PAGES.get(rulePagePath(id))).toContain(`## What happens\n\n${happens}`);
});

test('the page of all rules links the page of each, which links back without an anchor', () => {
  const text = withRuleLinks(readFileSync(join(ROOT, RULES_PAGE), 'utf8'));
  const linked = [...text.matchAll(/\]\((rules\/[a-z0-9-]+\.md)\)/g)].map(([, path]) => `docs/reference/${path}`);
  expect([...new Set(linked)].sort()).toEqual([...PAGES.keys()].sort());
  expect([...PAGES].filter(([, page]) => page.includes('rules.md#'))).toEqual([]);
});

test('a page has what explain prints: why, both manifests, the place where it was read', () => {
  const text = PAGES.get(rulePagePath('local-policy-without-pool')) ?? '';
  const words = (printed: string) => printed.replace(/[^A-Za-z0-9]+/g, ' ').toLowerCase();
  const printed = run('explain', 'local-policy-without-pool')
    .out.split('\n')
    .map((line) => line.replace(/^[ >]+/, ''));
  const missing = printed.filter((line) => !/^(rule|bad|good|read on|fix|what to do|load-balancers)/.test(line.trim()));
  expect(missing.filter((line) => !words(text).includes(words(line).trim()))).toEqual([]);
  expect(text).toMatch(/## Bad[\s\S]*## Good/);
});

test('the index for tools has a line for each page that readers choose from, with its first sentence', () => {
  const texts = new Map([
    [BEGIN, '## Check\n\n[a page](how-to/a.md)\n'],
    ['docs/how-to/a.md', '# A\n\nDoes [x](y.md) well. And y.\n'],
  ]);
  const text = llmsOf(
    { name: 'it', description: 'A library' },
    texts,
    partsOf(`x\n## Check\n\n[a page](how-to/a.md)\n`),
  );
  expect(text).toContain('# it\n\n> A library.');
  expect(text).toContain('## Check\n\n- [A page](docs/how-to/a.html): Does x well.');
});
