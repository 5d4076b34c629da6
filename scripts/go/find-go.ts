import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type GoVersion, isOlder, parseGoVersion } from './go-version';

/** The first Go that fetches another one by itself (https://go.dev/doc/toolchain). */
const FETCHES: GoVersion = [1, 21, 0, 0];

/** The version that a go.mod asks for. */
export function wantedGo(folder: string): string | undefined {
  return /^go[ \t]+(\S+)/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))?.[1];
}

function ask(name: string, env: NodeJS.ProcessEnv) {
  // away from every go.mod, which could make go fetch another version to answer
  const { status, stdout, stderr, error } = spawnSync('go', ['env', name], {
    cwd: parse(process.cwd()).root,
    encoding: 'utf8',
    env,
  });
  return { ok: status === 0, answer: stdout?.trim() ?? '', complaint: (stderr?.trim() || error?.message) ?? '', error };
}

/** What keeps this go from fetching a newer one; nothing where it may. */
function obstacle(own: GoVersion, setting: string): string | undefined {
  if (isOlder(own, FETCHES)) {
    return 'before 1.21 it cannot fetch a newer one';
  }
  return /(^|\+)(auto|path)$/.test(setting) ? undefined : `GOTOOLCHAIN=${setting} keeps it from fetching a newer one`;
}

/** What is missing to build a Go module, in one clause; nothing where all is there. */
export function lackOfGo(folder: string): string | undefined {
  if (!existsSync(join(folder, 'go.mod'))) {
    return `there is no go.mod in ${folder}`;
  }
  const found = ask('GOVERSION', { ...process.env, GOTOOLCHAIN: 'local' });
  if ((found.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    return 'there is no go on the PATH';
  }
  const own = parseGoVersion(found.answer);
  if (!found.ok || !own) {
    return `the go on the PATH does not say its version (${found.complaint.split('\n')[0] || `it says "${found.answer}"`})`;
  }
  const wanted = wantedGo(folder);
  const needed = wanted && parseGoVersion(wanted);
  const setting = process.env.GOTOOLCHAIN || ask('GOTOOLCHAIN', process.env).answer || 'local';
  // GOTOOLCHAIN may name the version to use
  const used = (!isOlder(own, FETCHES) && parseGoVersion(setting)) || own;
  const why = obstacle(own, setting);
  if (!needed || !isOlder(used, needed) || !why) {
    return undefined;
  }
  const version = used === own ? found.answer.replace(/^go/, '') : setting.replace(/^go/, '');
  return `go is ${version}, and ${join(folder, 'go.mod')} wants ${wanted} (${why})`;
}
