import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hookServer, MOST_BYTES } from '../../../programs/shared-services-hook/server';
import { CONDITION, configOf, World } from './world';

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
