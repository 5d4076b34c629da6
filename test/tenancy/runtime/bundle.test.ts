import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { builtinModules } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookServer, MOST_BYTES } from '../../../programs/shared-services-hook/server';
import { bundled, bundleOf } from '../../../scripts/programs/bundle';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import { programText } from '../../../src/tenancy/runtime/program-workload';
import { CONDITION, configOf, World } from './world';

test('the committed bundle is what its sources make', () => {
  expect(readFileSync(bundleOf('shared-services-hook'), 'utf8')).toBe(bundled('shared-services-hook'));
  expect(programText('shared-services-hook.js')).toBe(bundled('shared-services-hook'));
});

test('it needs Node alone, names no machine and fits into a ConfigMap', () => {
  const text = programText('shared-services-hook.js');
  const needed = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name.replace(/^node:/, ''));
  expect(needed.filter((name) => !builtinModules.includes(name))).toEqual([]);
  expect(text).not.toMatch(/\/(work|home|root|tmp)\//);
  expect(text.length).toBeLessThan(100_000);
});

test('as a program it answers, and ends when it is told to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hook-'));
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(configOf()));
  const port = await freePort();
  const child = spawn(process.execPath, [bundleOf('shared-services-hook'), file, String(port)], { stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}`;
    for (let i = 0; i < 200 && !(await isUp(url)); i++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const world = new World();
    const request = world.request(world.service({ name: 'db' }));
    const response = await fetch(`${url}/sync`, { method: 'POST', body: JSON.stringify(request) });
    const answer = (await response.json()) as { attachments: { kind: string }[] };
    expect(answer.attachments.map(({ kind }) => kind)).toEqual(['ListenerSet', 'TCPRoute']);
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [
    'an unknown publisher',
    JSON.stringify({ ...configOf(), publisher: 'carrier-pigeon' }),
    /publisher 'carrier-pigeon'/,
  ],
  ['no JSON', 'replicas: 1', /JSON/],
])('it does not start with %s', async (_, text, why) => {
  const folder = mkdtempSync(join(tmpdir(), 'hook-'));
  const file = join(folder, 'config.json');
  writeFileSync(file, text);
  const child = spawn(process.execPath, [bundleOf('shared-services-hook'), file, '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true });
  expect([code, said]).toEqual([1, expect.stringMatching(why)]);
});

function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

describe('server', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = hookServer(configOf(), () => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function call(path: string, body?: string, method = 'POST') {
    const response = await fetch(`${url}${path}`, { method, body });
    return { status: response.status, answer: (await response.json()) as Record<string, never> };
  }

  test('a hook that is called answers with what is to be there', async () => {
    const world = new World();
    const { status, answer } = await call('/sync', JSON.stringify(world.request(world.service({ name: 'db' }))));
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      attachments: [{ kind: 'ListenerSet' }, { kind: 'TCPRoute' }],
      status: { conditions: [{ type: CONDITION, lastTransitionTime: '2026-01-02T03:04:05Z' }] },
    });
  });

  test.each([['parent'], ['object']])('what it wants to be told of is asked with the Service as %s', async (field) => {
    const service = { metadata: { name: 'db', namespace: 'team-a' } };
    const { answer } = await call('/customize', JSON.stringify({ [field]: service }));
    const version = 'gateway.networking.k8s.io/v1';
    expect(answer).toEqual({
      relatedResources: [
        { apiVersion: version, resource: 'gateways', namespace: 'infra', names: ['shared'] },
        { apiVersion: 'v1', resource: 'namespaces', names: ['team-a'] },
        { apiVersion: version, resource: 'listenersets', namespace: 'team-a' },
        { apiVersion: version, resource: 'listenersets', namespace: 'team-b' },
        { apiVersion: version, resource: 'tcproutes', namespace: 'team-a' },
        { apiVersion: version, resource: 'tlsroutes', namespace: 'team-a' },
      ],
    });
  });

  test('it says that it is there', async () => {
    expect(await call('/healthz', undefined, 'GET')).toEqual({ status: 200, answer: { ok: true } });
  });

  test.each<[string, string, string | undefined, string, number, RegExp]>([
    ['a path that is no hook', '/finalise', '{}', 'POST', 404, /no such hook/],
    ['GET', '/sync', undefined, 'GET', 405, /POST/],
    ['no JSON', '/sync', 'hello', 'POST', 400, /cannot be read/],
    ['a message without an object', '/sync', '{"object": null}', 'POST', 400, /names no object/],
    ['a message that is too long', '/sync', ' '.repeat(MOST_BYTES + 1), 'POST', 413, /bytes/],
    ['an object that is no Service', '/sync', '{"object": {"metadata": {}}}', 'POST', 500, /\/sync/],
  ])('%s is an error with its reason', async (_, path, body, method, status, message) => {
    const got = await call(path, body, method);
    expect(got).toEqual({ status, answer: { error: expect.stringMatching(message) } });
  });
});

function published(): World {
  const world = new World(configOf());
  world.service({ name: 'db' });
  world.settle();
  return world;
}

test('a Service goes when its ports are closed, and was looked at once more a second later', () => {
  const world = published();
  const answers = world.withdraw('db');
  expect(answers.map(({ finalized, resyncAfterSeconds }) => [finalized, resyncAfterSeconds])).toEqual([
    [false, 1],
    [true, undefined],
  ]);
  expect([...world.of('ListenerSet'), ...world.of('TCPRoute')]).toEqual([]);
  expect(answers[0].status).toMatchObject({
    loadBalancer: {},
    conditions: [{ type: CONDITION, status: 'Unknown', reason: 'Withdrawing' }],
  });
  expect(answers[1].status?.conditions).toEqual([]);
});

test('a Service that was never served goes at once, with the status of others', () => {
  const world = new World();
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
  const service = world.service({ name: 'web', spec: { loadBalancerClass: 'other.example/class' } });
  world.put({ ...service, status });
  const answers = world.withdraw('web');
  expect(answers).toEqual([expect.objectContaining({ finalized: true, status: null, attachments: [] })]);
});

test('what lost its owner is named until the platform has deleted it', () => {
  const world = published();
  const set = world.get('ListenerSet', 'service-db') as Document;
  const annotations = { 'metacontroller.k8s.io/decorator-controller': 'services' };
  world.put({ ...set, metadata: { ...set.metadata, annotations, ownerReferences: undefined } });
  const answers = world.withdraw('db');
  expect(answers.every(({ finalized }) => finalized === false)).toBe(true);
  expect(answers.at(-1)?.status?.conditions[0]).toMatchObject({
    reason: 'LeftBehind',
    message: expect.stringMatching(/^ListenerSet service-db has lost its owner .*ask the platform to delete it$/),
  });
});

test('what other controllers made, or nobody, is not waited for', () => {
  const world = published();
  const set = world.get('ListenerSet', 'service-db') as Document;
  const annotations = { 'metacontroller.k8s.io/decorator-controller': 'others' };
  world.put({ ...set, metadata: { ...set.metadata, annotations, ownerReferences: undefined } });
  expect(world.withdraw('db').at(-1)?.finalized).toBe(true);
});
