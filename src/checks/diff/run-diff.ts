import { printable } from '../../contract/json';
import { ownCommand } from '../../contract/rule';
import type { Writer } from '../../lifecycle/scenario';
import type { AcceptedLoss } from '../context/check-context';
import { Misuse } from '../files';
import { jsonOfClusters } from '../formats/json';
import type { Verdict } from '../formats/words';
import { clusterTitle } from '../formats/words';
import type { Answer, SharedOptions } from '../options';
import {
  type DiffReport,
  diffJson,
  isAccepted,
  isListed,
  isOpenLoss,
  isOpenUnknown,
  type ReportedCause,
  type ReportedChange,
} from './diff-report';
import { diffGithub, diffMarkdown, diffText, type TextOptions } from './formats';
import { makeDiff } from './make-diff';
import {
  type ClusterSides,
  inVersionsOf,
  readPath,
  readPaths,
  readRevisions,
  type VersionOptions,
  versionsGiven,
} from './read-sides';

export interface DiffCommandOptions extends VersionOptions, SharedOptions {
  readonly git?: string;
  readonly width?: number;
  readonly allow?: readonly AcceptedLoss[];
  readonly prune?: boolean;
  readonly writer?: Writer;
  readonly date: string;
}

const FORMATS: Readonly<Record<string, (report: DiffReport, options: TextOptions) => string>> = {
  text: diffText,
  json: diffJson,
  markdown: diffMarkdown,
  github: diffGithub,
};

export function runDiff(paths: readonly string[], options: DiffCommandOptions): Answer {
  const { format, verbose = false, allow = [], prune, writer, date, width } = options;
  const clusters = readSides(paths, options).map(({ cluster, ...sides }) => ({
    cluster,
    report: makeDiff(sides, { allowed: allow, today: date, prune, writer }),
  }));
  const isOfAll = (note: string) => clusters.every(({ report }) => report.notes.includes(note));
  // what is accepted in all clusters need not happen in each of them
  const reports = clusters.map(({ cluster, report }) => {
    const notes = report.notes.filter((note) => !report.idleForAll.includes(note) || isOfAll(note));
    return { cluster, report: { ...report, notes } };
  });
  const text = ({ cluster, report }: (typeof reports)[number]) =>
    `${clusterTitle(cluster, format)}${FORMATS[format](report, { isBrief: !verbose, width, cluster })}`;
  return {
    text: format === 'json' ? jsonOfClusters(reports, diffJson) : reports.map(text).join('\n'),
    ...verdictOf(reports.map(({ report }) => report)),
  };
}

function readSides(paths: readonly string[], { git, ...options }: DiffCommandOptions): ClusterSides[] {
  const versions = versionsGiven(options);
  const [old, now] = paths;
  if (git === undefined && now === undefined) {
    if (!versions) {
      const one = printable(old);
      throw new Misuse(
        `diff has one side, ${one}; name the older one before it, or a revision: ${ownCommand(`diff --git main ${one}`)}`,
      );
    }
    return readPath(old, versions, options);
  }
  const sides =
    git === undefined ? readPaths(old, now, options) : readRevisions(git, paths.length > 0 ? paths : ['.'], options);
  return versions ? sides.map(({ cluster, ...one }) => ({ ...inVersionsOf(one, versions), cluster })) : sides;
}

/** What a difference comes to: what is lost weighs as an error, and an edit without an effect as a warning. */
export function verdictOf(reports: readonly DiffReport[]): Verdict {
  const changes = reports.flatMap((report) => report.changes);
  const has = (is: (cause: ReportedCause) => boolean) => changes.some(({ causes }) => causes.some(is));
  const isIdle = (change: ReportedChange) => change.outcome === 'kept' && isListed(change) && !isAccepted(change);
  return {
    worst: has(isOpenLoss) ? 'error' : changes.some(isIdle) ? 'warning' : undefined,
    isUnknown:
      has(isOpenUnknown) || reports.some((one) => one.isIncomplete || (one.changes.length === 0 && one.mayHaveMore)),
    isUnreadable: reports.some(({ unreadable }) => unreadable.length > 0),
  };
}
