import { shown } from '../../contract/printable';
import { GitFailure, git, gitLine } from './git';

export interface Revision {
  /** For people: `main`. */
  readonly name: string;
  readonly commit: string;
}

/** What is compared: a revision with another one, or with the working tree. */
export interface RevisionRange {
  readonly before: Revision;
  /** The working tree where it is unset. */
  readonly after?: Revision;
}

/** What of a range git takes where it is left out. */
const HEAD = 'HEAD';

/**
 * The revisions that are meant by `main`, `main..topic`, or `main...topic`: the last one begins where the two parted.
 *
 * @throws GitFailure where one of them is not there, in one clause of what is wrong and one of what to do
 */
export function revisionsOf(range: string): RevisionRange {
  const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/s.exec(range) ?? [undefined, range, '', ''];
  if (from === '') {
    const what = range === '' ? 'it is empty' : `${shown(range)} has no older revision`;
    throw new GitFailure(`--git compares nothing: ${what}, as where a variable is not set; write one such as main`);
  }
  const old = revision(from);
  if (dots === '') {
    return { before: old };
  }
  const after = revision(to || HEAD);
  if (dots === '..') {
    return { before: old, after };
  }
  const base = gitLine('merge-base', old.commit, after.commit);
  if (base === undefined) {
    throw new GitFailure(`${shown(from)} and ${shown(to || HEAD)} have no commit in common here; ${FETCH_ALL}`);
  }
  return { before: { name: `${old.name} where ${after.name} began`, commit: base }, after };
}

const FETCH_ALL = 'fetch the whole history, as actions/checkout does with fetch-depth: 0';

function revision(name: string): Revision {
  if (name.startsWith('-')) {
    throw new GitFailure(`revision ${shown(name)} begins with '-', as no revision does; write one such as main`);
  }
  const commit = gitLine('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  if (commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit)) {
    return { name, commit };
  }
  throw new GitFailure(`revision ${shown(name)} is not in this repository; ${remedyFor(name)}`);
}

function remedyFor(name: string): string {
  const remote = `origin/${name}`;
  if (gitLine('rev-parse', '--verify', '--quiet', `${remote}^{commit}`) !== undefined) {
    return `write ${remote}`;
  }
  return gitLine('rev-parse', '--is-shallow-repository') === 'true'
    ? `the clone is shallow: ${FETCH_ALL}`
    : 'write a branch, a tag or a commit';
}

/**
 * The folder that a repository begins in, links resolved.
 *
 * @throws GitFailure outside of one
 */
export function topOfRepository(): string {
  try {
    return git(['rev-parse', '--show-toplevel']).toString().replace(/\n$/, '');
  } catch (error) {
    if (error instanceof GitFailure && /not a git repository|must be run in a work tree/.test(error.message)) {
      throw new GitFailure('this folder is in no working tree of git; go to one, or name two folders: diff OLD NEW');
    }
    throw error;
  }
}
