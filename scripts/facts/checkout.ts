import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../../src/contract/json';
import { Unreadable } from './fact';

/** Folders without facts. */
const LEFT_ASIDE = new Set(['.git', 'node_modules', 'vendor']);

/** The files of a release, as its repository has them. */
export class Checkout {
  private all?: readonly string[];

  public constructor(
    public readonly root: string,
    private readonly product: string,
  ) {
    if (!existsSync(root) || !statSync(root).isDirectory()) {
      throw new Unreadable(`${root} is not a folder; name a checkout of ${product}`);
    }
  }

  public has(file: string): boolean {
    return existsSync(join(this.root, file));
  }

  /** @throws when the release has no such file. */
  public text(file: string): string {
    if (!this.has(file)) {
      throw new Unreadable(
        `${this.root} has no ${file}: it is not a checkout of ${this.product}, or the release has moved that file; mend the reader of ${this.product}`,
      );
    }
    return readFileSync(join(this.root, file), 'utf8');
  }

  public json(file: string): Json {
    try {
      return JSON.parse(this.text(file));
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable(`${file} is not JSON: ${(error as Error).message}`);
    }
  }

  /** The documents of a file in YAML; those of a template of Helm are not YAML. */
  public yaml(file: string): Json[] {
    const documents = parseAllDocuments(this.text(file));
    const [broken] = documents.flatMap(({ errors }) => errors);
    if (broken) {
      throw new Unreadable(`${file} is not YAML: ${broken.message.split('\n')[0]}`);
    }
    return documents.map((document) => document.toJS({ maxAliasCount: -1 })).filter((each) => each !== null);
  }

  /** What a file has behind a pattern, as its version. */
  public found(file: string, pattern: RegExp): string {
    const match = pattern.exec(this.text(file))?.[1];
    if (match === undefined) {
      throw new Unreadable(`${file} does not say ${pattern.source}: it is not the file of ${this.product}`);
    }
    return match;
  }

  /** Files of a folder and those below it, by how their path goes on. */
  public below(folder: string, ending: RegExp): string[] {
    const files = this.files().filter((file) => file.startsWith(`${folder}/`) && ending.test(file));
    if (files.length === 0) {
      throw new Unreadable(
        `${this.root} has no ${folder}/…${ending.source}: it is not a checkout of ${this.product}, or the release has moved these files; mend the reader of ${this.product}`,
      );
    }
    return files;
  }

  /** Every file, sorted. */
  public files(): readonly string[] {
    this.all ??= readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(this.root.length).split(sep).join('/').replace(/^\//, ''),
      )
      .filter((file) => !file.split('/').some((part) => LEFT_ASIDE.has(part)))
      .sort();
    return this.all;
  }
}
