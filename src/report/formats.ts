import type { Json } from '../contract/json';
import type { MadeBalancer } from '../contract/made-balancer';
import { count } from '../contract/rule';
import { type Figure, isUnknown } from '../traffic/fraction';
import { tenthBelow } from '../traffic/in-words';
import type { Path } from '../traffic/path';
import type { PodShare } from '../traffic/shares';
import { titleOf } from './cluster';
import { markdownList, markdownTable, markdownText, textOf, textTable } from './document';
import { isLoss } from './paths';
import { type Report, type ReportedOwner, type ReportedPath, type ReportedService, withoutDetails } from './report';

/** A report for programs: all figures with their terms, and of each balancer what is made, not the whole manifest. */
export function reportJson(report: Report): string {
  const { balancers, ...figures } = report;
  return `${JSON.stringify({ balancers: balancers.map(balancerOf), ...figures }, finite, 2)}\n`;
}

/** Limits are among the quotas. */
function balancerOf({ service: _, workloads, made, ...balancer }: ReportedService): Json {
  const { limits: __, ...said } = made ?? ({} as Partial<MadeBalancer>);
  return { ...balancer, ...(made ? { made: said } : {}), workloads: workloads.map(titleOf) };
}

/** What is no number has no place in JSON, which would have nothing instead of it. */
function finite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`${key} of the report is not a number; report this as a fault of the library`);
  }
  return value;
}

/**
 * A report for people: who owns what and what it costs, then the way of packets, then what was assumed and what is needed.
 *
 * @param isVerbose whether amounts have their terms, and assumptions are named
 */
export function reportText(report: Report, isVerbose = true): string {
  const { balancers, owners, paths, assumptions, notes, needs } = report;
  const money = ({ amount, terms }: ReportedOwner) => (terms && isVerbose ? [`${amount} = ${terms}`] : [amount]);
  const hidden =
    owners.length > 0 ? [`terms of amounts and ${count(assumptions.length, 'assumption')}: --verbose`] : [];
  const list = (label: string, texts: readonly string[]) => clippedLines(texts).map((text) => [label, text] as const);
  return textOf(
    [
      ...(balancers.length === 0
        ? [['no load balancers']]
        : [
            [textTable(ownerRows(report, money), '  ', '   ')],
            ...paths.map((path) => [`${namesOf(path.services)}: ${balancerIn(path)}`, ...rowsOf(path)]),
          ]),
      [...list('quota', quotasInWords(report)), ['sharing', sharingInWords(report)]],
      [
        ...(isVerbose ? list('assumed', assumptions) : hidden.map((text) => ['more', text] as const)),
        ...list('note', notes),
        ...list(
          'needs',
          needs.map((need) => need.replace(/^needs /, '')),
        ),
      ],
    ],
    { indent: 2, label: 10 },
  );
}

/** A report for a forge: tables, and the way of packets as pictures with shares on the arrows. */
export function reportMarkdown(report: Report): string {
  const [heading, ...rows] = ownerRows(report, ({ amount, terms = '-' }) => [amount, terms], ['terms']).map((cells) =>
    cells.map(markdownText),
  );
  const section = (title: string, texts: readonly string[]) =>
    markdownList(`## ${title}`, clippedLines(texts).map(markdownText));
  return `${[
    '# Load balancers',
    report.balancers.length === 0 ? 'There are no load balancers.' : markdownTable(`| ${heading.join(' | ')} |`, rows),
    ...report.paths.flatMap(pathAsMarkdown),
    ...section('Quotas and sharing', [...quotasInWords(report), sharingInWords(report) ?? []].flat()),
    ...section('Needed for more', report.needs),
    ...section('Assumed', report.assumptions),
    ...section('Notes', report.notes),
  ].join('\n\n')}\n`;
}

function ownerRows(
  report: Report,
  moneyOf: (owner: ReportedOwner) => readonly string[],
  more: readonly string[] = [],
): string[][] {
  const { pricesOf, owners } = report;
  return [
    [
      'owner',
      'balancers',
      'of quota',
      `per month (list price${pricesOf === undefined ? '' : `, ${pricesOf}`})`,
      ...more,
    ],
    ...owners.map((one) => [
      one.isGuess ? `${one.owner} (a guess)` : one.owner,
      `${one.balancers}`,
      one.quota?.percent === undefined ? '-' : `${one.quota.percent} %`,
      ...moneyOf(one),
    ]),
  ];
}

function pathAsMarkdown(path: ReportedPath): string[] {
  const picture = mermaidOf(path);
  return [
    `## ${markdownText(namesOf(path.services))}`,
    markdownText(balancerIn(path)),
    ...(picture === undefined ? [] : [`\`\`\`mermaid\n${picture}\n\`\`\``]),
    markdownTable(
      '|  |  |',
      rowsOf(path).map((row) => row.map(markdownText)),
    ),
  ];
}

const MOST_PLACES = 12;

/** The signs that stand for themselves in a label; others are written by their numbers, so that no name ends one or is markup. */
const PLAIN = /[^\p{L}\p{N} .,/:()%→−×÷+=_-]/gu;

/** A text between quotes, as a flowchart reads it. */
export function mermaidLabel(text: string): string {
  const escaped = text.replace(PLAIN, (sign) => `#${sign.codePointAt(0)};`);
  return `"${escaped.trim() === '' ? '-' : escaped}"`;
}

/** The way of packets as a flowchart, with shares on the arrows; nothing where it is not known. */
function mermaidOf({ path, balancer }: ReportedPath): string | undefined {
  if (isUnknown(path)) {
    return undefined;
  }
  const chart = new Flowchart();
  chart.box('client', 'clients');
  chart.box('balancer', balancer);
  chart.arrow('client', 'balancer');
  if (path.hops.some(({ place }) => place === 'node')) {
    addNodes(chart, path);
  } else {
    addPods(chart, path, () => 'balancer');
  }
  if (path.shares.dropped.value > 0) {
    chart.box('dropped', 'answered by no pod');
    chart.arrow('balancer', 'dropped', percent(path.shares.dropped.value));
  }
  return chart.toString();
}

function addNodes(chart: Flowchart, path: Path): void {
  const { nodes, secondHop } = path.shares;
  const entered = nodes.filter(({ enters }) => enters.share > 0);
  const { shown, more } = firstOf(entered, MOST_PLACES);
  const ids = new Map(shown.map(({ name }, index) => [name, `node${index}`]));
  for (const { name, enters } of shown) {
    const id = ids.get(name) as string;
    chart.box(id, `node ${name}`);
    chart.arrow('balancer', id, percent(enters.share));
  }
  if (more > 0) {
    const rest = entered.slice(shown.length).reduce((sum, { enters }) => sum + enters.share, 0);
    chart.box('nodes', `${more} more nodes`);
    chart.arrow('balancer', 'nodes', percent(rest));
  }
  if (secondHop.value > 0 || more > 0) {
    chart.box('proxy', 'kube-proxy');
    for (const id of [...ids.values(), ...(more > 0 ? ['nodes'] : [])]) {
      chart.arrow(id, 'proxy');
    }
    addPods(chart, path, () => 'proxy');
  } else {
    addPods(chart, path, (node) => ids.get(node));
  }
}

function addPods(chart: Flowchart, { shares: { pods } }: Path, from: (node: string) => string | undefined): void {
  const { shown, more } = firstOf(pods, MOST_PLACES);
  for (const [index, { name, node, share }] of shown.entries()) {
    const id = `pod${index}`;
    chart.box(id, `${name} on ${node}`);
    const start = from(node);
    if (start !== undefined) {
      chart.arrow(start, id, percent(share));
    }
  }
  if (more > 0) {
    const rest = pods.slice(shown.length).reduce((sum, { share }) => sum + share, 0);
    chart.box('pods', `${more} more pods`);
    chart.arrow(from('') ?? 'balancer', 'pods', percent(rest));
  }
}

class Flowchart {
  private readonly lines = ['flowchart LR'];

  public box(id: string, label: string): void {
    this.lines.push(`  ${id}[${mermaidLabel(label)}]`);
  }

  public arrow(from: string, to: string, label?: string): void {
    this.lines.push(`  ${from} -->${label === undefined ? '' : `|${mermaidLabel(label)}|`} ${to}`);
  }

  public toString(): string {
    return this.lines.join('\n');
  }
}

// What every format has in the same words.

const MOST = 8;

/** `25 %`, of a part of a whole. */
function percent(share: number): string {
  const hundredths = share * 100;
  if (hundredths > 0 && hundredths < 1) {
    return `${hundredths.toPrecision(1)} %`;
  }
  return `${hundredths > 99 && hundredths < 100 ? tenthBelow(hundredths) : Math.round(hundredths * 10) / 10} %`;
}

function firstOf<T>(all: readonly T[], most = MOST): { readonly shown: readonly T[]; readonly more: number } {
  const shown = all.length > most + 1 ? all.slice(0, most) : all;
  return { shown, more: all.length - shown.length };
}

/** Lines, and one for those that are left out. */
function clippedLines(lines: readonly string[], most = MOST): string[] {
  const { shown, more } = firstOf(lines, most);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])];
}

/** `edge/echo, shop/web and 3 more` */
function namesOf(services: readonly string[]): string {
  const { shown, more } = firstOf(services, 3);
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `client → Network Load Balancer → node port of one of 3 nodes → kube-proxy → any pod   [no second hop, client address kept]` */
function hopsInWords({ hops, shares, clientAddress }: Path): string {
  const places = hops.map(({ name }) => name).join(' → ');
  if (shares.dropped.value === 1) {
    return places;
  }
  const hop = shares.secondHop.value > 0 ? 'second hop' : 'no second hop';
  const address = clientAddress.survives ? 'client address kept' : 'client address lost';
  return `${places}  [${hop}, ${address}]`;
}

type Row = readonly [label: string, text: string];

/** All that is known of the way of packets, line by line, each number with its terms. */
function rowsOf(reported: ReportedPath): Row[] {
  const { path, onAnyNodes, words, alternativeWords = [], lossOfNode, lossOfZone } = reported;
  const ways = alternativeWords.map((text): Row => ['what if', text]);
  if (isUnknown(path)) {
    return onAnyNodes
      ? [['path', onAnyNodes.path], ['clients', onAnyNodes.clients], ['shares', `unknown: ${words}`], ...ways]
      : [['path', `unknown: ${withoutDetails(words)}`], ...ways];
  }
  const { shares, clientAddress, notes, dependsOn } = path;
  const ofAll: Row[] = [
    ['path', hopsInWords(path)],
    ['today', words.replace(/^today /, '')],
    ...ways,
    ...clippedLines(shares.pods.map(podInWords)).map((text): Row => ['share', text]),
    ...(shares.dropped.value > 0 ? [['dropped', figureInWords(shares.dropped)] as const] : []),
  ];
  const ofNotes = notes.map((text): Row => ['note', text]);
  if (shares.dropped.value === 1) {
    // what has no connections loses none
    return [...ofAll, ...ofNotes];
  }
  return [
    ...ofAll,
    [
      'depends',
      `on two nodes: ${figureInWords(dependsOn.twoNodes)}; on one alone: ${figureInWords(dependsOn.oneNode)}`,
    ],
    ['clients', clientAddress.why],
    ...[lossOfNode, lossOfZone].filter(isLoss).map(({ lost, broken, unnoticed }): Row => {
      const more = isUnknown(unnoticed) ? '' : `; new ones for ${unnoticed.value} s more = ${unnoticed.terms}`;
      return ['loss', `${lost}: ${percent(broken.value)} of connections break = ${broken.terms}${more}`];
    }),
    ...ofNotes,
  ];
}

/** `25 % = 1/4` */
function figureInWords({ value, terms }: Figure): string {
  const shown = percent(value);
  return shown === terms ? shown : `${shown} = ${terms}`;
}

function podInWords({ name, node, exact, share, terms, why }: PodShare): string {
  if (why !== undefined) {
    return `${name} on ${node}: ${percent(share)}, ${why}`;
  }
  const sum = terms.join(' + ');
  return `${name} on ${node}: ${percent(share)} = ${exact}${sum === '' ? '' : ` = ${sum}`}`;
}

function sharingInWords({ sharing: { balancers, enough, difference } }: Report): string | undefined {
  if (enough >= balancers) {
    return undefined;
  }
  const isPriced = difference.isKnown || difference.changes.some(({ amount }) => !amount.isZero());
  const saved = isPriced ? difference.text : 'what it saves is not known';
  return `${count(enough, 'balancer')} would be enough for the ports of ${balancers}: ${saved}`;
}

const MOST_QUOTAS = 5;

/** The quotas of which something is used, the one that is met first before others. */
function quotasInWords({ quotas: { uses } }: Report): string[] {
  const used = uses.filter((use) => use.used !== undefined && use.used > 0);
  return clippedLines(
    used.map(({ id, text, adjustable }) => (adjustable ? `${text}; of another account: --quota ${id}=N` : text)),
    MOST_QUOTAS,
  );
}

function balancerIn({ balancer, policy }: ReportedPath): string {
  return `${balancer}${policy === undefined ? '' : `; policy ${policy}`}`;
}
