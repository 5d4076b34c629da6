import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { sentenceOf } from '../contract/rule';
import { textTable } from '../report/document';
import { findingsOfFaults } from '../tenancy/fault';
import { assignPorts } from '../tenancy/ports/assign-ports';
import { PortLock } from '../tenancy/ports/port-lock';
import { byText, hostsOf, type LockedPort, type RequestedPorts, readPortRequests } from '../tenancy/ports/rules';
import { PORT_REQUESTS_FILE } from '../tenancy/tenancy.facts';
import { COMMANDS } from './commands.facts';
import { writeAtOnce } from './files';
import { describeCommand } from './options';

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
  describeCommand(program.command(NAME), COMMANDS[NAME]).action((options: PortsOptions, command: Command) =>
    ports(options, command),
  );
}

function ports(options: PortsOptions, command: Command): void {
  let app: string | undefined;
  try {
    app = options.app ?? appOfProject();
  } catch (error) {
    command.error(`${NAME}: ${(error as Error).message}; mend it, or name the app with --app`);
  }
  const known = app ?? command.error(`${NAME}: no app to run; name one with --app, or as app in cdk8s.yaml`);
  try {
    lockPorts(runApp(known), options);
  } catch (error) {
    fail((error as Error).message);
  }
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
  const { release = [], prune = false, acceptEdits, check: isCheck = false } = options;
  const locks = filesOf(asked, options.lock).map((file) => ({
    lock: PortLock.read(relative(process.cwd(), file), acceptEdits),
    asked: asked.filter(({ lock }) => resolve(lock) === file),
  }));
  const isHeld = (key: string) => locks.some(({ lock }) => lock.shared.some((shared) => lock.entry(shared, key)));
  const unknown = release.filter((key) => !isHeld(key));
  if (unknown.length > 0) {
    fail(
      `${unknown.join(', ')} cannot be released: no lock file of the app has it; name endpoints as the lock file does`,
    );
    return;
  }
  const updates = locks.map((one) => updatePorts(one.lock, one.asked, { release, prune }));
  const faults = updates.flatMap(({ faults: its }) => its);
  if (faults.length > 0) {
    process.stderr.write(`${findingsOfFaults(faults, 'ports').map(sentenceOf).join('\n')}\n`);
    fail('nothing was written');
    return;
  }
  for (const each of updates) {
    settle(each, isCheck);
  }
  if (locks.length === 0) {
    process.stdout.write('no shared load balancer of the app asks for ports\n');
  }
}

function filesOf(asked: readonly RequestedPorts[], only: string | undefined): string[] {
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

function settle({ lock, changes }: ReturnType<typeof updatePorts>, isCheck: boolean): void {
  const { file } = lock;
  process.stdout.write(portsTable(file, changes));
  const text = lock.toText();
  const found = existsSync(file)
    ? readFileSync(file, 'utf8')
        .replace(/^\uFEFF/, '')
        .replace(/\r\n/g, '\n')
    : undefined;
  const isCurrent = found === undefined ? changes.length === 0 : found === text;
  if (!isCurrent && isCheck) {
    fail(`${file} is out of date; run the command without --check, and commit what it writes`);
  } else if (!isCurrent) {
    writeAtOnce(file, text);
  }
}

const CDK8S_CONFIG = 'cdk8s.yaml';

const MOST_OUTPUT = 256 * 1024 * 1024;

interface AppRun {
  readonly asked: readonly RequestedPorts[];
  /** Error, if it failed: then it may not have asked for everything. */
  readonly failure?: string;
  readonly errors: string;
}

function appOfProject(): string | undefined {
  if (!existsSync(CDK8S_CONFIG)) {
    return undefined;
  }
  try {
    const { app } = (parse(readFileSync(CDK8S_CONFIG, 'utf8')) ?? {}) as { readonly app?: unknown };
    return typeof app === 'string' && app !== '' ? app : undefined;
  } catch (error) {
    throw new Error(`${CDK8S_CONFIG} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}

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
  return `${file}\n${changes.length > 0 ? textTable(table) : 'no endpoints'}\n`;
}

type PortChangeKind = 'added' | 'changed' | 'kept' | 'gone' | 'pruned' | 'released';

interface PortChange {
  readonly kind: PortChangeKind;
  readonly shared: string;
  readonly key: string;
  readonly place: LockedPort;
  readonly address?: string;
}

interface PortUpdateOptions {
  readonly release: readonly string[];
  readonly prune: boolean;
}

function updatePorts(lock: PortLock, asked: readonly RequestedPorts[], options: PortUpdateOptions) {
  const known = new Map(asked.map((each) => [each.shared, each]));
  const updates = [...new Set([...lock.shared, ...known.keys()])]
    .sort(byText)
    .map((shared) => updateShared(shared, lock, known.get(shared), options));
  return {
    lock: updates.reduce((next, { shared, ports }) => next.with(shared, ports), lock),
    changes: updates.flatMap(({ changes }) => changes),
    faults: updates.flatMap(({ faults }) => faults),
  };
}

function updateShared(
  shared: string,
  lock: PortLock,
  asked: RequestedPorts | undefined,
  { release, prune }: PortUpdateOptions,
) {
  const before = lock.ports(shared);
  const wanted = new Set(asked?.requests.map(({ key }) => key));
  const changes: PortChange[] = [];
  const kept = new Map<string, LockedPort>();
  const report = (kind: PortChangeKind, key: string, place: LockedPort) =>
    changes.push({ kind, shared, key, place, address: addressOf(place, asked) });
  for (const [key, place] of [...before].sort(([one], [other]) => byText(one, other))) {
    if (release.includes(key)) {
      report('released', key, place);
    } else if (prune && !wanted.has(key)) {
      report('pruned', key, place);
    } else {
      kept.set(key, place);
    }
  }
  const { assigned, faults } = asked
    ? assignPorts(asked.requests, kept, asked.rules)
    : { assigned: new Map<string, LockedPort>(), faults: [] };
  const ports = new Map([...kept, ...assigned]);
  for (const [key, place] of [...ports].sort(([one], [other]) => byText(one, other))) {
    report(definitionOf(kept.get(key), place, wanted.has(key)), key, place);
  }
  return { shared, ports, changes, faults };
}

function definitionOf(before: LockedPort | undefined, place: LockedPort, isWanted: boolean): PortChangeKind {
  if (!before) {
    return 'added';
  }
  if (!isWanted) {
    return 'gone';
  }
  return hostsOf(before).join() === hostsOf(place).join() ? 'kept' : 'changed';
}

function addressOf({ balancer, port }: LockedPort, asked: RequestedPorts | undefined): string | undefined {
  const hostname = asked?.hostnames?.[balancer];
  return hostname && `${hostname}:${port}`;
}
