import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMap } from '../contract/json';
import { itemsOf, readKubernetesYaml } from '../contract/kubernetes-yaml';
import type { Manifest } from '../rules/manifest-objects';

/** What could not be read. */
export interface Unreadable {
  readonly file: string;
  readonly reason: string;
}

/** Everything that was read. */
export interface Manifests {
  readonly manifests: Manifest[];
  readonly unreadable: Unreadable[];
  /** Where documents are that are no objects of Kubernetes, such as the values of a chart. */
  readonly strange: string[];
}

/** Standard input, as kubectl and its friends write it. */
const STANDARD_INPUT = '-';

/** What kubectl reads in a folder. */
const EXTENSIONS = /\.(ya?ml|json)$/;

/** Reads the Kubernetes objects of files, of the YAML and JSON files in folders, and of standard input (`-`). */
export function readManifests(paths: readonly string[]): Manifests {
  const found: Manifests = { manifests: [], unreadable: [], strange: [] };
  for (const path of paths) {
    trying(path, found, () => {
      const files = filesIn(path);
      for (const file of files) {
        trying(file, found, () => readManifest(file, found));
      }
      if (files.length === 0) {
        throw new Error('the folder holds no file that ends with .yaml, .yml or .json');
      }
    });
  }
  return found;
}

function trying(file: string, { unreadable }: Manifests, read: () => void): void {
  try {
    read();
  } catch (error) {
    unreadable.push({ file, reason: (error as Error).message });
  }
}

function readManifest(file: string, { manifests, unreadable, strange }: Manifests): void {
  const { values, faults } = readKubernetesYaml(readFileSync(file === STANDARD_INPUT ? 0 : file));
  unreadable.push(
    ...faults.map(({ line, what, remedy }) => ({ file: `${file}:${line}`, reason: `${what}; ${remedy}` })),
  );
  for (const { value, line } of values.flatMap(itemsOf)) {
    if (isMap(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string') {
      manifests.push({ file, line, object: value });
    } else if (value !== null) {
      strange.push(`${file}:${line}`);
    }
  }
}

function filesIn(path: string): string[] {
  if (path === STANDARD_INPUT || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return [path];
  }
  return readdirSync(path, { recursive: true })
    .map(String)
    .filter((file) => EXTENSIONS.test(file))
    .sort()
    .map((file) => join(path, file))
    .filter((file) => !statSync(file, { throwIfNoEntry: false })?.isDirectory());
}
