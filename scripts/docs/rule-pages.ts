import { describedRules, explainRule } from '../../src/checks/explain/described-rules';
import type { ExplainedExample, Explanation } from '../../src/checks/explain/explanation';
import { code, fenced, page, prose } from './markdown';

/** Where the site has the page of a rule; the page of all rules has a line for it. */
export function rulePagePath(id: string): string {
  return `docs/reference/rules/${id}.md`;
}

/** A page for each rule, with what `explain RULE` prints. */
export function rulePages(): [file: string, text: string][] {
  const ids = [...new Set(describedRules().map(({ id }) => id))].sort();
  return ids.map((id) => [rulePagePath(id), rulePageOf(explainRule(id) as Explanation)]);
}

function rulePageOf({ word, says, parts, examples = [], todo, readOn }: Explanation): string {
  return page(
    `# ${word}`,
    `${prose(says[0].toUpperCase() + says.slice(1))}.`,
    ...parts.map(({ who, facts, source }) =>
      [
        `**${prose(who)}**`,
        '',
        ...Object.entries({ ...facts, source }).map(([label, value]) => `- ${label}: ${prose(value)}`),
      ].join('\n'),
    ),
    ...examples.flatMap(exampleOf),
    ...(todo.length > 0 ? ['## What to do', todo.map((one) => `- ${prose(one)}`).join('\n')] : []),
    ['## Read on', '', `- ${code(`explain ${word}`)} prints this page`, ...readOn.map(linkOf)].join('\n'),
  );
}

function exampleOf({ why, context, bad, good, what, remedy }: ExplainedExample): string[] {
  return [
    ...(why ? ['## What happens', prose(why)] : []),
    ...(context ? ['## The cluster', fenced('yaml', context.trimEnd())] : []),
    '## Bad',
    fenced('yaml', bad.trimEnd()),
    `Found: ${prose(what)}.`,
    `Fix: ${prose(remedy)}.`,
    '## Good',
    fenced('yaml', good.trimEnd()),
  ];
}

function linkOf(path: string): string {
  const [file] = path.split('#');
  return `- [${file.replace(/^docs\//, '')}](../../../${path})`;
}
