import { extname } from 'node:path';
import { describedRules, explainRule } from '../../src/cli/explain/described-rules';
import type { ExplainedExample, Explanation } from '../../src/cli/explain/explanation';
import { code, fenced, page, prose } from './markdown';

/** Path of the page of a rule on the site. */
export function rulePagePath(id: string): string {
  return `docs/reference/rules/${id}.md`;
}

/** Page of all rules, in which each rule has an anchor of its id before its name. */
export const RULES_PAGE = 'docs/reference/rules.md';

/** The page of all rules with a link to the page of each. */
export const withRuleLinks = (text: string) =>
  text.replace(/(<a id="([a-z0-9-]+)"><\/a>)(`\2`)/g, (_, anchor, id, name) => `${anchor}[${name}](rules/${id}.md)`);

/** A page for each rule, with what `explain RULE` prints. */
export function rulePages(): [file: string, text: string][] {
  const ids = [...new Set(describedRules().map(({ id }) => id))].sort();
  return ids.map((id) => [rulePagePath(id), rulePageOf(explainRule(id) as Explanation)]);
}

function rulePageOf({ word, says, parts, happens, examples = [], todo, readOn }: Explanation): string {
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
    ...(happens ? ['## What happens', prose(happens)] : []),
    ...examples.flatMap(exampleOf),
    ...(todo.length > 0 ? ['## What to do', todo.map((one) => `- ${prose(one)}`).join('\n')] : []),
    ['## Read on', '', `- ${code(`explain ${word}`)} prints this page`, ...readOn.map(linkOf)].join('\n'),
  );
}

/** Fences by language: what is fenced as `ts` is translated with the site, and these snippets are compiled with the examples. */
const FENCES = { ts: 'typescript', yaml: 'yaml', json: 'json' } as const;

function exampleOf({ context, file, language, bad, good, what, remedy }: ExplainedExample): string[] {
  const isCode = language === 'ts';
  const of = file && !isCode ? `: ${code(file)}` : '';
  return [
    ...(context && isCode && file ? [`## ${code(file)}`, fenced(extname(file).slice(1), context.trimEnd())] : []),
    ...(context && language && !isCode ? ['## The constructs', fenced('typescript', context.trimEnd())] : []),
    ...(context && !language ? ['## The cluster', fenced('yaml', context.trimEnd())] : []),
    `## Bad${of}`,
    fenced(FENCES[language ?? 'yaml'], bad.trimEnd()),
    `Found: ${prose(what)}.`,
    `Fix: ${prose(remedy)}.`,
    `## Good${of}`,
    fenced(FENCES[language ?? 'yaml'], good.trimEnd()),
  ];
}

function linkOf(path: string): string {
  const [file] = path.split('#');
  return `- [${file.replace(/^docs\//, '')}](../../../${file === RULES_PAGE ? file : path})`;
}
