import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
    if (file !== undefined) {
      return { file, text };
    }
    if (language === 'sh') {
      return {
        commands: text
          .trimEnd()
          .split('\n')
          .map((command) => ({ command })),
      };
    }
    if (language === 'console') {
      return { commands: text.split(/^\$ /m).slice(1).map(commandWithOutput) };
    }
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
