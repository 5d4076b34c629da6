import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { count, printable } from '../contract/printable';
import { OwnershipState } from '../controllers/load-balancer-owner';
import type { KnownContext } from './check-report';
import { contextInWords, json } from './formats/words';
import type { ServiceReport } from './service-report';

export function listText(reports: readonly ServiceReport[], context: readonly KnownContext[] = [], others = 0): string {
  const blocks = reports.map((report) =>
    [
      heading(report),
      ...(report.deleting ? [row('being deleted', report.deleting)] : []),
      row('owner', `${report.owner}: ${report.because}`),
      row('finalizer', `${report.finalizers.join(', ') || 'none declared'}: ${report.finalizersBecause}`),
      row('class', report.loadBalancerClass ?? 'none'),
      row('scheme', report.scheme),
      row('policy', `${report.policy}: ${report.policyMeans}`),
      row('client address', report.clientAddress),
      row('source ranges', report.sourceRanges),
      row('nodes', report.nodes),
      ...Object.entries(report.settings).map(([wish, value]) => row(wish, value)),
      ...report.errors.flatMap((finding) => findingRows('error', finding)),
      ...report.warnings.flatMap((finding) => findingRows('warning', finding)),
      ...report.notes.flatMap((finding) => findingRows('note', finding)),
    ].join('\n'),
  );
  const inferred = context.filter(({ isInferred }) => isInferred);
  const head = inferred.length === 0 ? [] : [printable(`inferred: ${contextInWords(inferred)}`)];
  return `${[...head, ...blocks, listSummary(reports, others)].join('\n\n')}\n`;
}

/** The same in a table, with the problems of each Service as numbers. */
export function listTable(
  reports: readonly ServiceReport[],
  context: readonly KnownContext[] = [],
  others = 0,
  isWide = false,
): string {
  const columns = isWide ? [...COLUMNS, ...WIDE_COLUMNS] : COLUMNS;
  const rows = [
    columns.map(([title]) => title),
    ...reports.map((report) => columns.map(([, of]) => printable(of(report)))),
  ];
  const widths = columns.map((_, i) => Math.max(...rows.map((cells) => cells[i].length)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  );
  const inferred = context.filter(({ isInferred }) => isInferred);
  const head = inferred.length === 0 ? [] : [printable(`inferred: ${contextInWords(inferred)}`)];
  const table = reports.length === 0 ? [] : [lines.join('\n'), 'details: list NAMESPACE/NAME, or --verbose'];
  return `${[...head, ...table, listSummary(reports, others)].join('\n\n')}\n`;
}

type Column = readonly [title: string, of: (report: ServiceReport) => string];

const COLUMNS: readonly Column[] = [
  ['SERVICE', nameOf],
  ['OWNER', ({ owner, isGuess }) => (isGuess ? `${owner} (a guess)` : owner)],
  ['SCHEME', ({ scheme }) => scheme.replace(/:.*$/s, '')],
  ['FINALIZER', ({ finalizers }) => finalizers.join(',') || 'none'],
  ['POLICY', ({ policy }) => policy],
  ['PROBLEMS', problemsOf],
];

const WIDE_COLUMNS: readonly Column[] = [
  ['CLASS', ({ loadBalancerClass = 'none' }) => loadBalancerClass],
  ['CLIENT ADDRESS', ({ clientAddress }) => clientAddress],
  ['SOURCE RANGES', ({ sourceRanges }) => sourceRanges],
  ['NODES', ({ nodes }) => nodes],
  ['FILE', ({ file, line }) => `${file}:${line}`],
];

function nameOf({ namespace, name, alike = [] }: ServiceReport): string {
  const others = alike.length === 0 ? '' : ` and ${alike.length} more`;
  return `${namespace ? `${namespace}/` : ''}${name === '' ? '(without a name)' : name}${others}`;
}

function problemsOf({ errors, warnings }: ServiceReport): string {
  const found = [
    ...(errors.length > 0 ? [count(errors.length, 'error')] : []),
    ...(warnings.length > 0 ? [count(warnings.length, 'warning')] : []),
  ];
  return found.join(', ') || 'none';
}

export function listJson(reports: readonly ServiceReport[]): string {
  return json(reports);
}

function heading(report: ServiceReport): string {
  const { madeBy, file, line } = report;
  const where = madeBy ? `made later of ${madeBy}, ${file}:${line}` : `${file}:${line}`;
  return printable(`${nameOf(report)}  (${where})`);
}

function row(label: string, value: string): string {
  return `  ${printable(label).padEnd(15)} ${printable(value)}`;
}

function findingRows(severity: string, { what, remedy, ruleId }: LoadBalancerFinding): string[] {
  return [row(severity, `${what} (${ruleId})`), row('  remedy', remedy)];
}

/** How many Services are in the files, and how many balancers are made later of something else. */
export function listSummary(reports: readonly ServiceReport[], others: number): string {
  const later = reports.filter(({ madeBy }) => madeBy).reduce((sum, { alike = [] }) => sum + 1 + alike.length, others);
  const errors = reports.reduce((sum, report) => sum + report.errors.length, 0);
  const warnings = reports.reduce((sum, report) => sum + report.warnings.length, 0);
  const [first, ...rest] = reports.flatMap((report) => unknownIn(report) ?? []);
  const more = rest.length > 0 ? ` and of ${rest.length} more` : '';
  return [
    count(reports.filter(({ madeBy }) => !madeBy).length, 'load balanced Service'),
    ...(later > 0 ? [`${count(later, 'load balancer')} made later`] : []),
    count(errors, 'error'),
    `${count(warnings, 'warning')}${first ? printable(`; not known: ${first.what}${more}, since ${first.why}`) : ''}`,
  ].join(', ');
}

/** What is not known of the owner or the scheme of a balancer, and why. */
export function unknownIn(report: ServiceReport): { readonly what: string; readonly why: string } | undefined {
  const { state, because, scheme } = report;
  if (state === OwnershipState.UNKNOWN) {
    return { what: `the owner of ${nameOf(report)}`, why: because };
  }
  const isOpen = state === OwnershipState.OWNED && scheme.startsWith('unknown: ');
  return isOpen ? { what: `the scheme of ${nameOf(report)}`, why: scheme.replace('unknown: ', '') } : undefined;
}
