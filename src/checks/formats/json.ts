import { isMap } from '../../contract/json';
import { printable } from '../../contract/printable';
import type { CheckReport } from '../check-report';
import { rulePage } from './format';
import { tallyOf, withoutCommands } from './words';

/** The output of `check --format json`. Members are added without notice; one that goes or changes its meaning changes the version. */
export type CheckJson = ReturnType<typeof checkJson>;

/** The report for programs, with all its values in full. */
export function formatJson(report: CheckReport): string {
  return jsonText(checkJson(report), inOrder);
}

const MEMBERS =
  'apiVersion kind namespace name madeBy construct template renderedFrom ruleId level who what from isInferred remedy value needs object place pointer file line column cluster accepted reason until help'.split(
    ' ',
  );

function inOrder(_: string, value: unknown): unknown {
  return isMap(value) && Object.keys(value).every((name) => MEMBERS.includes(name))
    ? Object.fromEntries(MEMBERS.map((name) => [name, value[name]]))
    : value;
}

function checkJson(report: CheckReport) {
  const { context, findings, unknown, unreadable, notes } = report;
  return {
    version: 1,
    summary: tallyOf(report),
    context,
    findings: findings.map(({ isGuess: _, accepted, ...one }) => ({
      ...one,
      cluster: one.object.cluster,
      accepted,
      help: rulePage(one.ruleId),
    })),
    unknown: unknown.map(({ ruleId, needs, object, place }) => ({ ruleId, needs, object, place })),
    unreadable: unreadable.map(({ what, remedy, place, cluster }) => ({ what, remedy, place, cluster })),
    notes,
  };
}

/** As JSON of one byte order: what a terminal or a runner would act upon is written as JSON escapes it. */
export function jsonText(value: object, replacer?: (name: string, value: unknown) => unknown): string {
  // as one text: the lines of a large report would take more memory than its objects
  return withoutCommands(`${JSON.stringify(value, replacer, 2).replace(STRANGE, printable)}\n`);
}

/** The report of the only cluster for programs, or a map of those of all clusters. */
export function jsonOfClusters<T>(
  reports: readonly { readonly cluster?: string; readonly report: T }[],
  print: (report: T) => string,
): string {
  const [{ cluster, report }] = reports;
  const all = reports.map((one) => [one.cluster, JSON.parse(print(one.report))]);
  return cluster === undefined ? print(report) : jsonText({ clusters: Object.fromEntries(all) });
}

/** What lines of ASCII do not have. */
const STRANGE = /[^ -~\n]+/g;
