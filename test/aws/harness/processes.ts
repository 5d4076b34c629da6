import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly parent: number;
}

/** The processes of this machine that run; those that have ended and wait for their parent to notice do not. */
function processes(): Process[] {
  const rows = existsSync('/proc/self/stat') ? rowsOfProc() : rowsOfPs();
  return rows.filter(([, , state]) => !state.startsWith('Z')).map(([pid, parent]) => ({ pid: +pid, parent: +parent }));
}

function rowsOfProc(): string[][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // the second field is the name of the program in parentheses, which may hold anything
        const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [[pid, parent, state]];
      } catch {
        return [];
      }
    });
}

function rowsOfPs(): string[][] {
  const output = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

/** All processes that a process has started, and those that they have started. */
export function descendantsOf(pid: number, all = processes()): number[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...descendantsOf(child.pid, all)]);
}

/** Which of some processes run. */
export function running(pids: readonly number[]): number[] {
  const all = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => all.has(pid));
}
