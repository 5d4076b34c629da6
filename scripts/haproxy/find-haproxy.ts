import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionFolder } from '../go/binary-cache';

/** The suite of Debian whose sources are new enough. */
const SUITE = 'trixie';

/** What a program says of its version, as numbers. */
function versionOf(haproxy: string): [number, number] | undefined {
  const { stdout } = spawnSync(haproxy, ['-v'], { encoding: 'utf8' });
  const match = /version (\d+)\.(\d+)/.exec(stdout ?? '');
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

function isAtLeast([major, minor]: [number, number], wanted: [number, number]): boolean {
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);
}

/** HAProxy as it is installed, of version 2.6 or newer. */
export function findHaproxy(): string | undefined {
  return ['haproxy', '/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((file) => {
    const version = versionOf(file);
    return version !== undefined && isAtLeast(version, [2, 6]);
  });
}

/** One that limits bandwidth: the same, or one that is built, or what is lacking for that. */
export function newerHaproxy(installed: string): { readonly file: string } | { readonly lack: string } {
  const version = versionOf(installed);
  if (version && isAtLeast(version, [2, 7])) {
    return { file: installed };
  }
  const folder = versionFolder('haproxy', SUITE);
  const file = join(folder, 'haproxy');
  if (existsSync(file) && versionOf(file)) {
    return { file };
  }
  const workplace = mkdtempSync(join(tmpdir(), 'haproxy-sources-'));
  try {
    const lack = build(workplace);
    if (lack !== undefined) {
      return { lack };
    }
    mkdirSync(folder, { recursive: true });
    // whole or not at all
    copyFileSync(join(workplace, 'built', 'haproxy'), `${file}.${process.pid}`);
    renameSync(`${file}.${process.pid}`, file);
    return { file };
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

/** Builds it in a folder, with lists of packages of its own; what is lacking, if it cannot. */
function build(workplace: string): string | undefined {
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  if (!existsSync(keyring)) {
    return `haproxy is older than 2.7, and there is no ${keyring} by which newer sources could be told to be Debian's`;
  }
  const from = repository();
  if (from === undefined) {
    return 'haproxy is older than 2.7, and apt-get knows no repository of Debian that could have newer sources';
  }
  const sources = join(workplace, 'sources.list');
  writeFileSync(sources, `deb-src [signed-by=${keyring}] ${from} ${SUITE} main\n`);
  mkdirSync(join(workplace, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(workplace, 'built'));
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(workplace, 'lists')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  process.stdout.write('a newer haproxy is built from the sources of Debian, once: about two minutes\n');
  const steps: [string, string[]][] = [
    ['apt-get', [...options, 'update']],
    ['apt-get', [...options, 'source', '--download-only', '--tar-only', 'haproxy']],
  ];
  const failed = steps.find(([command, args]) => !succeeds(workplace, command, args));
  if (failed) {
    return `haproxy is older than 2.7, and ${failed[0]} ${failed[1].slice(options.length).join(' ')} failed`;
  }
  const archive = readdirSync(workplace).find((name) => /^haproxy_.*\.orig\.tar\.[a-z]+$/.test(name));
  const isBuilt =
    archive !== undefined &&
    succeeds(workplace, 'tar', ['xf', archive, '-C', 'built', '--strip-components=1']) &&
    succeeds(join(workplace, 'built'), 'make', ['-j2', 'TARGET=linux-glibc', 'CFLAGS=-O1']);
  return isBuilt
    ? undefined
    : 'haproxy is older than 2.7, and a newer one could not be built: it needs make and a compiler for C';
}

/** Where this machine has its own packages from. */
function repository(): string | undefined {
  const args = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Origin: Debian'];
  const { stdout } = spawnSync('apt-get', args, { encoding: 'utf8' });
  return stdout?.split('\n').find((uri) => uri !== '' && !uri.includes('security'));
}

function succeeds(cwd: string, command: string, args: string[]): boolean {
  return spawnSync(command, args, { cwd, stdio: 'ignore' }).status === 0;
}
