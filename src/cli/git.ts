import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { shown } from '../contract/json';
import { DISK, type Files, isSearchedFolder, UsageError } from './files';

class GitFailure extends UsageError {}

const MOST_BYTES = 1 << 30;

/**
 * Runs git, which only reads: it asks for nothing and locks nothing.
 *
 * @throws GitFailure where git is not installed, or fails
 */
function git(
  args: readonly string[],
  options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Buffer {
  try {
    return execFileSync('git', ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args], {
      input: options.input ?? '',
      maxBuffer: MOST_BYTES,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...options.env },
    });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: Buffer };
    if (code === 'ENOENT') {
      throw new GitFailure('git is not installed, or not in PATH');
    }
    const [line] = (stderr?.toString() ?? '').trim().split('\n');
    throw new GitFailure(line === '' ? (error as Error).message : line.replace(/^fatal: /, ''));
  }
}

function gitLine(...args: readonly string[]): string | undefined {
  try {
    return git(args).toString().replace(/\n$/, '');
  } catch (error) {
    if (error instanceof GitFailure) {
      return undefined;
    }
    throw error;
  }
}

function rowsOf(output: Buffer): { readonly meta: readonly string[]; readonly path: string }[] {
  return partsOf(output).map((row) => {
    const at = row.indexOf('\t');
    return { meta: row.slice(0, at).split(' '), path: row.slice(at + 1) };
  });
}

function partsOf(output: Buffer): string[] {
  return output.toString().split('\0').slice(0, -1);
}

export interface Revision {
  readonly name: string;
  readonly commit: string;
}

const HEAD = 'HEAD';

/**
 * The revisions that are meant by `main`, `main..topic`, or `main...topic`: the last one begins where the two parted.
 *
 * @throws GitFailure where one of them is not there, in one clause of what is wrong and one of what to do
 */
export function revisionsOf(range: string): { readonly before: Revision; readonly after?: Revision } {
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

/** The folder that a repository begins in, links resolved. @throws GitFailure outside of one */
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

const LINK = '120000';
const SUBMODULE = '160000';

/** Mark of a link that leaves the repository: no path of a repository has these signs. */
const OUTSIDE = '//';

const MOST_LINKS = 10;

export class RepositoryPaths {
  private readonly here = realpathSync('.');

  public constructor(public readonly top: string) {}

  /** The path from the top of the repository, with slashes; nothing outside of it. */
  public within(path: string): string | undefined {
    const found = relative(this.top, resolve(this.here, path)).split(sep).join('/');
    return found === '..' || found.startsWith('../') || isAbsolute(found) ? undefined : found;
  }
}

export interface Submodule {
  readonly path: string;
  readonly commit: string;
}

export class RevisionFiles implements Files {
  private readonly entries = new Map<string, { readonly mode: string; readonly object: string }>();
  private readonly folders = new Map<string, Set<string>>([['', new Set()]]);
  private readonly contents = new Map<string, Buffer>();
  private readonly wanted = new Set<string>();
  public readonly submodules: readonly Submodule[];
  private checkedOut?: string;

  public constructor(
    private readonly revision: Revision,
    private readonly paths: RepositoryPaths,
  ) {
    for (const { meta, path } of rowsOf(git(['ls-tree', '-r', '-z', '--full-tree', revision.commit]))) {
      const [mode, , object] = meta;
      this.entries.set(path, { mode, object });
      this.addToFolders(path);
    }
    this.submodules = [...this.entries]
      .filter(([, { mode }]) => mode === SUBMODULE)
      .map(([path, { object }]) => ({ path, commit: object }));
  }

  public kindOf(path: string): 'file' | 'folder' | undefined {
    const found = this.resolved(path);
    return found === undefined ? undefined : this.folders.has(found) ? 'folder' : 'file';
  }

  public below(folder: string): string[] {
    const top = this.resolved(folder);
    return top === undefined ? [] : this.filesIn(top, folder);
  }

  public read(file: string): Buffer {
    const path = this.resolved(file);
    const entry = path === undefined ? undefined : this.entries.get(path);
    if (entry === undefined) {
      throw new Error(`it is not in revision ${this.revision.name}, or a link that leads out of the repository`);
    }
    if (!this.contents.has(entry.object)) {
      this.fetch([...this.wanted, entry.object]);
      this.wanted.clear();
    }
    const content = this.contents.get(entry.object);
    if (content === undefined) {
      throw new Error(`git does not have its content in revision ${this.revision.name}; fetch it, as git fetch does`);
    }
    return content;
  }

  public onDisk(path: string): string {
    this.checkedOut ??= checkOut(this.paths.top, this.revision.commit, this.submodules);
    return join(this.checkedOut, this.paths.within(path) ?? '');
  }

  private addToFolders(path: string): void {
    const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    if (!this.folders.has(folder)) {
      this.folders.set(folder, new Set());
      this.addToFolders(folder);
    }
    this.folders.get(folder)?.add(posix.basename(path));
  }

  private filesIn(folder: string, shown: string): string[] {
    const names = [...(this.folders.get(folder) ?? [])].filter(isSearchedFolder).sort();
    return names.flatMap((name) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (this.folders.has(path)) {
        return this.filesIn(path, join(shown, name));
      }
      const target = this.target(path);
      const entry = this.entries.get(target === undefined || target === OUTSIDE ? path : target);
      // links to folders are not followed, and one that leads nowhere is as good as none
      if (entry === undefined || entry.mode === SUBMODULE || target === undefined) {
        return [];
      }
      if (READ.test(name) && target !== OUTSIDE) {
        this.wanted.add(entry.object);
      }
      return [join(shown, name)];
    });
  }

  /** The path from the top, links resolved; nothing where nothing is there. */
  private resolved(path: string): string | undefined {
    const within = this.paths.within(path);
    if (within === undefined) {
      return undefined;
    }
    return this.folders.has(within) ? within : this.target(within);
  }

  /** Target of a path; undefined if it leads nowhere in the repository. */
  private target(path: string, links = 0): string | undefined {
    const entry = this.entries.get(path);
    if (entry?.mode !== LINK) {
      return entry || this.folders.has(path) ? path : undefined;
    }
    if (!this.contents.has(entry.object)) {
      this.fetch([entry.object]);
    }
    const to = this.contents.get(entry.object)?.toString() ?? '';
    const next = posix.normalize(posix.join(posix.dirname(path), to));
    const isOutside = to.startsWith('/') || next === '..' || next.startsWith('../');
    if (isOutside || links > MOST_LINKS) {
      return OUTSIDE;
    }
    return this.target(next, links + 1);
  }

  /** Reads many objects by one run of git: each is a line with its length, and then its bytes. */
  private fetch(objects: readonly string[]): void {
    const output = git(['cat-file', '--batch'], { input: `${[...new Set(objects)].join('\n')}\n` });
    for (let at = 0; at < output.length; ) {
      const end = output.indexOf('\n', at);
      const [object, type, size] = output.toString('utf8', at, end).split(' ');
      at = end + 1;
      if (type === 'blob') {
        this.contents.set(object, output.subarray(at, at + Number(size)));
        at += Number(size) + 1;
      }
    }
  }
}

const CHECKED_OUT: string[] = [];

/**
 * Writes a revision with its submodules into a temporary folder, which goes when this process ends. A submodule whose commit is not
 * here stays empty.
 */
function checkOut(top: string, commit: string, submodules: readonly Submodule[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'load-balancers-'));
  if (CHECKED_OUT.push(folder) === 1) {
    process.on('exit', () => {
      for (const one of CHECKED_OUT) {
        rmSync(one, { recursive: true, force: true });
      }
    });
  }
  const write = (repository: string, tree: string, into: string) => {
    const env = { GIT_INDEX_FILE: join(folder, '.index'), GIT_LFS_SKIP_SMUDGE: '1' };
    git(['-C', repository, 'read-tree', tree], { env });
    git(['-C', repository, 'checkout-index', '--all', '--quiet', `--prefix=${into}/`], { env });
  };
  write(top, commit, folder);
  for (const { path, commit: own } of submodules.filter((one) => existsSync(join(top, one.path, '.git')))) {
    try {
      write(join(top, path), own, join(folder, path));
    } catch (error) {
      if (!(error instanceof GitFailure)) {
        throw error;
      }
    }
  }
  rmSync(join(folder, '.index'), { force: true });
  return folder;
}

const READ = /\.(ya?ml|json)$/;

/** The files of the working tree that a commit would have: those that git ignores are not among them. */
export class WorkingFiles implements Files {
  private readonly known: ReadonlySet<string>;
  private readonly folders = new Set<string>(['']);

  public constructor(
    top: string,
    private readonly paths: RepositoryPaths,
  ) {
    const listed = git(['-C', top, 'ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    this.known = new Set(partsOf(listed));
    for (const path of this.known) {
      for (let at = dirname(path); at !== '.' && !this.folders.has(at); at = dirname(at)) {
        this.folders.add(at);
      }
    }
  }

  public kindOf(path: string): 'file' | 'folder' | undefined {
    return this.isKnown(path) ? DISK.kindOf(path) : undefined;
  }

  public below(folder: string): string[] {
    return DISK.below(folder).filter((file) => this.isKnown(file));
  }

  public read(file: string): Buffer {
    return Buffer.from(DISK.read(file));
  }

  public onDisk(path: string): string {
    return path;
  }

  private isKnown(path: string): boolean {
    const within = this.paths.within(path);
    return within === undefined || this.known.has(within) || this.folders.has(within);
  }
}

export function submodulesOfWorkingTree(top: string): Submodule[] {
  return rowsOf(git(['-C', top, 'ls-files', '-z', '--stage']))
    .filter(({ meta: [mode] }) => mode === SUBMODULE)
    .map(({ meta: [, commit], path }) => ({ path, commit: checkedOut(join(top, path)) ?? commit }));
}

function checkedOut(folder: string): string | undefined {
  // without one of its own, its folder is in the repository around it
  return existsSync(join(folder, '.git')) ? gitLine('-C', folder, 'rev-parse', '--verify', 'HEAD') : undefined;
}
