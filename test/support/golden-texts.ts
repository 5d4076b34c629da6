import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the goldens of a folder: `NAME.yaml`, or `NAME.patch` with its difference from another golden. */
export function goldenNames(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => /\.(yaml|patch)$/.test(file));
  return files.map((file) => file.replace(/\.\w+$/, '')).sort();
}

/** The golden that another one is the difference from; undefined if it is whole. */
export function baseOf(folder: string, name: string): string | undefined {
  const file = join(folder, `${name}.patch`);
  return existsSync(file) ? /^--- (\S+)\.yaml$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
}

/** The whole YAML of a golden. */
export function goldenText(folder: string, name: string): string {
  const base = baseOf(folder, name);
  if (base === undefined) {
    return readFileSync(join(folder, `${name}.yaml`), 'utf8');
  }
  return patched(goldenText(folder, base), readFileSync(join(folder, `${name}.patch`), 'utf8'));
}

/** A text with a unified diff of its lines applied. */
export function patched(text: string, patch: string): string {
  const lines = text.split('\n');
  const hunks = patch.split(/^@@ -(\d+)(?:,(\d+))? \S+ @@.*\n/m).slice(1);
  for (let i = hunks.length - 3; i >= 0; i -= 3) {
    const [from, count, body] = [Number(hunks[i]), Number(hunks[i + 1] ?? 1), hunks[i + 2].split('\n').slice(0, -1)];
    const side = (sign: string) =>
      body.filter((line) => ' '.concat(sign).includes(line[0])).map((line) => line.slice(1));
    // a hunk that only adds names the line before it
    const start = count === 0 ? from : from - 1;
    const old = lines.slice(start, start + count);
    if (old.join('\n') !== side('-').join('\n')) {
      throw new Error(`line ${from} is not what the patch takes away:\n${old.join('\n')}`);
    }
    lines.splice(start, count, ...side('+'));
  }
  return lines.join('\n');
}
