import type { Part } from './navigation';
import { stagedName } from './staged-page';

/** What tools find on the site first: https://llmstxt.org */
export const LLMS = 'llms.txt';

/** The skill, beside it. */
export const SKILL = 'assets/skill/SKILL.md';

interface Named {
  readonly name: string;
  readonly description: string;
}

/** An index of the site for programs that read it: what it is about, and each page with its first sentence. */
export function llmsOf(
  { name, description }: Named,
  texts: ReadonlyMap<string, string>,
  parts: readonly Part[],
): string {
  const lineOf = ([page, title]: readonly [page: string, title: string]) => {
    const first = firstSentence(texts.get(page) ?? '');
    return `- [${title}](${stagedName(page).replace(/\.md$/, '.html')})${first === '' ? '' : `: ${first}`}`;
  };
  return [
    `# ${name}`,
    `> ${description}.`,
    '`npx cdk8s-load-balancers` checks any Kubernetes YAML; the library writes it. [SKILL.md](SKILL.md) says when to run which command, and what exit codes and JSON mean. Each rule has a page, `docs/reference/rules/RULE.html`, with the text of `explain RULE`.',
    ...parts.map(({ caption, pages }) => {
      const own = pages.filter(([page]) => texts.has(page));
      return [`## ${caption}`, '', ...own.map(lineOf)].join('\n');
    }),
    '',
  ].join('\n\n');
}

/** The first sentence below the title, without links. */
function firstSentence(text: string): string {
  const [, paragraph = ''] = /^# .+\n+([^#\n<|`[-][\s\S]*?)(\n\n|$)/m.exec(text) ?? [];
  const line = paragraph.replace(/\s*\n\s*/g, ' ').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return /^.*?[.:](?= |$)/.exec(line)?.[0].replace(/:$/, '.') ?? '';
}
