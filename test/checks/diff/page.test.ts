import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse } from 'yaml';
import { traceNamed } from '../../../src/checks/explain/traces';
import { addDiff } from '../../../src/checks/main';

const ROOT = join(__dirname, '..', '..', '..');
const page = (name: string) => readFileSync(join(ROOT, 'docs', 'how-to', `${name}.md`), 'utf8');
const PAGE = page('review-a-change') + page('change-a-controller');
const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(([, text]) => text);

const program = new Command();
addDiff(program);
const [diff] = program.commands;
const OPTIONS = new Set(diff.options.flatMap(({ long }) => (long ? [long] : [])));

const calls = (text: string) => text.split('\n').filter((line) => line.includes('cdk8s-load-balancers diff'));
const optionsIn = (line: string) =>
  [...line.slice(line.indexOf('diff')).matchAll(/ (--[a-z-]+)/g)].map(([, one]) => one);

test('every option of every call is one of the command', () => {
  const all = [...blocks('sh'), ...blocks('yaml')].flatMap(calls);
  expect(all.length).toBeGreaterThan(8);
  expect(all.flatMap(optionsIn).filter((one) => !OPTIONS.has(one))).toEqual([]);
});

test('the workflow is one, with no more permissions than its steps need', () => {
  const [workflow] = blocks('yaml').map((text) => parse(text));
  expect(workflow.on).toBe('pull_request');
  expect(workflow.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
  const { steps } = workflow.jobs['load-balancers'];
  const step = (word: string) => steps.find(({ run }: { run?: string }) => run?.includes(word));
  expect(steps[0]).toMatchObject({
    uses: expect.stringMatching(/^actions\/checkout@v\d+$/),
    with: { 'fetch-depth': 0 },
  });
  // the comment alone needs to write, and has a token for it
  expect(step('gh pr comment').env.GH_TOKEN).toMatch(/^\$\{\{ github\.token }}$/);
  expect(steps.filter(({ env }: { env?: object }) => env)).toHaveLength(1);
  // names of branches are variables of the shell, and never a part of its text
  expect(steps.map(({ run = '' }: { run?: string }) => run).join('\n')).not.toMatch(/\$\{\{/);
  expect(step('diff --git').run).toContain('"origin/$GITHUB_BASE_REF...HEAD"');
});

test('the trace that the page has as its example is there', () => {
  const [, name] = /cdk8s-load-balancers explain (\S+)/.exec(PAGE) ?? [];
  expect(traceNamed(name)).toBeDefined();
  expect(traceNamed('orphaned-by-nobody')).toBeUndefined();
});

test('the accepted loss of the page can be read', () => {
  expect(
    blocks('yaml')
      .map((text) => parse(text))
      .find(({ accepted }) => accepted)?.accepted[0],
  ).toMatchObject({ outcome: 'replaced', object: 'edge/echo' });
});
