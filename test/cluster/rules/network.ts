import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { CLIENT, type GeneratedService, NODES } from './generated-cluster';
import { IptablesRules } from './iptables-rules';
import { NftablesRules } from './nftables-rules';
import type { Rules } from './packet';

/** A node, as its kube-proxy knows it. */
export interface ProxiedNode {
  readonly name: string;
  readonly ip: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What every kube-proxy of a cluster watches. */
export interface ProxiedCluster {
  readonly podCIDR: string;
  readonly nodes: readonly ProxiedNode[];
  readonly services: readonly object[];
  readonly endpointSlices: readonly object[];
}

/** What the kube-proxy of one node writes. */
export interface WrittenRules {
  readonly iptables: string;
  readonly nftables: string;
  /** Ready pods on the node by `namespace/name`: health checks of the Service are answered with 503 without one. */
  readonly readyPods: Readonly<Record<string, number>>;
}

export const MODES = ['iptables', 'nftables'] as const;

export type Mode = (typeof MODES)[number];

/** The rules that kube-proxy's own generators write for a cluster, by node. */
export function writtenRules(cluster: ProxiedCluster): Record<string, WrittenRules> {
  const program = process.env.CONTROL_PLANE;
  if (!program) {
    throw new Error('there is no generator of rules: run `npm run test:cluster`, which builds it');
  }
  const input = JSON.stringify(cluster);
  const { status, stdout, stderr } = spawnSync(program, ['rules'], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) {
    throw new Error(`kube-proxy wrote no rules:\n${stderr}`);
  }
  return JSON.parse(stdout);
}

/** The text of a node's rules, to be walked through. */
export function readRules(written: WrittenRules, mode: Mode, node: ProxiedNode): Rules {
  return mode === 'iptables'
    ? new IptablesRules(written.iptables, [node.ip])
    : new NftablesRules(written.nftables, [node.ip]);
}

// Five nodes and a client on one machine: network namespaces of the kernel, joined by a bridge.

type Node = (typeof NODES)[number];

const CLIENT_SIDE = '192.168.10.254';

/** Says to whoever connects which pod it is, and whom that pod sees. */
const POD = `
require('node:net')
  .createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(socket.localAddress + ' ' + socket.remoteAddress);
  })
  .listen(Number(process.argv[1]), '0.0.0.0', () => console.log('listening'));
`;

/** Connects so often, to one node after the other, and prints how often it got each answer. */
const CLIENTS = `
const { connect } = require('node:net');
const [count, port, localAddress, ...nodes] = process.argv.slice(1);
const answers = {};
let next = 0;
const one = () => {
  if (next >= Number(count)) return;
  const host = nodes[next++ % nodes.length];
  let said = '';
  const socket = connect({ host, port: Number(port), localAddress });
  socket.setTimeout(2000, () => socket.destroy());
  socket.on('data', (data) => (said += data));
  socket.on('error', (error) => (said = error.code));
  socket.on('close', () => {
    answers[said || 'nothing'] = (answers[said || 'nothing'] || 0) + 1;
    one();
  });
};
for (let i = 0; i < 50; i++) one();
process.on('exit', () => console.log(JSON.stringify(answers)));
`;

/** What is missing to make namespaces and to load rules in them, in one clause; nothing where all is there. */
export function lackOfRealRules(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'the rights of root on Linux, for network namespaces';
  }
  const probes = {
    'ip, of iproute2': 'ip link show',
    'iptables-restore, of iptables': 'iptables-restore --version',
    'nft, of nftables': 'nft --version',
    'a kernel that makes network namespaces with bridges': 'unshare -n ip link add probe type bridge',
    'a kernel with address translation in iptables': 'unshare -n iptables -t nat -L',
    'a kernel with address translation in nftables':
      "unshare -n nft 'add table ip t; add chain ip t c { type nat hook prerouting priority 0 ; }'",
  };
  return Object.entries(probes).find(([, command]) => {
    try {
      execFileSync('sh', ['-c', command], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  })?.[0];
}

/** How often each pod answered, by its address, and whom the pods saw. */
export interface Counted {
  readonly pods: Readonly<Record<string, number>>;
  readonly seen: ReadonlySet<string>;
}

/** Nodes with pods behind them, and the rules of each loaded into the kernel. */
export class Network {
  private readonly programs: ChildProcess[] = [];
  private readonly prefix = `rules-${process.pid}`;

  public constructor(
    private readonly services: readonly GeneratedService[],
    private readonly written: Record<string, WrittenRules>,
    private readonly mode: Mode,
  ) {}

  /** Makes the namespaces, loads the rules and starts the pods. */
  public async start(): Promise<void> {
    const { prefix } = this;
    const world = `${prefix}-world`;
    const lines = [
      `ip netns add ${world}`,
      `ip -n ${world} link set lo up`,
      `ip -n ${world} link add bridge type bridge`,
      `ip -n ${world} addr add ${CLIENT_SIDE}/24 dev bridge`,
      `ip -n ${world} addr add ${CLIENT}/32 dev lo`,
      `ip -n ${world} link set bridge up`,
      ...NODES.flatMap((node, index) => this.linesOf(node, index + 1)),
    ];
    execFileSync('sh', ['-e'], { input: lines.join('\n'), stdio: ['pipe', 'pipe', 'pipe'] });
    for (const node of NODES) {
      const [command, ...args] = this.mode === 'iptables' ? ['iptables-restore'] : ['nft', '-f', '-'];
      const namespace = `${prefix}-${node.name}`;
      const input = this.written[node.name][this.mode];
      execFileSync('ip', ['netns', 'exec', namespace, command, ...args], { input, stdio: ['pipe', 'pipe', 'pipe'] });
    }
    await Promise.all(NODES.flatMap((node) => this.services.map((service) => this.startPod(node, service))));
  }

  /** Counts connections of a client to the ports of nodes, to one after the other. */
  public count(service: GeneratedService, nodes: readonly Node[], connections: number): Promise<Counted> {
    const [{ nodePort }] = service.ports;
    const args = [String(connections), String(nodePort), CLIENT, ...nodes.map(({ ip }) => ip)];
    const world = ['netns', 'exec', `${this.prefix}-world`, process.execPath, '-e', CLIENTS, ...args];
    return new Promise((resolve, reject) => {
      execFile('ip', world, (error, stdout) => (error ? reject(error) : resolve(countedIn(JSON.parse(stdout)))));
    });
  }

  /** What a command says on a node. */
  public on(node: Node, command: string): string {
    return execFileSync('ip', ['netns', 'exec', `${this.prefix}-${node.name}`, 'bash', '-c', command], {
      encoding: 'utf8',
    });
  }

  /** Ends the pods, and takes everything down. */
  public async stop(): Promise<void> {
    await Promise.all(this.programs.map(ended));
    const names = ['world', ...NODES.flatMap(({ name }) => [name, `${name}-pods`])];
    const lines = names.map((name) => `ip netns del ${this.prefix}-${name} 2>/dev/null || true`);
    execFileSync('sh', { input: lines.join('\n') });
  }

  /** A node on the bridge, and its pods behind it. */
  private linesOf({ name, ip }: Node, number: number): string[] {
    const [world, node, pods] = ['world', name, `${name}-pods`].map((each) => `${this.prefix}-${each}`);
    const others = NODES.map((other, index) => ({ ip: other.ip, pods: `10.244.${index + 1}.0/24` }));
    const addresses = new Set(this.services.flatMap((each) => each.pods.filter((pod) => pod.node === name)));
    return [
      `ip netns add ${node}`,
      `ip netns add ${pods}`,
      `ip -n ${node} link set lo up`,
      `ip -n ${pods} link set lo up`,
      `ip -n ${world} link add node${number} type veth peer name world netns ${node}`,
      `ip -n ${world} link set node${number} master bridge up`,
      `ip -n ${node} addr add ${ip}/24 dev world`,
      `ip -n ${node} link set world up`,
      `ip -n ${node} route add default via ${CLIENT_SIDE}`,
      `ip -n ${node} link add pods type veth peer name eth0 netns ${pods}`,
      `ip -n ${node} addr add 10.244.${number}.254/24 dev pods`,
      `ip -n ${node} link set pods up`,
      `ip -n ${pods} link set eth0 up`,
      ...[...new Set([...addresses].map((pod) => pod.ip))].map((each) => `ip -n ${pods} addr add ${each}/24 dev eth0`),
      // a node without a pod has an address there all the same, for the route
      `ip -n ${pods} addr add 10.244.${number}.253/24 dev eth0`,
      `ip -n ${pods} route add default via 10.244.${number}.254`,
      `ip netns exec ${node} sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'`,
      ...others
        .filter((other) => other.ip !== ip)
        .map((other) => `ip -n ${node} route add ${other.pods} via ${other.ip}`),
    ];
  }

  private startPod(node: Node, { ports }: GeneratedService): Promise<void> {
    const namespace = `${this.prefix}-${node.name}-pods`;
    const args = ['netns', 'exec', namespace, process.execPath, '-e', POD, String(ports[0].targetPort)];
    const program = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.programs.push(program);
    return new Promise((resolve, reject) => {
      program.stdout?.once('data', () => resolve());
      program.once('exit', (code) => reject(new Error(`a pod on ${node.name} ended with ${code}`)));
    });
  }
}

function countedIn(answers: Record<string, number>): Counted {
  const pods: Record<string, number> = {};
  const seen = new Set<string>();
  for (const [answer, count] of Object.entries(answers)) {
    const [pod, client = ''] = answer.split(' ');
    pods[pod] = (pods[pod] ?? 0) + count;
    seen.add(client);
  }
  return { pods, seen };
}

function ended(program: ChildProcess): Promise<unknown> {
  program.removeAllListeners('exit');
  if (program.exitCode !== null || program.signalCode !== null) {
    return Promise.resolve();
  }
  const end = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGKILL');
  return end;
}
