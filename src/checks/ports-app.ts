import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type AskedPorts, readPortRequests } from '../tenancy/ports/port-request';
import { PORT_REQUESTS_FILE } from '../tenancy/tenancy.facts';

/** The configuration of a cdk8s project, which names the command that runs the app. */
const CDK8S_CONFIG = 'cdk8s.yaml';

/** More than an app prints. */
const MOST_OUTPUT = 256 * 1024 * 1024;

/** What an app asked for while it ran. */
export interface AppRun {
  readonly asked: readonly AskedPorts[];
  /** How it failed, where it did: then it may not have asked for everything. */
  readonly failure?: string;
  /** What it printed for people. */
  readonly errors: string;
}

/** The command that runs the app of the working directory; nothing where none is known. */
export function appOfProject(): string | undefined {
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
export function runApp(command: string): AppRun {
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
