import { type Command, InvalidArgumentError, Option } from 'commander';
import { printable } from '../contract/printable';
import { Decimal } from '../cost/money';
import { PRICED_REGIONS } from '../cost/price-list';
import { reportJson } from '../report/json';
import { makeReport } from '../report/make-report';
import { reportMarkdown } from '../report/markdown';
import { htmlOf } from '../report/page/page';
import type { Report, ReportedFinding } from '../report/report';
import { reportText } from '../report/text';
import { VARIANTS, type Variant } from '../traffic/what-if';
import { check } from './check';
import { day } from './check-command';
import type { CheckReport } from './check-report';
import { readClusters, withClusterOptions } from './cluster-options';
import { jsonText } from './formats/json';
import { balancersIn } from './reported-balancers';
import type { ClusterOptions } from './sources/clusters';

/** How a report can be printed. */
const FORMATS: Readonly<Record<string, (report: Report) => string>> = {
  text: reportText,
  json: reportJson,
  markdown: reportMarkdown,
  html: htmlOf,
};

interface ReportCommandOptions extends ClusterOptions {
  readonly format: string;
  readonly whatIf?: readonly Variant[];
  readonly region?: string;
  readonly zones?: number;
  readonly gbPerMonth?: number;
  readonly gbOutPerMonth?: number;
  readonly connections?: number;
  readonly quota?: Readonly<Record<string, number>>;
  readonly date?: string;
}

/** The command that says what the load balancers of manifests do to packets and what they cost. */
export function addReport(program: Command): void {
  withClusterOptions(program.command('report'))
    .description(
      'what the load balancers of files do to packets, what they cost by list price and which quotas they use, each number with its terms; exits with 1 on files that cannot be read',
    )
    .argument('[path...]', 'files, folders of YAML or JSON files, or - for standard input', ['.'])
    .addOption(new Option('--format <format>', 'how it is printed').choices(Object.keys(FORMATS)).default('text'))
    .addOption(
      new Option('--what-if <way>', 'another way of the same packets beside the one of today; again for more')
        .choices(VARIANTS)
        .argParser(variant),
    )
    .option('--region <region>', 'the region of the vendor whose prices count', pricedRegion)
    .option('--zones <number>', 'in how many zones a balancer is, where its Service does not say it', whole)
    .option('--gb-per-month <number>', 'gigabytes of a month through each balancer, both directions together', amount)
    .option('--gb-out-per-month <number>', 'of these, the gigabytes that clients on the internet receive', amount)
    .option('--connections <number>', 'connections that are open at a time through each balancer', amount)
    .option('--quota <id=number>', 'a quota of the account, by its id; again for more', quota)
    .option('--date <day>', 'the day by which prices are old, as 2027-06-30; today by default', day)
    .action((paths: string[], options: ReportCommandOptions) => run(program, paths, options));
}

function run(program: Command, paths: string[], options: ReportCommandOptions): void {
  const { format, whatIf, quota: quotas, date, region, zones, gbPerMonth, gbOutPerMonth, connections } = options;
  const figures = { zones, gbPerMonth, gbOutPerMonth, connections };
  if (gbPerMonth !== undefined && gbOutPerMonth !== undefined && gbOutPerMonth > gbPerMonth) {
    program.error(
      `--gb-out-per-month ${gbOutPerMonth} is more than --gb-per-month ${gbPerMonth}, of which it is a part; give both directions together as --gb-per-month`,
    );
  }
  const clusters = readClusters(program, paths, options);
  if (format === 'html' && clusters.length > 1) {
    const names = clusters.map(({ name }) => name).join(' | ');
    program.error(printable(`a page is about one cluster; name it: --cluster ${names}`));
  }
  const reports = clusters.map(({ name, context, read }) => {
    const found = balancersIn(read, region === undefined ? context : { ...context, region });
    const today = date ?? new Date().toISOString().slice(0, 10);
    const report = makeReport(found.balancers, {
      ...found.options,
      ...figures,
      variants: whatIf,
      quotas,
      today,
    });
    // people who read text have check beside it
    const isWhole = format === 'html' || format === 'json';
    return { name, report: isWhole ? { ...report, findings: reportedFindings(check(read, context, today)) } : report };
  });
  for (const { what, remedy } of reports.flatMap(({ report }) => report.quotas.wrong).slice(0, 1)) {
    program.error(printable(`--quota: ${what}; ${remedy}`));
  }
  process.stdout.write(format === 'json' ? jsonOf(reports) : reports.map((one) => textOf(one, format)).join('\n'));
  const unreadable = clusters.flatMap(({ read }) => read.unreadable);
  process.exitCode = unreadable.some(({ isSource }) => isSource) ? 2 : unreadable.length > 0 ? 1 : 0;
}

/** Errors, then warnings, without those that are accepted. */
function reportedFindings({ findings }: CheckReport): ReportedFinding[] {
  return (['error', 'warning'] as const).flatMap((level) =>
    findings
      .filter((one) => one.level === level && !one.accepted)
      .map(({ ruleId, what, remedy, object: { kind, namespace, name }, place: { file, line } }) => ({
        level,
        ruleId,
        object: `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
        what,
        remedy,
        place: `${file}:${line}`,
      })),
  );
}

interface NamedReport {
  readonly name?: string;
  readonly report: Report;
}

/** The report of the only cluster, or a map of all of them. */
function jsonOf(reports: readonly NamedReport[]): string {
  const [{ name, report }] = reports;
  return name === undefined
    ? reportJson(report)
    : jsonText({ clusters: Object.fromEntries(reports.map((one) => [one.name, JSON.parse(reportJson(one.report))])) });
}

function textOf({ name, report }: NamedReport, format: string): string {
  const title = name === undefined ? '' : `${format === 'markdown' ? '# Cluster' : 'cluster'} ${printable(name)}\n\n`;
  return `${title}${FORMATS[format](report)}`;
}

function variant(text: string, before: readonly Variant[] = []): readonly Variant[] {
  const found = VARIANTS.find((each) => each === text);
  if (!found) {
    throw new InvalidArgumentError(`write one of ${VARIANTS.join(', ')}`);
  }
  return before.includes(found) ? before : [...before, found];
}

function pricedRegion(text: string): string {
  if (!PRICED_REGIONS.includes(text)) {
    throw new InvalidArgumentError(`there are no prices of it; write one of ${PRICED_REGIONS.join(', ')}`);
  }
  return text;
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new InvalidArgumentError('write a whole number of 1 or more');
  }
  return Number(text);
}

function amount(text: string): number {
  const read = Decimal.read(text);
  if (!read || read.isNegative() || !Number.isFinite(Number(text))) {
    throw new InvalidArgumentError('write a number of 0 or more');
  }
  return Number(text);
}

function quota(text: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [, id, limit] = /^([^=]+)=(\d{1,9})$/.exec(text) ?? [];
  if (id === undefined || Number(limit) === 0) {
    throw new InvalidArgumentError('write the id of a quota and a whole number, as aws-nlbs=100');
  }
  return { ...before, [id]: Number(limit) };
}
