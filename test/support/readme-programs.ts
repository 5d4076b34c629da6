import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { ROOT } from '../../scripts/docs/files';
import { fencesIn } from '../../scripts/docs/snippets';
import { filesWritten } from './apps';

// The example of the README as a program that runs.

export const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

export const [FIRST_EXAMPLE] = fencesIn(README).map(([, , source]) => source);

/** The manifests that a program of the README writes, with the files beside it that it names. */
export function manifestsOf(program: string): string {
  const here = process.cwd();
  const outdir = process.env.CDK8S_OUTDIR;
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  const story = join(ROOT, 'examples', 'stories');
  try {
    mkdirSync(join(folder, 'out'));
    cpSync(join(story, 'node-pool', 'deployment.yaml'), join(folder, 'echo.yaml'));
    process.chdir(folder);
    const { code } = transformSync(program, { loader: 'ts', format: 'cjs' });
    const files = filesWritten((out) => {
      process.env.CDK8S_OUTDIR = out;
      new Function('require', code)(require);
    });
    return Object.values(files).join('---\n');
  } finally {
    process.chdir(here);
    if (outdir === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = outdir;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
