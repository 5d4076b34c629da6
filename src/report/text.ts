import { count, printable } from '../contract/printable';
import type { Report, ReportedPath } from './report';
import {
  clippedLines,
  monthHeading,
  namesOf,
  ownerInWords,
  quotaShareOf,
  quotasInWords,
  rowsOf,
  sharingInWords,
} from './words';

const INDENT = '  ';
const LABEL = 10;

/**
 * A report for people: who owns what and what it costs, then the way of packets, then what was assumed and what is needed.
 *
 * @param isVerbose whether amounts have their terms, and assumptions are named
 */
export function reportText(report: Report, isVerbose = true): string {
  if (report.balancers.length === 0) {
    return lines([['no load balancers'], ...listsOf(report, isVerbose)]);
  }
  return lines([tableOf(report, isVerbose), ...report.paths.map(pathOf), ...listsOf(report, isVerbose)]);
}

function lines(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.map(printable).join('\n'));
  return `${shown.join('\n\n')}\n`;
}

function tableOf(report: Report, isVerbose: boolean): string[] {
  const rows = [
    ['owner', 'balancers', 'of quota', monthHeading(report)],
    ...report.owners.map((owner) => [
      ownerInWords(owner),
      `${owner.balancers}`,
      quotaShareOf(owner),
      owner.terms === undefined || !isVerbose ? owner.amount : `${owner.amount} = ${owner.terms}`,
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => `${INDENT}${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('   ')}`.trimEnd());
}

function pathOf(path: ReportedPath): string[] {
  const { services, balancer, policy } = path;
  return [
    `${namesOf(services)}: ${balancer}${policy === undefined ? '' : `; policy ${policy}`}`,
    ...rowsOf(path).map(({ label, text }) => row(label, text)),
  ];
}

function row(label: string, text: string): string {
  return `${INDENT}${label.padEnd(LABEL)}${text}`;
}

function listsOf(report: Report, isVerbose: boolean): string[][] {
  const sharing = sharingInWords(report);
  const { assumptions: assumed } = report;
  const hidden =
    report.owners.length > 0 ? [`terms of amounts and ${count(assumed.length, 'assumption')}: --verbose`] : [];
  const list = (label: string, texts: readonly string[]) => clippedLines(texts).map((text) => row(label, text));
  return [
    [...list('quota', quotasInWords(report)), ...(sharing === undefined ? [] : [row('sharing', sharing)])],
    [
      ...(isVerbose ? list('assumed', assumed) : hidden.map((text) => row('more', text))),
      ...list('note', report.notes),
      ...list('needs', report.needs.map(withoutNeeds)),
    ],
  ];
}

function withoutNeeds(need: string): string {
  return need.replace(/^needs /, '');
}
