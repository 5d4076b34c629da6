import { DOMParser, type Element } from '@xmldom/xmldom';
import * as fc from 'fast-check';
import { printable } from '../../src/contract/json';
import type { Report } from '../../src/report/make-report';
import { htmlOf, type Palette } from '../../src/report/page/page';
import { DARK, LIGHT, SHAPE_PAIRS, TEXT_PAIRS } from '../../src/report/page/style.facts';
import { isUnknown } from '../../src/traffic/fraction';
import { tries } from '../support/random';
import { sources } from '../support/sources';
import { table } from '../support/yaml-cases';
import { balancerOf, nodeOf, podOf, reportOf, stories } from './page-reports';

const MEGABYTE = 1_000_000;

class Page {
  public readonly all: readonly Element[];

  public constructor(public readonly html: string) {
    const onError = (level: string, message: string) => {
      throw new Error(`${level}: ${message}`);
    };
    const document = new DOMParser({ onError }).parseFromString(html, 'application/xhtml+xml');
    this.all = [...document.getElementsByTagName('*')];
  }

  public named(...names: readonly string[]): readonly Element[] {
    return this.all.filter(({ tagName }) => names.includes(tagName));
  }

  public get ids(): readonly string[] {
    return this.all.flatMap((each) => each.getAttribute('id') ?? []);
  }

  public get text(): string {
    return this.named('body')[0]?.textContent ?? '';
  }

  public textOf(id: string): string {
    return this.all.find((each) => each.getAttribute('id') === id)?.textContent ?? '';
  }
}

const childrenOf = (element: Element) => [...element.childNodes].filter(({ nodeType }) => nodeType === 1) as Element[];

const pageOf = (report: Report) => new Page(htmlOf(report));

function faultsOf(page: Page): string[] {
  const { ids } = page;
  const levels = page.named('h1', 'h2', 'h3', 'h4').map(({ tagName }) => Number(tagName[1]));
  const known = new Set(ids);
  const refs = page.all.flatMap((each) => [
    ...(each.getAttribute('aria-labelledby')?.split(' ') ?? []),
    ...(each.getAttribute('href')?.replace(/^#/, '').split(' ') ?? []),
  ]);
  return [
    ...(new Set(ids).size === ids.length ? [] : ['an id comes twice']),
    ...refs.filter((id) => !known.has(id)).map((id) => `nothing has the id ${id}`),
    ...refs.filter((id) => page.textOf(id).trim() === '').map((id) => `${id} is empty`),
    ...(levels[0] === 1 && levels.filter((level) => level === 1).length === 1 ? [] : ['one h1 comes first']),
    ...levels.flatMap((level, index) =>
      level > (levels[index - 1] ?? 0) + 1 ? `a heading ${index} leaps to h${level}` : [],
    ),
    ...['header', 'nav', 'main', 'footer', 'title', 'style'].flatMap((name) =>
      page.named(name).filter(({ parentNode }) => !['svg', 'text'].includes(parentNode?.nodeName ?? '')).length === 1
        ? []
        : `one ${name} is there`,
    ),
    ...page.named('script', 'link', 'img', 'iframe', 'object', 'embed', 'base', 'form').map(({ tagName }) => tagName),
    ...page.all.flatMap((each) =>
      [...each.attributes].flatMap(({ name, value }) =>
        /^(on|src|style|xlink)/i.test(name) || (name === 'href' && !value.startsWith('#'))
          ? `${each.tagName} ${name}`
          : [],
      ),
    ),
    ...page.named('svg').flatMap((each) => {
      const isHidden = each.getAttribute('aria-hidden') === 'true';
      const [title, desc] = childrenOf(each).map(({ tagName }) => tagName);
      return isHidden || (each.getAttribute('role') === 'img' && title === 'title' && desc === 'desc') ? [] : 'svg';
    }),
    ...page
      .named('table')
      .filter((each) => childrenOf(each)[0].tagName !== 'caption')
      .map(() => 'a table has no caption'),
    ...page
      .named('th')
      .filter((each) => !each.getAttribute('scope'))
      .map(() => 'a th has no scope'),
    ...page
      .named('details')
      .filter((each) => childrenOf(each)[0].tagName !== 'summary')
      .map(() => 'no summary'),
    ...page
      .named('summary')
      .filter((each) => each.textContent?.trim() === '')
      .map(() => 'an empty summary'),
  ];
}

describe('the page of the stories', () => {
  const report = stories();
  const page = pageOf(report);

  test('has the structure that a screen reader needs, and nothing that runs or is loaded', () => {
    expect(faultsOf(page)).toEqual([]);
    const [html] = page.named('html');
    expect(html.getAttribute('lang')).toBe('en');
    const [skip] = page.named('a');
    expect([skip.getAttribute('href'), page.named('main')[0].getAttribute('id')]).toEqual(['#content', 'content']);
    expect(page.html).not.toMatch(/url\(|@import|https?:\/\/(?!www\.w3\.org\/1999\/xhtml")/);
    expect(page.html).toContain('content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"');
  });

  test('is the same whenever it is written', () => {
    expect(htmlOf(stories())).toBe(page.html);
    const clocks = sources.filter(({ path }) => path.startsWith('report/page/'));
    expect(clocks.length).toBeGreaterThan(5);
    expect(
      clocks.filter(({ file }) => /\bDate\b|Math\.random|process\./.test(file.text)).map(({ path }) => path),
    ).toEqual([]);
  });

  test('has every share of a pod and every line of the bill with its terms', () => {
    const shares = report.paths.flatMap(({ path }) => (isUnknown(path) ? [] : path.shares.pods));
    expect(shares.length).toBeGreaterThan(10);
    const missing = shares.flatMap(({ name, exact, terms }) =>
      [name, `= ${exact}`, ...terms].filter((text) => !page.text.includes(text)),
    );
    expect(missing).toEqual([]);
    const parts = [report.bill, ...report.bill.byOwner, ...report.bill.byNamespace];
    const money = parts.flatMap(({ lines }) => lines).flatMap(({ terms }) => terms.map(({ text }) => text).join(' + '));
    expect(money.filter((terms) => !page.text.includes(terms))).toEqual([]);
    expect(page.text).toContain(report.bill.amounts.toString());
    expect(report.quotas.uses.filter(({ text }) => !page.text.includes(text))).toEqual([]);
  });

  test.each([
    ['uneven pods under policy Local', 'path-1', ['50 %', '25 %', '✕ fails, expected']],
    ['a second hop', 'path-2', ['kube-proxy', '67 % to another node']],
    ['targets without pods', 'path-4', ['no pod answers', '100 % dropped', 'left out']],
  ])('draws %s', (_, id, expected) => {
    const picture = page.all.find((each) => each.getAttribute('id') === id);
    expect(expected.filter((text) => !picture?.textContent?.includes(text))).toEqual([]);
  });

  test('describes every picture with what it shows', () => {
    const descs = page.named('desc').map(({ textContent }) => textContent);
    expect(descs[0]).toContain(
      'from there to nodes: ip-10-0-1-11.eu-west-1.compute.internal (50 %, zone eu-west-1a), ip-10-0-2-34.eu-west-1.compute.internal (50 %, zone eu-west-1b), ip-10-0-3-57.eu-west-1.compute.internal (0 %, ✕ fails, expected); they end in: ',
    );
    expect(descs.filter((text) => (text ?? '').length < 10)).toEqual([]);
  });

  test('says what is unknown, assumed and needed', () => {
    const nginx = report.paths.find(({ services }) => services.includes('web/nginx-svc'));
    expect(page.text).toContain(nginx?.words);
    const grounds = page.textOf('grounds');
    expect([...report.assumptions, ...report.needs].filter((text) => !grounds.includes(text))).toEqual([]);
  });
});

test('a report without anything is a page', () => {
  const page = pageOf(reportOf([]));
  expect(faultsOf(page)).toEqual([]);
  expect(page.text).toContain('There is no Service whose path could be shown.');
});

const UNSEEN = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u;

describe('names of third parties', () => {
  const reportWith = (name: string) =>
    reportOf([balancerOf({ namespace: name, name, owner: name, tenant: name, place: name, madeBy: name })], {
      objects: [nodeOf(name, name), nodeOf('n2', 'b'), podOf(name, name, name, name)],
      assumptions: [name],
      notes: [name],
    });

  test.each<[string, string]>(table('report/page.yaml', 'is text and no more'))('%s is text and no more', (_, name) => {
    const page = pageOf(reportWith(name));
    expect(faultsOf(page)).toEqual([]);
    const visible = printable(name).replace(/[\ufffe\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
    expect(page.textOf('inventory')).toContain(`${visible}/${visible}`);
    expect(page.html).not.toMatch(UNSEEN);
  });

  test('any text leaves a page that is whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (name) => {
        expect(faultsOf(pageOf(reportWith(name)))).toEqual([]);
      }),
      { numRuns: tries(40) },
    );
  });
});

describe('size', () => {
  const long = (start: string) => start.padEnd(253, `-${start}`);
  const bytesOf = (html: string) => Buffer.byteLength(html);

  /** One path among twelve nodes with long names, and the same report for ten thousand Services. */
  const nodes = Array.from({ length: 12 }, (_, index) => long(`node-${index}`));
  const one = reportOf([balancerOf({ namespace: 'shop', name: 'web', tenant: 'ann' })], {
    objects: nodes.flatMap((node, index) => [
      nodeOf(node, long(`zone-${index % 3}`)),
      podOf('shop', 'web', long(`pod-${index}`), node),
    ]),
  });
  const count = 10_000;
  const names = Array.from({ length: count }, (_, index) => long(`web-${index}`));
  const services = names.map((name) => `${name}/${name}`);
  const lines = one.bill.lines.map((line) => ({ ...line, services }));
  const parts = names.map((name) => ({ ...one.bill.byOwner[0], of: [name], lines }));
  const many: Report = {
    ...one,
    balancers: names.map((name) => ({ ...one.balancers[0], namespace: name, name, place: long('file') })),
    paths: [{ ...one.paths[0], services }],
    bill: { ...one.bill, lines, byOwner: parts, byNamespace: parts, byTenant: parts },
    quotas: {
      ...one.quotas,
      uses: one.quotas.uses.map((use) => ({ ...use, users: names.map((name) => ({ name, used: 1 })) })),
    },
    sharing: { ...one.sharing, balancers: count, enough: 1, withoutPorts: services },
    assumptions: names,
    needs: names,
    notes: names,
  };

  test('10,000 Services with one path are one picture', () => {
    const page = pageOf(many);
    expect(bytesOf(page.html)).toBeLessThan(MEGABYTE);
    expect(faultsOf(page)).toEqual([]);
    expect(page.text).toContain('and 9,997 more');
    expect(page.text).toContain('and 9,988 more, each with at most as much');
  });

  test('10,000 Services with a path each stay below two megabytes', () => {
    const paths = services.map((service) => ({
      ...one.paths[0],
      services: [service],
      balancer: service,
      words: service,
    }));
    const page = pageOf({ ...many, paths });
    expect(bytesOf(page.html)).toBeLessThan(2 * MEGABYTE);
    expect(page.text).toMatch(/Further paths: 9,9\d\d beside the \d+ above/);
    expect(faultsOf(page)).toEqual([]);
  });

  test('a thousand nodes and pods are a picture with the rest in one box', () => {
    const nodes = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
    const objects = [
      ...nodes.map((node) => nodeOf(node)),
      ...nodes.slice(0, 900).map((node) => podOf('shop', 'web', `web-on-${node}`, node)),
    ];
    const page = pageOf(reportOf([balancerOf({ namespace: 'shop', name: 'web' })], { objects }));
    const [picture] = page.named('svg');
    expect(picture.textContent).toContain('and 993 more nodes');
    expect(picture.textContent).toContain('and 891 more pods');
    expect(Number(picture.getAttribute('height'))).toBeLessThan(1_000);
    expect(faultsOf(page)).toEqual([]);
  });
});

describe('contrast', () => {
  const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (palette: Palette, front: keyof Palette, back: keyof Palette) => {
    const [low, high] = [luminance(palette[front]), luminance(palette[back])].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
  };

  test('black on white is 21 to 1', () => {
    expect(contrast({ ...LIGHT, ink: '#000000', card: '#ffffff' }, 'ink', 'card')).toBeCloseTo(21);
  });

  test.each([
    ['light', LIGHT],
    ['dark', DARK],
  ])('texts and shapes stand out, %s', (_, palette) => {
    const weak = (pairs: typeof TEXT_PAIRS, least: number) =>
      pairs.filter(([front, back]) => contrast(palette, front, back) < least).map((pair) => pair.join(' on '));
    expect(weak(TEXT_PAIRS, 4.5)).toEqual([]);
    expect(weak(SHAPE_PAIRS, 3)).toEqual([]);
  });
});
