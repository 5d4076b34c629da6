import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, ROOT } from '../scripts/docs/files';
import { isOfTypescriptAlone, type Language, type Translations } from '../scripts/site/languages';
import { BEGIN, navigationOf, partsOf } from '../scripts/site/navigation';
import { snippetsOf, stagedName, stagedPage } from '../scripts/site/staged-page';

const PYTHON: Language = { name: 'Python', highlighted: 'python' };
const staging = {
  pages: new Set(['README.md', 'API.md', 'docs/README.md', 'docs/how-to/report.md']),
  repository: 'https://example.com/blob/main/',
};

const staged = (file: string, text: string, all: readonly Translations[] = []) => stagedPage(file, text, all, staging);

test.each([
  ['README.md', 'index.md'],
  ['docs/README.md', 'docs/index.md'],
  ['docs/how-to/report.md', 'docs/how-to/report.md'],
])('%s is %s on the site', (file, name) => {
  expect(stagedName(file)).toBe(name);
});

describe('a link', () => {
  test.each([
    ['to a page stays', 'docs/README.md', '[a](how-to/report.md#cost)', '[a](how-to/report.md#cost)'],
    ['to the README leads to the first page', 'docs/README.md', '[a](../README.md)', '[a](../index.md)'],
    ['to a folder leads to its page', 'docs/how-to/report.md', '[a](..)', '[a](../index.md)'],
    [
      'to a source leads to the repository',
      'docs/README.md',
      '[a](../examples/eks.ts)',
      '[a](https://example.com/blob/main/examples/eks.ts)',
    ],
    ['to a folder of sources leads there', 'README.md', '[a](examples)', '[a](https://example.com/tree/main/examples)'],
    ['to a picture stays', 'README.md', '![a](docs/images/report.png)', '![a](docs/images/report.png)'],
    ['to elsewhere stays', 'README.md', '[a](https://example.org/x.md)', '[a](https://example.org/x.md)'],
    ['within the page stays', 'README.md', '[a](#test)', '[a](#test)'],
    ['in a fence is no link', 'README.md', '```text\n[a](examples)\n```\n', '```text\n[a](examples)\n```\n'],
  ])('%s', (_, file, written, expected) => {
    expect(staged(file, written)).toBe(expected);
  });
});

describe('a snippet', () => {
  const TEXT = 'Before\n\n  ```ts nofixture\n  const a = 1;\n  ```\n\nafter\n';

  test('is found with its place', () => {
    expect(snippetsOf('a.md', TEXT)).toEqual([{ place: 'a.md:3', words: 'nofixture', source: 'const a = 1;\n' }]);
  });

  test('has a tab for each language, at its own indent', () => {
    const page = staged('README.md', TEXT, [new Map([[PYTHON, 'a = 1']])]);
    expect(page).toContain('  `````{tab-set}\n');
    expect(page).toContain('  ````{tab-item} Python\n  :sync: Python\n\n  ```python\n  a = 1\n  ```\n');
    expect(page).toContain('  ```typescript\n  const a = 1;\n  ```\n');
  });

  test('that no language can say has no tabs', () => {
    expect(staged('README.md', TEXT, [new Map()])).toBe('Before\n\n  ```typescript\n  const a = 1;\n  ```\n\nafter\n');
  });
});

describe('a snippet stays in TypeScript alone', () => {
  test.each([
    ['with a module of Node.js', "import { readFileSync } from 'node:fs';", true],
    ['with the environment', 'if (process.env.CI) {}', true],
    ['with a class of its own', 'class Acme implements ILoadBalancerController {}', true],
    ['with a spec of an ApiObject', "new ApiObject(chart, 'A', {\n  kind: 'A',\n  spec: {},\n});", true],
    ['with a spec, but not of the ApiObject', "new ApiObject(chart, 'A', { kind: 'A' });\nspec(1);", false],
    ['with a construct', "new Include(chart, 'A', { url: 'a.yaml' });", false],
  ])('%s', (_, source, expected) => {
    expect(isOfTypescriptAlone(source)).toBe(expected);
  });
});

describe('the navigation', () => {
  const pages = ['README.md', 'API.md', 'CHANGELOG.md', ...filesIn('docs', '.md')];
  const parts = partsOf(readFileSync(join(ROOT, BEGIN), 'utf8'));
  const trees = pages.map((page) => navigationOf(page, pages, parts)).join('');

  test('has every page once', () => {
    const listed = [...trees.matchAll(/^(?:.* <)?\/([\w/.-]+)>?$/gm)].map(([, page]) => `${page}.md`);
    expect(listed.sort()).toEqual(
      pages
        .filter((page) => page !== 'README.md')
        .map(stagedName)
        .sort(),
    );
  });

  test('has the sections of the page on which readers choose, in their order, with its words', () => {
    const captions = [...trees.matchAll(/^:caption: (.*)$/gm)].map(([, caption]) => caption);
    expect(captions.slice(0, parts.length)).toEqual(parts.map(({ caption }) => caption));
    expect(['Decisions', 'The project']).toEqual(expect.arrayContaining(captions.slice(parts.length)));
    expect(
      partsOf('# A\n\n[x](x.md)\n\n## B\n\n[keep it](how-to/a.md), [b](../API.md)\n\n## C\n\n[a](how-to/a.md)\n'),
    ).toEqual([
      {
        caption: 'B',
        pages: [
          ['docs/how-to/a.md', 'Keep it'],
          ['API.md', 'B'],
        ],
      },
    ]);
  });
});
