import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DiffJson } from '../../../src/cli/diff/diff-report';
import { type Outcome, run } from '../../support/command';

export type FileTexts = Readonly<Record<string, string | undefined>>;

export function service(name: string, { scheme = 'internal', port = 443, namespace = 'edge' } = {}): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: ${namespace}
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-scheme: ${scheme}
  finalizers: [service.k8s.aws/resources]
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  selector: { app: ${name} }
  ports: [{ port: ${port} }]
`;
}

export const CONTEXT = 'controllers: [aws-load-balancer-controller, cloud-provider-aws]\n';

export class Folder {
  public readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'diff-')));

  public constructor(files: FileTexts) {
    this.write(files);
  }

  public write(files: FileTexts): this {
    for (const [name, text] of Object.entries(files)) {
      const file = join(this.path, name);
      mkdirSync(dirname(file), { recursive: true });
      if (text === undefined) {
        rmSync(file);
      } else {
        writeFileSync(file, text);
      }
    }
    return this;
  }

  public read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }

  /** Runs the command in a folder of it. */
  public diff(args: readonly string[], folder = '.'): Outcome {
    const before = process.cwd();
    process.chdir(join(this.path, folder));
    try {
      return run('diff', '--verbose', ...args);
    } finally {
      process.chdir(before);
    }
  }

  public json(...args: readonly string[]): DiffJson {
    const { out, error } = this.diff([...args, '--format', 'json']);
    expect(error).toBe('');
    return JSON.parse(out);
  }

  /** Each balancer with what becomes of it. */
  public outcomes(...args: readonly string[]): Record<string, string> {
    return Object.fromEntries(this.json(...args).changes.map(({ title, outcome }) => [title, outcome]));
  }
}

/** A folder with a repository of git, whose first commit has some files. */
export class Repository extends Folder {
  public constructor(files: FileTexts) {
    super(files);
    this.git('init', '-q', '-b', 'main');
    this.commit();
  }

  public git(...args: readonly string[]): string {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...who, ...args], { cwd: this.path, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  }

  public commit(files: FileTexts = {}): this {
    this.write(files);
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'a step');
    return this;
  }
}
