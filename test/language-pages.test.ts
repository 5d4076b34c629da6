import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, ROOT } from '../scripts/docs/files';
import { linesSeen, scriptOf, stepsOf } from '../scripts/suites/languages/page-steps';

// A page of docs/languages is followed by `npm run test:languages`: what of it is done, and what is only read.

const PAGE = `# Title

<!-- run -->
\`\`\`sh
mkdir app && cd app
\`\`\`

Text.

<!-- file: src/it's.py -->
\`\`\`python
print("it's")
\`\`\`

\`\`\`python
not_run()
\`\`\`

<!-- prints -->
\`\`\`console
$ python it.py
  it's
\`\`\`
`;

test('what is marked is done in the order of the page, and nothing else', () => {
  expect(stepsOf(PAGE).map(({ does, file }) => [does, file])).toEqual([
    ['run', undefined],
    ['file', "src/it's.py"],
    ['prints', undefined],
  ]);
});

test('the steps are one program, with names of packages as they are resolved', () => {
  expect(scriptOf(stepsOf(PAGE), (commands) => commands.replaceAll('app', 'other'))).toBe(
    [
      'set -euo pipefail',
      'mkdir other && cd other\n',
      `mkdir -p "$(dirname 'src/it'\\''s.py')"`,
      `printf %s 'print("it'\\''s")\n' > 'src/it'\\''s.py'`,
      ...['', ''],
    ].join('\n'),
  );
});

test('what is printed is without the commands', () => {
  expect(linesSeen(stepsOf(PAGE))).toEqual(["it's"]);
});

test('a marker above no fence is an error', () => {
  expect(() => stepsOf('<!-- run -->\n\nText.\n')).toThrow('1 blocks are marked, and 0 of them are fences');
});

const pages = filesIn('docs/languages', '.md').filter((page) => !page.endsWith('README.md'));

test('there are pages', () => {
  expect(pages).toContain('docs/languages/typescript.md');
  expect(pages).toContain('docs/languages/python.md');
});

test.each(pages)('%s has commands, an app, the check of what it writes, and is followed by the suite', (page) => {
  const steps = stepsOf(readFileSync(join(ROOT, page), 'utf8'));
  const commands = steps.filter(({ does }) => does === 'run').map(({ text }) => text);
  expect(steps.map(({ does }) => does)).toEqual(expect.arrayContaining(['run', 'file', 'prints']));
  expect(commands.join('')).toMatch(/cdk8s-load-balancers\S* check /);
  const name = page.replace('docs/languages/', '').replace('.md', '');
  const suite = `scripts/suites/languages/${name}.ts`;
  expect(existsSync(join(ROOT, suite)) && readFileSync(join(ROOT, suite), 'utf8')).toContain(
    // whose code is read by a grammar
    name === 'dotnet' ? 'stepsOf(' : 'checkPage(',
  );
});

/** Files that a reader is to write, and whose name does not stand in the text before them: comments are not seen. */
function namelessFilesIn(markdown: string): string[] {
  return [...markdown.matchAll(/([^\n]+(?:\n[^\n]+)*)\n\n<!-- file: (\S+) -->/g)].flatMap(([, text, name]) =>
    text.includes(`\`${name}\``) ? [] : [name],
  );
}

test.each([...filesIn('docs/languages', '.md'), ...filesIn('docs/tutorials', '.md')])(
  '%s says how each file is called that its reader writes',
  (file) => {
    const page = readFileSync(join(ROOT, file), 'utf8');
    expect(page.match(/<!-- file: /g)?.length).toBeGreaterThan(1);
    expect(namelessFilesIn(page)).toEqual([]);
  },
);

test('a file whose name stands in the comment alone is found', () => {
  expect(namelessFilesIn('The app:\n\n<!-- file: main.py -->\n')).toEqual(['main.py']);
  expect(namelessFilesIn('The app\nis `main.py`:\n\n<!-- file: main.py -->\n')).toEqual([]);
});
