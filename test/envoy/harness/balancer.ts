import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { podPort } from '../../../src/tenancy/engines/envoy-gateway/rules';
import { type Api, ApiRefusal, type Body, type Ref } from '../../real/api';
import { ControlPlane } from '../../real/control-plane';
import { addNode, nodeRef } from '../../real/objects';
import { Program, pause, until } from '../../real/program';
import { accepts } from './client';
import { Kubelet } from './kubelet';
import { prepareNetwork } from './network';

/** Where the first balancer is; another one has another last number. */
export const BALANCER_ADDRESS = '10.62.0.1';

/** The health of a proxy, as its readiness probe asks for it. */
const HEALTH_PORT = 19_003;

export interface BalancerProps {
  readonly folder: string;
  readonly address?: string;
  readonly ports: readonly number[];
  /** The addresses of the proxies. */
  readonly targets: readonly string[];
  /** Whether it speaks version 2 of the PROXY protocol. */
  readonly proxyProtocol?: boolean;
  /** Between two health checks, in ms. @default 1000 */
  readonly interval?: number;
  /** Failed and successful checks that change what a target is. @default 2 */
  readonly threshold?: number;
}

/**
 * A model of the balancer of a cloud in front of the proxies, where HAProxy is installed: TCP to the targets that are healthy,
 * with the addresses of pods as targets. Connections to a target that is lost are not ended by it.
 */
export class Balancer {
  public static async start(props: BalancerProps): Promise<Balancer> {
    const { address = BALANCER_ADDRESS, folder, ports } = props;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'balancer.cfg');
    writeFileSync(file, configuration({ ...props, address }));
    const program = await Program.start({
      name: `balancer-${address}`,
      command: process.env.HAPROXY ?? 'haproxy',
      args: ['-db', '-f', file],
      folder,
      isReady: () => accepts(address, ports[0]),
    });
    return new Balancer(address, program);
  }

  private constructor(
    public readonly address: string,
    private readonly program: Program,
  ) {}

  public async stop(): Promise<void> {
    await this.program.kill();
  }
}

function configuration(props: BalancerProps & { readonly address: string }): string {
  const { address, ports, targets, proxyProtocol = false, interval = 1000, threshold = 2 } = props;
  const check = `check port ${HEALTH_PORT} inter ${interval} fall ${threshold} rise ${threshold}`;
  return [
    'global',
    '  maxconn 8000',
    'defaults',
    '  mode tcp',
    '  timeout connect 5s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  retries 0',
    ...ports.flatMap((port) => [
      `frontend port-${port}`,
      `  bind ${address}:${port}`,
      `  default_backend port-${port}`,
      `backend port-${port}`,
      '  balance roundrobin',
      '  option httpchk',
      // Envoy takes no HTTP/1.0
      '  http-check send meth GET uri /ready ver HTTP/1.1 hdr Host proxy',
      '  http-check expect status 200',
      ...targets.map(
        (target, i) =>
          `  server proxy-${i} ${target}:${podPort(port)} ${check}${proxyProtocol ? ' send-proxy-v2' : ''}`,
      ),
    ]),
    '',
  ].join('\n');
}

export interface CloudBalancerProps {
  readonly folder: string;
  readonly address: string;
  readonly port: number;
  /** The addresses of the nodes. */
  readonly targets: readonly string[];
  readonly nodePort: number;
  readonly check: BalancerCheck;
}

/** How nodes are asked: as the annotations of the Service say. */
export interface BalancerCheck {
  /** By HTTP where there is a path, else by a TCP connection. */
  readonly path?: string;
  readonly port: number;
  /** Seconds. */
  readonly interval: number;
  readonly failures: number;
}

/** The program that stands for the balancer of a cloud, with nodes as its targets. */
export type BalancerProgram = 'haproxy' | 'envoy';

/** Starts one. */
export async function startCloudBalancer(program: BalancerProgram, props: CloudBalancerProps): Promise<Program> {
  const { folder, address, port } = props;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, program === 'envoy' ? 'envoy.json' : 'haproxy.cfg');
  writeFileSync(file, program === 'envoy' ? JSON.stringify(envoyConfiguration(props)) : haproxyConfiguration(props));
  const commands = {
    haproxy: [process.env.HAPROXY ?? 'haproxy', ['-db', '-f', file]],
    envoy: [process.env.ENVOY ?? 'envoy', ['-c', file, '--disable-hot-restart', '--concurrency', '1', '-l', 'warn']],
  } as const;
  const [command, args] = commands[program];
  return Program.start({
    name: `cloud-balancer-${program}`,
    command,
    args: [...args],
    folder,
    isReady: () => accepts(address, port),
  });
}

function haproxyConfiguration({ address, port, targets, nodePort, check }: CloudBalancerProps): string {
  const { path, port: asked, interval, failures } = check;
  return [
    'global',
    '  maxconn 8000',
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  retries 0',
    'frontend balancer',
    `  bind ${address}:${port}`,
    '  default_backend nodes',
    'backend nodes',
    '  balance roundrobin',
    ...(path ? [`  option httpchk GET ${path}`, '  http-check expect status 200'] : []),
    ...targets.map(
      (target, i) =>
        `  server node-${i} ${target}:${nodePort} check port ${asked} inter ${interval}s fall ${failures} rise ${failures}`,
    ),
    '',
  ].join('\n');
}

function envoyConfiguration({ address, port, targets, nodePort, check }: CloudBalancerProps): object {
  const at = (host: string, portValue: number) => ({ socket_address: { address: host, port_value: portValue } });
  const seconds = `${check.interval}s`;
  return {
    static_resources: {
      listeners: [
        {
          name: 'balancer',
          address: at(address, port),
          filter_chains: [
            {
              filters: [
                {
                  name: 'envoy.filters.network.tcp_proxy',
                  typed_config: {
                    '@type': 'type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy',
                    stat_prefix: 'balancer',
                    cluster: 'nodes',
                  },
                },
              ],
            },
          ],
        },
      ],
      clusters: [
        {
          name: 'nodes',
          type: 'STATIC',
          connect_timeout: '2s',
          // nodes that fail the check have no connections, also where that is most of them
          common_lb_config: { healthy_panic_threshold: { value: 0 } },
          health_checks: [
            {
              timeout: seconds,
              interval: seconds,
              no_traffic_interval: seconds,
              unhealthy_threshold: check.failures,
              healthy_threshold: check.failures,
              ...(check.path ? { http_health_check: { path: check.path } } : { tcp_health_check: {} }),
            },
          ],
          load_assignment: {
            cluster_name: 'nodes',
            endpoints: [
              {
                lb_endpoints: targets.map((target) => ({
                  endpoint: { address: at(target, nodePort), health_check_config: { port_value: check.port } },
                })),
              },
            ],
          },
        },
      ],
    },
  };
}

/** Controllers of Kubernetes itself that replace pods, tell where they are, and guard disruptions. */
const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'endpointslice-controller',
  'disruption-controller',
];

/** Nodes, with addresses of their own. */
export const NODES: Readonly<Record<string, string>> = {
  'node-a': '10.61.201.1',
  'node-b': '10.61.201.2',
  'node-c': '10.61.201.3',
};

/** A cluster whose pods come and go as real controllers have them, on nodes that are played. */
export class RollingCluster {
  public static async start(): Promise<RollingCluster> {
    prepareNetwork();
    const plane = await ControlPlane.start();
    const { api, folder } = plane;
    const pods = join(folder, 'pods');
    mkdirSync(pods);
    const nodes = Object.keys(NODES);
    await Promise.all([
      plane.startManager(undefined, CONTROLLERS),
      ...nodes.map((name) =>
        addNode(api, name, { labels: { 'kubernetes.io/hostname': name }, internalIp: NODES[name] }),
      ),
    ]);
    const kubelet = new Kubelet({ api, etc: folder, nodes, folder: pods, programs: {} });
    kubelet.start();
    return new RollingCluster(plane, kubelet);
  }

  private constructor(
    public readonly plane: ControlPlane,
    private readonly kubelet: Kubelet,
  ) {}

  public get api(): Api {
    return this.plane.api;
  }

  public async stop(): Promise<void> {
    try {
      await this.kubelet.stop();
    } finally {
      await this.plane.stop();
    }
  }

  public async pods(namespace: string): Promise<Body[]> {
    return (await this.api.call('GET', `/api/v1/namespaces/${namespace}/pods`)).items;
  }

  /** Waits until a Deployment has all its pods of the newest template, available, and no other one. */
  public async rolledOut(ref: Ref): Promise<void> {
    const namespace = String(ref.metadata.namespace);
    await until(
      `${ref.metadata.name} to be rolled out`,
      async () => {
        const { metadata, spec, status = {} } = await this.api.get(ref);
        const { replicas } = spec;
        const isThere = [status.updatedReplicas, status.availableReplicas, status.replicas].every(
          (count) => count === replicas,
        );
        return (
          status.observedGeneration === metadata.generation &&
          isThere &&
          (await this.pods(namespace)).length === replicas
        );
      },
      { seconds: 180, seen: async () => (await this.api.get(ref)).status },
    );
  }

  /** Replaces all pods, as `kubectl rollout restart` does. */
  public async restart(ref: Ref): Promise<void> {
    const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
    await this.api.merge(ref, { spec: { template: { metadata: { annotations } } } });
    await until('the controller to see it', async () => {
      const { metadata, status } = await this.api.get(ref);
      return status?.observedGeneration === metadata.generation;
    });
    await this.rolledOut(ref);
  }

  /** Nodes that were drained take pods again. */
  public async uncordon(): Promise<void> {
    for (const node of Object.keys(NODES)) {
      this.kubelet.uncordon(node);
      await this.api.merge(nodeRef(node), { spec: { unschedulable: null } });
    }
  }

  /** Cordons a node and evicts its pods, as `kubectl drain` does: again and again where a budget refuses. Returns the refusals. */
  public async drain(node: string, namespace: string): Promise<number> {
    let refusals = 0;
    this.kubelet.cordon(node);
    await this.api.merge(nodeRef(node), { spec: { unschedulable: true } });
    const left = async () => (await this.pods(namespace)).filter(({ spec }) => spec.nodeName === node);
    for (const { metadata } of await left()) {
      const { name } = metadata;
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
      for (;;) {
        try {
          await this.api.call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction);
          break;
        } catch (error) {
          if (!(error instanceof ApiRefusal && error.status === 429)) throw error;
          refusals++;
          await pause(500);
        }
      }
    }
    await until(`${node} to be empty`, async () => (await left()).length === 0, { seconds: 180 });
    return refusals;
  }
}
