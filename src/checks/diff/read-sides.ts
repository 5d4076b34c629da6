import { dirname, posix, relative } from 'node:path';
import picomatch from 'picomatch';
import { printable } from '../../contract/printable';
import { OPERATOR } from '../../kafka/strimzi/upgrades.facts';
import { KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import { type CheckContext, NO_CONTEXT } from '../context/check-context';
import { joined, kindNamed } from '../context/context-controllers';
import { CONTEXT_FILE, contextFileAbove, readContextFile } from '../context/context-file';
import { type GivenVersions, inVersions } from '../context/given-versions';
import { DISK, type Files } from '../files';
import {
  changedFiles,
  RepositoryPaths,
  RevisionFiles,
  type Submodule,
  submodulesOfWorkingTree,
  WorkingFiles,
} from '../git/git-files';
import { type Revision, revisionsOf, topOfRepository } from '../git/revisions';
import { type Manifests, readManifests } from '../manifests';
import { withoutPatterns } from '../patterns';
import { Misuse } from './misuse';
import { addSubmodules } from './submodules';
import { fillNoTemplate } from './templates';
import type { VersionsOfSides } from './versions';

/** What was read of one side. */
export interface ReadSide {
  /** How messages call it. */
  readonly name: string;
  readonly read: Manifests;
  readonly context: CheckContext;
  /** What is not compared and why, a sentence each. */
  readonly notes: readonly string[];
  /** A file of it as both sides call it: without the folder that the side is. */
  common(file: string): string;
  /** Where it is, by the name that both sides have for it. */
  real(file: string): string;
  /** The same for people: of a revision, its name is before the path. */
  shown(file: string): string;
}

/** The bytes of what cannot be read decide whether it is the same on both sides. */
export interface ReadSides {
  readonly before: ReadSide;
  readonly after: ReadSide;
  /** Whether a file has the same bytes on both sides, and is no template. */
  isSame(file: string): boolean;
}

const STANDARD_INPUT = '-';

/** Reads two paths: files, folders, quoted patterns, or standard input. */
export function readPaths(old: string, now: string, config?: string): ReadSides {
  if (old === STANDARD_INPUT && now === STANDARD_INPUT) {
    throw new Misuse('both sides are standard input; name one of them: diff OLD -');
  }
  const [before, after] = [old, now].map((path) => contextOf(path, DISK, config));
  const sides = {
    before: pathSide(old, before ?? after ?? NO_CONTEXT),
    after: pathSide(now, after ?? before ?? NO_CONTEXT),
  };
  return { ...sides, isSame: (file) => areSameBytes(file, rooted(old, file), rooted(now, file), DISK, DISK) };
}

/** Reads one path that is both sides, each in versions of its own. */
export function readPath(path: string, versions: VersionsOfSides, config?: string): ReadSides {
  const side = pathSide(path, contextOf(path, DISK, config) ?? NO_CONTEXT);
  const named = (given: GivenVersions): ReadSide => ({ ...side, name: `${side.name} with ${inWords(given)}` });
  return inVersionsOf({ before: named(versions.before), after: named(versions.after), isSame: () => false }, versions);
}

/**
 * Two sides in the versions that are given for them. What cannot be read and is the same on both sides is in other versions there.
 *
 * @throws where the context file has all controllers, and one of these is not among them
 */
export function inVersionsOf(sides: ReadSides, versions: VersionsOfSides): ReadSides {
  const [before, after] = (['before', 'after'] as const).map((name): ReadSide => {
    const { context, ...side } = sides[name];
    const { by } = versions[name];
    const lacking = Object.keys(versions[name].versions).find(
      (one) => kindNamed(one) && context.installed?.every((other) => other.name !== one),
    );
    if (lacking !== undefined) {
      throw new Misuse(`--controller-${by} ${lacking} is not among controllers of ${CONTEXT_FILE}; add it there`);
    }
    return { ...side, context: inVersions(context, versions[name]) };
  });
  return { before, after, isSame: () => false };
}

function inWords({ versions }: GivenVersions): string {
  return joined(Object.entries(versions).map(([name, version]) => `${CALLED[name] ?? name} ${version}`));
}

const CALLED: Readonly<Record<string, string>> = { [KUBERNETES]: 'Kubernetes', [OPERATOR.name]: 'Strimzi' };

function pathSide(path: string, context: CheckContext): ReadSide {
  const isInput = path === STANDARD_INPUT;
  const root = rootOf(path);
  return {
    name: isInput ? 'standard input' : printable(path),
    read: readManifests(withoutPatterns([path])),
    context,
    notes: [],
    common: (file) => (isInput || file === STANDARD_INPUT ? file : posixed(relative(root, file))),
    real: (file) => (file === STANDARD_INPUT ? file : posix.join(posixed(root), file)),
    shown: (file) => (file === STANDARD_INPUT ? file : posix.join(posixed(root), file)),
  };
}

/** The folder that a side is, or is in. */
function rootOf(path: string): string {
  const { base, isGlob } = picomatch.scan(path);
  return isGlob && !DISK.kindOf(path) ? base || '.' : DISK.kindOf(path) === 'folder' ? path : dirname(path);
}

function rooted(path: string, file: string): string {
  return posix.join(posixed(rootOf(path)), file);
}

function posixed(path: string): string {
  return path.split('\\').join('/');
}

/** Reads what revisions have of paths, or the working tree. */
export function readRevisions(range: string, paths: readonly string[], config?: string): ReadSides {
  if (paths.includes(STANDARD_INPUT)) {
    throw new Misuse('standard input is in no revision; name files or folders beside --git');
  }
  const top = topOfRepository();
  const { before: old, after: now } = revisionsOf(range);
  const repository = new RepositoryPaths(top);
  for (const path of paths.filter((one) => repository.within(one) === undefined)) {
    throw new Misuse(`${printable(path)} is outside of the repository ${printable(top)}; name paths in it`);
  }
  const before = treeOf(old, repository);
  const after = now ? treeOf(now, repository) : workingTree(top, repository);
  for (const path of paths.filter((one) => !isIn(one, before.files) && !isIn(one, after.files))) {
    throw new Misuse(nowhere(path, before, after));
  }
  const written = contextOf(paths[0], after.files, config) ?? contextOf(paths[0], DISK, config);
  const ofOld = contextOfOld(paths[0], before, config);
  const sides = {
    before: revisionSide(before, paths, ofOld.context ?? written ?? NO_CONTEXT, ofOld.notes),
    after: revisionSide(after, paths, written ?? NO_CONTEXT, []),
  };
  const asked = paths.map((path) => repository.within(path) ?? '');
  const notes = addSubmodules(sides, { before, after }, asked);
  let known: boolean | undefined;
  const isFilledAlike = () => {
    known ??= fillNoTemplate(changedFiles(top, { before: old, after: now }), sides, repository);
    return known;
  };
  return {
    before: sides.before,
    after: { ...sides.after, notes: [...sides.after.notes, ...notes] },
    isSame: (file) => areSameBytes(file, file, file, before.files, after.files, isFilledAlike),
  };
}

/** What a repository has at one time. */
interface Tree {
  readonly name: string;
  readonly files: Files;
  readonly submodules: readonly Submodule[];
  readonly isWorking: boolean;
}

function treeOf(revision: Revision, repository: RepositoryPaths): Tree {
  const files = new RevisionFiles(revision, repository);
  return { name: printable(revision.name), files, submodules: files.submodules, isWorking: false };
}

function workingTree(top: string, repository: RepositoryPaths): Tree {
  const files = new WorkingFiles(top, repository);
  return { name: 'the working tree', files, submodules: submodulesOfWorkingTree(top), isWorking: true };
}

/** Whether a tree has something at a path or pattern that could be read. */
function isIn(path: string, files: Files): boolean {
  return withoutPatterns([path], files).some((file) => files.kindOf(file) !== undefined);
}

function nowhere(path: string, before: Tree, after: Tree): string {
  const shown = printable(path);
  return after.isWorking && DISK.kindOf(path) !== undefined
    ? `git ignores ${shown}, so ${before.name} has none of it; render both versions into folders: diff OLD NEW`
    : `${shown} is neither in ${before.name} nor in ${after.name}; name a path that one of them has`;
}

function revisionSide(
  { name, files, isWorking }: Tree,
  paths: readonly string[],
  context: CheckContext,
  notes: readonly string[],
): ReadSide {
  const there = paths.filter((path) => isIn(path, files));
  const missing = paths.filter((path) => !there.includes(path)).map(printable);
  const all = withoutPatterns(there, files);
  // a folder that has no manifest yet, or none any more, is no mistake
  const readable = all.filter((path) => files.kindOf(path) !== 'folder' || files.below(path).some(isManifest));
  return {
    name,
    read: readManifests(readable, files),
    context,
    notes: [
      ...(missing.length > 0
        ? [`${missing.join(', ')}: not in ${name}; where it was moved, name its other path as well`]
        : []),
      ...notes,
    ],
    common: (file) => posixed(relative('', file)),
    real: (file) => file,
    shown: (file) => (isWorking ? file : `${name}:${file}`),
  };
}

function isManifest(file: string): boolean {
  return /\.(ya?ml|json)$/.test(file);
}

/** The file that says what manifests cannot say; nothing where there is none. */
function contextOf(path: string, files: Files, config?: string): CheckContext | undefined {
  const file = config ?? contextFileAbove(folderOf(path, files), files);
  if (file === undefined) {
    return undefined;
  }
  const { context, mistakes } = readContextFile(file, config === undefined ? files : DISK);
  if (context) {
    return context;
  }
  throw new Misuse(
    mistakes
      .map(({ place: { line, column }, what, remedy }) => `${file}:${line}:${column}: ${what}; ${remedy}`)
      .join('\n'),
  );
}

/** A mistake in a file that is not in use any more stops nobody. */
function contextOfOld(
  path: string,
  { name, files }: Tree,
  config?: string,
): { readonly context?: CheckContext; readonly notes: readonly string[] } {
  const file = config ?? contextFileAbove(folderOf(path, files), files);
  if (file === undefined || files.kindOf(file) === undefined) {
    return { notes: [] };
  }
  const { context, mistakes } = readContextFile(file, files);
  const [first] = mistakes;
  return context
    ? { context, notes: [] }
    : { notes: [`${name}:${file}:${first.place.line}: ${first.what}; the file of the newer side is used for both`] };
}

function folderOf(path: string, files: Files): string {
  if (path === STANDARD_INPUT) {
    return '.';
  }
  const { base, isGlob } = picomatch.scan(path);
  const from = isGlob && !files.kindOf(path) ? base || '.' : path;
  return files.kindOf(from) === 'folder' ? from : dirname(from);
}

/** @param isFilledAlike whether nothing changes that may say what a template becomes */
function areSameBytes(
  name: string,
  old: string,
  now: string,
  before: Files,
  after: Files,
  isFilledAlike = () => false,
): boolean {
  try {
    const content = name === STANDARD_INPUT ? undefined : Buffer.from(before.read(old));
    const isSame = content?.equals(Buffer.from(after.read(now))) === true;
    // a template becomes what values elsewhere say
    return isSame && (!content.includes('{{') || isFilledAlike());
  } catch {
    return false; // what is on one side alone, or cannot be read, is not the same
  }
}
