import type { Report, ReportedPath } from '../report';
import { inventory } from './inventory';
import { type Content, element, Markup, together } from './markup';
import { moneySection } from './money-section';
import { overview } from './overview';
import { bullets, inThousands, named, section, table, tag, termsOf } from './parts';
import { articleOf, titleOf } from './path-section';
import { quotaSection } from './quota-section';
import { STYLE } from './style';

const TITLE = 'Load balancers: path, cost and quota';

/** So many paths are drawn, unless they come to more than so many characters. */
const DRAWN = { count: 24, characters: 1_000_000 };
/** So many of the further ones are lines of a table. */
const LINES = { count: 300, characters: 250_000 };
const SENTENCES = { count: 100, characters: 60_000 };

/** So few paths have their other ways open at once. */
const FEW = 2;

/** The report as one page of HTML that needs nothing else: no script, no font, no picture from elsewhere. */
export function htmlOf(report: Report): string {
  const head = element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', {
      'http-equiv': 'Content-Security-Policy',
      content: "default-src 'none'; style-src 'unsafe-inline'",
    }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('title', {}, TITLE),
    styleElement(),
  );
  const body = element(
    'body',
    {},
    element('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    header(report),
    element(
      'main',
      { id: 'content', tabindex: -1 },
      overview(report),
      pathsSection(report),
      findingsSection(report),
      moneySection(report),
      quotaSection(report),
      groundsSection(report),
      inventory(report),
    ),
    element(
      'footer',
      {},
      'Shares are those of many clients, each with a new connection. Amounts are list prices, and never a quote.',
    ),
  );
  return `<!DOCTYPE html>\n${element('html', { lang: 'en', xmlns: 'http://www.w3.org/1999/xhtml' }, head, body)}\n`;
}

function styleElement(): Markup {
  return new Markup(`<style>${STYLE}</style>`);
}

function header({ findings }: Report): Markup {
  const links = [
    ['paths', 'Paths'],
    ...(findings === undefined ? [] : [['findings', 'Findings']]),
    ['money', 'Cost'],
    ['quotas', 'Quotas'],
    ['grounds', 'Assumed and needed'],
    ['inventory', 'All Services'],
  ];
  return element(
    'header',
    {},
    element('h1', {}, TITLE),
    element(
      'p',
      { class: 'lead' },
      'What manifests do to packets, money and quotas, computed before they are applied.',
    ),
    element(
      'nav',
      { 'aria-label': 'Contents' },
      element(
        'ul',
        {},
        links.map(([id, title]) => element('li', {}, element('a', { href: `#${id}` }, title))),
      ),
    ),
  );
}

function pathsSection({ paths }: Report): Markup {
  const articles = within(paths, DRAWN, (path, index) => articleOf(path, `path-${index + 1}`, paths.length <= FEW));
  const further = paths.slice(articles.length);
  return section(
    'paths',
    'The path of packets',
    element(
      'p',
      { class: 'lead' },
      'From a client to the pods, with the share of new connections on each arrow: the heavier, the more. Services with the same path are together.',
    ),
    articles,
    further.length === 0 ? undefined : furtherPaths(further, articles.length),
    paths.length === 0 ? element('p', { class: 'muted' }, 'There is no Service whose path could be shown.') : undefined,
  );
}

function furtherPaths(paths: readonly ReportedPath[], drawn: number): Markup {
  const rows = within(paths, LINES, (path) => together(titleOf(path), path.balancer, path.words));
  const rest = paths.length - rows.length;
  return element(
    'div',
    { class: 'card' },
    element('h3', {}, `Further paths: ${inThousands(paths.length)} beside the ${drawn} above`),
    table(
      'In words',
      [{ title: 'Services' }, { title: 'Balancer' }, { title: 'Path' }],
      paths.slice(0, rows.length).map((path) => [titleOf(path), path.balancer, path.words]),
    ),
    rest === 0 ? undefined : element('p', { class: 'muted' }, `and ${inThousands(rest)} more`),
  );
}

function groundsSection({ assumptions, needs }: Report): Markup {
  return section(
    'grounds',
    'What is assumed, and what is needed for more',
    element(
      'div',
      { class: 'columns' },
      element(
        'div',
        { class: 'card' },
        element('h3', {}, 'Assumed'),
        sentences(assumptions) ?? element('p', { class: 'muted' }, 'Nothing is taken for granted.'),
      ),
      element(
        'div',
        { class: 'card' },
        element('h3', {}, 'Needed'),
        sentences(needs) ?? element('p', { class: 'muted' }, 'Nothing more is needed.'),
      ),
    ),
  );
}

function sentences(all: readonly string[]): Content {
  const shown = within(all, SENTENCES, (sentence) => together(sentence));
  return bullets([...shown, ...all.slice(shown.length)], shown.length);
}

/** The first ones, as many as there is place for. */
function within<T>(
  all: readonly T[],
  { count, characters }: typeof DRAWN,
  written: (one: T, index: number) => Markup,
): Markup[] {
  const shown: Markup[] = [];
  let length = 0;
  for (const one of all.slice(0, count)) {
    const markup = written(one, shown.length);
    length += markup.text.length;
    if (length > characters) {
      break;
    }
    shown.push(markup);
  }
  return shown;
}

const MOST_FINDINGS = 200;

/** Errors and warnings of the manifests; nothing if they were not checked. */
function findingsSection({ findings }: Report): Markup | undefined {
  if (findings === undefined) {
    return undefined;
  }
  const rest = findings.length - MOST_FINDINGS;
  return section(
    'findings',
    'Findings',
    findings.length === 0
      ? element('p', { class: 'muted' }, 'No rule finds an error or a warning.')
      : element(
          'div',
          { class: 'card' },
          table(
            'Errors and warnings of check',
            [{ title: 'Object' }, { title: 'Finding' }, { title: 'What to do' }, { title: 'Where it is written' }],
            findings
              .slice(0, MOST_FINDINGS)
              .map(({ level, ruleId, object, what, remedy, place }) => [
                named(object),
                [tag(level === 'error' ? 'bad' : 'warn', level), ' ', what, termsOf(ruleId)],
                remedy,
                place,
              ]),
          ),
          rest > 0
            ? element('p', { class: 'muted' }, `and ${inThousands(rest)} more, which the JSON of this report has`)
            : undefined,
        ),
  );
}
