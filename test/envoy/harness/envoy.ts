import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENVOY_GATEWAY_CONTROLLER, ENVOY_GATEWAY_NAMESPACE } from '../../../src/tenancy/engines/envoy-gateway/facts';
import type { Api, Body } from '../../real/api';
import type { ControlPlane } from '../../real/control-plane';
import { Program } from '../../real/program';
import { ADMIN_RELAY_PORT, type Container, IN_CONTAINER, type PodNetwork } from './network';

/** The kinds that tenants, Envoy Gateway and the controllers of Kubernetes write here. */
const KINDS = [
  ...['Gateway', 'GatewayClass', 'ListenerSet', 'TCPRoute', 'TLSRoute'].map((kind) => [
    'gateway.networking.k8s.io/v1',
    kind,
  ]),
  ...['EnvoyProxy', 'ClientTrafficPolicy', 'SecurityPolicy', 'BackendTrafficPolicy'].map((kind) => [
    'gateway.envoyproxy.io/v1alpha1',
    kind,
  ]),
  ...['Service', 'ConfigMap', 'Secret', 'Pod', 'ServiceAccount'].map((kind) => ['v1', kind]),
  ...['Deployment', 'ReplicaSet'].map((kind) => ['apps/v1', kind]),
  ['discovery.k8s.io/v1', 'EndpointSlice'],
] as const;

/** The version of every object that could be written, by its name. */
export async function resourceVersions(api: Api): Promise<Record<string, string>> {
  const all = await Promise.all(
    KINDS.map(async ([apiVersion, kind]) => {
      const found = await api.listAll({ apiVersion, kind });
      return found.map(({ metadata }) => [`${kind} ${metadata.namespace}/${metadata.name}`, metadata.resourceVersion]);
    }),
  );
  return Object.fromEntries(all.flat());
}

/** A key with a certificate of this machine's own making. */
export function certificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = ['key.pem', 'cert.pem'].map((each) => join(folder, each));
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=tenant'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-days', '2', '-keyout', key, '-out', cert], { stdio: 'pipe' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

/** The ports of a proxy that Envoy Gateway gives it. */
const READINESS = { port: 19_003, path: '/ready' };

/** One proxy of a Gateway: the real Envoy. */
export class Envoy {
  public constructor(
    public readonly pod: Body,
    private readonly network: PodNetwork,
    private readonly containers: readonly Container[],
  ) {}

  public get name(): string {
    return this.pod.metadata.name;
  }

  public get address(): string {
    return this.network.address;
  }

  public get isRunning(): boolean {
    return this.proxy.isRunning;
  }

  public get log(): string {
    return this.proxy.log;
  }

  /** How long it ran on a processor, in ms. */
  public get processorTime(): number {
    return this.proxy.processorTime;
  }

  /** Whether it says that it is ready. */
  public async isReady(): Promise<boolean> {
    try {
      const { ok } = await this.fetch(READINESS.port, READINESS.path);
      return ok;
    } catch {
      return false;
    }
  }

  /** Values of its statistics whose names match. */
  public async statistics(filter: string): Promise<Record<string, number>> {
    const answer = await this.admin(`/stats?format=json&filter=${encodeURIComponent(filter)}`);
    const { stats } = JSON.parse(answer) as { stats: { name?: string; value?: number }[] };
    return Object.fromEntries(stats.flatMap(({ name, value }) => (name && value !== undefined ? [[name, value]] : [])));
  }

  /** What its administration answers. */
  public async admin(path: string): Promise<string> {
    return (await this.fetch(ADMIN_RELAY_PORT, path)).text();
  }

  /** The ports of its listeners. */
  public async ports(): Promise<number[]> {
    const { listener_statuses = [] } = JSON.parse(await this.admin('/listeners?format=json'));
    const ports: number[] = listener_statuses.map((each: Body) => each.local_address.socket_address.port_value);
    return [...new Set(ports)].sort((a, b) => a - b);
  }

  /** Ends it at once, as a crash does: the kernel closes its connections. It stays away until it is started again. */
  public async kill(): Promise<void> {
    await this.proxy.kill();
  }

  public async restart(): Promise<void> {
    await this.proxy.kill();
    await this.proxy.start();
  }

  /** Loses its node, or gets it back: packets get lost, and nobody is told. */
  public plug(isIn: boolean): void {
    this.network.plug(isIn);
  }

  private get proxy(): Container {
    return this.containers.find(({ name }) => name === 'envoy') ?? this.containers[0];
  }

  private fetch(port: number, path: string): Promise<Response> {
    return fetch(`http://${this.address}:${port}${path}`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(10_000),
    });
  }
}

/** Where its health is told, and where the proxies get their configuration. */
const HEALTH = 'http://127.0.0.1:8081/readyz';

/** As its chart has it, but alone, and without the webhook that tells proxies their zone. */
const CONFIGURATION = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'EnvoyGateway',
  gateway: { controllerName: ENVOY_GATEWAY_CONTROLLER },
  logging: { level: { default: 'info' } },
  provider: {
    type: 'Kubernetes',
    kubernetes: { leaderElection: { disable: true }, proxyTopologyInjector: { disabled: true } },
  },
};

function binary(): string {
  const file = process.env.ENVOY_GATEWAY;
  if (!file) {
    throw new Error('there is no Envoy Gateway to start: run `npm run test:envoy`, which builds it');
  }
  return file;
}

/** The real Envoy Gateway, with certificates that it made. */
export async function startEnvoyGateway(plane: ControlPlane, more: object = {}): Promise<Program> {
  const folder = join(plane.folder, 'envoy-gateway');
  const [certificates, root] = ['certs', 'root'].map((each) => join(folder, each));
  for (const each of [certificates, root]) {
    mkdirSync(each, { recursive: true });
  }
  const env = { KUBECONFIG: plane.kubeconfig, ENVOY_GATEWAY_NAMESPACE };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ENVOY_GATEWAY_NAMESPACE } };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'envoy-gateway', namespace: ENVOY_GATEWAY_NAMESPACE },
  };
  if (!(await plane.api.find(namespace))) {
    await plane.api.create(namespace);
  }
  if (!(await plane.api.find(secret))) {
    execFileSync(binary(), ['certgen', '--disable-topology-injector'], {
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
  }
  const { data } = await plane.api.get(secret);
  for (const [name, value] of Object.entries<string>(data)) {
    writeFileSync(join(certificates, name), Buffer.from(value, 'base64'));
  }
  const configuration = join(folder, 'configuration.yaml');
  writeFileSync(configuration, JSON.stringify({ ...CONFIGURATION, ...more }));
  return Program.start({
    name: 'envoy-gateway',
    command: 'unshare',
    args: [
      ...['--mount', IN_CONTAINER, root, `${certificates}=/certs`, `${binary()}=/programs/envoy-gateway`],
      ...[`${configuration}=/configuration.yaml`, `${plane.folder}=${plane.folder}`, '--'],
      ...['/programs/envoy-gateway', 'server', '--config-path', '/configuration.yaml'],
    ],
    folder,
    env,
    isReady: () =>
      fetch(HEALTH).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
}
