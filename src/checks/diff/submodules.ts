import { printable } from '../../contract/printable';
import type { Submodule } from '../git/git-files';
import type { ReadSides } from './read-sides';

/** What another repository holds is not looked into: where its commit is another one, that is not read. */
export function addSubmodules(
  { before, after }: Pick<ReadSides, 'before' | 'after'>,
  trees: Readonly<Record<'before' | 'after', { readonly submodules: readonly Submodule[] }>>,
  asked: readonly string[],
): readonly string[] {
  const isAsked = (path: string) => asked.some((one) => one === '' || path === one || path.startsWith(`${one}/`));
  const old = new Map(trees.before.submodules.map(({ path, commit }) => [path, commit]));
  const now = new Map(trees.after.submodules.map(({ path, commit }) => [path, commit]));
  const all = [...new Set([...old.keys(), ...now.keys()])].filter(isAsked);
  const place = (file: string) => ({ file, line: 1, column: 1 });
  for (const file of all.filter((path) => old.get(path) !== now.get(path))) {
    const [has, side] = now.has(file) ? [now, after] : [old, before];
    const what = `it is a submodule, of commit ${has.get(file)?.slice(0, 10)} in ${side.name} alone`;
    side.read.unreadable.push({ place: place(file), what, remedy: 'run diff in the submodule' });
  }
  return all
    .filter((path) => old.get(path) === now.get(path))
    .map((path) => printable(`${path} is a submodule, of the same commit on both sides; it is not looked into`));
}
