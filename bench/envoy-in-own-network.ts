import { createServer, type Server } from 'node:net';
import { parseArgs } from 'node:util';
import { MetalLb } from '../src/controllers';
import { answerOf, connectTo } from '../test/envoy/harness/client';
import { Engine } from '../test/envoy/harness/engine';
import { type Envoy, resourceVersions } from '../test/envoy/harness/envoy';
import { Delivery, sharedApp } from '../test/envoy/harness/tenants';
import { pause, until } from '../test/real/program';

import { envoyByHand, GATEWAY_BUFFER } from './envoy-by-hand';

const ALTERNATIONS = 9;
/** How much more may be moved by hand, and how much earlier it may answer. */
const LIMITS = { throughput: 1.05, latency: 1.15 };
/** Both take turns so often in each alternation, since a busy machine changes from one second to the next. */
const TURNS = 4;
/** How long one turn of the throughput takes, in ms. */
const SAMPLE = 500;
const CONNECTIONS = 1000;
const STREAMS = 8;
const PORT = 5432;

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const quantile = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A server that sends as much as it is taken, to whoever has said something. */
function flooding(address: string, port: number): Promise<Server> {
  const chunk = Buffer.alloc(256 * 1024);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // until the other side is slower
      }
    };
    socket.once('data', () => socket.on('drain', fill) && fill());
    socket.write('ready\n');
  });
  return new Promise((resolve) => server.listen(port, address, () => resolve(server)));
}

interface Moved {
  readonly bytes: number;
  /** In ms. */
  readonly time: number;
  /** How long Envoy ran on a processor meanwhile, in ms. */
  readonly processor: number;
}

/** What is moved over some connections. */
async function throughput(envoy: Envoy): Promise<Moved> {
  const host = envoy.address;
  const connections = await Promise.all(Array.from({ length: STREAMS }, () => connectTo({ host, port: PORT })));
  let bytes = 0;
  for (const { socket } of connections) {
    socket.on('error', () => undefined).on('data', (data) => (bytes += data.length));
    socket.write('go\n');
  }
  await pause(200);
  const [before, begin, ran] = [bytes, performance.now(), envoy.processorTime];
  await pause(SAMPLE);
  const moved = { bytes: bytes - before, time: performance.now() - begin, processor: envoy.processorTime - ran };
  for (const { socket } of connections) socket.destroy();
  await pause(100);
  return moved;
}

/** How long some connections wait for their first words, in ms, a few at once. */
async function waits(host: string): Promise<number[]> {
  const times: number[] = [];
  let left = CONNECTIONS / TURNS;
  const one = async () => {
    while (left-- > 0) {
      const { socket, said, milliseconds } = await connectTo({ host, port: PORT });
      if (said !== 'ready') {
        throw new Error(`a connection was not served: ${said}`);
      }
      times.push(milliseconds);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
  return times;
}

/** Sums of what one of them did in a round. */
interface Round {
  readonly moved: Moved;
  readonly waited: readonly number[];
}

async function roundOf(envoys: readonly Envoy[]): Promise<Map<Envoy, Round>> {
  const rounds = new Map<Envoy, Round>(
    envoys.map((envoy) => [envoy, { moved: { bytes: 0, time: 0, processor: 0 }, waited: [] }]),
  );
  for (let turn = 0; turn < TURNS; turn++) {
    for (const envoy of envoys) {
      const { moved, waited } = rounds.get(envoy) as Round;
      const { bytes, time, processor } = await throughput(envoy);
      const sum = { bytes: moved.bytes + bytes, time: moved.time + time, processor: moved.processor + processor };
      rounds.set(envoy, { moved: sum, waited: [...waited, ...(await waits(envoy.address))] });
    }
  }
  return rounds;
}

const perSecond = ({ moved }: Round) => (moved.bytes / moved.time) * 1000;
const perProcessorSecond = ({ moved }: Round) => (moved.bytes / moved.processor) * 1000;
const p99 = ({ waited }: Round) => quantile(waited, 0.99);

function inWords(round: Round): string {
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  return `${megabytes(perSecond(round))} MiB/s, ${megabytes(perProcessorSecond(round))} MiB for a second of processor, p99 ${p99(round).toFixed(1)} ms`;
}

/**
 * All have one route to one server, ours with what the library writes for a tenant with a limit and source ranges. What a second of
 * processor moves is compared, since that is what limits a proxy, and other programs of the machine change it least.
 */
async function contest(): Promise<boolean> {
  const engine = await Engine.start({ behaviour: () => ({ ports: [] }) });
  const servers: Server[] = [];
  try {
    const tenants = [
      { name: 'team-a', ports: [{ port: PORT }], maxConnections: 10_000, sourceRanges: ['10.0.0.0/8'] },
      { name: 'team-b', ports: [{ port: 6379 }] },
    ];
    await new Delivery(engine).deliver(sharedApp({ tenants, replicas: 1 }));
    const pod = await until('the pod', () =>
      [...engine.kubelet.apps.values()].find(({ name }) => name.startsWith('team-a/')),
    );
    servers.push(await flooding(pod.address, PORT));
    const [ours] = await engine.envoys('shared', 1);
    const backend = { address: pod.address, port: PORT };
    const same = await envoyByHand(engine, { name: 'by-hand', backend, buffer: GATEWAY_BUFFER });
    const large = await envoyByHand(engine, { name: 'by-hand-large', backend });
    const names = new Map([
      [ours, 'ours'],
      [same, 'by hand'],
      [large, 'by hand with buffers of Envoy'],
    ]);
    for (const { address: host } of names.keys()) {
      await until('an answer', async () => (await answerOf({ host, port: PORT })) === 'ready');
    }
    const ratios: Record<'throughput' | 'latency' | 'seen' | 'large', number[]> = {
      ...{ throughput: [], latency: [], seen: [], large: [] },
    };
    for (let round = 1; round <= ALTERNATIONS; round++) {
      const rounds = await roundOf(round % 2 ? [ours, same, large] : [large, same, ours]);
      const [a, b, c] = [ours, same, large].map((envoy) => rounds.get(envoy) as Round);
      ratios.throughput.push(perProcessorSecond(b) / perProcessorSecond(a));
      ratios.seen.push(perSecond(b) / perSecond(a));
      ratios.large.push(perProcessorSecond(c) / perProcessorSecond(a));
      ratios.latency.push(p99(a) / p99(b));
      for (const [envoy, name] of names) say(`round ${round}, ${name}: ${inWords(rounds.get(envoy) as Round)}`);
    }
    const [rate, time, seen, buffers] = ['throughput', 'latency', 'seen', 'large'].map((name) =>
      median(ratios[name as keyof typeof ratios]),
    );
    const isGood = rate <= LIMITS.throughput && time <= LIMITS.latency;
    say(
      `by hand ${rate.toFixed(3)} x our bytes for a second of processor (at most ${LIMITS.throughput}; ${seen.toFixed(3)} x by the clock, and ${buffers.toFixed(3)} x with buffers of 1 MiB)`,
    );
    say(
      `our p99 of ${CONNECTIONS} connections ${time.toFixed(3)} x that by hand (at most ${LIMITS.latency}): ${isGood ? 'good' : 'TOO SLOW'}`,
    );
    return isGood;
  } finally {
    for (const server of servers) server.close();
    await engine.stop();
  }
}

/** Many tenants at two proxies: until all are served, and what is written after that. */
async function scale(count = 200, each = 10): Promise<boolean> {
  const engine = await Engine.start();
  try {
    const tenants = Array.from({ length: count }, (_, tenant) => ({
      name: `tenant-${tenant}`,
      ports: Array.from({ length: each }, (_unused, port) => ({ port: 20_000 + tenant * each + port })),
      maxConnections: 400,
    }));
    const objects = sharedApp({ tenants, engineOptions: { controller: MetalLb.layer2() } });
    const begin = performance.now();
    const seconds = () => ((performance.now() - begin) / 1000).toFixed(1);
    await new Delivery(engine).deliver(objects);
    say(`${objects.length} objects applied after ${seconds()} s`);
    const envoys = await engine.envoys('shared', 2);
    let missing = envoys.flatMap(({ address: host }) =>
      tenants.flatMap(({ name, ports }) => ports.map(({ port }) => ({ host, port, name }))),
    );
    await until(
      'all ports',
      async () => {
        const said = await Promise.all(missing.map((target) => answerOf(target)));
        missing = missing.filter(({ name }, i) => !said[i].startsWith(`${name}/`));
        return missing.length === 0;
      },
      { seconds: 900, seen: () => missing.length },
    );
    say(`${count * each} ports are served by both proxies after ${seconds()} s`);
    await until('rest', async () => {
      const before = JSON.stringify(await resourceVersions(engine.api));
      await pause(3000);
      return before === JSON.stringify(await resourceVersions(engine.api));
    });
    say(`rest after ${seconds()} s`);
    const rest = JSON.stringify(await resourceVersions(engine.api));
    await pause(30_000);
    const isGood = rest === JSON.stringify(await resourceVersions(engine.api));
    say(`in the 30 s after that ${isGood ? 'nothing was written: good' : 'objects were WRITTEN'}`);
    return isGood;
  } finally {
    await engine.stop();
  }
}

async function main(): Promise<void> {
  const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
  const parts: Record<string, () => Promise<boolean>> = { contest, scale };
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only === name) {
      process.exitCode = (await part()) ? process.exitCode : 1;
    }
  }
}

void main();
