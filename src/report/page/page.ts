import { isUnknown } from '../../traffic/fraction';
import { percent } from '../../traffic/in-words';
import type { Report } from '../make-report';
import type { ReportedPath } from '../paths';
import {
  bullets,
  type Content,
  card,
  folded,
  html,
  inThousands,
  limitedList,
  Markup,
  mutedText,
  named,
  section,
  table,
  tag,
  termsOf,
} from './markup';
import { amountsOf, moneySection, quotaSection } from './money-section';
import { articleOf, titleOf } from './path-section';
import { DARK, LIGHT, STYLE } from './style.facts';

export type Palette = Readonly<Record<keyof typeof LIGHT, string>>;

const TITLE = 'Load balancers: path, cost and quota';

/** So many paths are drawn, unless they come to more than so many characters. */
const DRAWN = { count: 24, characters: 1_000_000 };
/** So many of the further ones are lines of a table. */
const LINES = { count: 300, characters: 250_000 };
const SENTENCES = { count: 100, characters: 60_000 };

const FEW = 2;

export function htmlOf(report: Report): string {
  const page = html`
    <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${TITLE}</title>
        <style>${new Markup(STYLE.replaceAll('$light', variablesOf(LIGHT)).replaceAll('$dark', variablesOf(DARK)))}</style>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${header(report)}
        <main id="content" tabindex="-1">
          ${overview(report)}
          ${pathsSection(report)}
          ${findingsSection(report)}
          ${moneySection(report)}
          ${quotaSection(report)}
          ${groundsSection(report)}
          ${inventory(report)}
        </main>
        <footer>Shares are those of many clients, each with a new connection. Amounts are list prices, and never a quote.</footer>
      </body>
    </html>`;
  return `<!DOCTYPE html>\n${page}\n`;
}

export function variablesOf(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
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
  return html`
    <header>
      <h1>${TITLE}</h1>
      <p class="lead">What manifests do to packets, money and quotas, computed before they are applied.</p>
      <nav aria-label="Contents">
        <ul>${links.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
      </nav>
    </header>`;
}

const MOST_NAMES = 2;
const MOST_POINTS = 8;

/** A quota of which so many percent are used is worth a look, and a pod with so many times the even share. */
const NEAR = 80;
const UNEVEN = 1.5;

function overview(report: Report): Markup {
  const { bill, quotas, paths, balancers } = report;
  const [fullest] = quotas.uses.filter(({ percent: used }) => used !== undefined);
  const worst = worstLoss(paths);
  const loss = worst && [`of connections break with ${worst.lost}: `, limitedList(worst.services, 1)];
  return html`
    <ul class="tiles">
      ${tile('inventory', 'Load balancers', inThousands(bill.balancers), `for ${inThousands(balancers.length)} Services`)}
      ${tile('money', 'List price a month', amountsOf(bill), bill.notes[0] ?? 'all that was asked for')}
      ${tile('quotas', 'Quota that is met first', fullest && `${fullest.percent} %`, fullest?.name ?? 'no use of a quota is known')}
      ${tile(worst?.id ?? 'paths', 'Worst loss of a node', worst && percent(worst.broken), loss ?? 'it needs the nodes of the cluster')}
    </ul>
    ${pointsOf(report)}`;
}

function tile(id: string, title: string, big = 'not known', small: Content = ''): Markup {
  return html`<li><a href="#${id}" class="title">${title}</a><span class="big">${big}</span><small>${small}</small></li>`;
}

function worstLoss(paths: readonly ReportedPath[]) {
  const losses = paths.flatMap(({ lossOfNode, services }, index) =>
    lossOfNode === undefined || isUnknown(lossOfNode)
      ? []
      : [{ broken: lossOfNode.broken.value, lost: lossOfNode.lost, services, id: idOf(index) }],
  );
  return losses.reduce<(typeof losses)[number] | undefined>(
    (worst, loss) => (worst && worst.broken >= loss.broken ? worst : loss),
    undefined,
  );
}

function idOf(index: number): string {
  return index < MOST_POINTS ? `path-${index + 1}` : 'paths';
}

function pointsOf({ paths, quotas, notes }: Report): Content {
  const points = [
    ...paths.flatMap(pointsOfPath),
    ...quotas.uses.filter((use) => (use.percent ?? 0) >= NEAR).map(({ text }) => text),
    ...notes,
  ];
  return points.length === 0
    ? undefined
    : html`
        <section class="look" aria-labelledby="look-title">
          <h2 id="look-title">Worth a look</h2>
          ${bullets(points, MOST_POINTS)}
        </section>`;
}

function pointsOfPath({ services, path }: ReportedPath, index: number): Content[] {
  if (isUnknown(path)) {
    return [];
  }
  const { dropped, imbalance } = path.shares;
  const failing = path.shares.targets.filter(({ state, asItShould }) => state === 'failing' && !asItShould);
  const link = (words: string) => html`${limitedList(services, MOST_NAMES)}: <a href="#${idOf(index)}">${words}</a>`;
  if (dropped.value > 0) {
    return [link(`${percent(dropped.value)} of connections are answered by no pod`)];
  }
  if (failing.length > 0) {
    return [link(`${inThousands(failing.length)} targets fail the health check`)];
  }
  return !isUnknown(imbalance) && imbalance.value >= UNEVEN
    ? [link(`one pod has ${Math.round(imbalance.value * 10) / 10} times the even share`)]
    : [];
}

function pathsSection({ paths }: Report): Markup {
  const articles = within(paths, DRAWN, (path, index) => articleOf(path, `path-${index + 1}`, paths.length <= FEW));
  const further = paths.slice(articles.length);
  return section(
    'paths',
    'The path of packets',
    html`<p class="lead">From a client to the pods, with the share of new connections on each arrow: the heavier, the more. Services with the same path are together.</p>`,
    articles,
    further.length === 0 ? undefined : furtherPaths(further, articles.length),
    paths.length === 0 ? mutedText('There is no Service whose path could be shown.') : undefined,
  );
}

function furtherPaths(paths: readonly ReportedPath[], drawn: number): Markup {
  const cellsOf = (path: ReportedPath) => [titleOf(path), path.balancer, path.words];
  const shown = paths.slice(0, within(paths, LINES, (path) => html`${cellsOf(path)}`).length);
  const rest = paths.length - shown.length;
  return card(
    `Further paths: ${inThousands(paths.length)} beside the ${drawn} above`,
    table('In words', ['Services', 'Balancer', 'Path'], shown.map(cellsOf)),
    rest === 0 ? undefined : mutedText(`and ${inThousands(rest)} more`),
  );
}

function groundsSection({ assumptions, needs }: Report): Markup {
  return section(
    'grounds',
    'What is assumed, and what is needed for more',
    html`
      <div class="columns">
        ${card('Assumed', sentences(assumptions) ?? mutedText('Nothing is taken for granted.'))}
        ${card('Needed', sentences(needs) ?? mutedText('Nothing more is needed.'))}
      </div>`,
  );
}

function sentences(all: readonly string[]): Content {
  const shown = within(all, SENTENCES, (sentence) => html`${sentence}`);
  return bullets([...shown, ...all.slice(shown.length)], shown.length);
}

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

const MOST_ROWS = 200;

function restOf(all: readonly unknown[]): Content {
  const rest = all.length - MOST_ROWS;
  return rest > 0 ? mutedText(`and ${inThousands(rest)} more, which the JSON of this report has`) : undefined;
}

function findingsSection({ findings }: Report): Content {
  const rows = (findings ?? []).slice(0, MOST_ROWS).map(({ level, ruleId, object, what, remedy, place }) => {
    const finding = html`${tag(level === 'error' ? 'bad' : 'warn', level)} ${what}${termsOf(ruleId)}`;
    return [named(object), finding, remedy, place];
  });
  const columns = ['Object', 'Finding', 'What to do', 'Where it is written'];
  const all = card(undefined, table('Errors and warnings of check', columns, rows), restOf(findings ?? []));
  const content = rows.length === 0 ? mutedText('No rule finds an error or a warning.') : all;
  return findings && section('findings', 'Findings', content);
}

function inventory({ balancers }: Report): Markup {
  const columns = ['Service', 'Owner', 'What is made', 'Where it is written'];
  const rows = balancers.slice(0, MOST_ROWS).map(rowOf);
  const all = [table('Services with a load balancer, and who makes it', columns, rows), restOf(balancers)];
  const content = folded(`${inThousands(balancers.length)} in this report`, all);
  return section('inventory', 'All Services', card(undefined, content));
}

function rowOf(service: Report['balancers'][number]): readonly Content[] {
  const { namespace, name, owner, isGuess, made, unknown, madeBy, tenant, place } = service;
  return [
    [
      named(`${namespace}/${name}`),
      madeBy === undefined ? undefined : termsOf(`made by ${madeBy}`),
      tenant === undefined ? undefined : termsOf(`of tenant ${tenant}`),
    ],
    [owner, isGuess ? termsOf('a guess: another controller may own it') : undefined],
    made ? [made.name, termsOf([made.product, made.scheme].filter(Boolean).join(', '))] : (unknown ?? 'not known'),
    place,
  ];
}
