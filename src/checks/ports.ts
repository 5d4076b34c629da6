import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { sentenceOf } from '../contract/sentence';
import { reported } from '../tenancy/fault';
import { PortLock } from '../tenancy/ports/port-lock';
import type { AskedPorts } from '../tenancy/ports/port-request';
import { writeAtOnce } from './files';
import { type AppRun, appOfProject, runApp } from './ports-app';
import { portsTable } from './ports-table';
import { type PortUpdate, updatePorts } from './ports-update';

/** The name of the command. */
const NAME = 'ports';

interface PortsOptions {
  readonly app?: string;
  readonly lock?: string;
  readonly check?: boolean;
  readonly prune?: boolean;
  readonly acceptEdits?: boolean;
  readonly release?: string[];
}

/** Adds the command that writes the lock file of ports. */
export function addPorts(program: Command): void {
  program
    .command(NAME)
    .description(
      'runs the app, and writes the ports of its shared load balancers to the lock file; a port that is in the file stays',
    )
    .option('-a, --app <command>', 'what runs the app; the app of cdk8s.yaml without it')
    .option('-l, --lock <file>', 'the lock file; those that the app names without it')
    .option('--check', 'writes nothing, and fails where the lock file is out of date')
    .option('--prune', 'releases the ports that no Service asks for any more')
    .option('--accept-edits', 'takes what a person changed in the lock file, where it makes sense')
    .option(
      '--release <endpoint...>',
      'gives up the ports of endpoints, such as team-a/db:5432, and gives them new ones',
    )
    .action((options: PortsOptions, command: Command) => ports(options, command));
}

function ports(options: PortsOptions, command: Command): void {
  const app = options.app ?? knownApp(command);
  try {
    lockPorts(runApp(app), options);
  } catch (error) {
    fail((error as Error).message);
  }
}

function knownApp(command: Command): string {
  let app: string | undefined;
  try {
    app = appOfProject();
  } catch (error) {
    command.error(`${NAME}: ${(error as Error).message}; mend it, or name the app with --app`);
  }
  return app ?? command.error(`${NAME}: no app to run; name one with --app, or as app in cdk8s.yaml`);
}

function fail(sentence: string): void {
  process.stderr.write(`${NAME}: ${sentence}\n`);
  process.exitCode = 1;
}

function lockPorts(run: AppRun, options: PortsOptions): void {
  const { asked, failure, errors } = run;
  if (failure && (asked.length === 0 || options.prune)) {
    process.stderr.write(errors);
    fail(
      asked.length === 0
        ? `the app ${failure} before it asked for ports; mend it first`
        : `the app ${failure}, and may not have asked for all of its ports; run the command without --prune, and prune when synth finds no error`,
    );
    return;
  }
  if (failure) {
    process.stderr.write(`${NAME}: the app ${failure} after it asked for ports; synth reports what else is wrong\n`);
  }
  const files = filesOf(asked, options.lock);
  const unknown = (options.release ?? []).filter((key) => !files.some((file) => hasKey(file, key, options)));
  if (unknown.length > 0) {
    fail(
      `${unknown.join(', ')} cannot be released: no lock file of the app has it; name endpoints as the lock file does`,
    );
    return;
  }
  const updates = files.map((file) => update(file, asked, options));
  const faults = updates.flatMap(({ faults: its }) => its);
  if (faults.length > 0) {
    process.stderr.write(`${reported(faults, 'ports').map(sentenceOf).join('\n')}\n`);
    fail('nothing was written');
    return;
  }
  for (const each of updates) {
    settle(each, options.check ?? false);
  }
  if (files.length === 0) {
    process.stdout.write('no shared load balancer of the app asks for ports\n');
  }
}

/** The lock files to bring up to date. */
function filesOf(asked: readonly AskedPorts[], only: string | undefined): string[] {
  const named = [...new Set(asked.map(({ lock }) => resolve(lock)))].sort();
  if (only === undefined) {
    return named;
  }
  const file = resolve(only);
  if (!named.includes(file) && !existsSync(file)) {
    const known = named.map((each) => relative(process.cwd(), each)).join(', ') || 'none';
    throw new Error(
      `no shared load balancer of the app has the lock file ${only}; name one that the app has: ${known}`,
    );
  }
  return [file];
}

function hasKey(file: string, key: string, options: PortsOptions): boolean {
  const lock = read(file, options);
  return lock.shared.some((shared) => lock.entry(shared, key));
}

function read(file: string, { acceptEdits }: PortsOptions): PortLock {
  return PortLock.read(relative(process.cwd(), file), acceptEdits);
}

function update(file: string, asked: readonly AskedPorts[], options: PortsOptions): PortUpdate {
  return updatePorts(
    read(file, options),
    asked.filter(({ lock }) => resolve(lock) === file),
    { release: options.release ?? [], prune: options.prune ?? false },
  );
}

/** Reports the port of every Service, and writes the file where it differs. */
function settle({ lock, changes }: PortUpdate, isCheck: boolean): void {
  const { file } = lock;
  process.stdout.write(portsTable(file, changes));
  const text = lock.toText();
  const isCurrent = existsSync(file) ? isSame(readFileSync(file, 'utf8'), text) : changes.length === 0;
  if (isCurrent) {
    return;
  }
  if (isCheck) {
    fail(`${file} is out of date; run the command without --check, and commit what it writes`);
    return;
  }
  writeAtOnce(file, text);
}

function isSame(found: string, text: string): boolean {
  return found.replace(/^\uFEFF/, '').replace(/\r\n/g, '\n') === text;
}
