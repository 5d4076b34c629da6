import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packagedWheel } from '../packaged-wheel';
import { must } from './commands';

const ROOT = join(__dirname, '..', '..', '..');

/** What is published, each made when it is first asked for, and a folder for what is made of it. */
export class Packed {
  private packed?: string;

  /**
   * @param folder empty; whoever made it removes it
   * @param update whether snapshots, and what is expected, are written again
   */
  public constructor(
    public readonly folder: string,
    public readonly update: boolean,
  ) {}

  /** The package of npm. */
  public get tarball(): string {
    if (this.packed === undefined) {
      const to = ['--pack-destination', this.folder];
      const printed = must({ cwd: ROOT }, 'npm', 'pack', '--json', '--silent', '--ignore-scripts', ...to);
      const [{ filename }] = JSON.parse(printed.slice(printed.indexOf('['), printed.lastIndexOf(']') + 1));
      this.packed = join(this.folder, filename);
    }
    return this.packed;
  }

  /** The package of PyPI. */
  public get wheel(): string {
    return packagedWheel();
  }

  /** A new folder with a name. */
  public empty(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    return folder;
  }
}
