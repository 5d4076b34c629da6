import { mkdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { type Api, ApiRefusal, type Body, type Ref } from '../../real/api';
import { pause } from '../../real/program';
import { Envoy } from './envoy';
import { Container, PodNetwork, type Programs, volumesOf } from './network';

/** How often it looks, in ms: real kubelets are told at once, and look at probes as often as these say. */
const INTERVAL = 100;

const NEVER = new Promise<never>(() => undefined);

export interface KubeletProps {
  readonly api: Api;
  readonly folder: string;
  /** What containers run, by the command that they have. */
  readonly programs: Programs;
  /** Files that lie in /etc of every container. */
  readonly etc: string;
  readonly nodes: readonly string[];
  /** What the program of a pod of a tenant does. @default - it listens at the ports of its containers */
  readonly behaviour?: (pod: Body) => AppBehaviour | undefined;
}

/** A pod that runs. */
interface Running {
  readonly address: string;
  isReady(): Promise<boolean>;
  /** Ends it in its own time. */
  end(seconds: number): Promise<void>;
  kill(): Promise<void>;
  wasReady?: boolean;
  isEnding?: boolean;
}

/**
 * A model of scheduler and kubelets: gives each pod to the node that has the fewest, runs it, says its address and whether
 * it is ready, and ends it with its hooks. Containers of Envoy Gateway run as they are; those of tenants are played.
 */
export class Kubelet {
  public readonly envoys = new Map<string, Envoy>();
  public readonly apps = new Map<string, AppPod>();
  private readonly running = new Map<string, Running>();
  private readonly cordoned = new Set<string>();
  private readonly over = new AbortController();
  private loop?: Promise<void>;
  private appsMade = 0;
  private failure?: Error;

  public constructor(private readonly props: KubeletProps) {}

  public start(): void {
    this.loop = this.run();
  }

  /** Ends everything at once. */
  public async stop(): Promise<void> {
    this.over.abort();
    await this.loop;
    await Promise.all([...this.running.values()].map((each) => each.kill()));
    if (this.failure) {
      throw this.failure;
    }
  }

  /** Gives no more pods to a node. */
  public cordon(node: string): void {
    this.cordoned.add(node);
  }

  public uncordon(node: string): void {
    this.cordoned.delete(node);
  }

  private async run(): Promise<void> {
    while (!this.over.signal.aborted) {
      try {
        await this.look();
      } catch (error) {
        this.failure ??= error as Error;
        process.stderr.write(`the model of a kubelet: ${(error as Error).stack}\n`);
      }
      await pause(INTERVAL);
    }
  }

  private async look(): Promise<void> {
    const { items }: Body = await this.props.api.call('GET', '/api/v1/pods');
    const there = new Set(items.map(({ metadata }: Body) => metadata.uid));
    for (const [uid, running] of this.running) {
      if (!there.has(uid)) {
        this.forget(uid);
        void running.kill();
      }
    }
    for (const pod of items as Body[]) {
      await this.lookAt(pod, items);
    }
  }

  private async lookAt(pod: Body, all: readonly Body[]): Promise<void> {
    const { uid, deletionTimestamp } = pod.metadata;
    const running = this.running.get(uid);
    if (deletionTimestamp && running) {
      if (!running.isEnding) {
        running.isEnding = true;
        void this.end(pod, running).catch((error) => {
          this.failure ??= error;
        });
      }
      await this.report(pod, running);
      return;
    }
    if (!running && !deletionTimestamp) {
      const node = pod.spec.nodeName ?? (await this.schedule(pod, all));
      if (node !== undefined) {
        this.running.set(uid, await this.begin({ ...pod, spec: { ...pod.spec, nodeName: node } }));
      }
    }
    const now = this.running.get(uid);
    if (now) {
      await this.report(pod, now);
    }
  }

  /** The node with the fewest pods of the same kind that takes some. */
  private async schedule(pod: Body, all: readonly Body[]): Promise<string | undefined> {
    const kindOf = ({ metadata }: Body) => JSON.stringify([metadata.namespace, metadata.ownerReferences?.[0]?.uid]);
    const alike = all.filter((each) => kindOf(each) === kindOf(pod));
    const count = (node: string) => alike.filter(({ spec }) => spec.nodeName === node).length;
    const [node] = this.props.nodes.filter((each) => !this.cordoned.has(each)).sort((a, b) => count(a) - count(b));
    if (node !== undefined) {
      const { name, namespace } = pod.metadata;
      await this.props.api.call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      });
      pod.spec.nodeName = node;
    }
    return node;
  }

  private begin(pod: Body): Promise<Running> {
    const isReal = pod.spec.containers.every(({ command }: Body) => this.props.programs[command?.[0]]);
    return isReal ? this.beginReal(pod) : this.beginApp(pod);
  }

  private async beginReal(pod: Body): Promise<Running> {
    const { api, programs, etc } = this.props;
    const { name } = pod.metadata;
    const folder = join(this.props.folder, name);
    mkdirSync(folder, { recursive: true });
    const network = await PodNetwork.make(name, folder);
    const volumes = await volumesOf(api, pod, folder);
    const containers = (pod.spec.containers as Body[]).map(
      (container) => new Container({ pod, container, network, folder, volumes, programs, etc }),
    );
    await Promise.all(containers.map((each) => each.start()));
    const envoy = new Envoy(pod, network, containers);
    this.envoys.set(name, envoy);
    const specOf = (container: Container): Body =>
      pod.spec.containers.find((each: Body) => each.name === container.name);
    return {
      address: network.address,
      isReady: () => envoy.isReady(),
      end: async (seconds) => {
        const one = async (container: Container) => {
          const isDone = runHook(specOf(container), container, network.address);
          await this.within(seconds, isDone);
          await container.stop(1);
        };
        await Promise.all(containers.map(one));
        await network.end();
      },
      kill: async () => {
        await Promise.all(containers.map((each) => each.kill()));
        await network.end();
      },
    };
  }

  private async beginApp(pod: Body): Promise<Running> {
    const { name, namespace } = pod.metadata;
    const number = this.appsMade++;
    const address = `10.61.${Math.floor(number / 250)}.${1 + (number % 250)}`;
    const own = (pod.spec.containers as Body[]).flatMap(({ ports = [] }) =>
      ports.map((each: Body) => each.containerPort),
    );
    const key = `${namespace}/${name}`;
    const app = await AppPod.start(key, address, this.props.behaviour?.(pod) ?? { ports: own });
    this.apps.set(key, app);
    let serves = true;
    return {
      address,
      isReady: async () => serves,
      end: async (seconds) => {
        const hooks = (pod.spec.containers as Body[]).map((each) => sleepIn(each) ?? 0);
        await this.within(Math.min(seconds, Math.max(...hooks)));
        serves = false;
        await app.stop();
      },
      kill: () => app.stop(),
    };
  }

  private async end(pod: Body, running: Running): Promise<void> {
    const { uid, name, namespace, deletionGracePeriodSeconds = 30 } = pod.metadata;
    await running.end(deletionGracePeriodSeconds);
    if (this.over.signal.aborted) {
      return;
    }
    this.forget(uid);
    await this.props.api
      .call('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
        preconditions: { uid },
      })
      .catch(ignoreGone);
  }

  /** Waits for the end of something, at most for so many seconds, and not longer than the kubelet lives. */
  private async within(seconds: number, isDone: Promise<unknown> = NEVER): Promise<void> {
    const { signal } = this.over;
    const enough = new AbortController();
    const timeIsUp = sleep(seconds * 1000, undefined, { signal: AbortSignal.any([signal, enough.signal]) });
    await Promise.race([isDone, timeIsUp.catch(() => undefined)]).finally(() => enough.abort());
  }

  private forget(uid: string): void {
    const address = this.running.get(uid)?.address;
    this.running.delete(uid);
    for (const map of [this.envoys, this.apps] as Map<string, Envoy | AppPod>[]) {
      for (const [key, each] of map) {
        if (each.address === address) {
          map.delete(key);
        }
      }
    }
  }

  /** Writes the status of a pod where it is another than before. */
  private async report(pod: Body, running: Running): Promise<void> {
    const isReady = await running.isReady();
    if (isReady === running.wasReady) {
      return;
    }
    running.wasReady = isReady;
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const status = isReady ? 'True' : 'False';
    const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: type.endsWith('Ready') ? status : 'True',
      lastTransitionTime: now,
    }));
    const { address: podIP } = running;
    const { name, namespace } = pod.metadata;
    const ref: Ref = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } };
    await this.props.api
      .merge(
        ref,
        { status: { phase: 'Running', startTime: now, podIP, podIPs: [{ ip: podIP }], conditions } },
        { as: 'kubelet', subresource: 'status' },
      )
      .catch(ignoreGone);
  }
}

function ignoreGone(error: Error): void {
  if (!(error instanceof ApiRefusal && [404, 409].includes(error.status))) {
    throw error;
  }
}

/** Seconds for which the hook of a container that is played sleeps. */
function sleepIn({ lifecycle }: Body): number | undefined {
  const { exec, sleep } = lifecycle?.preStop ?? {};
  return sleep?.seconds ?? (exec?.command?.[0] === 'sleep' ? Number(exec.command[1]) : undefined);
}

/** What a container does before it is asked to end. */
async function runHook({ lifecycle }: Body, container: Container, address: string): Promise<void> {
  const { exec, httpGet, sleep } = lifecycle?.preStop ?? {};
  if (exec) {
    await container.execute(exec.command);
  } else if (httpGet) {
    await fetch(`http://${address}:${httpGet.port}${httpGet.path}`).catch(() => undefined);
  } else if (sleep) {
    await pause(sleep.seconds * 1000);
  }
}

/** What a model of a workload's program does. */
export interface AppBehaviour {
  readonly ports: readonly number[];
  /** It says nothing before its client has, as servers of PostgreSQL, AMQP and HTTP do, and those of MySQL and SMTP do not. */
  readonly isSilent?: boolean;
  /** It speaks TLS, with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A connection to a workload that is open. */
export interface Served {
  readonly pod: string;
  readonly port: number;
  /** The other side, as the workload sees it. */
  readonly from: string;
  readonly socket: Socket;
}

/**
 * Plays the program of a workload, at the address of its pod: says its namespace, its name and its port to whoever connects, and
 * repeats what it is told.
 */
export class AppPod {
  public static async start(name: string, address: string, behaviour: AppBehaviour): Promise<AppPod> {
    const pod = new AppPod(name, address);
    await Promise.all(behaviour.ports.map((port) => pod.listen(port, behaviour)));
    return pod;
  }

  /** Connections that are open. */
  public readonly served = new Set<Served>();
  /** How many there were. */
  public total = 0;
  private readonly servers: Server[] = [];

  private constructor(
    public readonly name: string,
    public readonly address: string,
  ) {}

  /** Ends it; connections that are open are cut. */
  public async stop(): Promise<void> {
    for (const { socket } of this.served) {
      socket.destroy();
    }
    await Promise.all(this.servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private listen(port: number, { tls, isSilent }: AppBehaviour): Promise<void> {
    const serve = (socket: Socket) => {
      const served: Served = { pod: this.name, port, from: socket.remoteAddress ?? '', socket };
      this.served.add(served);
      this.total++;
      socket.on('error', () => undefined).once('close', () => this.served.delete(served));
      const speak = () => {
        socket.write(`${this.name}:${port}\n`);
        socket.pipe(socket);
      };
      isSilent ? socket.once('readable', speak) : speak();
    };
    const server = tls ? createTlsServer(tls, serve) : createServer(serve);
    server.on('tlsClientError', () => undefined);
    this.servers.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: this.address, backlog: 4096 }, resolve);
    });
  }
}
