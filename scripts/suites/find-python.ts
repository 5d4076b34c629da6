import { spawnSync } from 'node:child_process';

/** What the wheel of the library wants, and the fake AWS too. */
const PYTHON = [3, 10];

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { encoding: 'utf8' });
}

/** What is missing in an interpreter; nothing where it will do. */
function lackOf(python: string): string | undefined {
  const version = run(python, '-c', 'import sys; print("%d.%d" % sys.version_info[:2])');
  if (version.status !== 0) {
    return `there is no ${python}`;
  }
  const [major, minor] = version.stdout.trim().split('.').map(Number);
  if (major < PYTHON[0] || (major === PYTHON[0] && minor < PYTHON[1])) {
    return `${python} is ${major}.${minor}`;
  }
  return run(python, '-c', 'import ensurepip, venv').status === 0 ? undefined : `${python} has no venv or no pip`;
}

/** The Python to make others from, or what is missing. */
export function findPython(): { python: string } | { lack: string } {
  const lacks = ['python3', 'python'].map((python) => ({ python, lack: lackOf(python) }));
  const usable = lacks.find(({ lack }) => lack === undefined);
  return usable
    ? { python: usable.python }
    : { lack: `Python ${PYTHON.join('.')} or newer with venv and pip: ${lacks.map(({ lack }) => lack).join(', ')}` };
}
