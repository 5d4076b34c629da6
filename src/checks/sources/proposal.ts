import { join, normalize } from 'node:path';
import picomatch from 'picomatch';
import { isMap, type Json, list, mapIn, mapsIn, textsAt } from '../../contract/json';
import type { Manifest } from '../../rules/manifest-objects';
import type { Files } from '../files';
import { type Discovered, Discovery, isWithin } from './discovery';

/** A source as the context file has it. */
export type ProposedSource =
  | { readonly kustomize: string }
  | { readonly helm: Readonly<Json> }
  | { readonly files: readonly string[] };

/** A cluster that a repository seems to be applied to. */
export interface ProposedCluster {
  readonly name: string;
  readonly sources: readonly ProposedSource[];
}

/** The cluster of what no GitOps tool says a cluster of. */
const MAIN = 'main';

/** A folder that a GitOps tool applies. */
interface Applied {
  readonly cluster: string;
  readonly path: string;
  readonly helm?: Readonly<Json>;
}

/**
 * Proposes clusters and their sources: what Argo CD and Flux apply, each to the cluster that its object names, and else what was
 * discovered. Nothing else reads these objects.
 *
 * @param manifests the plain manifests of the repository
 * @param found what was discovered in the folder
 * @param folder the folder of the context file
 * @param files where they are read
 */
export function proposedClusters(
  manifests: readonly Manifest[],
  found: Discovered,
  folder: string,
  files: Files,
): ProposedCluster[] {
  const discovery = new Discovery(files);
  const applied = manifests.flatMap((manifest) => appliedBy(manifest, found, folder));
  const there = applied.filter(({ path }) => files.kindOf(join(folder, path)) === 'folder');
  const clusters = new Map<string, ProposedSource[]>();
  const add = (cluster: string, source: ProposedSource) => {
    const sources = clusters.get(cluster) ?? [];
    clusters.set(cluster, sources);
    if (!sources.some((one) => JSON.stringify(one) === JSON.stringify(source))) {
      sources.push(source);
    }
  };
  for (const { cluster, path, helm } of there) {
    const at = join(folder, path);
    if (files.kindOf(join(at, 'Chart.yaml')) === 'file') {
      add(cluster, { helm: { chart: path, ...helm } });
    } else {
      add(cluster, discovery.fileOf(at) === undefined ? { files: [path] } : { kustomize: path });
    }
  }
  const isKnown = (at: string) => there.some(({ path }) => isWithin(at, join(folder, path)));
  const fromFolder = (at: string) => normalize(at.slice(folder === '.' ? 0 : folder.length + 1)) || '.';
  if (there.length === 0) {
    for (const at of found.kustomizations) {
      add(MAIN, { kustomize: fromFolder(at) });
    }
    for (const at of found.charts) {
      add(MAIN, { helm: { chart: fromFolder(at) } });
    }
    const plain = found.plain.filter((file) => !isKnown(file)).map(fromFolder);
    if (plain.length > 0 && clusters.size > 0) {
      add(MAIN, { files: [...new Set(plain.map((file) => file.split('/')[0]))] });
    }
  }
  return [...clusters].map(([name, sources]) => ({ name, sources }));
}

function appliedBy({ object, file }: Manifest, found: Discovered, folder: string): Applied[] {
  const group = String(object.apiVersion).split('/')[0];
  const spec = mapIn(object, 'spec');
  switch (`${group}/${object.kind}`) {
    case 'argoproj.io/Application':
      return ofApplication(spec);
    case 'argoproj.io/ApplicationSet':
      return ofApplicationSet(spec, found, folder);
    case 'kustomize.toolkit.fluxcd.io/Kustomization':
      return typeof spec.path === 'string' ? [{ cluster: clusterOfFile(file), path: normalize(spec.path) }] : [];
    case 'helm.toolkit.fluxcd.io/HelmRelease':
      return ofRelease(object, file);
    default:
      return [];
  }
}

function ofApplication(spec: Json): Applied[] {
  const { name, server, namespace } = mapIn(spec, 'destination');
  const cluster = nameOfDestination(name ?? server);
  return [spec.source, ...list<unknown>(spec.sources)].filter(isMap).flatMap((source): Applied[] => {
    const { path, helm } = source;
    if (typeof path !== 'string') {
      return [];
    }
    const { releaseName, valueFiles } = mapIn({ helm }, 'helm');
    const values = list<unknown>(valueFiles)
      .filter((one): one is string => typeof one === 'string' && !one.startsWith('$'))
      .map((one) => join(path, one));
    return [{ cluster, path: normalize(path), helm: helmOf(releaseName, namespace, values) }];
  });
}

/** `https://kubernetes.default.svc` is the cluster in which Argo CD runs. */
function nameOfDestination(destination: unknown): string {
  const text = typeof destination === 'string' ? destination.replace(/^https?:\/\//, '').replace(/[:/].*$/, '') : '';
  return text === 'kubernetes.default.svc' ? 'in-cluster' : text === '' || text.includes('{{') ? MAIN : text;
}

/** The folders that patterns of a generator fit. */
function ofApplicationSet(spec: Json, { kustomizations, charts, plain }: Discovered, folder: string): Applied[] {
  const template = mapIn(mapIn(spec, 'template'), 'spec');
  const { name, server } = mapIn(template, 'destination');
  const generators = mapsIn(spec, 'generators').flatMap((one) => [
    one,
    ...mapsIn(mapIn(one, 'matrix'), 'generators'),
    ...mapsIn(mapIn(one, 'merge'), 'generators'),
  ]);
  const patterns = generators.flatMap((one) => textsAt(one, ['git', 'directories', 'path']));
  const folders = [...kustomizations, ...charts, ...plain.map((file) => file.replace(/\/[^/]*$/, ''))];
  const paths = [...new Set(folders)].map((at) => (folder === '.' ? at : at.slice(folder.length + 1)));
  return paths
    .filter((path) => patterns.some((pattern) => picomatch(pattern)(path)))
    .map((path) => ({ cluster: nameOfDestination(name ?? server), path }));
}

function ofRelease(object: Json, file: string): Applied[] {
  const spec = mapIn(object, 'spec');
  const { chart, sourceRef, valuesFiles } = mapIn(mapIn(spec, 'chart'), 'spec');
  const { name, namespace } = mapIn(object, 'metadata');
  const kind = mapIn({ sourceRef }, 'sourceRef').kind;
  if (typeof chart !== 'string' || kind !== 'GitRepository') {
    return [];
  }
  const values = list<unknown>(valuesFiles).filter((one): one is string => typeof one === 'string');
  const helm = helmOf(spec.releaseName ?? name, spec.targetNamespace ?? namespace, values);
  return [{ cluster: clusterOfFile(file), path: normalize(chart), helm }];
}

function helmOf(release: unknown, namespace: unknown, values: readonly string[]): Readonly<Json> {
  return {
    ...(typeof release === 'string' && { release }),
    ...(typeof namespace === 'string' && { namespace }),
    ...(values.length > 0 && { values }),
  };
}

/** Flux keeps the objects of each cluster in a folder of its own: `clusters/prod`. */
function clusterOfFile(file: string): string {
  return /(?:^|\/)clusters\/([^/]+)\//.exec(file)?.[1] ?? MAIN;
}
