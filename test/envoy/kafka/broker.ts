import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Body } from '../../real/api';
import { Program, until } from '../../real/program';
import { accepts } from '../harness/client';

/** A key with its certificate, in one file, as Kafka reads them. */
export interface Identity {
  readonly file: string;
  readonly key: string;
  readonly cert: string;
}

/** An authority for one run: that of a cluster and of its clients. */
export class Authority {
  public readonly file: string;
  private readonly keyFile: string;

  public constructor(private readonly folder: string) {
    this.file = join(folder, 'ca.crt');
    this.keyFile = join(folder, 'ca.key');
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=cluster-ca', '-keyout', this.keyFile, '-out', this.file],
    );
  }

  public get cert(): string {
    return readFileSync(this.file, 'utf8');
  }

  /** @param hosts the names that a server is known by; none for a client */
  public issue(name: string, hosts: readonly string[] = []): Identity {
    const at = (suffix: string) => join(this.folder, `${name}.${suffix}`);
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-CA', this.file, '-CAkey', this.keyFile, '-keyout', at('key'), '-out', at('crt')],
      ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      ...(hosts.length > 0 ? ['-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`] : []),
    );
    const [key, cert] = [at('key'), at('crt')].map((file) => readFileSync(file, 'utf8'));
    writeFileSync(at('pem'), key + cert + this.cert, { mode: 0o600 });
    return { file: at('pem'), key, cert };
  }
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

export interface JavaClientProps {
  readonly bootstrap: string;
  /** Addresses by name, of this client alone. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly identity: Identity;
  readonly trusted: string;
  readonly folder: string;
}

/** Kafka's own client in Java, with its usual settings. */
export class JavaClient {
  public static async start(home: KafkaHome, props: JavaClientProps): Promise<JavaClient> {
    const { bootstrap, hosts, identity, trusted, folder } = props;
    const classPath = join(home.libraries, '*');
    execFileSync(join(dirname(home.java), 'javac'), ['-cp', classPath, '-d', folder, join(__dirname, 'Client.java')]);
    const hostsFile = join(folder, 'client-hosts');
    writeFileSync(
      hostsFile,
      Object.entries(hosts)
        .map(([name, address]) => `${address} ${name}\n`)
        .join(''),
    );
    const file = join(folder, 'client.properties');
    writeFileSync(
      file,
      propertiesText({
        'bootstrap.servers': bootstrap,
        'security.protocol': 'SSL',
        'ssl.keystore.type': 'PEM',
        'ssl.keystore.location': identity.file,
        'ssl.truststore.type': 'PEM',
        'ssl.truststore.location': trusted,
        acks: 'all',
      }),
    );
    const named = `-Djdk.net.hosts.file=${hostsFile}`;
    const child = spawn(home.java, [...JVM, '-Xmx256m', named, '-cp', `${classPath}:${folder}`, 'Client', file]);
    const client = new JavaClient(child);
    await client.next();
    return client;
  }

  private readonly lines: string[] = [];
  private complaints = '';

  private constructor(private readonly child: ChildProcess) {
    if (child.stdout) {
      createInterface(child.stdout).on('line', (line) => this.lines.push(line));
    }
    child.stderr?.on('data', (chunk) => {
      this.complaints = (this.complaints + chunk).slice(-4000);
    });
  }

  /** Has it do something, and returns what came of it. */
  public async ask(what: string): Promise<Record<string, unknown>> {
    this.child.stdin?.write(`${what}\n`);
    const answer = JSON.parse(await this.next());
    if (answer.error !== undefined) {
      throw new Error(`${what}: ${answer.error}\n${this.complaints}`);
    }
    return answer;
  }

  public async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'close');
    }
  }

  private next(): Promise<string> {
    return until('the client to answer', () => {
      if (this.child.exitCode !== null) {
        throw new Error(`the client has ended: ${this.complaints}`);
      }
      return this.lines.shift();
    });
  }
}

/** Kafka as it lies on this machine. */
export interface KafkaHome {
  readonly java: string;
  /** Where its jars are. */
  readonly libraries: string;
  readonly version: string;
}

/** What `npm run test:envoy` found. */
export function kafkaHome(): KafkaHome {
  const found = process.env.KAFKA;
  if (!found) {
    throw new Error('there is no Kafka: run `npm run test:envoy`, which fetches it');
  }
  return JSON.parse(found);
}

/** As little as does for a test, and soon ready. */
export const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];

/** How long a broker may take to hand its partitions over, in ms. */
const GRACE = 60_000;

/** Identifies the cluster of a run. */
const CLUSTER_ID = 'MkU3OEVBNTcwNTJENDM2Qk';

/** Strimzi's own listeners, which nobody outside of the cluster reaches: without TLS here. */
const INTERNAL = { controller: 9090, replication: 9091 };

/** What one broker is told. */
export interface BrokerProps {
  readonly id: number;
  readonly address: string;
  /** What clients are told. */
  readonly advertised: { readonly host: string; readonly port: number };
  /** The port and the authentication of the listener, as the Kafka resource has them. */
  readonly listener: { readonly name: string; readonly port: number; readonly needsCertificate: boolean };
  /** `config` of the Kafka resource. */
  readonly config: Body;
  readonly roles: readonly string[];
  readonly voters: readonly string[];
  readonly identity: Identity;
  readonly trusted: string;
  readonly folder: string;
}

/** The address of a controller in the quorum. */
export const voter = (id: number, address: string) => `${id}@${address}:${INTERNAL.controller}`;

/** A real broker of Kafka, which is a controller too where its pool says so. */
export class Broker {
  /** Prepares its disk, and starts it. */
  public static async start(home: KafkaHome, props: BrokerProps): Promise<Broker> {
    const { id, folder } = props;
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `broker-${id}.properties`);
    writeFileSync(file, propertiesText(brokerProperties(props)));
    const classPath = join(home.libraries, '*');
    const format = ['kafka.tools.StorageTool', 'format', '--cluster-id', CLUSTER_ID, '--config', file];
    await promisify(execFile)(home.java, [...JVM, '-cp', classPath, ...format]);
    const broker = new Broker(home, props, file);
    await broker.run();
    return broker;
  }

  private program?: Program;

  private constructor(
    private readonly home: KafkaHome,
    public readonly props: BrokerProps,
    private readonly file: string,
  ) {}

  /** Starts it, and waits until it serves clients. */
  public async run(): Promise<void> {
    const { id, address, listener, folder } = this.props;
    const args = [...JVM, '-Xmx256m', '-cp', join(this.home.libraries, '*'), 'kafka.Kafka', this.file];
    this.program = await Program.start({
      name: `broker-${id}`,
      command: this.home.java,
      args,
      folder,
      isReady: () => accepts(address, listener.port),
      seconds: 120,
    });
  }

  /** Ends it as its pod is ended: it hands over what it leads, and says goodbye. */
  public async stop(): Promise<void> {
    await this.program?.stop(GRACE);
  }

  public async kill(): Promise<void> {
    await this.program?.kill();
  }
}

function brokerProperties(props: BrokerProps): Record<string, string | number> {
  const { id, address, advertised, listener, config, roles, voters, identity, trusted, folder } = props;
  const external = `${listener.name.toUpperCase()}-${listener.port}`;
  return {
    ...config,
    'process.roles': roles.join(','),
    'node.id': id,
    'controller.quorum.voters': voters.join(','),
    'log.dirs': join(folder, `data-${id}`),
    listeners: [
      `CONTROLPLANE-${INTERNAL.controller}://${address}:${INTERNAL.controller}`,
      `REPLICATION-${INTERNAL.replication}://${address}:${INTERNAL.replication}`,
      `${external}://${address}:${listener.port}`,
    ].join(','),
    'advertised.listeners': [
      `REPLICATION-${INTERNAL.replication}://${address}:${INTERNAL.replication}`,
      `${external}://${advertised.host}:${advertised.port}`,
    ].join(','),
    'listener.security.protocol.map': [
      `CONTROLPLANE-${INTERNAL.controller}:PLAINTEXT`,
      `REPLICATION-${INTERNAL.replication}:PLAINTEXT`,
      `${external}:SSL`,
    ].join(','),
    'controller.listener.names': `CONTROLPLANE-${INTERNAL.controller}`,
    'inter.broker.listener.name': `REPLICATION-${INTERNAL.replication}`,
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': identity.file,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': trusted,
    'ssl.client.auth': listener.needsCertificate ? 'required' : 'none',
    'group.initial.rebalance.delay.ms': 0,
  };
}

export function propertiesText(properties: Readonly<Record<string, string | number>>): string {
  return Object.entries(properties)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}
