import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');

/** A folder outside of the repository with the packed library, cdk8s and constructs, and nothing else. */
export class PackedPackage {
  private folder?: string;

  /** Packs and unpacks what is published, once; it is gone when this process ends. */
  public readonly prepare = (): void => {
    if (this.folder !== undefined) {
      return;
    }
    this.folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-bench-'));
    process.once('exit', () => rmSync(this.folder as string, { recursive: true, force: true }));
    const modules = join(this.folder, 'node_modules');
    const installed = join(modules, 'cdk8s-load-balancers');
    mkdirSync(installed, { recursive: true });
    const pack = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', this.folder];
    const [{ filename }] = JSON.parse(
      execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    execFileSync('tar', ['xzf', join(this.folder, filename), '--strip-components=1', '-C', installed]);
    for (const name of ['cdk8s', 'constructs']) {
      cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true });
    }
  };

  /** How long a process takes in which a program runs beside what is installed: an ES module where it imports. */
  public run(code: string, env: NodeJS.ProcessEnv): () => number {
    const type = code.startsWith('import ') ? 'module' : 'commonjs';
    return () => {
      const start = process.hrtime.bigint();
      execFileSync(process.execPath, [`--input-type=${type}`, '-e', code], { cwd: this.folder, env });
      return Number(process.hrtime.bigint() - start);
    };
  }
}
