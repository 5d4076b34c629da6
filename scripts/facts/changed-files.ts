import type { Checkout } from './checkout';
import type { PlacedCitation } from './citations';

/** A file that a citation names, as a release has it. */
export interface CitedFile {
  readonly file: string;
  readonly citations: readonly PlacedCitation[];
}

/** How a file that is cited differs between two releases; imports, comments and blank lines are left aside. */
export interface ChangedFile extends CitedFile {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Those whose own name is in a line that changed. */
  readonly named: readonly PlacedCitation[];
}

/** Files that citations name, and citations of which the release has no file. */
export function citedFiles(citations: readonly PlacedCitation[], checkout: Checkout) {
  const files = checkout.files();
  const byFile = new Map<string, PlacedCitation[]>();
  const lost: PlacedCitation[] = [];
  for (const citation of citations) {
    const found = pathsIn(citation.file).flatMap((path) => matching(path, files));
    for (const file of new Set(found)) {
      byFile.set(file, [...(byFile.get(file) ?? []), citation]);
    }
    if (found.length === 0 && pathsIn(citation.file).some((path) => path.includes('/'))) {
      lost.push(citation);
    }
  }
  return { cited: [...byFile].map(([file, by]): CitedFile => ({ file, citations: by })), lost };
}

/** What looks like a path in the text of a citation: `a/b.go and c.go (function)`. */
function pathsIn(text: string): string[] {
  return text
    .replace(/\([^)]*\)/g, ' ')
    .split(/[\s,:;]+/)
    .map((word) => word.replace(/\.$/, ''))
    .filter(
      (word) => /^[\w.…*-]+(\/[\w.…*-]+)+\/?$/.test(word) || /^[\w-]+\.\w{2,5}$/.test(word) || /^\w+\.mod$/.test(word),
    );
}

/** A file, a folder (with a slash at its end), or the end of the path of one file; `…` and `*` stand for anything. */
function matching(path: string, files: readonly string[]): string[] {
  const clean = path.replace(/\/$/, '');
  const parts = clean.split(/…|\*/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  const exact = files.filter((file) => pattern.test(file) && !IN_TESTS.test(file));
  if (exact.length > 0) {
    return exact;
  }
  if (files.some((file) => file.startsWith(`${clean}/`))) {
    return [`${clean}/`];
  }
  const ends = files.filter((file) => file.endsWith(`/${clean}`) && !IN_TESTS.test(file));
  return ends.length === 1 ? ends : [];
}

const IN_TESTS = /(^|\/)tests?\/|_test\.go$/;

/** Of the files that are cited, those with other lines. */
export function changedFiles(cited: readonly CitedFile[], before: Checkout, after: Checkout): ChangedFile[] {
  return cited
    .map(({ file, citations }) => {
      const [old, now] = [before, after].map((checkout) => linesIn(checkout, file));
      const added = without(now, old);
      const removed = without(old, now);
      const words = new Set([...added, ...removed].flatMap((line) => line.match(/[\w./-]+/g) ?? []));
      const named = citations.filter(({ who }) => namesOf(who).some((name) => words.has(name)));
      return { file, citations, added, removed, named };
    })
    .filter(({ added, removed }) => added.length + removed.length > 0);
}

/** The lines of a file, or of those that are directly in a folder. */
function linesIn(checkout: Checkout, file: string): string[] {
  const inside = (each: string) => each.startsWith(file) && !each.slice(file.length).includes('/');
  const files = file.endsWith('/')
    ? checkout.files().filter((each) => inside(each) && !IN_TESTS.test(each))
    : [file].filter((each) => checkout.has(each));
  return files.flatMap((each) => linesOf(each, checkout.text(each)));
}

/** What upstream calls a thing that has a name here: a key, and a key without its prefix. */
function namesOf(who: string): string[] {
  return [who, who.replace(/^[a-z.-]+\//, ''), who.split('.').slice(-1)[0]].filter((name) => name.length > 3);
}

const COMMENT = /^(\/\/|\*|\/\*|#)/;
/** In Go and Java, where a module moves with its major version. */
const IMPORT = /^(import\b|(\w+ )?"[\w.-]+(\/[\w.-]+)+"$)/;

function linesOf(file: string, text: string): string[] {
  const isCode = /\.(go|java)$/.test(file);
  return text
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '' && !(COMMENT.test(line) && !file.endsWith('.md')) && !(isCode && IMPORT.test(line)));
}

/** Lines of one list that the other has not as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}
