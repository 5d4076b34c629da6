import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn, ROOT } from '../scripts/docs/files';
import { GENERATED_FOLDERS, generatedFiles } from '../scripts/docs/pages';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const pages = ['README.md', 'API.md', ...filesIn('docs', '.md')];
const generated = generatedFiles();

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replace(/ /g, '-'),
  );
}

/** Where the links of a page lead, but for other sites. */
function brokenLinksOf(page: string): string[] {
  const prose = read(page).replace(/^[ \t]*```.*?^[ \t]*```$/gms, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links.filter((link) => {
    const [path, anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    const local = !/^[a-z]+:/.test(link);
    return local && !(existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).includes(anchor)));
  });
}

test.each(pages)('every link of %s leads somewhere', (page) => {
  expect(brokenLinksOf(page)).toEqual([]);
});

test.each([...generated])('%s is what `npm run docs` writes', (file, text) => {
  expect(existsSync(join(ROOT, file)) ? read(file) : 'missing').toBe(text);
});

test('nothing is left of what was generated once', () => {
  expect(GENERATED_FOLDERS.flatMap((folder) => filesIn(folder, '')).filter((file) => !generated.has(file))).toEqual([]);
});

test('the beginning of the docs leads to every handwritten page', () => {
  const begin = read('docs/README.md');
  const written = filesIn('docs', '.md').filter((file) => !/^docs\/(README|reference\/.*|decisions\/.*)\.?/.test(file));
  expect(written.filter((file) => !begin.includes(`(${file.slice('docs/'.length)})`))).toEqual([]);
});
