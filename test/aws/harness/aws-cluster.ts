import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubernetesVersion } from '../../../src';
import { ControlPlane } from '../../real/control-plane';
import { addNode } from '../../real/objects';
import { newRunFolder, Program, type ProgramProps, removeRunFolder } from '../../real/program';
import type { Inventory } from './inventory';

interface Process {
  readonly pid: number;
  readonly parent: number;
}

/** The processes of this machine that run; those that have ended and wait for their parent to notice do not. */
function processes(): Process[] {
  const rows = existsSync('/proc/self/stat') ? rowsOfProc() : rowsOfPs();
  return rows.filter(([, , state]) => !state.startsWith('Z')).map(([pid, parent]) => ({ pid: +pid, parent: +parent }));
}

function rowsOfProc(): string[][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // the second field is the name of the program in parentheses, which may hold anything
        const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [[pid, parent, state]];
      } catch {
        return [];
      }
    });
}

function rowsOfPs(): string[][] {
  const output = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

/** All processes that a process has started, and those that they have started. */
export function descendantsOf(pid: number, all = processes()): number[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...descendantsOf(child.pid, all)]);
}

/** Which of some processes run. */
export function running(pids: readonly number[]): number[] {
  const all = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => all.has(pid));
}

// What `npm run test:aws` prepares for the tests.

function prepared(variable: string, what: string): string {
  const file = process.env[variable];
  if (!file) throw new Error(`there is no ${what} to start: run \`npm run test:aws\`, which makes it`);
  if (!existsSync(file)) {
    throw new Error(`${variable} says that the ${what} is ${file}, where there is nothing: run \`npm run test:aws\``);
  }
  return file;
}

/** The AWS cloud controller manager. */
export const controllerBinary = () => prepared('AWS_CLOUD_CONTROLLER_MANAGER', 'AWS cloud controller manager');

/** A Python that has moto and boto3. */
export const accountPython = () => prepared('AWS_ACCOUNT_PYTHON', 'Python with the fake AWS');

/**
 * The environment of a program that speaks to a fake AWS, and must never speak to the real one: whatever the user has set
 * for AWS is taken out, files included, and no proxy stands between.
 */
export function awsEnvironment(folder: string, endpoint?: string): NodeJS.ProcessEnv {
  const theirs = Object.keys(process.env).filter((name) => /^(AWS_|BOTO_|MOTO_)/i.test(name));
  const empty = join(folder, 'aws-config');
  writeFileSync(empty, '');
  return {
    ...Object.fromEntries(theirs.map((name) => [name, undefined])),
    AWS_ACCESS_KEY_ID: 'fake',
    AWS_SECRET_ACCESS_KEY: 'fake',
    AWS_CONFIG_FILE: empty,
    AWS_SHARED_CREDENTIALS_FILE: empty,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: endpoint,
    NO_PROXY: '*',
    no_proxy: '*',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

const ENDS_WITH_STDIN = join(__dirname, '..', 'ends_with_stdin.py');

/** Starts a program that does not watch its standard input, and yet ends when this process is no more. */
export function startBound(props: ProgramProps): Promise<Program> {
  return Program.start({
    ...props,
    command: accountPython(),
    args: [ENDS_WITH_STDIN, props.command, ...props.args],
  });
}

const SERVER = join(__dirname, '..', 'fake_aws.py');

/** What was set up before any Service. */
export interface Account {
  readonly region: string;
  readonly cluster: string;
  readonly vpc: string;
  /** One for each zone. */
  readonly publicSubnets: readonly string[];
  /** One for each zone. */
  readonly internalSubnets: readonly string[];
  readonly nodeSecurityGroup: string;
  readonly nodes: Record<string, { readonly instance: string; readonly zone: string; readonly address: string }>;
  /** Allocations, as many as zones. */
  readonly elasticAddresses: readonly string[];
  readonly certificate: string;
}

/** AWS as moto plays it, with the account of one cluster. */
export class FakeAws {
  public static async start(folder: string): Promise<FakeAws> {
    const program = await startBound({
      name: 'fake-aws',
      command: accountPython(),
      args: [SERVER],
      folder,
      env: awsEnvironment(folder),
      isReady: ({ log }) => addressIn(log) !== undefined,
    });
    const endpoint = addressIn(program.log) as string;
    return new FakeAws(program, endpoint, (await ask(`${endpoint}/account`)) as Account);
  }

  private constructor(
    public readonly program: Program,
    public readonly endpoint: string,
    public readonly account: Account,
  ) {}

  /** What is in the account now. */
  public inventory(): Promise<Inventory> {
    return ask(`${this.endpoint}/account/inventory`) as Promise<Inventory>;
  }
}

function addressIn(log: string): string | undefined {
  return /^serving on (\S+)$/m.exec(log)?.[1];
}

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`the fake AWS answered ${response.status} to ${url}: ${(await response.text()).slice(-500)}`);
  }
  return response.json();
}

/** Without these it asks the metadata service of an instance: kubernetes/cloud-provider-aws v1.36.1, pkg/providers/v1/aws.go */
function cloudConfig({ account }: FakeAws): string {
  const settings = {
    Region: account.region,
    Zone: `${account.region}a`,
    VPC: account.vpc,
    SubnetID: account.internalSubnets[0],
    KubernetesClusterID: account.cluster,
    NodeIPFamilies: 'ipv4',
  };
  return ['[Global]', ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`), ''].join('\n');
}

/** The version of the program that runs, as its go.mod pins it. */
export function controllerVersion(): KubernetesVersion {
  const pins = readFileSync(join(__dirname, '..', '..', 'cluster', 'control-plane', 'go.mod'), 'utf8');
  const [, version = ''] = /k8s\.io\/cloud-provider-aws (v\S+)/.exec(pins) ?? [];
  return KubernetesVersion.of(version);
}

/** The real AWS cloud controller manager, with the controller that makes balancers and no other. */
export function startCloudControllerManager(aws: FakeAws, kubeconfig: string, folder: string): Promise<Program> {
  const file = join(folder, 'cloud.conf');
  writeFileSync(file, cloudConfig(aws));
  const flags = {
    'cloud-provider': 'aws',
    'cloud-config': file,
    kubeconfig,
    'cluster-name': aws.account.cluster,
    controllers: 'service-lb-controller',
    'leader-elect': 'false',
    'secure-port': '0',
    'concurrent-service-syncs': '4',
    'kube-api-qps': '200',
    'kube-api-burst': '400',
    v: '2',
  };
  return startBound({
    name: 'aws-cloud-controller-manager',
    command: controllerBinary(),
    args: Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    folder,
    env: awsEnvironment(folder, aws.endpoint),
    isReady: ({ log }) => /Starting service controller[\s\S]*Caches are synced/.test(log),
  });
}

/** The label by which the nodes of the account are told apart: `edge-1` and `edge-2` are of pool edge. */
export const POOL = 'pool';

/** A cluster on AWS: a real API server, the real AWS cloud controller manager, a fake AWS, and nodes without a kubelet. */
export class AwsCluster {
  public static async start(): Promise<AwsCluster> {
    const folder = newRunFolder();
    const started = await Promise.allSettled([ControlPlane.start(), FakeAws.start(folder)]);
    const [plane, aws] = started.map((each) => (each.status === 'fulfilled' ? each.value : undefined)) as [
      ControlPlane | undefined,
      FakeAws | undefined,
    ];
    try {
      const failure = started.find((each) => each.status === 'rejected');
      if (!plane || !aws || failure) throw failure?.reason;
      for (const [name, { instance, zone, address }] of Object.entries(aws.account.nodes)) {
        await addNode(plane.api, name, {
          labels: { [POOL]: name.replace(/-\d+$/, '') },
          providerID: `aws:///${zone}/${instance}`,
          internalIp: address,
        });
      }
      return new AwsCluster(folder, plane, aws, await startCloudControllerManager(aws, plane.kubeconfig, folder));
    } catch (error) {
      await Promise.all([plane?.stop(), aws?.program.kill()]);
      removeRunFolder(folder);
      throw error;
    }
  }

  private constructor(
    private readonly folder: string,
    public readonly plane: ControlPlane,
    public readonly aws: FakeAws,
    public readonly controller: Program,
  ) {}

  public get pids(): number[] {
    return [...this.plane.pids, this.aws.program.pid, this.controller.pid];
  }

  /** The ids of instances, by the names of their nodes. */
  public instances(...nodes: string[]): string[] {
    return nodes.map((node) => this.aws.account.nodes[node].instance).sort();
  }

  /** Ends everything. */
  public async stop(): Promise<void> {
    await this.controller.kill();
    await Promise.all([this.plane.stop(), this.aws.program.kill()]);
    removeRunFolder(this.folder);
  }
}
