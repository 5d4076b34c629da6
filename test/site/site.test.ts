import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Chromium, Tab } from '../page/harness/chromium';

import { brokenLinksOf, pagesIn, valuesOf } from './html';

const { CHROMIUM = 'chromium', CHROMIUM_TMPDIR = tmpdir(), SITE_FOLDER = 'dist/site' } = process.env;
const pages = pagesIn(SITE_FOLDER);
const byPath = new Map(pages.map((page) => [page.path, page]));
const read = pages.filter(({ path }) => path !== 'search.html');
/** The pages of rules are hundreds, made by one function. */
const looked = pages.filter(({ path }, index) => !path.startsWith('docs/reference/rules/') || index % 40 === 0);

/** What a page that is read in the dark on a narrow screen must be. */
const LOOK = `(() => {
  const root = document.documentElement;
  const [red] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
  return {
    sideways: root.scrollWidth > root.clientWidth ? root.scrollWidth : 0,
    isDark: red < 80,
    missing: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
  };
})()`;

const CODE = `[...document.querySelectorAll('.sd-tab-content')]
  .filter((each) => each.checkVisibility()).map((each) => each.querySelector('pre').textContent)`;

const until = async (is: () => Promise<boolean>): Promise<boolean> => {
  for (let tries = 0; tries < 100; tries++) {
    if (await is()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
};

let browser: Chromium;
let tab: Tab;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  browser = Chromium.start(CHROMIUM, join(folder, 'profile'), CHROMIUM_TMPDIR);
});

afterAll(() => browser.close());

beforeEach(async () => {
  tab = await Tab.open(browser);
});

afterEach(() => tab.close());

describe('the files', () => {
  test('are all pages of the docs', () => {
    expect(read.length).toBeGreaterThan(70);
    expect(
      ['index.html', 'API.html', 'docs/index.html', 'docs/reference/rules.html'].filter((each) => !byPath.has(each)),
    ).toEqual([]);
  });

  test('lead nowhere in vain', () => {
    expect(pages.flatMap((page) => brokenLinksOf(page, byPath).map((link) => `${page.path}: ${link}`))).toEqual([]);
  });

  test('a link that leads nowhere would be found', () => {
    const html = '<h1 id="here">x</h1><a href="#here">a</a><a href="#there">b</a><a class="c" href="gone.html">c</a>';
    expect(brokenLinksOf({ path: 'a.html', html }, new Map([['a.html', { path: 'a.html', html }]]))).toEqual([
      '#there',
      'gone.html',
    ]);
  });

  test('ask for scripts, styles and pictures of their own alone', () => {
    const asked = pages.flatMap((page) =>
      [...valuesOf(page, 'script|img|source|iframe', 'src'), ...valuesOf(page, 'link', 'href')].map(
        (link) => [page, link] as const,
      ),
    );
    const wrong = asked.filter(
      ([{ path }, link]) => !existsSync(join(SITE_FOLDER, dirname(path), link.split(/[?#]/)[0])),
    );
    expect(asked.length).toBeGreaterThan(500);
    expect(wrong.map(([{ path }, link]) => `${path}: ${link}`)).toEqual([]);
  });

  test('have one heading of the first level each, and a name', () => {
    expect(read.filter(({ html }) => html.match(/<h1[ >]/g)?.length !== 1).map(({ path }) => path)).toEqual([]);
    expect(read.filter(({ html }) => !/<title>[^<]{5,}<\/title>/.test(html)).map(({ path }) => path)).toEqual([]);
  });
});

test('every page, of those of rules every fortieth, is read on a narrow screen in the dark, and complains of nothing', async () => {
  const wrong: string[] = [];
  expect(looked.length).toBeGreaterThan(80);
  for (const { path } of looked) {
    await tab.show(join(SITE_FOLDER, path), { scheme: 'dark', width: 380 });
    const look = await tab.evaluate<{ sideways: number; isDark: boolean; missing: string[] }>(LOOK);
    const complaints = tab.complaints.splice(0);
    if (look.sideways > 0 || !look.isDark || look.missing.length > 0 || complaints.length > 0) {
      wrong.push(`${path}: ${JSON.stringify({ ...look, complaints })}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe('search', () => {
  const RESULTS = `[...document.querySelectorAll('#search-results li a')].map((each) => each.href.replace(/^.*[/]site[/]|[#?].*$/g, ''))`;

  test.each([
    ['finalizer', 'docs/explanation/finalizers.html'],
    ['externalTrafficPolicy', 'docs/explanation/traffic-policy.html'],
    ['NodepoolPinnedService', 'docs/how-to/pin-to-a-node-pool.html'],
  ])('finds %s', async (words, page) => {
    await tab.show(join(SITE_FOLDER, 'index.html'), { scheme: 'light', width: 1280 });
    await tab.loading(() =>
      tab.evaluate(`(() => {
        const form = document.querySelector('form.sidebar-search-container');
        form.querySelector('input[name=q]').value = ${JSON.stringify(words)};
        form.requestSubmit();
      })()`),
    );
    expect(await until(async () => (await tab.evaluate<string[]>(RESULTS)).includes(page))).toBe(true);
    expect(tab.complaints).toEqual([]);
  });

  test('finds nothing where there is nothing', async () => {
    await tab.show(join(SITE_FOLDER, 'search.html'), { scheme: 'light', width: 1280 });
    await tab.loading(() => tab.evaluate(`location.search = '?q=qxzjkv'`));
    expect(await until(() => tab.evaluate(`/did not match/.test(document.body.textContent)`))).toBe(true);
    expect(await tab.evaluate(RESULTS)).toEqual([]);
  });
});

describe('a snippet', () => {
  const page = join(SITE_FOLDER, 'docs', 'how-to', 'kafka-listener.html');
  const choose = (language: string) =>
    tab.evaluate(
      `[...document.querySelectorAll('.sd-tab-set label')].find((each) => each.textContent.trim() === ${JSON.stringify(language)}).click()`,
    );

  test.each([
    ['TypeScript', 'KafkaCluster.fromManifest(include, { name'],
    ['Python', 'KafkaCluster.from_manifest(include, name='],
    ['Java', 'KafkaLoadBalancedListener.Builder.create(chart, "External")'],
    ['C#', 'new KafkaLoadBalancedListenerProps'],
    ['Go', 'NewKafkaLoadBalancedListener(chart, jsii.String("External")'],
  ])('is there in %s, and with it all others of the page', async (language, text) => {
    await tab.show(page, { scheme: 'light', width: 1280 });
    const sets = await tab.evaluate<number>(`document.querySelectorAll('.sd-tab-set').length`);
    expect(sets).toBeGreaterThan(2);
    await choose(language);
    const shown = await tab.evaluate<string[]>(CODE);
    expect(shown.length).toBe(sets);
    expect(shown[0]).toContain(text);
    expect(tab.complaints).toEqual([]);
  });

  test('is highlighted', async () => {
    await tab.show(page, { scheme: 'light', width: 1280 });
    expect(
      await tab.evaluate(
        `document.querySelectorAll('.highlight-typescript span.kd, .highlight-typescript span.k').length`,
      ),
    ).toBeGreaterThan(0);
  });
});

test('light and dark can be chosen, whatever the system says', async () => {
  const background = 'getComputedStyle(document.body).backgroundColor';
  await tab.show(join(SITE_FOLDER, 'index.html'), { scheme: 'light', width: 1280 });
  const light = await tab.evaluate(background);
  const seen = new Set<unknown>();
  for (let clicks = 0; clicks < 3; clicks++) {
    await tab.evaluate(
      `[...document.querySelectorAll('.theme-toggle')].find((each) => each.checkVisibility()).click()`,
    );
    seen.add(await tab.evaluate(background));
  }
  expect(seen.size).toBe(2);
  expect(seen.has(light)).toBe(true);
});
