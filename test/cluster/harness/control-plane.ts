import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from './api';
import { type Credentials, newCredentials, writeKubeconfig } from './credentials';
import { freePorts, mustBeFree } from './free-port';
import { Ledger } from './ledger';
import { Program } from './program';
import { newRunFolder, removeRunFolder } from './run-folder';

/** A controller that the model of owners plays. */
export interface Owner {
  readonly name: string;
  readonly finalizer?: string;
  readonly classes?: readonly string[];
  /** Annotations with their values: a classless Service that has all those of one entry is claimed. */
  readonly annotations?: ReadonlyArray<Record<string, readonly string[]>>;
  /** Claims every classless Service. */
  readonly classless?: boolean;
}

export interface ControlPlaneProps {
  /** The port of the API server. @default - a free one */
  readonly port?: number;
}

/** How often ports are chosen anew when another program took one meanwhile. */
const ATTEMPTS = 3;

function binary(): string {
  const file = process.env.CONTROL_PLANE;
  if (!file) {
    throw new Error(
      'there is no control plane to start: run `npm run test:cluster` or `npm run test:aws`, which build it',
    );
  }
  return file;
}

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

  /** The controllers that end namespaces, collect garbage and count against quotas. */
  public startManager(): Promise<Program> {
    const flags = {
      kubeconfig: this.kubeconfig,
      'leader-elect': 'false',
      'secure-port': '0',
      controllers: 'namespace-controller,garbage-collector-controller,resourcequota-controller',
      v: '2',
    };
    return this.run('manager', asFlags(flags), ({ log }) => log.includes('synced garbage collector'));
  }

  /**
   * The real service controller, over a cloud that keeps a ledger.
   *
   * @param elsewhere annotations and values with which that cloud leaves a Service to another controller
   * @param as whose permissions it has; those of an administrator unless somebody is named
   */
  public startCloud(elsewhere: Record<string, readonly string[]> = {}, as?: string): Promise<Program> {
    const flags = {
      kubeconfig: writeKubeconfig(this.folder, this.port, this.caFile, this.credentials.adminToken, as),
      'cloud-provider': 'ledger',
      'leader-elect': 'false',
      'secure-port': '0',
      'concurrent-service-syncs': '8',
      'kube-api-qps': '200',
      'kube-api-burst': '400',
      v: '2',
    };
    const started = this.programs.get('cloud')?.log.length ?? 0;
    return this.run(
      'cloud',
      [...asFlags(flags), '--allow-untagged-cloud'],
      ({ log }) => /Caches are synced/.test(log.slice(started)),
      {
        LEDGER_ELSEWHERE: JSON.stringify(elsewhere),
      },
    );
  }

  /** Models of controllers that serve some Services: see control-plane/owner_controller.go for their rules. */
  public startOwners(owners: readonly Owner[]): Promise<Program> {
    const table = join(this.folder, 'owners.json');
    writeFileSync(table, JSON.stringify(owners));
    const started = this.programs.get('owners')?.log.length ?? 0;
    return this.run('owners', [this.kubeconfig, table], ({ log }) => log.slice(started).includes('watching'));
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

  private async run(
    name: string,
    args: string[],
    isReady: (program: Program) => Promise<boolean> | boolean,
    env: Record<string, string> = {},
  ): Promise<Program> {
    const program = await Program.start({
      name,
      command: binary(),
      args: [name, ...args],
      folder: this.folder,
      env: { ...this.ledger.environment, ...env },
      isReady,
    });
    this.programs.set(name, program);
    return program;
  }
}

function asFlags(flags: Record<string, string>): string[] {
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}
