/** @jest-environment node */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { apiIndex, apiPages } from '../scripts/api/pages';
import { bundledCommand, licenceOf } from '../scripts/command/bundle';
import { filesIn, ROOT } from '../scripts/docs/files';
import { GENERATED_FOLDERS, generatedFiles } from '../scripts/docs/pages';
import { fitting, svgFile } from '../scripts/pictures/canvas';
import { PICTURES_FOLDER, pictures } from '../scripts/pictures/pictures';
import { isOfTypescriptAlone, type Language, type Translations } from '../scripts/site/languages';
import { BEGIN, navigationOf, partsOf } from '../scripts/site/navigation';
import { snippetsOf, stagedName, stagedPage } from '../scripts/site/staged-page';
import { linesSeen, scriptOf, stepsOf } from '../scripts/suites/languages/page-steps';
import { runExample } from './support/pasted-page';
import { casesIn, table, tablesOf } from './support/yaml-cases';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const generated = generatedFiles();

test.each([...generated])('%s is what `npm run docs` writes', (file, text) => {
  expect(existsSync(join(ROOT, file)) ? read(file) : 'missing').toBe(text);
});

test('nothing is left of what was generated once', () => {
  expect(GENERATED_FOLDERS.flatMap((folder) => filesIn(folder, '')).filter((file) => !generated.has(file))).toEqual([]);
});

const tables = tablesOf<Record<string, never>>(join(__dirname, 'api-pages.yaml'));

function type(name: string, filename: string, rest: object): object {
  return { fqn: `x.${name}`, name, kind: 'interface', datatype: true, locationInModule: { filename }, ...rest };
}

const string = { primitive: 'string' };

const TYPES = [
  type('Props', 'src/services/service.ts', {
    docs: { summary: 'What a Service has.' },
    interfaces: ['x.Base'],
    properties: [
      {
        name: 'size',
        optional: true,
        type: { primitive: 'number' },
        docs: { summary: 'How big.', default: '- as is' },
      },
      { name: 'ports', type: { collection: { kind: 'array', elementtype: { fqn: 'x.Port' } } }, docs: {} },
    ],
  }),
  type('Base', 'src/contract/base.ts', { properties: [{ name: 'name', type: string }] }),
  type('Port', 'src/services/port.ts', { properties: [] }),
  type('Service', 'src/services/service.ts', {
    kind: 'class',
    datatype: undefined,
    docs: { summary: 'A Service.', example: "new Service('a');" },
    base: 'constructs.Construct',
    initializer: { parameters: [{ name: 'props', type: { fqn: 'x.Props' } }], docs: { custom: { throws: 'at noon' } } },
    methods: [{ name: 'of', static: true, parameters: [], returns: { type: { fqn: 'x.Service' }, optional: true } }],
    properties: [{ name: 'labels', type: { collection: { kind: 'map', elementtype: string } } }],
  }),
  type('Word', 'src/contract/word.ts', { kind: 'enum', members: [{ name: 'YES', docs: { summary: 'It is so.' } }] }),
];

function madeOf<T>(types: readonly object[], make: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-api-'));
  try {
    const named = types.map((each) => [(each as { fqn: string }).fqn, each]);
    writeFileSync(join(root, '.jsii'), JSON.stringify({ types: Object.fromEntries(named) }));
    return make(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const pagesOf = (types: readonly object[]) => madeOf(types, apiPages);

describe('the pages of the API', () => {
  const pages = pagesOf(TYPES);
  const services = pages.get('docs/reference/api/services.md') ?? '';
  const contract = pages.get('docs/reference/api/contract.md') ?? '';
  const index = pages.get('API.md') ?? '';

  test('are an index, and a page a room', () => {
    expect([...pages.keys()]).toEqual(['API.md', 'docs/reference/api/services.md', 'docs/reference/api/contract.md']);
    expect(index).toMatch(/5 types.*\[Service\]\(docs\/reference\/api\/services.md#service\).*## \[Contract\]\(docs/s);
  });

  test('the index in the repository has names, and no links to pages that only the site has', () => {
    const index = madeOf(TYPES, apiIndex);
    expect(index).toContain('## Services\n');
    expect(index).toContain('- Structs: `Port`, `Props`');
    expect(index).not.toContain('](');
  });

  test.each<[string, RegExp]>(tables.pagesApiHave)('have %s', (_, text) => {
    expect(services).toMatch(text);
    expect(services.split('How big.')).toHaveLength(2);
  });

  test('have the words of an enum', () => expect(contract).toContain('## Enums\n\n### Word\n\n- `YES`\n\n  It is so.'));

  test('have a sentence in one piece that jsii cuts at a semicolon', () => {
    const cut = type('Cut', 'src/services/cut.ts', {
      docs: { summary: 'Worst first;', remarks: 'the rest after it.' },
    });
    expect(pagesOf([cut]).get('docs/reference/api/services.md')).toContain('\n\nWorst first; the rest after it.\n');
  });

  test('have a title and a subject for every room', () => {
    expect(() => pagesOf([type('New', 'src/attic/new.ts', {})])).toThrow('room attic has no title');
  });
});

// A page of docs/languages is followed by `npm run test:languages`: what of it is done, and what is only read.

const PAGE = casesIn(__dirname, 'pages.yaml').page;

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

test('what is printed is without the commands', () => expect(linesSeen(stepsOf(PAGE))).toEqual(["it's"]));

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
])('%s is %s on the site', (file, name) => expect(stagedName(file)).toBe(name));

describe('a link', () => {
  test.each<[string, string, string, string]>(table('pages.yaml', 'links'))('%s', (_, file, written, expected) => {
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
  test.each<[string, string, boolean]>(table('pages.yaml', 'a snippet stays in TypeScript alone'))(
    '%s',
    (_, source, expected) => expect(isOfTypescriptAlone(source)).toBe(expected),
  );
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
    ).toEqual(casesIn(__dirname, 'pages.yaml')['has the sections of the page on which readers choose in']);
  });
});

const MOST_BYTES = 15_000;

const drawn = pictures();

/** The picture as a tree; markup that is not well-formed is an error. */
function parsed(svg: string) {
  const onError = (_level: string, message: string) => {
    throw new Error(message);
  };
  return new DOMParser({ onError }).parseFromString(svg, 'image/svg+xml');
}

test('every SVG of the docs is drawn by `npm run docs:pictures`', () => {
  expect(filesIn(PICTURES_FOLDER, '.svg')).toEqual(
    [...drawn.keys()].map((name) => `${PICTURES_FOLDER}/${name}`).sort(),
  );
});

describe.each([...drawn])('%s', (name, svg) => {
  test('is what the script draws', () => expect(readFileSync(join(ROOT, PICTURES_FOLDER, name), 'utf8')).toBe(svg));

  test('is small, and alike each time', () => {
    expect(Buffer.byteLength(svg)).toBeLessThan(MOST_BYTES);
    expect(pictures().get(name)).toBe(svg);
  });

  test('has a title and a description, which screen readers say', () => {
    const root = parsed(svg).documentElement;
    const said = ['title', 'desc'].map((tag) => root?.getElementsByTagName(tag)[0]);
    expect(root?.getAttribute('role')).toBe('img');
    expect(root?.getAttribute('aria-labelledby')).toBe(said.map((each) => each?.getAttribute('id')).join(' '));
    expect(said.map((each) => (each?.textContent ?? '').length > 20)).toEqual([true, true]);
  });

  test('has its own colours for dark pages, and asks for nothing from elsewhere', () => {
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|href|url\(|@import|<script|<foreignObject/,
    );
  });
});

test('names that are markup are texts', () => {
  const root = parsed(svgFile({ title: '<script>', description: `"]]>&'` }, 10)).documentElement;
  expect(root?.getElementsByTagName('title')[0]?.textContent).toBe('<script>');
  expect(root?.getElementsByTagName('script').length).toBe(0);
});

test('a text that has no place is an error, and not drawn beyond its box', () => {
  expect(() => fitting('a text that is much too long', 60, false)).toThrow(
    "no place for 'a text that is much too long'",
  );
});

describe('what pictures say comes from the library', () => {
  const descriptionOf = (name: string) =>
    parsed(drawn.get(name) ?? '').documentElement?.getElementsByTagName('desc')[0]?.textContent ?? '';

  test.each<[string, string]>(casesIn(__dirname, 'pages.yaml')['what pictures say comes from the library'])(
    '%s: %s',
    (name, words) => expect(descriptionOf(name)).toContain(words),
  );
});

/** What NOTICE has to name: where each package is, its licence, and who has its copyright. */
function wanted(): string[] {
  const places = bundledCommand()
    .packages.map((folder) => licenceOf(folder))
    .flatMap((found) => [
      { ...found, place: 'lib/cli/main.js.br' },
      ...(found.name === 'yaml' ? [{ ...found, place: 'lib/yaml.js' }] : []),
    ]);
  return [...new Set(places.map(({ name }) => name))].sort().map((name) => {
    const its = places.filter((one) => one.name === name);
    const copyrights = its.flatMap(({ texts }) => texts.join('\n').match(/^ *Copyright (?!\[yyyy\]).*$/gm) ?? []);
    const where = its
      .map(({ place }) => place)
      .sort()
      .reverse()
      .join(' and ');
    const lines = new Set([its[0].licence, ...copyrights.map((line) => line.trim())]);
    return [`${name}, in ${where}`, ...[...lines].map((line) => `  ${line}`)].join('\n');
  });
}

test('NOTICE names all software of others that is published, and nothing else', () => {
  const [, , , ...entries] = read('NOTICE').trimEnd().split('\n\n');
  expect(entries).toEqual(wanted());
  expect(entries.every((entry) => /\n {2}Copyright /.test(entry))).toBe(true);
});

test('the programs in assets are of this library alone', () => {
  const programs = filesIn('assets', '.js');
  expect(programs.length).toBeGreaterThan(1);
  for (const program of programs) {
    const sources = read(program).match(/^\/\/ [\w./@-]+\.[cm]?[jt]s$/gm) ?? [];
    expect(sources.length).toBeGreaterThan(1);
    expect(sources.filter((source) => !/^\/\/ (src|programs)\//.test(source))).toEqual([]);
  }
});

test('every licence of what is published allows it', () => {
  const licences = wanted().map((entry) => entry.split('\n')[1].trim());
  expect(
    licences.filter((licence) => !['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause'].includes(licence)),
  ).toEqual([]);
});

// What the docs promise of the library is seen in the examples. What the one says that fails is in the docs itself.

test.each([
  ['kafka-on-eks', 'type: loadbalancer'],
  ['kafka-behind-a-gateway', 'type: tlsroute'],
  ['tenants', 'kind: ValidatingAdmissionPolicy'],
  ['platform', 'kind: ValidatingWebhookConfiguration'],
])('the example %s writes %s, and says nothing on standard error', (name, text) => {
  const { files, said } = runExample(name);
  expect(said).toBe('');
  expect(Object.values(files).join('')).toContain(text);
});
