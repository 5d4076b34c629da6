import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { podPort } from '../../../src/tenancy/engines/envoy-gateway/rules';
import { Program } from '../../cluster/harness/program';
import { accepts } from './client';

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
