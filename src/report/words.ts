import { count } from '../contract/printable';
import type { Figure, Unknown } from '../traffic/figure';
import { isUnknown } from '../traffic/figure';
import { tenthBelow } from '../traffic/in-words';
import type { Path } from '../traffic/path';
import type { PodShare } from '../traffic/shares';
import { isLoss } from './paths';
import type { Report, ReportedPath } from './report';

// What every format has in the same words.

/** The longest list of its kind that people read. */
const MOST = 8;

/** `25 %`, of a part of a whole. */
export function percent(share: number): string {
  const hundredths = share * 100;
  if (hundredths > 0 && hundredths < 1) {
    return `${hundredths.toPrecision(1)} %`;
  }
  return `${hundredths > 99 && hundredths < 100 ? tenthBelow(hundredths) : Math.round(hundredths * 10) / 10} %`;
}

/** The first of some things, and how many more there are. */
export function firstOf<T>(all: readonly T[], most = MOST): { readonly shown: readonly T[]; readonly more: number } {
  const shown = all.length > most + 1 ? all.slice(0, most) : all;
  return { shown, more: all.length - shown.length };
}

/** Lines, and one for those that are left out. */
export function clippedLines(lines: readonly string[], most = MOST): string[] {
  const { shown, more } = firstOf(lines, most);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])];
}

/** `edge/echo, shop/web and 3 more` */
export function namesOf(services: readonly string[]): string {
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

/** A line of a path: what it is about, and what holds. */
export interface Row {
  readonly label: string;
  readonly text: string;
}

/** All that is known of the way of packets, line by line, each number with its terms. */
export function rowsOf(reported: ReportedPath): Row[] {
  const { path, onAnyNodes, words, alternativeWords = [], lossOfNode, lossOfZone } = reported;
  if (isUnknown(path)) {
    return onAnyNodes
      ? [
          { label: 'path', text: onAnyNodes.path },
          { label: 'clients', text: onAnyNodes.clients },
          { label: 'shares', text: `unknown: ${words}` },
        ]
      : [{ label: 'path', text: `unknown: ${withoutDetails(words)}` }];
  }
  const { shares, clientAddress, notes, dependsOn } = path;
  const ofAll = [
    { label: 'path', text: hopsInWords(path) },
    { label: 'today', text: words.replace(/^today /, '') },
    ...alternativeWords.map((text) => ({ label: 'what if', text })),
    ...clippedLines(shares.pods.map(podInWords)).map((text) => ({ label: 'share', text })),
    ...(shares.dropped.value > 0 ? [{ label: 'dropped', text: figureInWords(shares.dropped) }] : []),
  ];
  const ofNotes = notes.map((text) => ({ label: 'note', text }));
  if (shares.dropped.value === 1) {
    // what has no connections loses none
    return [...ofAll, ...ofNotes];
  }
  return [
    ...ofAll,
    {
      label: 'depends',
      text: `on two nodes: ${figureInWords(dependsOn.twoNodes)}; on one alone: ${figureInWords(dependsOn.oneNode)}`,
    },
    { label: 'clients', text: clientAddress.why },
    ...[lossOfNode, lossOfZone].filter(isLoss).map(({ lost, broken, unnoticed }) => ({
      label: 'loss',
      text: `${lost}: ${percent(broken.value)} of connections break = ${broken.terms}${noticedAfter(unnoticed)}`,
    })),
    ...ofNotes,
  ];
}

/** `25 % = 1/4` */
function figureInWords({ value, terms }: Figure): string {
  const shown = percent(value);
  return shown === terms ? shown : `${shown} = ${terms}`;
}

/** What is needed, without its details, which the list of needs has. */
export function withoutDetails(need: string): string {
  return need.split(':')[0];
}

function podInWords({ name, node, exact, share, terms, why }: PodShare): string {
  if (why !== undefined) {
    return `${name} on ${node}: ${percent(share)}, ${why}`;
  }
  const sum = terms.join(' + ');
  return `${name} on ${node}: ${percent(share)} = ${exact}${sum === '' ? '' : ` = ${sum}`}`;
}

function noticedAfter(unnoticed: Figure | Unknown): string {
  return isUnknown(unnoticed) ? '' : `; new ones for ${unnoticed.value} s more = ${unnoticed.terms}`;
}

/** The heading of what is billed. */
export function monthHeading({ pricesOf }: Report): string {
  return `per month (list price${pricesOf === undefined ? '' : `, ${pricesOf}`})`;
}

/** What fewer balancers would save, where some would be enough. */
export function sharingInWords({ sharing: { balancers, enough, difference } }: Report): string | undefined {
  if (enough >= balancers) {
    return undefined;
  }
  const isPriced = difference.isKnown || difference.changes.some(({ amount }) => !amount.isZero());
  const saved = isPriced ? difference.text : 'what it saves is not known';
  return `${count(enough, 'balancer')} would be enough for the ports of ${balancers}: ${saved}`;
}

/** Quotas in a line each that a report has place for. */
const MOST_QUOTAS = 5;

/** The quotas of which something is used, the one that is met first before others. */
export function quotasInWords({ quotas: { uses } }: Report): string[] {
  const used = uses.filter((use) => use.used !== undefined && use.used > 0);
  return clippedLines(
    used.map(({ id, text, adjustable }) => (adjustable ? `${text}; of another account: --quota ${id}=N` : text)),
    MOST_QUOTAS,
  );
}

/** A name of an owner with what is not sure of it. */
export function ownerInWords({ owner, isGuess }: Report['owners'][number]): string {
  return isGuess ? `${owner} (a guess)` : owner;
}

/** `12 %`, or nothing that is known. */
export function quotaShareOf({ quota }: Report['owners'][number]): string {
  return quota?.percent === undefined ? '-' : `${quota.percent} %`;
}
