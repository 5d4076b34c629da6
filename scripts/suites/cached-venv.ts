import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, mustHaveRoom } from '../../test/real/program';
import { cacheFolder } from '../go/binary-cache';

/** What pip installs for a suite. */
export interface CachedVenv {
  /** How its folder begins. */
  readonly name: string;
  /** What it is called in sentences. */
  readonly what: string;
  readonly requirements: string;
  /** What it takes on the disk, in MiB, with what pip needs meanwhile. */
  readonly mebibytes: number;
  /** A program of Python that fails where it is broken. */
  readonly check: string;
}

/** Lines of pip that an error shows where its reason is not known. */
const LINES_SHOWN = 8;

const environment = {
  ...process.env,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { encoding: 'utf8', env: environment, maxBuffer: 2 ** 26 });
}

/** Why pip failed, in one sentence where the reason is known. */
function failureOfPip(output: string, { what, requirements }: CachedVenv): string {
  if (/no space left on device/i.test(output)) {
    return `pip found no space left on the disk for ${what}: make room, or set XDG_CACHE_HOME to a larger one`;
  }
  if (
    /NewConnectionError|NameResolutionError|ProxyError|ConnectTimeout|ReadTimeout|SSLError|ConnectionError/.test(output)
  ) {
    return `pip could not reach its package index for ${what}: check the network, or set PIP_INDEX_URL to a mirror`;
  }
  const last = output.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');
  return `pip could not install ${requirements}:\n${last}`;
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

const interpreterIn = (venv: string) => join(venv, 'bin', 'python');

/** Whether a virtual environment is whole; it is not when the Python that it was made from is gone. */
const works = (venv: string, { check }: CachedVenv) => run(interpreterIn(venv), '-c', check).status === 0;

/**
 * The interpreter of a virtual environment, outside of the work tree, made where there is none. It is made under another name
 * and renamed, so that nothing looks finished that is not.
 */
export function cachedVenv(python: string, asked: CachedVenv): string {
  const { name, what, requirements, mebibytes } = asked;
  const cache = cacheFolder();
  const version = run(python, '-VV').stdout;
  const hash = createHash('sha256').update(readFileSync(requirements)).update(version).digest('hex').slice(0, 12);
  const venv = join(cache, `${name}-${hash}`);
  mkdirSync(cache, { recursive: true });
  const unfinished = readdirSync(cache).filter((each) => each.startsWith(`${name}-`) && each.includes('.making-'));
  for (const left of unfinished.filter((each) => !isAlive(Number(each.split('.making-')[1])))) {
    rmSync(join(cache, left), { recursive: true, force: true });
  }
  if (existsSync(venv)) {
    if (works(venv, asked)) {
      return interpreterIn(venv);
    }
    say(`${what} in ${venv} does not work any more, so it is made again`);
    rmSync(venv, { recursive: true, force: true });
  }
  mustHaveRoom(cache, mebibytes, what, 'set XDG_CACHE_HOME to a folder on another disk');
  say(`fetching ${what} with pip: about a minute, once`);
  const making = `${venv}.making-${process.pid}`;
  try {
    const steps = [
      () => run(python, '-m', 'venv', '--clear', making),
      () =>
        run(interpreterIn(making), '-m', 'pip', 'install', '--quiet', '--retries', '2', '--requirement', requirements),
    ];
    for (const step of steps) {
      const { status, stdout, stderr } = step();
      if (status !== 0) {
        throw new Error(failureOfPip(`${stdout}${stderr}`, asked));
      }
    }
    try {
      renameSync(making, venv);
    } catch (error) {
      // another run has made it meanwhile
      if (!works(venv, asked)) {
        throw error;
      }
    }
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return interpreterIn(venv);
}
