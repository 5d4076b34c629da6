import { printable } from '../contract/printable';
import { mermaidOf } from './mermaid';
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

/** The signs that mean something to a reader of Markdown, HTML or mentions. */
const MARKUP = /[\\`*_{}[\]<>&|#~!@$]/g;

/** A text that is no markup, wherever it is from. */
export function markdownText(text: string): string {
  return printable(text)
    .replace(MARKUP, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/:\/\//g, '&#58;//');
}

/** A report for a forge: tables, and the way of packets as pictures with shares on the arrows. */
export function reportMarkdown(report: Report): string {
  const sharing = sharingInWords(report);
  return `${[
    '# Load balancers',
    report.balancers.length === 0 ? 'There are no load balancers.' : ownersOf(report),
    ...report.paths.flatMap(pathOf),
    ...section('Quotas and sharing', [...quotasInWords(report), ...(sharing === undefined ? [] : [sharing])]),
    ...section('Needed for more', report.needs),
    ...section('Assumed', report.assumptions),
    ...section('Notes', report.notes),
  ].join('\n\n')}\n`;
}

function ownersOf(report: Report): string {
  return tableOf(
    ['owner', 'balancers', 'of quota', monthHeading(report), 'terms'],
    report.owners.map((owner) => [
      ownerInWords(owner),
      `${owner.balancers}`,
      quotaShareOf(owner),
      owner.amount,
      owner.terms ?? '-',
    ]),
  );
}

function tableOf(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(' | ')} |`;
  return [line(heading), `|${' --- |'.repeat(heading.length)}`, ...rows.map(line)].join('\n');
}

function pathOf(path: ReportedPath): string[] {
  const { services, balancer, policy } = path;
  const picture = mermaidOf(path);
  return [
    `## ${markdownText(namesOf(services))}`,
    markdownText(`${balancer}${policy === undefined ? '' : `; policy ${policy}`}`),
    ...(picture === undefined ? [] : [`\`\`\`mermaid\n${picture}\n\`\`\``]),
    tableOf(
      ['', ''],
      rowsOf(path).map(({ label, text }) => [label, text]),
    ),
  ];
}

function section(title: string, texts: readonly string[]): string[] {
  return texts.length === 0
    ? []
    : [
        `## ${title}`,
        clippedLines(texts)
          .map((text) => `- ${markdownText(text)}`)
          .join('\n'),
      ];
}
