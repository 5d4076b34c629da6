import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Size } from 'cdk8s';
import { freePorts } from '../cluster/harness/free-port';
import type { Program } from '../cluster/harness/program';
import { pause } from '../cluster/harness/wait';
import { startHaproxy } from './harness/proxy';
import { rendered } from './harness/rendered';
import { flooding, received, sent } from './harness/tcp';
import { objects } from './harness/tenants';

// The bandwidth that a tenant really gets, of an HAProxy that can limit it.

const HAPROXY = process.env.HAPROXY_WITH_BANDWIDTH ?? 'haproxy';
const MEBIBYTE = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'shared-haproxy-'));
const servers: Server[] = [];
let running: Program | undefined;

afterEach(async () => {
  await running?.kill();
  for (const server of servers.splice(0)) {
    server.close();
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('bandwidth', () => {
  const LIMIT = 4;

  async function limited(): Promise<[number, number, number]> {
    const [a, more, b] = await freePorts(3);
    const { server, port } = await flooding();
    servers.push(server);
    const at = `127.0.0.1:${port}`;
    const tenants = [
      { name: 'team-a', port: a, more, bandwidth: Size.mebibytes(LIMIT) },
      { name: 'team-b', port: b },
    ];
    const services = {
      'infra/shared-tenants': '',
      'team-a/db': '',
      'team-b/db': '',
      'team-a/db:5432': at,
      'team-a/db:5433': at,
      'team-b/db:5432': at,
    };
    const { configuration } = rendered(objects(tenants, false), services);
    running = await startHaproxy(HAPROXY, folder, configuration, [a, more, b]);
    return [a, more, b];
  }

  test('of a tenant is that of all its connections on all its ports, and others have their own', async () => {
    const [a, more, b] = await limited();
    const one = await received([a], 3);
    await pause(1000);
    const six = await received([a, a, a, more, more, more], 3);
    for (const rate of [one, six]) {
      expect(rate / MEBIBYTE).toBeGreaterThan(LIMIT * 0.7);
      expect(rate / MEBIBYTE).toBeLessThan(LIMIT * 1.3);
    }
    expect((await received([b], 1)) / MEBIBYTE).toBeGreaterThan(LIMIT * 4);
  });

  test('is limited in the other direction as well', async () => {
    const [a, more] = await limited();
    const rate = await sent([a, more], 3);
    expect(rate / MEBIBYTE).toBeGreaterThan(LIMIT * 0.6);
    expect(rate / MEBIBYTE).toBeLessThan(LIMIT * 1.4);
  });
});
