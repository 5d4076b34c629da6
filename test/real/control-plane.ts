import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from './api';
import { Ledger } from './ledger';
import { freePorts, mustBeFree, newRunFolder, Program, removeRunFolder } from './program';

export interface Owner {
  readonly name: string;
  readonly finalizer?: string;
  readonly classes?: readonly string[];
  /** Annotations with their values: a classless Service that has all those of one entry is claimed. */
  readonly annotations?: ReadonlyArray<Record<string, readonly string[]>>;
  /** Claims every classless Service. */
  readonly classless?: boolean;
  /** How many Services it works on at once, where they are more than the model's three. */
  readonly workers?: number;
}

/** A program that is one of several of its kind, and reaches the API server by a way of its own. */
export interface Behind {
  /** What it is called here. */
  readonly name: string;
  /** Where it finds the API server. */
  readonly server: string;
}

export interface ControlPlaneProps {
  /** The port of the API server. @default - a free one */
  readonly port?: number;
}

/** How often ports are chosen anew when another program took one meanwhile. */
const ATTEMPTS = 3;

export function built(variable: 'CONTROL_PLANE' | 'NEXT_CLOUD' | 'OPERATORS', what: string, suites: string): string {
  const file = process.env[variable];
  if (!file) {
    throw new Error(`there is no ${what} to start: run ${suites}, which builds it`);
  }
  return file;
}

const binary = () => built('CONTROL_PLANE', 'control plane', '`npm run test:cluster` or `npm run test:aws`');
const nextCloud = () =>
  built('NEXT_CLOUD', 'service controller of the next version of Kubernetes', '`npm run test:cluster`');

/** etcd and the API server on free ports of the loopback interface, with controllers that are started when wanted. */
export class ControlPlane {
  public static async start(props: ControlPlaneProps = {}): Promise<ControlPlane> {
    if (props.port !== undefined) {
      await mustBeFree(props.port);
    }
    for (let attempt = 1; ; attempt++) {
      const [client, peer, free] = await freePorts(3);
      const folder = newRunFolder();
      const plane = new ControlPlane(folder, await Ledger.open(), client, peer, props.port ?? free);
      try {
        await plane.startEtcd();
        await plane.startApiServer();
        return plane;
      } catch (error) {
        await plane.stop();
        if (attempt === ATTEMPTS || !/address already in use/.test((error as Error).message)) {
          throw error;
        }
      }
    }
  }

  private readonly credentials: Credentials;
  private readonly programs = new Map<string, Program>();
  private client?: Api;

  private constructor(
    public readonly folder: string,
    public readonly ledger: Ledger,
    private readonly etcdPort: number,
    private readonly peerPort: number,
    private readonly port: number,
  ) {
    this.credentials = newCredentials(this.folder);
  }

  public get api(): Api {
    if (!this.client) {
      throw new Error('the API server has not been started');
    }
    return this.client;
  }

  public get kubeconfig(): string {
    return writeKubeconfig(this.folder, this.port, this.caFile, this.credentials.adminToken);
  }

  /** Where the API server listens, and what a proxy before it has to know. */
  public get endpoint(): { readonly port: number; readonly token: string; readonly ca: string } {
    return { port: this.port, token: this.credentials.adminToken, ca: readFileSync(this.caFile, 'utf8') };
  }

  public get pids(): number[] {
    return [...this.programs.values()].map((program) => program.pid);
  }

  /** One of the programs that run. */
  public program(name: string): Program {
    const program = this.programs.get(name);
    if (!program) {
      throw new Error(`${name} has not been started`);
    }
    return program;
  }

  public startEtcd(): Promise<Program> {
    return this.run('etcd', [join(this.folder, 'etcd'), String(this.etcdPort), String(this.peerPort)], () =>
      fetch(`http://127.0.0.1:${this.etcdPort}/health`).then(
        (response) => response.ok,
        () => false,
      ),
    );
  }

  public async startApiServer(): Promise<Program> {
    const { tokensFile, privateKeyFile, publicKeyFile } = this.credentials;
    const flags = {
      'etcd-servers': `http://127.0.0.1:${this.etcdPort}`,
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': publicKeyFile,
      'service-account-signing-key-file': privateKeyFile,
      'cert-dir': join(this.folder, 'certificates'),
      'authorization-mode': 'RBAC',
      'token-auth-file': tokensFile,
      // two families, for Services that want both
      'service-cluster-ip-range': '10.0.0.0/16,fd00:10::/108',
      'disable-admission-plugins': 'ServiceAccount',
      'bind-address': '127.0.0.1',
      'advertise-address': '127.0.0.1',
      'secure-port': String(this.port),
      'endpoint-reconciler-type': 'none',
    };
    this.client?.close();
    return this.run('apiserver', asFlags(flags), async () => {
      try {
        this.client = new Api(this.port, this.credentials.adminToken, readFileSync(this.caFile, 'utf8'));
        await this.client.call('GET', '/readyz');
        await this.client.call('GET', '/api/v1/namespaces/default');
        return true;
      } catch {
        return false;
      }
    });
  }

  /** The controllers that end namespaces, collect garbage and count against quotas, and others where they are named. */
  public startManager(behind?: Behind, more: readonly string[] = []): Promise<Program> {
    const controllers = ['namespace-controller', 'garbage-collector-controller', 'resourcequota-controller', ...more];
    const flags = {
      kubeconfig: this.kubeconfigOf(behind),
      'leader-elect': 'false',
      'secure-port': '0',
      controllers: controllers.join(','),
      'concurrent-gc-syncs': '64',
      'concurrent-namespace-syncs': '64',
      v: '2',
    };
    return this.run('manager', asFlags(flags), ({ log }) => log.includes('synced garbage collector'), {
      name: behind?.name,
    });
  }

  /**
   * The real service controller, over a cloud that keeps a ledger.
   *
   * @param elsewhere annotations and values with which that cloud leaves a Service to another controller
   * @param as whose permissions it has; those of an administrator unless somebody is named
   * @param behind where it is one of several
   */
  public startCloud(elsewhere: Record<string, readonly string[]> = {}, as?: string, behind?: Behind): Promise<Program> {
    const flags = {
      kubeconfig: behind
        ? this.kubeconfigOf(behind)
        : writeKubeconfig(this.folder, this.port, this.caFile, this.credentials.adminToken, as),
      'cloud-provider': 'ledger',
      'leader-elect': 'false',
      'secure-port': '0',
      'concurrent-service-syncs': behind ? '64' : '8',
      // what a proxy can read
      ...(behind ? { 'kube-api-content-type': 'application/json' } : {}),
      'kube-api-qps': '200',
      'kube-api-burst': '400',
      v: '2',
    };
    const name = behind?.name ?? 'cloud';
    const started = this.programs.get(name)?.log.length ?? 0;
    return this.run(
      'cloud',
      [...asFlags(flags), '--allow-untagged-cloud'],
      ({ log }) => /Caches are synced/.test(log.slice(started)),
      { name, env: { LEDGER_ELSEWHERE: JSON.stringify(elsewhere) } },
    );
  }

  /**
   * The real service controller of the next version of Kubernetes, over the same cloud.
   *
   * @param gates feature gates of its client, where they are not what they are by default
   */
  public async startNextCloud(
    gates: Record<string, boolean> = {},
    elsewhere: Record<string, readonly string[]> = {},
  ): Promise<Program> {
    const name = 'next-cloud';
    const started = this.programs.get(name)?.log.length ?? 0;
    const asEnvironment = ([gate, isOn]: [string, boolean]) => [`KUBE_FEATURE_${gate}`, String(isOn)];
    const program = await Program.start({
      name,
      command: nextCloud(),
      args: ['-v=2', this.kubeconfig],
      folder: this.folder,
      env: {
        ...this.ledger.environment(name),
        LEDGER_ELSEWHERE: JSON.stringify(elsewhere),
        ...Object.fromEntries(Object.entries(gates).map(asEnvironment)),
      },
      isReady: ({ log }) => /Caches are synced/.test(log.slice(started)),
    });
    this.programs.set(name, program);
    return program;
  }

  /** Models of controllers that serve some Services: see control-plane/owner_controller.go for their rules. */
  public startOwners(owners: readonly Owner[], behind?: Behind): Promise<Program> {
    const name = behind?.name ?? 'owners';
    const table = join(this.folder, `${name}.json`);
    writeFileSync(table, JSON.stringify(owners));
    const started = this.programs.get(name)?.log.length ?? 0;
    const isReady = ({ log }: Program) => log.slice(started).includes('watching');
    return this.run('owners', [this.kubeconfigOf(behind), table], isReady, { name });
  }

  /** Ends the controllers; etcd and the API server go on. */
  public async stopControllers(): Promise<void> {
    const controllers = [...this.programs.values()].filter(({ name }) => !['etcd', 'apiserver'].includes(name));
    await Promise.all(controllers.map((program) => program.kill()));
  }

  /** Ends everything. */
  public async stop(): Promise<void> {
    this.client?.close();
    await Promise.all([...this.programs.values()].map((program) => program.kill()));
    await this.ledger.close();
    removeRunFolder(this.folder);
  }

  private get caFile(): string {
    return join(this.folder, 'certificates', 'apiserver.crt');
  }

  private kubeconfigOf(behind?: Behind): string {
    return behind ? writePlainKubeconfig(this.folder, behind.name, behind.server) : this.kubeconfig;
  }

  private async run(
    part: string,
    args: string[],
    isReady: (program: Program) => Promise<boolean> | boolean,
    { name = part, env = {} }: { name?: string; env?: Record<string, string> } = {},
  ): Promise<Program> {
    const program = await Program.start({
      name,
      command: binary(),
      args: [part, ...args],
      folder: this.folder,
      env: { ...this.ledger.environment(name), ...env },
      isReady,
    });
    this.programs.set(name, program);
    return program;
  }
}

function asFlags(flags: Record<string, string>): string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

export const ADMIN = { user: 'operator', group: 'system:masters' };

/** Throw-away keys and tokens in the folder of a run. The API server makes its own certificate. */
export interface Credentials {
  readonly adminToken: string;
  readonly tokensFile: string;
  readonly privateKeyFile: string;
  readonly publicKeyFile: string;
}

export function newCredentials(folder: string): Credentials {
  const adminToken = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    adminToken,
    tokensFile: write('tokens.csv', `${adminToken},${ADMIN.user},${ADMIN.user},"${ADMIN.group}"\n`),
    privateKeyFile: write('service-accounts.key', privateKey),
    publicKeyFile: write('service-accounts.pub', publicKey),
  };
}

/** How a controller finds the API server and says who it is, or as whom it acts. */
export function writeKubeconfig(folder: string, port: number, caFile: string, token: string, as?: string): string {
  const file = join(folder, as === undefined ? 'kubeconfig' : 'kubeconfig-of-another');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'run',
    clusters: [{ name: 'run', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': caFile } }],
    users: [{ name: 'run', user: { token, as } }],
    contexts: [{ name: 'run', context: { cluster: 'run', user: 'run' } }],
  };
  // whoever reads it meanwhile reads all of it
  writeFileSync(`${file}.new`, JSON.stringify(config), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return file;
}

/** The same for a program that has a way of its own to the API server, on which it need not say who it is. */
export function writePlainKubeconfig(folder: string, name: string, server: string): string {
  const file = join(folder, `kubeconfig-of-${name}`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'run',
    clusters: [{ name: 'run', cluster: { server } }],
    contexts: [{ name: 'run', context: { cluster: 'run', user: '' } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
