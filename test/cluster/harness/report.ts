import { appendFileSync } from 'node:fs';

/** Adds to the figures that are printed at the end of the run. */
export function count(label: string, number = 1): void {
  append('FIGURES', { label, count: number });
}

/** One line of JSON into the file that an environment variable names, where there is one. */
export function append(variable: 'FIGURES' | 'STORIES', line: unknown): void {
  const file = process.env[variable];
  if (file) {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}
