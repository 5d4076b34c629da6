import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn, ROOT } from '../../scripts/docs/files';
import { sources } from '../support/sources';

// Whoever follows a link arrives, and every page is found by following links from the README.

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const atRoot = readdirSync(ROOT).filter((file) => file.endsWith('.md'));
const pages = [...atRoot, ...['docs', 'examples', 'test'].flatMap((folder) => filesIn(folder, '.md'))];

/** The anchors that GitHub gives to the headings of a page: a second one of a name has a number. */
function anchorsIn(text: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) => {
    const name = title
      .replace(/\]\([^)]*\)/g, ']')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replace(/ /g, '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
}

function withoutFences(text: string): string {
  return text.replace(/^[ \t]*(```+)[^\n]*\n.*?^[ \t]*\1[ \t]*$/gms, '');
}

/** Where the links and pictures of a page lead inside of the repository, anchors and all. */
function localLinksOf(text: string): string[] {
  const prose = withoutFences(text).replace(/`[^`\n]*`/g, '');
  const written = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  const inTags = prose.matchAll(/<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g);
  return [...written, ...inTags].map(([, link]) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** What a link of a page leads to: a path of the repository, and an anchor there. */
function targetOf(page: string, link: string): { readonly path: string; readonly anchor?: string } {
  const [path, anchor] = link.split('#');
  return { path: path === '' ? page : join(dirname(page), decodeURI(path)), anchor };
}

function isBroken(page: string, link: string): boolean {
  const { path, anchor } = targetOf(page, link);
  return (
    path.startsWith('..') ||
    !existsSync(join(ROOT, path)) ||
    (anchor !== undefined && !(path.endsWith('.md') && anchorsIn(read(path)).includes(anchor)))
  );
}

test.each(pages)('every link of %s leads somewhere', (page) => {
  expect(localLinksOf(read(page)).filter((link) => isBroken(page, link))).toEqual([]);
});

test.each([
  ['a page that is not there', '[x](nowhere.md)', ['nowhere.md']],
  ['a page that is not there, behind a picture', '![x](docs/images/nothing.svg)', ['docs/images/nothing.svg']],
  ['an anchor that no heading has', '# Here\n\n[x](#there)', ['#there']],
  ['an anchor of a folder', '[x](docs#there)', ['docs#there']],
  ['a link outside of the repository', '[x](../other)', ['../other']],
  ['a reference', '[x][y]\n\n[y]: nowhere.md', ['nowhere.md']],
  ['a tag', '<img src="nowhere.svg" alt="x">', ['nowhere.svg']],
  ['nothing, of what is code', '```md\n[x](nowhere.md)\n```\n\n`[x](nowhere.md)`', []],
  ['nothing, of what is there', '[x](docs/README.md#begin) [y](docs) [z](https://example.com)', []],
])('of a text with a link to %s, that link is broken', (_, text, broken) => {
  expect(localLinksOf(text).filter((link) => !link.startsWith('#') && isBroken('README.md', link))).toEqual(
    broken.filter((link) => !link.startsWith('#')),
  );
  const own = localLinksOf(text).filter((link) => link.startsWith('#'));
  expect(own.filter((link) => !anchorsIn(text).includes(link.slice(1)))).toEqual(
    broken.filter((link) => link.startsWith('#')),
  );
});

test('of two headings with one name the second has an anchor of its own', () => {
  expect(anchorsIn('# A `b`\n\n## Use [it](x.md)\n\n## Use it\n\n```sh\n# no heading\n```\n')).toEqual([
    'a-b',
    'use-it',
    'use-it-1',
  ]);
});

test('every page is reached from the README by links', () => {
  const reached = new Set<string>();
  const follow = (page: string): void => {
    if (reached.has(page) || !page.endsWith('.md')) return;
    reached.add(page);
    for (const link of localLinksOf(read(page))) {
      const { path } = targetOf(page, link);
      if (!existsSync(join(ROOT, path))) continue;
      const found = statSync(join(ROOT, path)).isDirectory() ? filesIn(path, '.md') : [path];
      for (const each of found.filter((file) => dirname(file) === path || file === path)) follow(each);
    }
  };
  follow('README.md');
  expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});

test('the beginning of the docs leads to every handwritten page', () => {
  const begin = read('docs/README.md');
  const written = filesIn('docs', '.md').filter((file) => !/^docs\/(README|reference\/.*|decisions\/.*)\.?/.test(file));
  expect(
    written.filter((file) => ![')', '#'].some((end) => begin.includes(`(${file.slice('docs/'.length)}${end}`))),
  ).toEqual([]);
});

/** Pages of this library that messages and docstrings name; pages of others have other folders. */
const NAMED =
  /docs\/(?:(?:how-to|explanation|tutorials|contributing|decisions)\/[\w-]+|stuck-in-\w+|which-controller|migrating|reference\/(?:rules|controllers))\.md(?:#[\w-]+)?/g;

test('every page that a message or a docstring names is there', () => {
  const named = sources.flatMap(({ path, file }) =>
    [...file.text.matchAll(NAMED)].map(([link]) => ({ where: `src/${path}`, link })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ link }) => isBroken('README.md', link))).toEqual([]);
});
