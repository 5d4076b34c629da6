import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Checks } from './checks';
import { must, mustContain, run } from './commands';
import type { Packed } from './packed';
import { linesSeen, scriptOf, stepsOf } from './page-steps';

const ROOT = join(__dirname, '..', '..', '..');
const COMMAND = join(ROOT, 'bin', 'cdk8s-load-balancers');

/** How long a reader may take from nothing to a checked manifest, in milliseconds. */
const LIMIT = 600_000;

/** How a name of what is published leads to what is packed. */
export interface Resolved {
  readonly env?: NodeJS.ProcessEnv;
  /** The commands of the page; as they are where not given. */
  readonly commands?: (text: string) => string;
}

/** What lies in a folder, without what was installed. */
function manifestsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.k8s.yaml'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(^|\/)(node_modules|\.venv|target|vendor)\//.test(relative(folder, file)));
}

/** Follows the page of a language in an empty folder, with a clock. */
export function checkPage(
  checks: Checks,
  packed: Packed,
  language: string,
  resolved: (folder: string) => Resolved,
): void {
  checks.that(`docs/languages/${language}.md leads from nothing to a checked manifest in ten minutes`, () => {
    const folder = packed.empty(`${language}-page`);
    const { env, commands = (text) => text } = resolved(folder);
    const steps = stepsOf(readFileSync(join(ROOT, 'docs', 'languages', `${language}.md`), 'utf8'));
    const script = scriptOf(steps, commands);
    const begin = Date.now();
    const { status, output } = run({ cwd: folder, env, timeout: LIMIT }, 'bash', '-c', script);
    if (status !== 0) {
      throw new Error(`the commands of the page ended with ${status} after ${seconds(begin)} s\n${output}`);
    }
    process.stdout.write(`        ${seconds(begin)} s of the reader's time\n`);
    for (const line of linesSeen(steps)) {
      mustContain(output, line);
    }
    const manifests = manifestsBelow(folder);
    const text = manifests.map((file) => readFileSync(file, 'utf8')).join('');
    mustContain(text, 'type: LoadBalancer');
    mustContain(text, 'finalizers:');
    mustContain(must({ cwd: folder }, process.execPath, COMMAND, 'check', ...manifests), '0 errors, 0 warnings');
  });
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
