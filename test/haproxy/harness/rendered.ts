import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Document } from '../../../src/tenancy/engines/contract/attachment';

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
  const { status, stdout, stderr } = spawnSync(haproxy, ['-c', '-f', file], { encoding: 'utf8' });
  return { isValid: status === 0, said: stdout + stderr };
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
