import { basename } from 'node:path';
import type { Json } from '../../contract/json';
import { CONTEXT_FILE } from '../context/context-file';
import type { RepositoryPaths } from '../git/git-files';
import type { ReadSide } from './read-sides';

/**
 * Whether files that change say nothing of what templates of the repository become: they are read by people, or have objects that are
 * applied as they are and hold no values.
 *
 * @param changed from the top of the repository
 */
export function fillNoTemplate(
  changed: readonly string[],
  { before, after }: Readonly<Record<'before' | 'after', ReadSide>>,
  repository: RepositoryPaths,
): boolean {
  const reads = [before.read, after.read];
  const objects = reads.flatMap(({ manifests }) => manifests);
  const others = reads.flatMap(({ unreadable, strange, kustomizations = [] }) => [
    ...unreadable.map(({ place }) => place.file),
    ...strange.map((place) => place.replace(/:\d+$/, '')),
    ...kustomizations.map(({ file }) => file),
    ...objects.filter(({ object }) => !isPlain(object)).map(({ file }) => file),
  ]);
  const pathsOf = (files: readonly string[]) => new Set([...new Set(files)].map((file) => repository.within(file)));
  const [plain, filling] = [pathsOf(objects.map(({ file }) => file)), pathsOf(others)];
  return changed.every(
    (path) =>
      basename(path) === CONTEXT_FILE || path.toLowerCase().endsWith('.md') || (plain.has(path) && !filling.has(path)),
  );
}

function isPlain({ apiVersion, kind }: Json): boolean {
  const [group, version] = String(apiVersion).split('/');
  return version === undefined ? !HOLDERS.has(kind) : PLAIN.has(group);
}

const HOLDERS: ReadonlySet<unknown> = new Set(['ConfigMap', 'Secret']);

/** Groups of objects that hold no values of a chart, and have nothing rendered. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['apps', 'batch', 'autoscaling', 'policy', 'networking.k8s.io', 'gateway.networking.k8s.io'],
  ...['rbac.authorization.k8s.io', 'discovery.k8s.io', 'storage.k8s.io', 'kafka.strimzi.io', 'metallb.io'],
]);
