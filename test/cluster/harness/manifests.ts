import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Ref } from './api';

export interface ManifestFile {
  readonly name: string;
  readonly objects: Ref[];
}

const TEST = join(__dirname, '..', '..');
const GOLDENS = join(TEST, 'goldens');
const EXAMPLES = join(GOLDENS, 'examples');
const KAFKA_GOLDENS = join(TEST, 'kafka', 'goldens');

const GIVEN = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

export function objectsIn(yaml: string): Ref[] {
  return parseAllDocuments(yaml).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) {
      throw problem;
    }
    return document.toJS() as Ref;
  });
}

function filesIn(...folders: string[]): ManifestFile[] {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .sort()
      .map((file) => ({
        name: basename(file).replace(/(\.k8s)?\.yaml$/, ''),
        objects: objectsIn(readFileSync(join(folder, file), 'utf8')),
      })),
  );
}

/** Whether the operator of Strimzi serves an object: nobody else knows its kind. */
export function isOfStrimzi({ apiVersion }: Pick<Ref, 'apiVersion'>): boolean {
  return /^([\w-]+\.)*strimzi\.io\//.test(apiVersion);
}

const needsStrimzi = ({ objects }: ManifestFile) => objects.some(isOfStrimzi);

/** Every golden and what every example writes, but for those that need Strimzi. */
export function manifestFiles(): ManifestFile[] {
  return filesIn(GOLDENS, EXAMPLES).filter((file) => !needsStrimzi(file));
}

/** The goldens of the Kafka room, and what examples with Kafka in them write. */
export function kafkaManifestFiles(): ManifestFile[] {
  return [...filesIn(KAFKA_GOLDENS), ...filesIn(GOLDENS, EXAMPLES).filter(needsStrimzi)];
}

export function namespacesOf(objects: readonly Ref[]): string[] {
  const named = objects.map((object) => object.metadata.namespace);
  return [...new Set(named)].filter((name): name is string => name !== undefined && !GIVEN.includes(name));
}

/**
 * The same objects with one namespace replaced, so that files do not meet: that of the Services, or of other objects.
 * Other namespaces stay.
 */
export function movedTo(
  namespace: string,
  objects: readonly Ref[],
  isOne: (object: Ref) => boolean = (object) => object.kind === 'Service',
): Ref[] {
  const theirs = objects.find(isOne)?.metadata.namespace;
  return objects.map((object) =>
    object.metadata.namespace === theirs ? { ...object, metadata: { ...object.metadata, namespace } } : object,
  );
}
