import { type Command, InvalidArgumentError } from 'commander';
import { definedOrNothing } from '../contract/json';
import { Decimal } from '../cost/money';
import { PRICED_REGIONS } from '../cost/price-list';
import { reportJson, reportMarkdown, reportText } from '../report/formats';
import type { Report, ReportedFinding } from '../report/make-report';
import { makeReport } from '../report/make-report';
import { htmlOf } from '../report/page/page';
import type { ReportOptions } from '../report/paths';
import { VARIANTS, type Variant } from '../traffic/what-if';
import { balancersIn } from './balancers';
import { check } from './check';
import type { CheckReport } from './check-report';
import { UsageError } from './files';
import { jsonOfClusters } from './formats/json';
import { clusterTitle, NAME_CONTROLLERS } from './formats/words';
import { type Answer, addRepositoryCommand, readClusters, type SharedOptions } from './options';

const FORMATS: Readonly<Record<string, (report: Report, isVerbose?: boolean) => string>> = {
  text: reportText,
  json: reportJson,
  markdown: reportMarkdown,
  html: htmlOf,
};

interface ReportCommandOptions
  extends SharedOptions,
    Pick<ReportOptions, 'region' | 'zones' | 'gbPerMonth' | 'gbOutPerMonth' | 'connections'> {
  readonly whatIf?: readonly Variant[];
  readonly quota?: Readonly<Record<string, number>>;
  readonly date: string;
}

export function addReport(program: Command): void {
  addRepositoryCommand<ReportCommandOptions>(program, 'report', {
    formats: Object.keys(FORMATS),
    refused: { failOn: 'a report fails on no finding; check does, and over a budget too' },
    reads: {
      ...{ whatIf: variant, region: PRICED_REGIONS, zones: whole, quota },
      ...{ gbPerMonth: amount, gbOutPerMonth: amount, connections: amount },
    },
    answer: answerOf,
  });
}

function answerOf(paths: readonly string[], options: ReportCommandOptions): Answer {
  const { format, verbose, whatIf, quota, date, region, zones, gbPerMonth, gbOutPerMonth, connections } = options;
  const figures = definedOrNothing({ zones, gbPerMonth, gbOutPerMonth, connections });
  if (gbPerMonth !== undefined && gbOutPerMonth !== undefined && gbOutPerMonth > gbPerMonth) {
    const both = `--gb-out-per-month ${gbOutPerMonth} is more than --gb-per-month ${gbPerMonth}`;
    throw new UsageError(`${both}, of which it is a part; give both directions together as --gb-per-month`);
  }
  const clusters = readClusters(paths, options);
  if (format === 'html' && clusters.length > 1) {
    const names = clusters.map(({ name }) => name).join(' | ');
    throw new UsageError(`a page is about one cluster; name it: --cluster ${names}`);
  }
  const reports = clusters.map(({ name, context, read }) => {
    const found = balancersIn(read, region === undefined ? context : { ...context, region });
    const report = makeReport(found.balancers, {
      ...found.options,
      ...figures,
      variants: whatIf,
      quotas: { ...found.options.quotas, ...quota },
      today: date,
    });
    // people who read text have check beside it
    const isWhole = format === 'html' || format === 'json';
    const findings = isWhole ? reportedFindings(check(read, context, date)) : undefined;
    return { cluster: name, report: { ...report, ...(findings && { findings }) } };
  });
  for (const { what, remedy } of reports.flatMap(({ report }) => report.quotas.wrong).slice(0, 1)) {
    throw new UsageError(`--quota: ${what}; ${remedy}`);
  }
  const isGuess = ({ owners }: Report) => format === 'text' && owners.some((one) => one.isGuess);
  const guess = `\nthis rests on a guess of the cluster; ${NAME_CONTROLLERS}\n`;
  const textOf = ({ cluster, report }: (typeof reports)[number]) =>
    `${clusterTitle(cluster, format)}${FORMATS[format](report, verbose === true)}${isGuess(report) ? guess : ''}`;
  return {
    text: format === 'json' ? jsonOfClusters(reports, reportJson) : reports.map(textOf).join('\n'),
    isUnknown: clusters.some(({ read }) => read.isIncomplete) || reports.some(({ report }) => report.needs.length > 0),
    isUnreadable: clusters.some(({ read }) => read.unreadable.length > 0),
  };
}

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

function variant(text: string, before: readonly Variant[] = []): readonly Variant[] {
  const found = VARIANTS.find((each) => each === text);
  if (!found) {
    throw new InvalidArgumentError(`write one of ${VARIANTS.join(', ')}`);
  }
  return before.includes(found) ? before : [...before, found];
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new InvalidArgumentError('write a whole number of 1 or more');
  }
  return Number(text);
}

function amount(text: string): number {
  const read = Decimal.readAmount(text);
  if (!read || !Number.isFinite(Number(text))) {
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
