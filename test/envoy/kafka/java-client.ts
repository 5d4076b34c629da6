import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../../cluster/harness/wait';
import { JVM, type KafkaHome, propertiesText } from './broker';
import type { Identity } from './certificates';

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
