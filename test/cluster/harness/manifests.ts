import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Ref } from './api';

/** The objects of one file of ours. */
export interface ManifestFile {
  readonly name: string;
  readonly objects: Ref[];
}

const GOLDENS = join(__dirname, '..', '..', 'goldens');

/** What no object of ours needs a namespace made for. */
const GIVEN = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

export function objectsIn(yaml: string): Ref[] {
  return parseAllDocuments(yaml).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) {
      throw problem;
    }
    return document.toJS() as Ref;
  });
}

/** Every golden and what every example writes. */
export function manifestFiles(): ManifestFile[] {
  return [GOLDENS, join(GOLDENS, 'examples')].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .sort()
      .map((file) => ({
        name: basename(file).replace(/(\.k8s)?\.yaml$/, ''),
        objects: objectsIn(readFileSync(join(folder, file), 'utf8')),
      })),
  );
}

/** The namespaces that objects want to be in. */
export function namespacesOf(objects: readonly Ref[]): string[] {
  const named = objects.map((object) => object.metadata.namespace);
  return [...new Set(named)].filter((name): name is string => name !== undefined && !GIVEN.includes(name));
}

/** The same objects with the namespace of the Services replaced, so that files do not meet; other namespaces stay. */
export function movedTo(namespace: string, objects: readonly Ref[]): Ref[] {
  const theirs = objects.find((object) => object.kind === 'Service')?.metadata.namespace;
  return objects.map((object) =>
    object.metadata.namespace === theirs ? { ...object, metadata: { ...object.metadata, namespace } } : object,
  );
}
