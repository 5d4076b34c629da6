/** What a reader does, in the order of the page. */
export interface PageStep {
  readonly does: 'run' | 'file' | 'prints';
  /** The path of a file, from where the reader is. */
  readonly file?: string;
  readonly text: string;
}

const FENCE = /^<!-- (run|prints|file: (\S+)) -->\n+```[^\n]*\n(.*?)^```$/gms;
const MARKER = /^<!-- (run|prints|file:.*) -->$/gm;

/**
 * The fenced blocks of a page that are marked by a comment in the line above: `run` for what is typed into a shell, `file: NAME` for
 * what is written into a file, `prints` for what is seen.
 */
export function stepsOf(page: string): PageStep[] {
  const steps = [...page.matchAll(FENCE)].map(([, marker, file, text]): PageStep => {
    const does = file === undefined ? (marker as 'run' | 'prints') : 'file';
    return { does, file, text };
  });
  const markers = [...page.matchAll(MARKER)].length;
  if (steps.length !== markers) {
    throw new Error(`${markers} blocks are marked, and ${steps.length} of them are fences`);
  }
  return steps;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The steps as one program of the shell, so that folders and variables stay from one to the next. */
export function scriptOf(steps: readonly PageStep[], resolve: (commands: string) => string): string {
  const lines = steps.map(({ does, file, text }) => {
    if (does === 'run') {
      return resolve(text);
    }
    return file === undefined
      ? ''
      : `mkdir -p "$(dirname ${quoted(file)})"\nprintf %s ${quoted(text)} > ${quoted(file)}`;
  });
  return ['set -euo pipefail', ...lines, ''].join('\n');
}

/** What is seen according to the page: lines without the commands above them. */
export function linesSeen(steps: readonly PageStep[]): string[] {
  return steps
    .filter(({ does }) => does === 'prints')
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('$ '));
}
