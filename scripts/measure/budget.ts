import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Source, sourcesBelow } from '../../test/support/sources';
import { importersOf, linesOf } from './source-figures';

/** Figures by name: `src lines`, `src/diff files`, `facts lines`, `docs words`. */
export type Figures = Readonly<Record<string, number>>;

const isGenerated = ({ file }: Source) => file.text.startsWith('// Generated ');

/** Counts what `measure.budget.json` limits. Generated files of `src` are not counted; facts are the YAML that they come from. */
export function budgetFigures(root: string, publicTypes: number): Figures {
  const sources = sourcesBelow(join(root, 'src'));
  const written = sources.filter((source) => !isGenerated(source));
  const figures: Record<string, number> = {
    'src lines': sum(written.map(linesOf)),
    'src files': written.length,
    'facts lines': sum(filesBelow(join(root, 'src'), '.yaml').map(newlinesIn)),
    'programs lines': sum(sourcesBelow(join(root, 'programs')).map(linesOf)),
    'test lines': sum(sourcesBelow(join(root, 'test')).map(linesOf)),
    'docs words': sum(filesBelow(join(root, 'docs'), '.md').map(wordsOf)),
    'public types': publicTypes,
    'files in the largest import circle': largestCircle(importersOf(sources)),
  };
  for (const source of written.filter(({ room }) => room !== '')) {
    for (const [what, number] of [
      ['lines', linesOf(source)],
      ['files', 1],
    ] as const) {
      const name = `src/${source.room} ${what}`;
      figures[name] = (figures[name] ?? 0) + number;
    }
  }
  return figures;
}

/** A sentence for each figure that is over its limit, or that has none. */
export function overBudget(limits: Figures, figures: Figures): string[] {
  return Object.entries(figures).flatMap(([name, figure]) => {
    const limit = limits[name];
    if (limit === undefined) {
      return [`${name}: ${figure}, and measure.budget.json has no limit for it`];
    }
    return figure > limit ? [`${name}: ${figure}, the limit is ${limit}`] : [];
  });
}

/** The limits, each lowered to its figure; a limit is never raised, and one without a figure goes. */
export function lowered(limits: Figures, figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, Math.min(figure, limits[name] ?? figure)]),
  );
}

/** The number of files in the largest set of files that all import each other, directly or not. */
export function largestCircle(importers: ReadonlyMap<string, ReadonlySet<string>>): number {
  return Math.max(0, ...circlesOf(importers).map((files) => files.length));
}

/** Sets of files that all import each other, directly or not; a file by itself is one. */
export function circlesOf(importers: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  // Tarjan: a file and all files that were numbered after it and reach back to it are one circle
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    open.push(file);
    for (const next of importers.get(file) ?? []) {
      if (!numbers.has(next)) {
        visit(next);
      }
      if (open.includes(next)) {
        lowest.set(file, Math.min(lowest.get(file) ?? number, lowest.get(next) ?? number));
      }
    }
    if (lowest.get(file) === number) {
      circles.push(open.splice(open.indexOf(file)));
    }
  };
  for (const file of importers.keys()) {
    if (!numbers.has(file)) {
      visit(file);
    }
  }
  return circles;
}

function filesBelow(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith(extension))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

const newlinesIn = (text: string) => text.split('\n').length - 1;
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
