import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMap } from '../contract/json';
import { readKubernetesYaml } from '../contract/kubernetes-yaml';
import { itemsOf } from '../contract/list-items';
import type { Manifest } from '../rules/manifest-objects';

/** What a folder holds, or a file. */
export interface WrittenManifests {
  readonly manifests: readonly Manifest[];
  /** What cannot be read, a sentence each. */
  readonly unreadable: readonly string[];
}

/** What kubectl reads in a folder. */
const EXTENSIONS = ['.yaml', '.yml', '.json'];

/**
 * Reads the manifests of a folder and of everything below it, or those of a file.
 *
 * @param extension how files end beside those that kubectl reads
 * @returns nothing where there is neither
 */
export function readWritten(path: string, extension?: string): WrittenManifests | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const endings = extension ? [...EXTENSIONS, extension] : EXTENSIONS;
  const isManifest = (file: string) => endings.some((ending) => file.endsWith(ending));
  const files = found?.isDirectory() ? below(path).filter(isManifest) : [path];
  const [manifests, unreadable]: [Manifest[], string[]] = [[], []];
  for (const file of found ? files : []) {
    const { values, faults } = readKubernetesYaml(readFileSync(file));
    unreadable.push(...faults.map(({ line, what }) => `${file}:${line}: ${what}`));
    for (const { value, line, source } of values.flatMap(itemsOf)) {
      if (isMap(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string') {
        manifests.push({ file, line, object: value, source });
      }
    }
  }
  return found && { manifests, unreadable };
}

/** The files below a folder in the order of their names, without hidden ones and those of package managers. */
function below(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== 'node_modules' && !name.startsWith('.'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isDirectory() ? below(path) : found?.isFile() ? [path] : [];
    });
}
