import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';

/** What the controller makes of objects. */
export interface Rendered {
  readonly configuration: string;
  /** What it would leave out. */
  readonly leftOut: readonly string[];
}

/** Where Services are, by `namespace/name:port`; those that are named without a port exist and lead nowhere. */
export type Services = Readonly<Record<string, string>>;

/** Objects of kind TCP, the oldest first, as lines of configuration. */
export function rendered(objects: readonly Document[], services: Services): Rendered {
  return JSON.parse(ask(objects, services));
}

/** Why the objects cannot be rendered. */
export function refusal(objects: readonly Document[]): string {
  const { status, stderr } = spawnSync(renderer(), { input: question(objects, {}), encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

/** What HAProxy says when it reads a configuration, and whether it takes it. */
export function checked(haproxy: string, file: string, configuration: string): { isValid: boolean; said: string } {
  writeFileSync(file, configuration);
  const folder = dirname(file);
  suspend(folder, []);
  const { status, stdout, stderr } = spawnSync(haproxy, ['-C', folder, '-c', '-f', file], { encoding: 'utf8' });
  return { isValid: status === 0, said: stdout + stderr };
}

/** The tenants that are suspended, as the controller writes them; HAProxy before 3.0 takes the prefix for a part of the name. */
export function suspend(folder: string, tenants: readonly string[]): void {
  for (const place of ['patterns', 'opt@patterns']) {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, 'suspended'), tenants.map((tenant) => `${tenant}\n`).join(''));
  }
}

function ask(objects: readonly Document[], services: Services): string {
  return execFileSync(renderer(), { input: question(objects, services), encoding: 'utf8' });
}

function question(objects: readonly Document[], services: Services): string {
  return JSON.stringify({
    class: 'shared-haproxy',
    head: HEAD,
    objects: objects.filter(({ kind }) => kind === 'TCP').map(({ spec, ...rest }) => ({ ...rest, spec })),
    services,
  });
}

function renderer(): string {
  const file = process.env.HAPROXY_RENDERER;
  if (!file) {
    throw new Error('there is no renderer: run `npm run test:haproxy`, which builds it');
  }
  return file;
}

/** As much as the controller's own defaults have of it. */
const HEAD = `# _version=1
global
  noreuseport
  stats timeout 1m

defaults haproxytech
  timeout connect 5s
  timeout client 50s
  timeout queue 5s
  timeout server 50s
  timeout tunnel 1h
`;
