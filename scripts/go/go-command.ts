import { spawnSync } from 'node:child_process';

/** Lines of go's output that an error shows. */
const LINES_SHOWN = 12;

/** The environment of every go that is started here: a workspace around a clone does not count. */
export function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GOWORK: 'off' };
}

/** What `go env` says, in the order of the names. */
export function goEnv<T extends string>(folder: string, ...names: T[]): Record<T, string> {
  const { status, stdout, stderr, error } = spawnSync('go', ['env', ...names], {
    cwd: folder,
    encoding: 'utf8',
    env: goEnvironment(),
  });
  if (status !== 0) {
    throw goFailure(`go env in ${folder}`, `${error?.message ?? ''}${stderr ?? ''}`);
  }
  const values = stdout.split('\n');
  return Object.fromEntries(names.map((name, index) => [name, (values[index] ?? '').trim()])) as Record<T, string>;
}

const DISK_IS_FULL = /no space left on device|disk quota exceeded/i;
const NOT_DOWNLOADED =
  /dial (tcp|udp)|no such host|i\/o timeout|TLS handshake|connection re(fused|set)|proxyconnect|module lookup disabled|reading https?:\/\/|Get "https?:\/\//i;

/** What may help, where go says a thing that is known. */
function hintFor(output: string): string {
  if (DISK_IS_FULL.test(output)) {
    return ', since the disk is full: make room, or set GOCACHE, GOTMPDIR and XDG_CACHE_HOME to folders on another disk';
  }
  if (NOT_DOWNLOADED.test(output)) {
    const proxy = process.env.GOPROXY ? `it is ${process.env.GOPROXY} now` : 'it is not set now';
    return `, since go could not download: set GOPROXY to a module proxy that this machine reaches (${proxy})`;
  }
  return '';
}

/** One sentence on what failed, and the last that go said. */
export function goFailure(what: string, output: string): Error {
  const lines = output.trim().split('\n').slice(-LINES_SHOWN);
  return new Error([`${what} failed${hintFor(output)}`, ...lines].join('\n').trimEnd());
}
