import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { sentenceOf } from '../contract/sentence';
import { reported } from '../tenancy/fault';
import { PortLock } from '../tenancy/ports/port-lock';
import { type AskedPorts, hostsOf, readPortRequests } from '../tenancy/ports/port-request';
import { PORT_REQUESTS_FILE } from '../tenancy/tenancy.facts';
import { writeAtOnce } from './files';
import { type PortChange, type PortChangeKind, type PortUpdate, updatePorts } from './ports-update';

const NAME = 'ports';

interface PortsOptions {
  readonly app?: string;
  readonly lock?: string;
  readonly check?: boolean;
  readonly prune?: boolean;
  readonly acceptEdits?: boolean;
  readonly release?: string[];
}

export function addPorts(program: Command): void {
  program
    .command(NAME)
    .description(
      'runs the app and writes the ports of its shared load balancers to the lock file; ports in the file stay',
    )
    .option('-a, --app <command>', 'command that runs the app; by default the app of cdk8s.yaml')
    .option('-l, --lock <file>', 'lock file; by default those that the app names')
    .option('--check', 'write nothing, and fail if the lock file is out of date')
    .option('--prune', 'release the ports that no Service requests any more')
    .option('--accept-edits', 'keep valid changes that a person made in the lock file')
    .option('--release <endpoint...>', 'assign new ports to endpoints, such as team-a/db:5432')
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

/** The configuration of a cdk8s project, which names the command that runs the app. */
const CDK8S_CONFIG = 'cdk8s.yaml';

const MOST_OUTPUT = 256 * 1024 * 1024;

interface AppRun {
  readonly asked: readonly AskedPorts[];
  /** How it failed, where it did: then it may not have asked for everything. */
  readonly failure?: string;
  /** What it printed for people. */
  readonly errors: string;
}

/** The command that runs the app of the working directory; nothing where none is known. */
function appOfProject(): string | undefined {
  if (!existsSync(CDK8S_CONFIG)) {
    return undefined;
  }
  const { app } = (parsed(readFileSync(CDK8S_CONFIG, 'utf8')) ?? {}) as { readonly app?: unknown };
  return typeof app === 'string' && app !== '' ? app : undefined;
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${CDK8S_CONFIG} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Runs an app that writes its manifests to nowhere, and hears what ports it wants. */
function runApp(command: string): AppRun {
  const scratch = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-ports-'));
  const requests = join(scratch, 'requests');
  try {
    const { status, signal, error, stdout, stderr } = spawnSync(command, {
      shell: true,
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, [PORT_REQUESTS_FILE]: requests, CDK8S_OUTDIR: join(scratch, 'dist') },
    });
    const ended = signal ? `was ended by ${signal}` : `exited with ${status}`;
    return {
      asked: existsSync(requests) ? readPortRequests(readFileSync(requests, 'utf8')) : [],
      failure: error ? `could not be run (${error.message})` : status === 0 ? undefined : ended,
      errors: stderr || stdout || '',
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const MEANING: Readonly<Record<PortChangeKind, string>> = {
  added: 'added',
  changed: 'changed: other TLS names',
  kept: 'kept',
  gone: 'gone, and kept until --prune',
  pruned: 'pruned',
  released: 'released',
};

/** What became of the endpoints of one lock file, for people. */
function portsTable(file: string, changes: readonly PortChange[]): string {
  const rows = changes.map(({ kind, shared, key, place, address }) => [
    key,
    shared,
    `${place.balancer}`,
    `${place.port}`,
    address ?? '-',
    hostsOf(place).join(',') || '-',
    MEANING[kind],
  ]);
  const table = [['ENDPOINT', 'SHARED', 'BALANCER', 'PORT', 'ADDRESS', 'TLS NAMES', 'STATE'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  return `${file}\n${changes.length > 0 ? lines.join('\n') : 'no endpoints'}\n`;
}
