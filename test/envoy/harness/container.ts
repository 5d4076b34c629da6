import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api, Body } from '../../cluster/harness/api';
import { Program } from '../../cluster/harness/program';
import { IN_CONTAINER, type PodNetwork } from './network';

/** Programs by what a container calls them: files of this machine. */
export type Programs = Readonly<Record<string, string>>;

const DONE = 0;
/** What Linux counts the time of processes in, in ms. */
const TICK = 10;

/** Writes what the volumes of a pod hold; returns where each lies, by the name of the volume. */
export async function volumesOf(api: Api, pod: Body, folder: string): Promise<Record<string, string>> {
  const { namespace } = pod.metadata;
  const folders: Record<string, string> = {};
  for (const { name, secret, configMap } of pod.spec.volumes ?? []) {
    folders[name] = join(folder, name);
    mkdirSync(folders[name], { recursive: true });
    if (secret || configMap) {
      const kind = secret ? 'Secret' : 'ConfigMap';
      const metadata = { name: secret?.secretName ?? configMap.name, namespace };
      const { data = {} } = await api.get({ apiVersion: 'v1', kind, metadata });
      const names = new Map<string, string>(
        (secret ?? configMap).items?.map(({ key, path }: Body) => [key, path]) ??
          Object.keys(data).map((key) => [key, key]),
      );
      for (const [key, path] of names) {
        writeFileSync(join(folders[name], path), Buffer.from(data[key], secret ? 'base64' : 'utf8'));
      }
    }
  }
  return folders;
}

/** The variables of a container. */
function environmentOf(container: Body, pod: Body): Record<string, string> {
  const fields: Record<string, string | undefined> = {
    'metadata.name': pod.metadata.name,
    'metadata.namespace': pod.metadata.namespace,
    'spec.nodeName': pod.spec.nodeName,
  };
  const textOf = ({ value, valueFrom }: Body) => value ?? fields[valueFrom?.fieldRef?.fieldPath] ?? '';
  return Object.fromEntries((container.env ?? []).map((each: Body) => [each.name, textOf(each)]));
}

/** Replaces `$(NAME)`, as a kubelet does: a name that is not known stays. */
function expanded(text: string, variables: Record<string, string>): string {
  return text.replace(/\$\((\w+)\)/g, (whole, name) => variables[name] ?? whole);
}

export interface ContainerProps {
  readonly pod: Body;
  readonly container: Body;
  readonly network: PodNetwork;
  readonly folder: string;
  readonly volumes: Record<string, string>;
  readonly programs: Programs;
  /** Files that lie in /etc of the container. */
  readonly etc: string;
}

/** A container of a pod whose program is a real one: with the command, arguments, variables and files that the pod has. */
export class Container {
  public readonly name: string;
  private running?: Program;

  public constructor(private readonly props: ContainerProps) {
    this.name = props.container.name;
  }

  public get isRunning(): boolean {
    return this.running?.isRunning ?? false;
  }

  public get log(): string {
    return this.running?.log ?? '';
  }

  /** How long the program ran on a processor, in ms. */
  public get processorTime(): number {
    const fields = readFileSync(`/proc/${this.running?.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  }

  public async start(): Promise<void> {
    const { pod, container, network, folder, volumes, etc } = this.props;
    const env = environmentOf(container, pod);
    const [command, ...args] = [...container.command, ...(container.args ?? [])].map((each) => expanded(each, env));
    const root = join(folder, `root-of-${this.name}`);
    mkdirSync(root, { recursive: true });
    const mounts = (container.volumeMounts ?? []).map((each: Body) => `${volumes[each.name]}=${each.mountPath}`);
    const files = [...Object.entries(this.props.programs).map(([name, file]) => `${file}=/programs/${name}`)];
    const [first, ...inside] = network.inside;
    this.running = await Program.start({
      name: `${pod.metadata.name}-${this.name}`,
      command: first,
      args: [
        ...[...inside, 'unshare', '--mount', IN_CONTAINER, root],
        ...[...mounts, ...files, ...readdirSync(etc).map((name) => `${join(etc, name)}=/etc/${name}`), '--'],
        ...[`/programs/${command}`, ...args],
      ],
      folder,
      env,
      isReady: () => true,
    });
  }

  /** Runs a command beside the program, and waits for its end. */
  public async execute(command: readonly string[]): Promise<boolean> {
    const { pid } = this.running ?? {};
    if (!pid || !this.isRunning) {
      return false;
    }
    const [name, ...args] = command;
    const child = spawn('nsenter', [
      ...['--target', String(pid), '--net', '--mount', '--root', '--wd=/'],
      ...[`/programs/${name}`, ...args],
    ]);
    return new Promise((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === DONE));
    });
  }

  /** SIGTERM, and SIGKILL when the time is over. */
  public async stop(seconds: number): Promise<void> {
    await this.running?.stop(seconds * 1000);
  }

  public async kill(): Promise<void> {
    await this.running?.kill();
  }
}
