import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { goEnvironment, goFailure } from '../go/go-command';

/** The module of the library, and the folder that it has below what is generated. */
export const MODULE = 'github.com/cdk8s-load-balancers/cdk8s-load-balancers-go/cdk8sloadbalancers';
const FOLDER = 'cdk8sloadbalancers';

const RUNTIME = 'github.com/aws/jsii-runtime-go';

/**
 * The runtime that generated code is compiled and run with here. The code asks for that of the jsii-pacmak which generates it;
 * this one is older, has the same functions, and is served by more module proxies.
 */
const RUNTIME_VERSION = 'v1.119.0';

/** What the library is built on, by the folders below what is generated. */
const BUILT_ON: Readonly<Record<string, string>> = {
  'github.com/aws/constructs-go/constructs/v10': 'constructs',
  'github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2': 'cdk8s',
};

function go(folder: string, ...args: string[]) {
  return spawnSync('go', args, { cwd: folder, encoding: 'utf8', env: goEnvironment(), maxBuffer: 2 ** 26 });
}

/** Runs go in a module, and returns what it printed. */
export function mustGo(folder: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = go(folder, ...args);
  if (status !== 0) {
    throw goFailure(`go ${args.join(' ')}`, `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`);
  }
  return stdout;
}

/**
 * Has gofmt rewrite generated code, which has blank lines too many.
 *
 * @returns how many files there are
 * @throws where one of them is not Go
 */
export function format(generated: string): number {
  const folder = join(generated, FOLDER);
  const { status, stdout, stderr, error } = spawnSync('gofmt', ['-w', folder], { encoding: 'utf8' });
  if (status !== 0) {
    throw goFailure(`gofmt -w ${folder}`, `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`);
  }
  return readdirSync(folder, { recursive: true }).filter((file) => String(file).endsWith('.go')).length;
}

/** What is missing to compile generated code; nothing where it can be compiled. */
export function lackOfRuntime(folder: string): string | undefined {
  const { status } = go(folder, 'mod', 'download', `${RUNTIME}@${RUNTIME_VERSION}`);
  return status === 0
    ? undefined
    : `${RUNTIME} ${RUNTIME_VERSION}, which the module proxy of this machine does not serve`;
}

/**
 * What makes a module use code that was generated here in place of what is published, as arguments of `go`.
 *
 * @param library where the code of the library is
 * @param builtOn where that of cdk8s and constructs is
 */
export function useGenerated(library: string, builtOn: string): string[] {
  const places = {
    [MODULE]: join(library, FOLDER),
    ...Object.fromEntries(Object.entries(BUILT_ON).map(([module, at]) => [module, join(builtOn, at)])),
    [RUNTIME]: `${RUNTIME}@${RUNTIME_VERSION}`,
  };
  return ['mod', 'edit', ...Object.entries(places).map(([module, at]) => `-replace=${module}=${at}`)];
}
