// Compiles every snippet: those of the README and the docstrings by rosetta, strictly, as jsii translates them; those of the
// README and of the pages under docs once more, so that a fault is reported with its file and its line.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, ROOT } from './docs/files';
import { withLibraryInstalled } from './docs/installed-library';
import { ruleExamples } from './docs/rule-examples';
import { faultsIn, type Page, snippetCount } from './docs/snippets';

/** A check that accepts this checks nothing. */
const WRONG: Page = {
  file: 'a wrong snippet',
  text: "```ts\nnew LoadBalancedService(chart, 'Wrong', { wrong: 1 });\n```\n",
};

/** The snippets of the assembly; what rosetta says where it refuses one. */
function refusedByRosetta(): string[] {
  if (!existsSync(join(ROOT, '.jsii'))) {
    return ['the library is not compiled: run `npx projen compile` first'];
  }
  return withLibraryInstalled((work) => {
    const rosetta = join(ROOT, 'node_modules', '.bin', 'jsii-rosetta');
    const { status, stdout, stderr } = spawnSync(rosetta, ['extract', '--strict', '--directory', work, ROOT], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return status === 0 ? [] : [`${stdout}${stderr}`];
  });
}

const pages = ['README.md', ...filesIn('docs', '.md')].map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), 'utf8'),
}));
/** Examples of rules: what a rule refuses compiles as well. */
const examples = ruleExamples().flatMap(({ section, rule, programs }) =>
  programs === undefined
    ? []
    : [programs.bad, programs.good].map(({ code }) => ({
        file: `src/rules/examples/${section}.yaml ${rule}`,
        text: `\`\`\`ts\nimport type { Stack } from 'aws-cdk-lib';\ndeclare const stack: Stack;\n${code}\`\`\`\n`,
      })),
);
const faults = faultsIn([...pages, ...examples, WRONG]);
const refused = [
  ...faults.filter(({ file }) => file !== WRONG.file).map(({ file, line, message }) => `${file}:${line} ${message}`),
  ...(faults.some(({ file }) => file === WRONG.file) ? [] : ['a snippet that is wrong was accepted: mend this check']),
  ...refusedByRosetta(),
];
const count = pages.reduce((sum, page) => sum + snippetCount(page), 0);
for (const refusal of refused) {
  process.stderr.write(`${refusal}\n`);
}
process.stdout.write(`${count} snippets in ${pages.length} pages, ${refused.length} refused\n`);
process.exitCode = refused.length === 0 && count > 0 ? 0 : 1;
