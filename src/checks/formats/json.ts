import { printable } from '../../contract/printable';
import type {
  CheckedObject,
  CheckFinding,
  CheckReport,
  KnownContext,
  Place,
  UnknownAnswer,
  UnreadableDocument,
} from '../check-report';
import { rulePage } from './format';
import { type Tally, tallyOf, withoutCommands } from './words';

/**
 * What `check --format json` prints. Members are added without notice; where one goes or changes its meaning, the version
 * is another one. What is not known has no member.
 */
export interface CheckJson {
  readonly version: 1;
  readonly summary: Tally;
  /** What is known of the cluster, and from where. */
  readonly context: readonly KnownContext[];
  /** In the order of their places. Accepted ones are among them, with `accepted`. */
  readonly findings: readonly (CheckFinding & { readonly help: string; readonly cluster?: string })[];
  /** Rules without an answer, and what each needs for one. */
  readonly unknown: readonly UnknownAnswer[];
  readonly unreadable: readonly UnreadableDocument[];
  /** What is not checked and why. */
  readonly notes: readonly string[];
}

/** The report for programs, with all its values in full. */
export function formatJson(report: CheckReport): string {
  return jsonText(checkJson(report));
}

/** As JSON of one byte order: what a terminal or a runner would act upon is written as JSON escapes it. */
export function jsonText(value: object): string {
  // as one text: the lines of a large report would take more memory than its objects
  return withoutCommands(`${JSON.stringify(value, undefined, 2).replace(STRANGE, printable)}\n`);
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

/** Members are named one by one, so that their order is always the same. */
function checkJson(report: CheckReport): CheckJson {
  return {
    version: 1,
    summary: tallyOf(report),
    context: report.context.map(({ what, from, isInferred, cluster }) => ({ what, from, isInferred, cluster })),
    findings: report.findings.map(findingJson),
    unknown: report.unknown.map(({ ruleId, needs, object, place }) => ({
      ruleId,
      needs,
      object: objectJson(object),
      place: placeJson(place),
    })),
    unreadable: report.unreadable.map(({ what, remedy, place, cluster }) => ({
      what,
      remedy,
      place: placeJson(place),
      cluster,
    })),
    notes: report.notes,
  };
}

function findingJson(finding: CheckFinding): CheckJson['findings'][number] {
  const { ruleId, level, who, what, remedy, value, object, place, pointer, accepted } = finding;
  return {
    ruleId,
    level,
    who,
    what,
    remedy,
    value,
    object: objectJson(object),
    place: placeJson(place),
    pointer,
    cluster: object.cluster,
    accepted: accepted && { reason: accepted.reason, until: accepted.until },
    help: rulePage(ruleId),
  };
}

function objectJson(object: CheckedObject): CheckedObject {
  const { apiVersion, kind, namespace, name, madeBy, construct, template, renderedFrom, cluster } = object;
  return { apiVersion, kind, namespace, name, madeBy, construct, template, renderedFrom, cluster };
}

function placeJson({ file, line, column }: Place): Place {
  return { file, line, column };
}
