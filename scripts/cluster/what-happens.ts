import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, type StoryRecord } from '../../test/real/story';

/** The page, from the root of the repository; the site has it beside the pages of docs. */
export const WHAT_HAPPENS = 'test/cluster/what-happens.md';

const PAGE = join(__dirname, '..', '..', WHAT_HAPPENS);

/** The files of stories in the order of the page, with their headings. */
const CHAPTERS: Record<string, string> = {
  'service-controller': 'While the service controller runs',
  'controller-away': 'While it does not run, and when it is killed',
  faults: 'When programs are killed at work',
  'stuck-in-terminating': 'Stuck in Terminating',
  'take-down': 'Taking a cluster down, and handing Services over',
  owners: 'Controllers that serve a class',
  'first-story': 'Strimzi and the AWS Load Balancer Controller',
};

const HEAD = `# What happens

What controllers do after a manifest is applied, step by step, as it was seen in the last run of \`npm run test:cluster\`: this
page is written by that run, and the run fails when it sees something else. The API server, the service controller and the
controllers of namespaces, garbage and quotas are the real ones of Kubernetes 1.36. The cloud is a ledger: the column counts the
balancers that were asked for and not given back. Where a *model* takes part, a program of ours plays a controller or an operator
by rules that were seen on the real one.

\`[K]\` is the finalizer \`service.kubernetes.io/load-balancer-cleanup\` of KEP-980, \`[F]\` is \`service.k8s.aws/resources\` of the AWS
Load Balancer Controller. What to do about a Service that hangs: [A Service stuck in Terminating](../../docs/stuck-in-terminating.md).
`;

function chapter(name: string, heading: string, stories: StoryRecord[]): string {
  const own = stories.filter((story) => story.chapter === name);
  const parts = own.map(({ title, why, cast, rows }) => {
    const table = markdownTable(['step', 'finalizers', 'ledger', 'result'], rows);
    return `### ${title}\n\n${why} With ${cast}.\n\n${table}\n`;
  });
  return `## ${heading}\n\n${parts.join('\n')}`;
}

/** The page as a run of all stories makes it. */
function whatHappens(stories: StoryRecord[]): string {
  const unknown = stories.find((story) => !(story.chapter in CHAPTERS));
  if (unknown) {
    throw new Error(`scripts/cluster/what-happens.ts has no chapter for ${unknown.chapter}: add a line`);
  }
  return [HEAD, ...Object.entries(CHAPTERS).map(([name, heading]) => chapter(name, heading, stories))].join('\n');
}

/** Writes the page, or says where the committed one differs from what was seen. */
export function checkPage(stories: StoryRecord[], update: boolean): string | undefined {
  const untold = Object.keys(CHAPTERS).find((name) => !stories.some((story) => story.chapter === name));
  if (untold) {
    return `${WHAT_HAPPENS} has a chapter that no test plays: ${untold}; mend the test, or take the chapter out`;
  }
  const page = whatHappens(stories);
  if (update) {
    writeFileSync(PAGE, page);
    return undefined;
  }
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const line = page.split('\n').findIndex((text, index) => text !== lines[index]);
  return line < 0 && lines.length === page.split('\n').length
    ? undefined
    : `${WHAT_HAPPENS} differs from what was seen, at line ${line + 1}: \`${page.split('\n')[line]}\`; if it is right, write it with UPDATE_DOCS=1 npm run test:cluster`;
}
