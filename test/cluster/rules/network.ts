import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { CLIENT, type GeneratedService, NODES } from './generated-cluster';
import { IptablesRules } from './iptables-rules';
import { NftablesRules } from './nftables-rules';

/** The first packet of a connection, as the kernel of one node sees it. */
export interface Packet {
  /** A pod or a client comes in through an interface of the node; the node itself sends. */
  readonly from: 'outside' | 'pod' | 'host';
  readonly source: string;
  readonly destination: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
}

/** What the rules of a node do to a connection. */
export interface Outcome {
  /** The pod and its port, no rule that changes the destination, or an end. */
  readonly end: string | 'untouched' | 'dropped' | 'refused';
  /** Whether the pod sees the address of the node instead of that of the client. */
  readonly masqueraded: boolean;
}

/** Chooses among alternatives whose probabilities are 1 together. */
export type Choose = (probabilities: readonly number[]) => number;

/** The rules of a node, as a walk through their text. */
export interface Rules {
  /**
   * Walks the chains.
   *
   * @param seen clients that a pod has had, as affinity keeps them: the walk reads it and adds to it
   */
  walk(packet: Packet, choose: Choose, seen?: Set<string>): Outcome;
}

/** What may come of a connection: a result, or a choice among others. */
export type Fate = Outcome | { readonly probabilities: readonly number[]; readonly fates: readonly Fate[] };

/** All that may come of a connection: the walk is taken once for each way through its choices. */
export function fateOf(walk: (choose: Choose) => Outcome, made: readonly number[] = []): Fate {
  let next = 0;
  let open: readonly number[] | undefined;
  const outcome = walk((probabilities) => {
    if (next < made.length) {
      return made[next++];
    }
    open ??= probabilities;
    return 0;
  });
  return open === undefined
    ? outcome
    : { probabilities: open, fates: open.map((_, index) => fateOf(walk, [...made, index])) };
}

/** The exact probability of each end. */
export function chancesOf(fate: Fate, weight = 1, into = new Map<string, number>()): Map<string, number> {
  if ('end' in fate) {
    into.set(fate.end, (into.get(fate.end) ?? 0) + weight);
  } else {
    fate.fates.forEach((each, index) => {
      chancesOf(each, weight * fate.probabilities[index], into);
    });
  }
  return into;
}

/** Every outcome that a connection may have. */
export function outcomesOf(fate: Fate): Outcome[] {
  return 'end' in fate ? [fate] : fate.fates.flatMap(outcomesOf);
}

/** The probabilities by which one way leads on and the other ends, from the first choice to the last: as they stand in the rules. */
export function chainIn(fate: Fate): number[] {
  if ('end' in fate) {
    return [1];
  }
  const [probability] = fate.probabilities;
  return [probability, ...chainIn(fate.fates[fate.fates.length - 1])];
}

/** One of some alternatives, by their probabilities. */
export function oneOf(probabilities: readonly number[], random: () => number): number {
  let rest = random();
  let index = 0;
  while (index < probabilities.length - 1 && rest >= probabilities[index]) {
    rest -= probabilities[index++];
  }
  return index;
}

/** A choice, made ready to be taken many times: a leaf has no alternatives. */
interface Branch {
  readonly leaf: number;
  /** Sums of the probabilities so far. */
  readonly sums: readonly number[];
  readonly to: readonly Branch[];
}

/** How often each end came out of so many connections, each of which one of the fates befalls, all alike. */
export function countsOf(fates: readonly Fate[], connections: number, random: () => number): Map<string, number> {
  const ends: string[] = [];
  const branchOf = (fate: Fate): Branch => {
    if ('end' in fate) {
      return { leaf: ends.push(fate.end) - 1, sums: [], to: [] };
    }
    let sum = 0;
    const sums = fate.probabilities.map((probability) => {
      sum += probability;
      return sum;
    });
    return { leaf: -1, sums, to: fate.fates.map(branchOf) };
  };
  const { floor } = Math; // looked up once: in the sandbox of a test a global costs more than the rest
  const branches = fates.map(branchOf);
  const counts = new Int32Array(ends.length);
  for (let connection = 0; connection < connections; connection++) {
    let branch = branches[floor(random() * branches.length)];
    while (branch.leaf < 0) {
      const at = random();
      let index = 0;
      while (index < branch.to.length - 1 && at >= branch.sums[index]) {
        index++;
      }
      branch = branch.to[index];
    }
    counts[branch.leaf]++;
  }
  const summed = new Map<string, number>();
  counts.forEach((count, leaf) => {
    summed.set(ends[leaf], (summed.get(ends[leaf]) ?? 0) + count);
  });
  return summed;
}

/** A range of IPv4 addresses, read once; without a length it is one address. */
export function rangeOf(range: string): (address: string) => boolean {
  const [base, length = '32'] = range.split('/');
  const first = numberOf(base);
  const size = 2 ** (32 - Number(length));
  return (address) => numberOf(address) >= first && numberOf(address) < first + size;
}

const numbers = new Map<string, number>();

function numberOf(address: string): number {
  const known = numbers.get(address);
  if (known !== undefined) {
    return known;
  }
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  numbers.set(address, number);
  return number;
}

/** Numbers from 0 to 1 that are the same in every run: xorshift of 32 bits. */
export function seeded(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A line in words; what is in quotation marks is one. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
}

/** A part of a rule that the interpreter does not know, which it must not pass over. */
export class UnknownRule extends Error {
  public constructor(word: string, rule: string) {
    super(`"${word}" is not known to the interpreter of rules: ${rule}`);
  }
}

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
