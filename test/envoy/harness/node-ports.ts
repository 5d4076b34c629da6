import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Api, Body } from '../../cluster/harness/api';
import { pause } from '../../cluster/harness/wait';

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
