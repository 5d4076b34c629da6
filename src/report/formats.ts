import type { Json } from '../contract/json';
import type { LoadBalancerModel } from '../contract/load-balancer-model';
import { count } from '../contract/rule';
import { type Figure, isUnknown } from '../traffic/fraction';
import { tenthBelow } from '../traffic/in-words';
import type { Path } from '../traffic/path';
import type { PodShare } from '../traffic/shares';
import { markdownList, markdownTable, markdownText, textOf, textTable } from './document';
import type { Report, ReportedOwner } from './make-report';
import { isLoss, type ReportedPath, titleOf } from './paths';

export function reportJson(report: Report): string {
  const { balancers, ...figures } = report;
  return `${JSON.stringify({ balancers: balancers.map(balancerOf), ...figures }, finite, 2)}\n`;
}

/** Limits are among the quotas. */
function balancerOf({ service: _, workloads, made, ...balancer }: Report['balancers'][number]): Json {
  const { limits: __, ...said } = made ?? ({} as Partial<LoadBalancerModel>);
  return { ...balancer, ...(made ? { made: said } : {}), workloads: workloads.map(titleOf) };
}

/** JSON has no NaN, and would write null instead. */
function finite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`${key} of the report is not a number; report this as a fault of the library`);
  }
  return value;
}

export function reportText(report: Report, isVerbose = true): string {
  const { balancers, owners, paths, assumptions, notes, needs } = report;
  const money = ({ amount, terms }: ReportedOwner) => (terms && isVerbose ? [`${amount} = ${terms}`] : [amount]);
  const assumed = assumptions.length > 0 ? ` and ${count(assumptions.length, 'assumption')}` : '';
  const hidden = owners.length > 0 ? [`terms of amounts${assumed}: --verbose`] : [];
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

export function mermaidLabel(text: string): string {
  const escaped = text.replace(PLAIN, (sign) => `#${sign.codePointAt(0)};`);
  return `"${escaped.trim() === '' ? '-' : escaped}"`;
}

function mermaidOf({ path, balancer }: ReportedPath): string | undefined {
  if (isUnknown(path)) {
    return undefined;
  }
  const { secondHop, dropped } = path.shares;
  const lines = ['flowchart LR'];
  const box = (id: string, label: string) => lines.push(`  ${id}[${mermaidLabel(label)}]`);
  const arrow = (from: string, to: string, share?: number) =>
    lines.push(`  ${from} -->${share === undefined ? '' : `|${mermaidLabel(percent(share))}|`} ${to}`);
  /** Boxes, and one for those that there is no place for; answers with the ids by their names. */
  const column = (kind: string, all: readonly Boxed[], from: (node: string) => string | undefined) => {
    const { shown, more } = firstOf(all, MOST_PLACES);
    const boxes = shown.map((one, i) => ({ ...one, id: `${kind}${i}`, start: from(one.node) }));
    const rest = all.slice(shown.length).reduce((sum, { share }) => sum + share, 0);
    const others = {
      id: `${kind}s`,
      label: `${more} more ${kind}s`,
      start: from('') ?? 'balancer',
      share: rest,
      node: '',
    };
    const drawn = more > 0 ? [...boxes, others] : boxes;
    for (const { id, label, start, share } of drawn) {
      box(id, label);
      if (start !== undefined) {
        arrow(start, id, share);
      }
    }
    return new Map(drawn.map(({ node, id }) => [node, id]));
  };
  box('client', 'clients');
  box('balancer', balancer);
  arrow('client', 'balancer');
  let from: (node: string) => string | undefined = () => 'balancer';
  if (path.hops.some(({ place }) => place === 'node')) {
    const entered = path.shares.nodes.filter(({ enters }) => enters.share > 0);
    const nodes = entered.map(({ name, enters: { share } }) => ({ label: `node ${name}`, node: name, share }));
    const ids = column('node', nodes, () => 'balancer');
    const isMesh = secondHop.value > 0 || ids.has('');
    from = (node) => (isMesh ? 'proxy' : ids.get(node));
    if (isMesh) {
      box('proxy', 'kube-proxy');
      for (const id of ids.values()) {
        arrow(id, 'proxy');
      }
    }
  }
  const pods = path.shares.pods.map(({ name, node, share }) => ({ label: `${name} on ${node}`, node, share }));
  column('pod', pods, from);
  if (dropped.value > 0) {
    box('dropped', 'answered by no pod');
    arrow('balancer', 'dropped', dropped.value);
  }
  return lines.join('\n');
}

type Boxed = Pick<PodShare, 'node' | 'share'> & { readonly label: string };

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

function clippedLines(lines: readonly string[], most = MOST): string[] {
  const { shown, more } = firstOf(lines, most);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])];
}

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

function rowsOf(reported: ReportedPath): Row[] {
  const { path, onAnyNodes, words, alternativeWords = [], lossOfNode, lossOfZone } = reported;
  const ways = alternativeWords.map((text): Row => ['what if', text]);
  if (isUnknown(path)) {
    return onAnyNodes
      ? [['path', onAnyNodes.path], ['clients', onAnyNodes.clients], ['shares', `unknown: ${words}`], ...ways]
      : [['path', `unknown: ${words}`], ...ways];
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
