import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration } from 'cdk8s';
import { HaproxyIngress } from '../../src/tenancy';
import { freePorts, Program, pause, until } from '../real/program';

import { type Answer, answer, named, objects, rendered, suspend } from './harness/scene';

// Two real HAProxies, as pods of the chart run them, behind a third one that plays the balancer of a cloud. It asks what kube-proxy
// would answer with policy Local, which the tests play: a node fails its check as soon as its pod is to go. What becomes of a pod
// then is the preStop hook of `helmValues`, run by a shell, and what the image does when the hook is over.

const HAPROXY = process.env.HAPROXY ?? 'haproxy';
const INTERVAL = 500;
const FAILURES = 2;
const NOTICED = INTERVAL * FAILURES;
const SLACK = 1500;
const LEAST = 3;
const WHOLE = 20;
const HELD = 20;

const folder = mkdtempSync(join(tmpdir(), 'haproxy-pods-'));
const ended: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).reverse()) {
    await end();
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

/** A pod of HAProxy, and its node as the balancer sees it. */
interface Pod {
  readonly port: number;
  readonly health: number;
  readonly program: Program;
  /** Its check fails from now on. */
  terminate(): void;
  /** The processes of HAProxy, the master first. */
  processes(): number[];
}

async function startPod(name: string, port: number, backend: number): Promise<Pod> {
  const { configuration } = rendered(objects([{ name: 'team-a', port }], false), {
    'infra/shared-tenants': '',
    'team-a/db': '',
    'team-a/db:5432': `127.0.0.1:${backend}`,
  });
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const file = join(own, 'haproxy.cfg');
  writeFileSync(file, configuration);
  suspend(own, []);
  const program = await Program.start({
    name,
    command: HAPROXY,
    args: ['-W', '-db', '-C', own, '-f', file],
    folder: own,
    isReady: async () => (await said(port)) !== '',
  });
  let isReady = true;
  const health = createServer((_, response) => response.writeHead(isReady ? 200 : 503).end());
  await new Promise<void>((resolve) => health.listen(0, '127.0.0.1', resolve));
  ended.push(
    () => health.close(),
    () => program.kill(),
  );
  return {
    port,
    health: (health.address() as AddressInfo).port,
    program,
    terminate: () => {
      isReady = false;
    },
    processes: () => [program.pid, ...childrenOf(program.pid)],
  };
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

async function said(port: number): Promise<string> {
  const { socket, said: words } = await answer(port);
  socket.destroy();
  return words;
}

/** Two pods, and the balancer in front of them. */
async function twoPods() {
  const backend: { server: Server; port: number } = await named('team-a');
  ended.push(() => backend.server.close());
  const [one, other, port] = await freePorts(3);
  const pods = [await startPod(`pod-${one}`, one, backend.port), await startPod(`pod-${other}`, other, backend.port)];
  const file = join(folder, `balancer-${port}.cfg`);
  const check = `inter ${INTERVAL} fall ${FAILURES} rise 1`;
  writeFileSync(
    file,
    [
      'defaults',
      '  mode tcp',
      '  timeout connect 2s',
      '  timeout client 1h',
      '  timeout server 1h',
      '  retries 0',
      'listen balancer',
      `  bind 127.0.0.1:${port}`,
      '  option httpchk',
      ...pods.map((pod, i) => `  server pod-${i} 127.0.0.1:${pod.port} check port ${pod.health} ${check}`),
      '',
    ].join('\n'),
  );
  const balancer = await Program.start({
    name: `balancer-${port}`,
    command: HAPROXY,
    args: ['-db', '-f', file],
    folder,
    isReady: async () => (await said(port)) !== '',
  });
  ended.push(() => balancer.kill());
  return { pods, port };
}

/** Connections that stay open, and how many of them were closed by the other side. */
async function hold(port: number) {
  const answers: Answer[] = await Promise.all(Array.from({ length: HELD }, () => answer(port)));
  expect(answers.filter((each) => each.said === 'team-a')).toHaveLength(HELD);
  const closed = new Set<Answer>();
  for (const each of answers) {
    each.socket.setTimeout(0).resume();
    each.socket.on('error', () => undefined).once('close', () => closed.add(each));
    each.socket.once('end', () => closed.add(each));
  }
  const close = () => {
    for (const { socket } of answers) {
      socket.removeAllListeners('close').destroy();
    }
  };
  ended.push(close);
  return { closed, close };
}

/** Clients that come all the time, and those of them that were not served. */
function load(port: number) {
  const began = performance.now();
  const lost: number[] = [];
  let count = 0;
  let isOver = false;
  const now = () => performance.now() - began;
  const running = (async () => {
    while (!isOver) {
      const at = now();
      count++;
      void said(port).then((words) => words === 'team-a' || lost.push(at));
      await pause(20);
    }
  })();
  return {
    lost,
    now,
    stop: async () => {
      isOver = true;
      await running;
      await pause(2500);
      return count;
    },
  };
}

/** The hook of the chart's values, run by a shell that finds the processes of one pod alone. */
function preStop(pod: Pod, name: string): Promise<void> {
  const proxies = { minDrainTime: Duration.seconds(LEAST), drainTime: Duration.seconds(WHOLE) };
  const { command } = new HaproxyIngress({ proxies }).helmValues.controller.lifecycle.preStop.exec;
  const programs = join(folder, name);
  mkdirSync(programs);
  const pidof = join(programs, 'pidof');
  writeFileSync(pidof, `#!/bin/sh\necho ${pod.processes().join(' ')}\n`);
  chmodSync(pidof, 0o755);
  const [shell, ...args] = command as string[];
  const child = spawn(shell, args, { env: { PATH: `${programs}:${process.env.PATH}` }, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

test('by itself, a pod that is to go cuts what it has, and refuses what comes', async () => {
  const { pods, port } = await twoPods();
  const { closed } = await hold(port);
  const clients = load(port);
  await pause(500);
  pods[0].terminate();
  // what becomes of SIGUSR1, by which the image is ended
  process.kill(pods[0].program.pid, 'SIGTERM');
  await pause(NOTICED + SLACK);
  const count = await clients.stop();
  process.stdout.write(`by itself: ${closed.size} of ${HELD} held and ${clients.lost.length} of ${count} new lost\n`);
  expect(closed.size).toBe(HELD / 2);
  expect(clients.lost.length).toBeGreaterThan(0);
});

test('with the values of the chart it loses none, and goes when its clients have gone', async () => {
  const { pods, port } = await twoPods();
  const { closed, close } = await hold(port);
  const clients = load(port);
  await pause(500);
  pods[0].terminate();
  const began = clients.now();
  const hook = preStop(pods[0], 'soft-stop');
  await pause(LEAST * 1000 + SLACK);
  // no one can come any more, and all who were there are
  expect(await said(pods[0].port)).toBe('');
  expect(closed.size).toBe(0);
  close();
  await hook;
  const seconds = (clients.now() - began) / 1000;
  await until('HAProxy to have ended', () => !pods[0].program.isRunning);
  const count = await clients.stop();
  process.stdout.write(
    `soft stop: 0 of ${HELD} held and ${clients.lost.length} of ${count} new lost; gone after ${seconds.toFixed(1)} s\n`,
  );
  expect(clients.lost).toEqual([]);
  expect(count).toBeGreaterThan(200);
  expect(seconds).toBeLessThan(WHOLE);
});

test('clients that stay are waited for until the drain time is over', async () => {
  const { pods, port } = await twoPods();
  const { closed } = await hold(port);
  pods[0].terminate();
  const began = performance.now();
  await preStop(pods[0], 'patient');
  const seconds = (performance.now() - began) / 1000;
  expect(closed.size).toBe(0);
  expect(seconds).toBeGreaterThanOrEqual(WHOLE - 1);
  expect(seconds).toBeLessThan(WHOLE + 3);
});

test('a pod that is lost takes its own connections with it, and new ones succeed when the balancer has noticed', async () => {
  const { pods, port } = await twoPods();
  const { closed } = await hold(port);
  const clients = load(port);
  await pause(500);
  for (const pid of pods[0].processes()) {
    process.kill(pid, 'SIGKILL');
  }
  pods[0].terminate();
  const moment = clients.now();
  await pause(NOTICED + SLACK + 2000);
  const count = await clients.stop();
  const last = Math.max(...clients.lost) - moment;
  process.stdout.write(
    `lost: ${closed.size} of ${HELD} held and ${clients.lost.length} of ${count} new lost, the last began ${Math.round(last)} ms after\n`,
  );
  expect(closed.size).toBe(HELD / 2);
  expect(clients.lost.length).toBeGreaterThan(0);
  expect(last).toBeLessThan(NOTICED + SLACK);
});
