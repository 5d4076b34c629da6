import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pictures } from '../../scripts/pictures/pictures';
import type { Report } from '../../src/report/make-report';
import { htmlOf } from '../../src/report/page/page';
import { balancerOf, nodeOf, podOf, reportOf, stories } from '../report/page-reports';
import { Chromium, Tab } from './harness/chromium';

const DOCS_IMAGE = join(__dirname, '..', '..', 'docs', 'images', 'report.png');
const MOST_BYTES = 200_000;
const SCALE = 0.8;

/** Names as long as they can be, right to left, in wide letters, and with markup in them. */
function hostile(): Report {
  const names = [
    'n'.repeat(253),
    'خدمة-שירות-'.repeat(8),
    '服務🦊'.repeat(40),
    '<script>alert(1)</script>',
    'W'.repeat(80),
  ];
  const balancers = names.map((name) => balancerOf({ namespace: name, name, owner: name, tenant: name, place: name }));
  const objects = names.flatMap((name) => [nodeOf(name, name), podOf(name, name, name, name)]);
  return reportOf(balancers, { objects, notes: names, assumptions: names, needs: names });
}

/** In the page: what is wider than it may be, and texts that leave their boxes. */
const OVERFLOWING = `(() => {
  const width = document.documentElement.clientWidth;
  const found = [];
  if (document.documentElement.scrollWidth > width) {
    found.push('the page scrolls sideways: ' + document.documentElement.scrollWidth + ' > ' + width);
  }
  const nameOf = (element) => element.tagName + '.' + (element.getAttribute('class') ?? '') + ' ' + element.textContent.slice(0, 30);
  for (const element of document.querySelectorAll('body *:not(.skip):not(thead):not(thead *)')) {
    const box = element.getBoundingClientRect();
    if (box.width > 1 && (box.right > width + 1 || box.left < -1)) {
      found.push('beyond the page: ' + nameOf(element));
    }
    if (element instanceof HTMLElement && getComputedStyle(element).position !== 'absolute' && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1) {
      found.push('content beyond its box: ' + nameOf(element));
    }
  }
  for (const svg of document.querySelectorAll('svg[role=img]')) {
    const view = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('rect')].map((rect) => rect.getBoundingClientRect());
    for (const text of svg.querySelectorAll('text')) {
      const own = text.getBoundingClientRect();
      if (own.width === 0) continue;
      if (own.right > view.right + 1 || own.left < view.left - 1) found.push('beyond its picture: ' + nameOf(text));
      // a text that begins in a box ends in it
      const box = boxes.find((each) => own.left >= each.left && own.left < each.right && own.top + own.height / 2 > each.top && own.top + own.height / 2 < each.bottom);
      if (box && own.right > box.right + 1) found.push('beyond its box: ' + nameOf(text));
    }
  }
  return found;
})()`;

/** In the page: texts of pictures of too little contrast to the box that they are in. */
const FAINT = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
    .map((each) => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  const light = (colour) => channels(colour).reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);
  const rects = [...document.querySelectorAll('svg rect')].filter((rect) => getComputedStyle(rect).fill !== 'none');
  return [...document.querySelectorAll('svg text')].flatMap((text) => {
    const own = text.getBoundingClientRect();
    const behind = rects.filter((rect) => {
      const box = rect.getBoundingClientRect();
      return box.left <= own.left + 1 && box.right >= own.right - 1 && box.top <= own.top + 4 && box.bottom >= own.bottom - 4;
    }).at(-1);
    if (!behind) return 'nothing behind ' + text.textContent;
    const [less, more] = [light(getComputedStyle(text).fill), light(getComputedStyle(behind).fill)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05) >= 4.5 ? [] : 'faint: ' + text.textContent;
  });
})()`;

const OPEN_ALL = `document.querySelectorAll('details').forEach((each) => { each.open = true; })`;

const VIEWS = (['light', 'dark'] as const).flatMap((scheme) =>
  [1280, 380].map((width) => [`${scheme}, ${width} px`, { scheme, width }] as const),
);

let browser: Chromium;
let folder: string;
let tab: Tab;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'page-'));
  const { CHROMIUM = 'chromium', CHROMIUM_TMPDIR = tmpdir() } = process.env;
  browser = Chromium.start(CHROMIUM, join(folder, 'profile'), CHROMIUM_TMPDIR);
});

afterAll(() => browser.close());

beforeEach(async () => {
  tab = await Tab.open(browser);
});

afterEach(() => tab.close());

describe.each([
  ['the stories', stories],
  ['hostile names', hostile],
])('the page of %s', (name, report) => {
  let file: string;

  beforeAll(() => {
    file = join(folder, `${name}.html`);
    writeFileSync(file, htmlOf(report()));
  });

  test.each(VIEWS)('fits and has no errors: %s', async (_, view) => {
    await tab.show(file, view);
    expect(await tab.evaluate(OVERFLOWING)).toEqual([]);
    await tab.evaluate(OPEN_ALL);
    expect(await tab.evaluate(OVERFLOWING)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  test('has a name for every picture in the accessibility tree', async () => {
    await tab.show(file, { scheme: 'light', width: 1280 });
    await tab.evaluate(OPEN_ALL);
    const drawn = await tab.evaluate<number>(`document.querySelectorAll('svg[role=img]').length`);
    const nodes = await tab.accessible();
    const images = nodes.filter(({ role }) => ['image', 'img', 'SvgRoot'].includes(role));
    expect(images.length).toBe(drawn);
    expect(drawn).toBeGreaterThan(3);
    expect(images.filter(({ name: said }) => said.trim() === '')).toEqual([]);
    const roles = new Set(nodes.map(({ role }) => role));
    expect(
      ['main', 'banner', 'navigation', 'contentinfo', 'heading', 'table'].filter((role) => !roles.has(role)),
    ).toEqual([]);
  });
});

describe.each([...pictures()])('the picture %s', (name, svg) => {
  test.each(['light', 'dark'] as const)('has texts in their boxes, and is read: %s', async (scheme) => {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, `<!doctype html><title>${name}</title><body style="margin:0">${svg}`);
    await tab.show(file, { scheme, width: 720 });
    expect(await tab.evaluate(OVERFLOWING)).toEqual([]);
    expect(await tab.evaluate(FAINT)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });
});

describe('by keyboard', () => {
  beforeEach(async () => {
    const file = join(folder, 'keyboard.html');
    writeFileSync(file, htmlOf(stories()));
    await tab.show(file, { scheme: 'light', width: 1280 });
  });

  test('the first stop skips to the content, every summary is reached in its order, and the focus is seen', async () => {
    const focused = `(() => {
      const all = [...document.querySelectorAll('summary')];
      const own = document.activeElement;
      const style = getComputedStyle(own);
      return { index: all.indexOf(own), skip: own.className === 'skip', outline: style.outlineStyle + ' ' + style.outlineWidth };
    })()`;
    const summaries = await tab.evaluate<number>(
      `[...document.querySelectorAll('summary')].filter((each) => each.checkVisibility()).length`,
    );
    const stops: { readonly index: number; readonly skip: boolean; readonly outline: string }[] = [];
    while (stops.length < 400 && stops.filter(({ index }) => index >= 0).length < summaries) {
      await tab.press('Tab');
      stops.push(await tab.evaluate(focused));
    }
    expect(stops[0].skip).toBe(true);
    const reached = stops.flatMap(({ index }) => (index >= 0 ? index : []));
    expect(reached.length).toBe(summaries);
    expect(reached).toEqual([...reached].sort((one, other) => one - other));
    expect(stops.filter(({ outline }) => outline !== 'solid 3px')).toEqual([]);
  });

  test('a summary opens what it folds', async () => {
    await tab.evaluate(`document.querySelector('summary').focus()`);
    await tab.press('Enter');
    expect(await tab.evaluate(`document.querySelector('details').open`)).toBe(true);
  });
});

describe('the colours', () => {
  const background = 'getComputedStyle(document.body).backgroundColor';

  test('follow the system, and paper is white', async () => {
    const file = join(folder, 'colours.html');
    writeFileSync(file, htmlOf(stories()));
    await tab.show(file, { scheme: 'light', width: 1280 });
    const light = await tab.evaluate(background);
    await tab.look({ scheme: 'dark', width: 1280 });
    expect(await tab.evaluate(background)).not.toBe(light);
    await tab.look({ scheme: 'dark', width: 1280, media: 'print' });
    expect(await tab.evaluate(background)).toBe('rgb(255, 255, 255)');
    expect(await tab.evaluate(`getComputedStyle(document.querySelector('nav')).display`)).toBe('none');
    expect(await tab.evaluate(`document.querySelector('details table').getBoundingClientRect().height > 0`)).toBe(true);
  });
});

test('the picture in the docs is small, and of this page', async () => {
  const file = join(folder, 'docs.html');
  writeFileSync(file, htmlOf(stories()));
  await tab.show(file, { scheme: 'light', width: 1280 });
  const height = await tab.evaluate<number>(
    `Math.round(document.querySelector('#path-1 .two').getBoundingClientRect().bottom + 24)`,
  );
  const picture = await tab.picture({ x: 0, y: 0, width: 1280, height, scale: SCALE });
  expect(picture.length).toBeLessThan(MOST_BYTES);
  if (process.env.UPDATE_DOCS === '1') {
    mkdirSync(join(DOCS_IMAGE, '..'), { recursive: true });
    writeFileSync(DOCS_IMAGE, picture);
  }
  expect(existsSync(DOCS_IMAGE)).toBe(true);
  const kept = readFileSync(DOCS_IMAGE);
  expect(kept.length).toBeLessThan(MOST_BYTES);
  // fonts differ from machine to machine, and with them the height of a line: the width does not
  expect([kept.readUInt32BE(16), Math.abs(kept.readUInt32BE(20) - height * SCALE) < 200]).toEqual([1280 * SCALE, true]);
});
