import { execFileSync } from 'node:child_process';
import { Misuse } from '../misuse';

/** What git says where it does not do what it is asked for. */
export class GitFailure extends Misuse {}

/** What a repository holds at most of what is read at once. */
const MOST_BYTES = 1 << 30;

/**
 * Runs git, which only reads: it asks for nothing and locks nothing.
 *
 * @throws GitFailure where git is not installed, or fails
 */
export function git(
  args: readonly string[],
  options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Buffer {
  try {
    return execFileSync('git', ['--no-optional-locks', '-c', 'core.fsmonitor=false', ...args], {
      input: options.input ?? '',
      maxBuffer: MOST_BYTES,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...options.env },
    });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: Buffer };
    if (code === 'ENOENT') {
      throw new GitFailure('git is not installed, or not in PATH');
    }
    const [line] = (stderr?.toString() ?? '').trim().split('\n');
    throw new GitFailure(line === '' ? (error as Error).message : line.replace(/^fatal: /, ''));
  }
}

/** The same as text in one line; nothing where git fails. */
export function gitLine(...args: readonly string[]): string | undefined {
  try {
    return git(args).toString().replace(/\n$/, '');
  } catch (error) {
    if (error instanceof GitFailure) {
      return undefined;
    }
    throw error;
  }
}

/** The parts of what git writes with a zero byte behind each. */
export function partsOf(output: Buffer): string[] {
  return output.toString().split('\0').slice(0, -1);
}
