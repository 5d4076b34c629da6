import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMap } from '../contract/json';
import { itemsOf, readKubernetesYaml } from '../contract/kubernetes-yaml';
import { printable } from '../contract/printable';
import type { Manifest } from '../rules/manifest-objects';
import type { UnreadableDocument } from './check-report';
import { isKustomization, patchFilesIn } from './patches';

/** Everything that was read. */
export interface Manifests {
  readonly manifests: Manifest[];
  readonly unreadable: UnreadableDocument[];
  /** Where documents are that are no objects of Kubernetes, such as the values of a chart. */
  readonly strange: string[];
  /** Files that a kustomization lists as patches: what is in them is no object by itself. */
  readonly patchFiles?: Set<string>;
}

/** Standard input, as kubectl and its friends write it. */
const STANDARD_INPUT = '-';

/** What kubectl reads in a folder. */
const EXTENSIONS = /\.(ya?ml|json)$/;

/** Reads the Kubernetes objects of files, of the YAML and JSON files in folders, and of standard input (`-`). */
export function readManifests(paths: readonly string[]): Manifests {
  const found = { manifests: [], unreadable: [], strange: [], patchFiles: new Set<string>() };
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
    const place = { file, line: 1, column: 1 };
    unreadable.push({
      place,
      what: printable((error as Error).message),
      remedy: 'pass a file or a folder that can be read',
    });
  }
}

function readManifest(file: string, { manifests, unreadable, strange, patchFiles }: Manifests): void {
  const { values, faults } = readKubernetesYaml(readFileSync(file === STANDARD_INPUT ? 0 : file));
  unreadable.push(
    ...faults.map(({ line, column = 1, what, remedy }) => ({ place: { file, line, column }, what, remedy })),
  );
  for (const { value, line, source } of values.flatMap(itemsOf)) {
    for (const patch of patchFilesIn(file, value)) {
      patchFiles?.add(patch);
    }
    if (isMap(value) && typeof value.kind === 'string' && typeof value.apiVersion === 'string') {
      manifests.push({ file, line, object: value, source });
    } else if (value !== null && !isKustomization(file)) {
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
