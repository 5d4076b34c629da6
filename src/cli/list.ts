import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { firstOfEach, printable } from '../contract/json';
import { count } from '../contract/rule';
import { OwnershipState } from '../controllers/options';
import { LiveServices, type ReportedService } from '../predicted/predicted';
import { type Line, textOf, textTable } from '../report/document';
import { copiesOf } from '../rules/manifest-objects';
import { checkObjects } from './check';
import { UsageError } from './files';
import { clusterTitle, contextInWords, folded, guessInWords, json } from './formats/words';
import { leftOut } from './manifests';
import { type Answer, addRepositoryCommand, printNotes, readClusters, type SharedOptions, today } from './options';
import { reportServices, type ServiceReport, UNKNOWN_SCHEME } from './service-report';
import type { Cluster } from './sources/clusters';

function blockOf(report: ServiceReport): Line[] {
  const { madeBy, file, line } = report;
  return [
    printable(`${nameOf(report)}  (${madeBy ? `made by ${madeBy}, ` : ''}${file}:${line})`),
    ['being deleted', report.deleting],
    ['owner', `${report.owner}: ${report.because}`],
    ['finalizer', `${report.finalizers.join(', ') || 'none declared'}: ${report.finalizersBecause}`],
    ['class', report.loadBalancerClass ?? 'none'],
    ['scheme', `${report.scheme}: ${report.schemeBecause}`],
    ['policy', `${report.policy}: ${report.policyMeans}`],
    ['client address', report.clientAddress],
    ['source ranges', report.sourceRanges],
    ['nodes', report.nodes],
    ...Object.entries(report.settings),
    ...(['error', 'warning', 'note'] as const).flatMap((level) =>
      report[`${level}s`].flatMap(({ what, remedy, ruleId }): Line[] => [
        [level, `${what} (${ruleId})`],
        ['  remedy', remedy],
      ]),
    ),
  ];
}

function tableIn(reports: readonly ServiceReport[], isWide = false): string[][] {
  const columns = isWide ? [...COLUMNS, ...WIDE_COLUMNS] : COLUMNS;
  const rows = [
    columns.map(([title]) => title),
    ...reports.map((report) => columns.map(([, of]) => printable(of(report)))),
  ];
  return reports.length === 0 ? [] : [[textTable(rows)], ['details: list NAMESPACE/NAME, or --verbose']];
}

type Column = readonly [title: string, of: (report: ServiceReport) => string];

const COLUMNS: readonly Column[] = [
  ['SERVICE', nameOf],
  ['OWNER', ({ owner, isGuess }) => (isGuess ? `${owner} (a guess)` : owner)],
  ['SCHEME', ({ scheme }) => scheme],
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
  const counts = [errors.length && count(errors.length, 'error'), warnings.length && count(warnings.length, 'warning')];
  return counts.filter(Boolean).join(', ') || 'none';
}

function listSummary(reports: readonly ServiceReport[], others: number): string {
  const later = reports.filter(({ madeBy }) => madeBy).reduce((sum, { alike = [] }) => sum + 1 + alike.length, others);
  // Services of one listener share its findings
  const numberOf = (level: 'errors' | 'warnings') =>
    new Set(reports.flatMap((one) => one[level].map((found) => JSON.stringify([one.file, one.line, found])))).size;
  const [errors, warnings] = [numberOf('errors'), numberOf('warnings')];
  const [first, ...rest] = reports.flatMap((report) => unknownIn(report) ?? []);
  const more = rest.length > 0 ? ` and of ${rest.length} more` : '';
  return [
    count(reports.filter(({ madeBy }) => !madeBy).length, 'load balanced Service'),
    ...(later > 0 ? [count(later, 'predicted load balancer')] : []),
    count(errors, 'error'),
    `${count(warnings, 'warning')}${first ? printable(`; not known: ${first.what}${more}, since ${first.why}`) : ''}`,
  ].join(', ');
}

function unknownIn(report: ServiceReport): { readonly what: string; readonly why: string } | undefined {
  const { state, because, scheme, schemeBecause } = report;
  if (state === OwnershipState.UNKNOWN) {
    return { what: `the owner of ${nameOf(report)}`, why: because };
  }
  const isOpen = state === OwnershipState.OWNED && scheme === UNKNOWN_SCHEME;
  return isOpen ? { what: `the scheme of ${nameOf(report)}`, why: schemeBecause } : undefined;
}

interface ListOptions extends SharedOptions {
  readonly wide?: boolean;
}

const SERVICE_NAME = /^[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/;

export function addList(program: Command): void {
  addRepositoryCommand<ListOptions>(program, 'list', { formats: ['text', 'json'], answer: answerOf });
}

function answerOf(words: readonly string[], options: ListOptions): Answer {
  const wanted = words.filter((word) => SERVICE_NAME.test(word) && !existsSync(word));
  const clusters = readClusters(
    words.filter((word) => !wanted.includes(word)),
    options,
  );
  const lists = clusters.map((cluster) => listed(cluster, wanted, options));
  const reports = lists.flatMap(({ reports: all, name }) =>
    all.map((one) => ({ ...one, ...(name !== undefined && { cluster: name }) })),
  );
  const missing = wanted.find((word) => !reports.some((report) => word === idOf(report)));
  if (missing !== undefined) {
    throw new UsageError(`no Service ${missing} is in these files; write NAMESPACE/NAME of one that list prints`);
  }
  const all = lists.flatMap((one) => one.reports);
  const others = lists.reduce((sum, one) => sum + one.others, 0);
  const total = lists.length > 1 ? [`${lists.length} clusters: ${listSummary(all, others)}\n`] : [];
  const has = (level: 'errors' | 'warnings') => reports.some((one) => one[level].length > 0);
  return {
    text:
      options.format === 'json'
        ? json(reports)
        : `${[...lists.map(({ text }) => text), ...total].join('\n')}${lists.flatMap(({ guess }) => guess).join('')}`,
    worst: has('errors') ? 'error' : has('warnings') ? 'warning' : undefined,
    isUnknown: clusters.some(({ read }) => read.isIncomplete) || reports.some((one) => unknownIn(one) !== undefined),
    isUnreadable: clusters.some(({ read }) => read.unreadable.length > 0),
  };
}

function idOf({ namespace = 'default', name }: ServiceReport): string {
  return `${namespace}/${name}`;
}

function listed(cluster: Cluster, wanted: readonly string[], options: ListOptions) {
  const { name, read } = cluster;
  const checked = checkObjects(read, cluster.context, today());
  const { manifests, later, context, report } = checked;
  const open = report.findings.filter(({ accepted }) => !accepted);
  printNotes(name, read, [...leftOut(read.strange), ...folded(later.notes)]);
  const services = manifests.filter(({ object }) => object.kind === 'Service' && object.apiVersion === 'v1');
  const live = new LiveServices(manifests);
  const missing = later.services.flatMap((made) => live.missing([made]).map((shown) => [made, shown] as const));
  const of = new Map(missing.map(([made, shown]) => [shown, made]));
  const copies = copiesOf([...services, ...of.keys()], read.isDeclared);
  const findingsOf = (one: ReportedService) => {
    const found = (copies.get(one) ?? [one]).flatMap((copy) => checked.findingsOf(of.get(copy) ?? copy));
    return firstOfEach(found, ({ ruleId, what, pointer }) => `${ruleId} ${pointer} ${what}`);
  };
  const all = reportServices({ ...checked, findingsOf }, [...copies.keys()]);
  const isWanted = (report: ServiceReport) => wanted.includes(idOf(report));
  const reports = wanted.length > 0 ? all.filter(isWanted) : all;
  const inferred = context.known.filter(({ isInferred }) => isInferred);
  const text = textOf(
    [
      inferred.length === 0 ? [] : [`inferred: ${contextInWords(inferred)}`],
      ...(options.verbose || wanted.length > 0 ? reports.map(blockOf) : tableIn(reports, options.wide)),
      [listSummary(reports, later.others)],
    ],
    { indent: 2, label: 16 },
  );
  return {
    name,
    others: later.others,
    reports,
    text: `${clusterTitle(name)}${text}`,
    guess: guessInWords(open, context.known).map((line) => `${line}\n`),
  };
}
