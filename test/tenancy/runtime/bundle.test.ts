import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, bundleOf } from '../../../scripts/programs/bundle';
import { programText } from '../../../src/tenancy/runtime/program-workload';
import { configOf, World } from './world';

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
