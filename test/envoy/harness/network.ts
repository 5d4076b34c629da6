import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Api, Body } from '../../real/api';
import { Program, pause } from '../../real/program';

// One machine plays a cluster: all programs of a run are in a network of their own, and each pod with programs in it in another,
// joined to it by a cable.

/** Set where a process is in a network of its own: whatever is done to interfaces then is done to no machine's. */
export const OWN_NETWORK = 'OWN_NETWORK';

/** Addresses that are this machine's own in the network of the run: it may listen at, and connect from, each of them. */
export const LOCAL_RANGES = {
  /** Pods whose programs are servers in the process of the tests. */
  pods: '10.61.0.0/16',
  /** Balancers, which are models. */
  balancers: '10.62.0.0/16',
  /** What Envoy Gateway's own Service has for an address. */
  services: '10.63.0.0/16',
  /** Clients. */
  clients: ['10.0.0.0/16', '10.8.0.0/16', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
} as const;

/** Where Envoy Gateway is reached by the proxies. */
export const ENVOY_GATEWAY_ADDRESS = '10.63.0.1';

/** Where the administration of a proxy is reached, which listens on the loopback interface of its pod alone. */
export const ADMIN_RELAY_PORT = 19_009;

/** Whether a command of the shell succeeds. */
function succeeds(command: string): boolean {
  try {
    execFileSync('sh', ['-c', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The command that runs another one, whose arguments follow, in a network of its own: as root, or as root of its own users. */
export function inOwnNetwork(): string[] {
  const own = ['--net', '--mount'];
  return ['unshare', ...(succeeds(`unshare ${own.join(' ')} true`) ? own : ['--user', '--map-root-user', ...own])];
}

/** What is missing to make networks, in one clause; nothing where all is there. */
export function lackOfOwnNetwork(): string | undefined {
  if (process.platform !== 'linux') {
    return 'Linux, for network namespaces';
  }
  const probes = {
    'ip, of iproute2': 'ip -V',
    'unshare, nsenter and setpriv, of util-linux': 'unshare -V && nsenter -V && setpriv -V',
    'a kernel that lets this user make network and mount namespaces with cables between them': [
      ...inOwnNetwork(),
      'sh -c "ip link add probe type veth peer name eborp && mount -t tmpfs tmpfs /mnt"',
    ].join(' '),
  };
  return Object.entries(probes).find(([, command]) => !succeeds(command))?.[0];
}

function ip(...lines: string[]): void {
  execFileSync('ip', ['-force', '-batch', '-'], { input: lines.join('\n'), stdio: ['pipe', 'ignore', 'pipe'] });
}

/** Makes the addresses of a run local. */
export function prepareNetwork(): void {
  if (process.env[OWN_NETWORK] !== '1') {
    throw new Error(
      'these tests change the interfaces of a network: run `npm run test:envoy`, which makes one for them',
    );
  }
  const { clients, ...others } = LOCAL_RANGES;
  ip('link set lo up', ...[...Object.values(others), ...clients].map((range) => `route replace local ${range} dev lo`));
}

/** Keeps the network of a pod, and leads from its address to the administration of its proxy. */
const KEEPER = `
const { connect, createServer } = require('node:net');
process.stdin.resume().on('end', () => process.exit());
createServer((socket) => {
  const admin = connect(19000, '127.0.0.1');
  for (const [one, other] of [[socket, admin], [admin, socket]]) {
    one.on('error', () => undefined).on('close', () => other.destroy()).pipe(other);
  }
}).listen(${ADMIN_RELAY_PORT}, '0.0.0.0', () => console.log('keeping'));
`;

/** The network of a pod: it stays while programs in it come and go. */
export class PodNetwork {
  private static made = 0;

  public static async make(name: string, folder: string): Promise<PodNetwork> {
    const number = PodNetwork.made++;
    const [third, fourth] = [number >> 6, (number & 63) * 4];
    const [gateway, address] = [1, 2].map((last) => `10.60.${third}.${fourth + last}`);
    const keeper = await Program.start({
      name: `network-of-${name}`,
      command: 'unshare',
      args: ['--net', process.execPath, '-e', KEEPER],
      folder,
      isReady: ({ log }) => log.includes('keeping'),
    });
    const network = new PodNetwork(address, keeper);
    const cable = `pod${number}`;
    ip(
      `link add ${cable} type veth peer name eth0 netns ${keeper.pid}`,
      `addr add ${gateway}/30 dev ${cable}`,
      `link set ${cable} up`,
    );
    network.ip(
      'link set lo up',
      `addr add ${address}/30 dev eth0`,
      'link set eth0 up',
      `route add default via ${gateway}`,
    );
    return network;
  }

  private constructor(
    public readonly address: string,
    private readonly keeper: Program,
  ) {}

  /** The command that runs another one, whose arguments follow, in this network. */
  public get inside(): string[] {
    return ['nsenter', `--net=/proc/${this.keeper.pid}/ns/net`];
  }

  /** Pulls the cable out, or puts it in: what is on its way is lost, and nobody is told. */
  public plug(isIn: boolean): void {
    this.ip(`link set eth0 ${isIn ? 'up' : 'down'}`);
    if (isIn) {
      const gateway = this.address.replace(/\d+$/, (last) => String(Number(last) - 1));
      this.ip(`route replace default via ${gateway}`);
    }
  }

  public async end(): Promise<void> {
    await this.keeper.kill();
  }

  private ip(...lines: string[]): void {
    const [command, ...args] = this.inside;
    execFileSync(command, [...args, 'ip', '-batch', '-'], {
      input: lines.join('\n'),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
  }
}

/** The script that lays files over those of this machine. */
export const IN_CONTAINER = join(__dirname, 'in-container.sh');

/** Programs by what a container calls them: files of this machine. */
export type Programs = Readonly<Record<string, string>>;

const DONE = 0;
/** What Linux counts the time of processes in, in ms. */
const TICK = 10;

/** Writes what the volumes of a pod hold; returns where each lies, by the name of the volume. */
export async function volumesOf(api: Api, pod: Body, folder: string): Promise<Record<string, string>> {
  const { namespace } = pod.metadata;
  const folders: Record<string, string> = {};
  for (const { name, secret, configMap } of pod.spec.volumes ?? []) {
    folders[name] = join(folder, name);
    mkdirSync(folders[name], { recursive: true });
    if (secret || configMap) {
      const kind = secret ? 'Secret' : 'ConfigMap';
      const metadata = { name: secret?.secretName ?? configMap.name, namespace };
      const { data = {} } = await api.get({ apiVersion: 'v1', kind, metadata });
      const names = new Map<string, string>(
        (secret ?? configMap).items?.map(({ key, path }: Body) => [key, path]) ??
          Object.keys(data).map((key) => [key, key]),
      );
      for (const [key, path] of names) {
        writeFileSync(join(folders[name], path), Buffer.from(data[key], secret ? 'base64' : 'utf8'));
      }
    }
  }
  return folders;
}

/** The variables of a container. */
function environmentOf(container: Body, pod: Body): Record<string, string> {
  const fields: Record<string, string | undefined> = {
    'metadata.name': pod.metadata.name,
    'metadata.namespace': pod.metadata.namespace,
    'spec.nodeName': pod.spec.nodeName,
  };
  const textOf = ({ value, valueFrom }: Body) => value ?? fields[valueFrom?.fieldRef?.fieldPath] ?? '';
  return Object.fromEntries((container.env ?? []).map((each: Body) => [each.name, textOf(each)]));
}

/** Replaces `$(NAME)`, as a kubelet does: a name that is not known stays. */
function expanded(text: string, variables: Record<string, string>): string {
  return text.replace(/\$\((\w+)\)/g, (whole, name) => variables[name] ?? whole);
}

export interface ContainerProps {
  readonly pod: Body;
  readonly container: Body;
  readonly network: PodNetwork;
  readonly folder: string;
  readonly volumes: Record<string, string>;
  readonly programs: Programs;
  /** Files that lie in /etc of the container. */
  readonly etc: string;
}

/** A container of a pod whose program is a real one: with the command, arguments, variables and files that the pod has. */
export class Container {
  public readonly name: string;
  private running?: Program;

  public constructor(private readonly props: ContainerProps) {
    this.name = props.container.name;
  }

  public get isRunning(): boolean {
    return this.running?.isRunning ?? false;
  }

  public get log(): string {
    return this.running?.log ?? '';
  }

  /** How long the program ran on a processor, in ms. */
  public get processorTime(): number {
    const fields = readFileSync(`/proc/${this.running?.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  }

  public async start(): Promise<void> {
    const { pod, container, network, folder, volumes, etc } = this.props;
    const env = environmentOf(container, pod);
    const [command, ...args] = [...container.command, ...(container.args ?? [])].map((each) => expanded(each, env));
    const root = join(folder, `root-of-${this.name}`);
    mkdirSync(root, { recursive: true });
    const mounts = (container.volumeMounts ?? []).map((each: Body) => `${volumes[each.name]}=${each.mountPath}`);
    const files = [...Object.entries(this.props.programs).map(([name, file]) => `${file}=/programs/${name}`)];
    const [first, ...inside] = network.inside;
    this.running = await Program.start({
      name: `${pod.metadata.name}-${this.name}`,
      command: first,
      args: [
        ...[...inside, 'unshare', '--mount', IN_CONTAINER, root],
        ...[...mounts, ...files, ...readdirSync(etc).map((name) => `${join(etc, name)}=/etc/${name}`), '--'],
        ...[`/programs/${command}`, ...args],
      ],
      folder,
      env,
      isReady: () => true,
    });
  }

  /** Runs a command beside the program, and waits for its end. */
  public async execute(command: readonly string[]): Promise<boolean> {
    const { pid } = this.running ?? {};
    if (!pid || !this.isRunning) {
      return false;
    }
    const [name, ...args] = command;
    const child = spawn('nsenter', [
      ...['--target', String(pid), '--net', '--mount', '--root', '--wd=/'],
      ...[`/programs/${name}`, ...args],
    ]);
    return new Promise((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === DONE));
    });
  }

  /** SIGTERM, and SIGKILL when the time is over. */
  public async stop(seconds: number): Promise<void> {
    await this.running?.stop(seconds * 1000);
  }

  public async kill(): Promise<void> {
    await this.running?.kill();
  }
}

export interface NodePortsProps {
  readonly api: Api;
  readonly namespace: string;
  readonly service: string;
  /** Nodes by name, with their addresses. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly nodePort: number;
  readonly healthCheckNodePort: number;
}

/** How often the slices are read, in ms: as rarely as kube-proxy writes its rules. */
const INTERVAL = 1000;

/**
 * A model of kube-proxy on each node, for one Service with policy Local: connections to the node port go to a pod of the node that is
 * ready, and where it has none to one in termination that still serves; else they are dropped. The health check node port counts
 * ready ones alone. What pods there are is what the real EndpointSlices say.
 */
export class NodePorts {
  public static async start(props: NodePortsProps): Promise<NodePorts> {
    const ports = new NodePorts(props);
    await Promise.all(Object.keys(props.nodes).map((node) => ports.open(node)));
    await ports.read();
    ports.loop = ports.run();
    return ports;
  }

  /** The health check servers of nodes that are there. */
  private readonly health = new Map<string, Server>();
  /** What listens at the node port, where there is a pod to go to: elsewhere connections are refused. */
  private readonly traffic = new Map<string, Server>();
  private readonly sockets = new Map<string, Set<Socket>>();
  private endpoints: Body[] = [];
  private isOver = false;
  private loop?: Promise<void>;
  private turn = 0;

  private constructor(private readonly props: NodePortsProps) {}

  /** The node is gone, with what passes through it. */
  public async remove(node: string): Promise<void> {
    const servers = [this.health.get(node), this.traffic.get(node)];
    this.health.delete(node);
    this.traffic.delete(node);
    for (const socket of this.sockets.get(node) ?? []) socket.destroy();
    await Promise.all(servers.map((server) => server && new Promise<void>((resolve) => server.close(() => resolve()))));
  }

  public async stop(): Promise<void> {
    this.isOver = true;
    await this.loop;
    await Promise.all([...this.health.keys()].map((node) => this.remove(node)));
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      await this.read();
      await pause(INTERVAL);
    }
  }

  private async read(): Promise<void> {
    const { namespace, service } = this.props;
    const slices: Body = await this.props.api.call(
      'GET',
      `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=kubernetes.io/service-name=${service}`,
    );
    this.endpoints = slices.items.flatMap(({ endpoints, ports }: Body) =>
      (endpoints ?? []).map((each: Body) => ({ ...each, port: ports?.[0]?.port })),
    );
    await Promise.all([...this.health.keys()].map((node) => this.follow(node)));
  }

  /** Listens at the node port as long as the node has somewhere to send connections. */
  private async follow(node: string): Promise<void> {
    const present = this.traffic.get(node);
    const hasPods = this.podsOf(node).length > 0;
    if (present && !hasPods) {
      this.traffic.delete(node);
      present.close();
    } else if (!present && hasPods) {
      const sockets = this.sockets.get(node) as Set<Socket>;
      const traffic = createServer((client) => {
        keep(sockets, client);
        this.pass(node, client, sockets);
      });
      this.traffic.set(node, traffic);
      await listen(traffic, this.props.nodes[node], this.props.nodePort);
    }
  }

  /** Where connections of a node go: to pods in termination only where there is no other. */
  private podsOf(node: string): Body[] {
    const ready = this.of(node, isReady);
    return ready.length > 0 ? ready : this.of(node, servesInTermination);
  }

  private of(node: string, fits: (conditions: Body) => boolean): Body[] {
    return this.endpoints.filter(({ nodeName, conditions }) => nodeName === node && fits(conditions ?? {}));
  }

  private async open(node: string): Promise<void> {
    const host = this.props.nodes[node];
    const sockets = new Set<Socket>();
    this.sockets.set(node, sockets);
    const health = createHttpServer((_, response) => {
      response.writeHead(this.of(node, isReady).length > 0 ? 200 : 503).end();
    });
    health.on('connection', (socket) => keep(sockets, socket));
    this.health.set(node, health);
    await listen(health, host, this.props.healthCheckNodePort);
  }

  private pass(node: string, client: Socket, sockets: Set<Socket>): void {
    const pods = this.podsOf(node);
    const pod = pods[this.turn++ % Math.max(pods.length, 1)];
    if (!pod) {
      client.destroy();
      return;
    }
    const server = connect({ host: pod.addresses[0], port: pod.port });
    keep(sockets, server);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ]) {
      one.on('error', () => other.destroy()).once('close', () => other.destroy());
    }
    client.pipe(server).pipe(client);
  }
}

const isReady = ({ ready }: Body): boolean => ready !== false;
const servesInTermination = ({ serving, terminating }: Body): boolean => serving === true && terminating === true;

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 4096 }, () => resolve());
  });
}
