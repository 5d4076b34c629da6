import type { Command } from 'commander';
import { ownCommand } from '../../contract/own-command';
import { printable } from '../../contract/printable';
import type { Writer } from '../../lifecycle/writers.facts';
import type { AcceptedLoss } from '../context/check-context';
import { jsonText } from '../formats/json';
import { isMisuse, Misuse } from '../misuse';
import type { ClusterOptions } from '../sources/clusters';
import type { DiffReport } from './diff-report';
import { diffGithub } from './github';
import { diffJson } from './json';
import { makeDiff } from './make-diff';
import { diffMarkdown } from './markdown';
import { type ClusterSides, inVersionsOf, readPath, readPaths, readRevisions } from './read-sides';
import { diffText, type TextOptions } from './text';
import { type VersionOptions, versionsGiven } from './versions';
import { isOpenLoss, isOpenUnknown } from './words';

/** What the command line says. */
export interface DiffCommandOptions extends VersionOptions, ClusterOptions {
  readonly git?: string;
  readonly format: string;
  readonly strict?: true;
  readonly verbose?: true;
  readonly allow?: readonly AcceptedLoss[];
  readonly prune?: boolean;
  readonly writer?: Writer;
  readonly date?: string;
}

/** How a difference can be printed. */
const FORMATS: Readonly<Record<string, (report: DiffReport, options: TextOptions) => string>> = {
  text: diffText,
  json: diffJson,
  markdown: diffMarkdown,
  github: diffGithub,
};

/** Reads both sides, and prints what the change does, cluster by cluster. */
export function runDiff(program: Command, paths: readonly string[], options: DiffCommandOptions): void {
  const { format, strict = false, verbose = false, allow = [], prune, writer, date } = options;
  const clusters = read(program, paths, options).map(({ cluster, ...sides }) => {
    const report = makeDiff(sides, {
      allowed: allow,
      today: date ?? new Date().toISOString().slice(0, 10),
      ...(prune !== undefined && { prune }),
      ...(writer !== undefined && { writer }),
    });
    return { cluster, report };
  });
  const isSaid = clusters.map(({ report }) => report.notes);
  const reports = clusters.map(({ cluster, report }) => ({
    cluster,
    // what is accepted in all clusters need not happen in each of them
    report: {
      ...report,
      notes: report.notes.filter(
        (note) => !report.idleForAll.includes(note) || isSaid.every((notes) => notes.includes(note)),
      ),
    },
  }));
  const { isTTY = false, columns } = process.stdout;
  const how = { isBrief: !verbose, color: isTTY && !process.env.NO_COLOR, ...(isTTY && { width: columns }) };
  process.stdout.write(
    format === 'json'
      ? jsonOf(reports)
      : reports
          .map(({ cluster, report }) => `${titleOf(cluster, format)}${FORMATS[format](report, { ...how, cluster })}`)
          .join('\n'),
  );
  process.exitCode = Math.max(...reports.map(({ report }) => exitCode(report, strict)));
}

interface ClusterReport {
  readonly cluster?: string;
  readonly report: DiffReport;
}

/** The report of the only cluster, or a map of all of them. */
function jsonOf(reports: readonly ClusterReport[]): string {
  const [{ cluster, report }] = reports;
  return cluster === undefined
    ? diffJson(report)
    : jsonText({ clusters: Object.fromEntries(reports.map((one) => [one.cluster, JSON.parse(diffJson(one.report))])) });
}

function titleOf(cluster: string | undefined, format: string): string {
  if (cluster === undefined) {
    return '';
  }
  return format === 'markdown' ? `## Cluster ${printable(cluster)}\n\n` : `cluster ${printable(cluster)}\n\n`;
}

function read(program: Command, paths: readonly string[], options: DiffCommandOptions): ClusterSides[] {
  try {
    return readSides(paths, options);
  } catch (error) {
    if (isMisuse(error)) {
      return program.error(error.message.split('\n').map(printable).join('\n'));
    }
    throw error;
  }
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

/** 0 if nothing is lost, 1 if something is or cannot be read, 2 if a declared source cannot be rendered. */
export function exitCode({ changes, unreadable, mayHaveMore = false }: DiffReport, strict = false): 0 | 1 | 2 {
  if (unreadable.some(({ isSource }) => isSource)) {
    return 2;
  }
  const fails = changes.some(({ causes }) => causes.some((one) => isOpenLoss(one) || (strict && isOpenUnknown(one))));
  const isOpen = strict && changes.length === 0 && mayHaveMore;
  return fails || isOpen || unreadable.length > 0 ? 1 : 0;
}
