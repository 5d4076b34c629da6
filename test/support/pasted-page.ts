import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { transformSync } from 'esbuild';
import { ROOT } from '../../scripts/docs/files';
import { fencesIn } from '../../scripts/docs/snippets';
import { filesWritten, stderrOf } from './apps';

/** A command of a page, and what the page says that it prints; nothing where the page does not say it. */
export interface PastedCommand {
  readonly command: string;
  readonly prints?: string;
}

/** What a reader does with one block of a page: write a file, or type commands. */
export type PastedStep =
  | { readonly file: string; readonly text: string }
  | { readonly commands: readonly PastedCommand[] };

const BLOCK = /(?:<!-- file: (\S+) -->\n\n?)?^```(\w+)[^\n]*\n(.*?)^```$/gms;

/**
 * The blocks of a page in their order: a file after a comment with its name, commands in `sh`, and in `console` commands
 * after a dollar with what they print.
 */
export function stepsOf(markdown: string): PastedStep[] {
  return [...markdown.matchAll(BLOCK)].map(([block, file, language, text]) => {
    if (file !== undefined) return { file, text };
    if (language === 'sh') {
      return {
        commands: text
          .trimEnd()
          .split('\n')
          .map((command) => ({ command })),
      };
    }
    if (language === 'console') return { commands: text.split(/^\$ /m).slice(1).map(commandWithOutput) };
    throw new Error(`what is a reader to do with this?\n${block}`);
  });
}

function commandWithOutput(text: string): PastedCommand {
  const [command, ...lines] = text.trimEnd().split('\n');
  return { command, prints: lines.join('\n') };
}

/** Does in a folder what a page says, and gives for each command what it really prints, and its exit code. */
export function paste(
  step: PastedStep,
  folder: string,
  env: NodeJS.ProcessEnv,
): { readonly command: string; readonly printed: string; readonly status: number | null }[] {
  if ('file' in step) {
    mkdirSync(dirname(join(folder, step.file)), { recursive: true });
    writeFileSync(join(folder, step.file), step.text);
    return [];
  }
  return step.commands.map(({ command }) => {
    const { stdout, status } = spawnSync('bash', ['-c', `exec 2>&1; ${command}`], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { command, printed: stdout.trimEnd(), status };
  });
}

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

/** What a program of examples/ writes, file by file, and what it says meanwhile. */
export function runExample(name: string): { readonly files: Record<string, string>; readonly said: string } {
  const outdir = process.env.CDK8S_OUTDIR;
  let said = '';
  try {
    const files = filesWritten((folder) => {
      process.env.CDK8S_OUTDIR = folder;
      said = stderrOf(() => jest.isolateModules(() => require(join(__dirname, '..', '..', 'examples', name))));
    });
    return { files, said };
  } finally {
    if (outdir === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = outdir;
    }
  }
}
