import type { Command } from 'commander';
import { ownCommand } from '../../contract/own-command';
import { printable } from '../../contract/printable';
import type { Writer } from '../../lifecycle/writers.facts';
import type { AcceptedLoss } from '../context/check-context';
import type { DiffReport } from './diff-report';
import { diffGithub } from './github';
import { diffJson } from './json';
import { makeDiff } from './make-diff';
import { diffMarkdown } from './markdown';
import { isMisuse, Misuse } from './misuse';
import { inVersionsOf, type ReadSides, readPath, readPaths, readRevisions } from './read-sides';
import { diffText, type TextOptions } from './text';
import { type VersionOptions, versionsGiven } from './versions';
import { isOpenLoss, isOpenUnknown } from './words';

/** What the command line says. */
export interface DiffCommandOptions extends VersionOptions {
  readonly git?: string;
  readonly format: string;
  readonly strict?: true;
  readonly allow?: readonly AcceptedLoss[];
  readonly prune?: boolean;
  readonly writer?: Writer;
  readonly config?: string;
  readonly date?: string;
}

/** How a difference can be printed. */
const FORMATS: Readonly<Record<string, (report: DiffReport, options: TextOptions) => string>> = {
  text: diffText,
  json: diffJson,
  markdown: diffMarkdown,
  github: diffGithub,
};

/** Reads both sides, and prints what the change does. */
export function runDiff(program: Command, paths: readonly string[], options: DiffCommandOptions): void {
  const { format, strict = false, allow = [], prune, writer, date } = options;
  const report = makeDiff(read(program, paths, options), {
    allowed: allow,
    today: date ?? new Date().toISOString().slice(0, 10),
    ...(prune !== undefined && { prune }),
    ...(writer !== undefined && { writer }),
  });
  const { isTTY = false, columns } = process.stdout;
  process.stdout.write(
    FORMATS[format](report, { color: isTTY && !process.env.NO_COLOR, ...(isTTY && { width: columns }) }),
  );
  process.exitCode = exitCode(report, strict);
}

function read(program: Command, paths: readonly string[], options: DiffCommandOptions): ReadSides {
  try {
    return readSides(paths, options);
  } catch (error) {
    if (isMisuse(error)) {
      return program.error(error.message.split('\n').map(printable).join('\n'));
    }
    throw error;
  }
}

function readSides(paths: readonly string[], { git, config, ...options }: DiffCommandOptions): ReadSides {
  const versions = versionsGiven(options);
  const [old, now] = paths;
  if (git === undefined && now === undefined) {
    if (!versions) {
      const one = printable(old);
      throw new Misuse(
        `diff has one side, ${one}; name the older one before it, or a revision: ${ownCommand(`diff --git main ${one}`)}`,
      );
    }
    return readPath(old, versions, config);
  }
  const sides =
    git === undefined ? readPaths(old, now, config) : readRevisions(git, paths.length > 0 ? paths : ['.'], config);
  return versions ? inVersionsOf(sides, versions) : sides;
}

/** 0 where nothing is lost, and 1 where something is, or cannot be read. */
export function exitCode({ changes, unreadable, mayHaveMore = false }: DiffReport, strict = false): 0 | 1 {
  const fails = changes.some(({ causes }) => causes.some((one) => isOpenLoss(one) || (strict && isOpenUnknown(one))));
  const isOpen = strict && changes.length === 0 && mayHaveMore;
  return fails || isOpen || unreadable.length > 0 ? 1 : 0;
}
