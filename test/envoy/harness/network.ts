import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Program } from '../../cluster/harness/program';

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
