import { spawnSync } from 'node:child_process';

type Version = readonly [major: number, minor: number];

/** What the wheel of the library wants, and the fake AWS too. */
const PYTHON: Version = [3, 10];

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { encoding: 'utf8' });
}

/** What is missing in an interpreter; nothing where it will do. */
function lackOf(python: string, wanted: Version): string | undefined {
  const version = run(python, '-c', 'import sys; print("%d.%d" % sys.version_info[:2])');
  if (version.status !== 0) {
    return `there is no ${python}`;
  }
  const [major, minor] = version.stdout.trim().split('.').map(Number);
  if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
    return `${python} is ${major}.${minor}`;
  }
  return run(python, '-c', 'import ensurepip, venv').status === 0 ? undefined : `${python} has no venv or no pip`;
}

/** The Python to make others from, or what is missing. */
export function findPython(wanted: Version = PYTHON): { python: string } | { lack: string } {
  const lacks = ['python3', 'python'].map((python) => ({ python, lack: lackOf(python, wanted) }));
  const usable = lacks.find(({ lack }) => lack === undefined);
  return usable
    ? { python: usable.python }
    : { lack: `Python ${wanted.join('.')} or newer with venv and pip: ${lacks.map(({ lack }) => lack).join(', ')}` };
}
