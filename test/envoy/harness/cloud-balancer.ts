import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../../cluster/harness/program';
import { accepts } from './client';

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
