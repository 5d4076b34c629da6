import { basename, dirname, extname, join, normalize, relative } from 'node:path';
import picomatch from 'picomatch';
import { cachedIn, grouped, isMap, type Json, list, mapIn, mapsIn, printable, textsAt } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import type { Manifest } from '../../rules/manifest-objects';
import { groupOf } from '../../rules/objects';
import type { InstalledController } from '../context/check-context';
import { CONTEXT_FIELDS } from '../context/context-fields.facts';
import { CONTEXT_FILE } from '../context/context-file';
import type { Evidence } from '../context/inference';
import { evidenceInWords, type Observation } from '../context/observed-cluster';
import type { Files } from '../files';
import { isManifest } from '../manifests';
import { Discovery, type DiscoveryResult, isWithin } from './discovery';

export type ProposedSource =
  | { readonly kustomize: string }
  | { readonly helm: Readonly<Json> }
  | { readonly files: readonly string[] };

export interface ProposedCluster {
  readonly name: string;
  readonly sources: readonly ProposedSource[];
}

const MAIN = 'main';

interface Applied {
  readonly cluster: string;
  readonly path: string;
  readonly helm?: Readonly<Json>;
  /** True for Flux, which writes a missing kustomization with the files and the kustomizations of the folder. */
  readonly isGenerated?: true;
}

/**
 * Proposes clusters and their sources: what Argo CD and Flux apply, each to the cluster that its object names, and else what was
 * discovered. Nothing else reads these objects.
 */
export function proposedClusters(
  manifests: readonly Manifest[],
  found: DiscoveryResult,
  folder: string,
  files: Files,
): ProposedCluster[] {
  const discovery = new Discovery(files);
  const artifacts = artifactsIn(manifests);
  const applied = manifests.flatMap((manifest) => appliedBy(manifest, found, folder, artifacts));
  const there = applied.filter(({ path }) => files.kindOf(join(folder, path)) === 'folder');
  const clusters = new Map<string, ProposedSource[]>();
  const add = (cluster: string, source: ProposedSource) => {
    const sources = cachedIn(clusters, cluster, (): ProposedSource[] => []);
    if (!sources.some((one) => JSON.stringify(one) === JSON.stringify(source))) {
      sources.push(source);
    }
  };
  const fromFolder = (at: string) => normalize(at.slice(folder === '.' ? 0 : folder.length + 1)) || '.';
  const hold = new Set(manifests.map(({ file }) => fromFolder(file)));
  const addFiles = (cluster: string, paths: readonly string[], isPart: (folder: string) => boolean) => {
    const own = new Set(paths);
    const below = (at: string) =>
      files
        .below(join(folder, at))
        .filter((file) => isManifest(file) && basename(file) !== CONTEXT_FILE)
        .map(fromFolder);
    const isWhole = (at: string) => isPart(at) && below(at).every((file) => own.has(file));
    const places = foldersOf(
      paths.filter((path) => hold.has(path)),
      isWhole,
    );
    if (places.length > 0) {
      add(cluster, { files: places });
    }
  };
  for (const { cluster, path, helm, isGenerated } of there) {
    const at = join(folder, path);
    if (files.kindOf(join(at, 'Chart.yaml')) === 'file') {
      add(cluster, { helm: { chart: path, ...helm } });
    } else if (discovery.fileOf(at) !== undefined) {
      add(cluster, { kustomize: path });
    } else if (isGenerated) {
      const { kustomizations, plain } = discovery.in(at);
      for (const one of kustomizations) {
        add(cluster, { kustomize: fromFolder(one) });
      }
      addFiles(cluster, plain.map(fromFolder), (inner) => isWithin(inner, path));
    } else {
      add(cluster, { files: [path] });
    }
  }
  const isKnown = (at: string) => there.some(({ path }) => isWithin(at, join(folder, path)));
  // what nothing applies is proposed if its path names a cluster, or if nothing shows what is applied
  const others = (paths: readonly string[], end = '/') =>
    paths
      .filter((at) => !isKnown(at))
      .map(fromFolder)
      .flatMap((path) => {
        const cluster = clusterOf(`${path}${end}`) ?? (there.length === 0 ? MAIN : undefined);
        return cluster === undefined ? [] : [{ cluster, path }];
      });
  for (const { cluster, path } of others(found.kustomizations)) {
    add(cluster, { kustomize: path });
  }
  for (const { cluster, path } of others(found.charts)) {
    add(cluster, { helm: { chart: path } });
  }
  for (const [cluster, plain] of clusters.size > 0 ? grouped(others(found.plain, ''), (one) => one.cluster) : []) {
    const isPart = (at: string) => cluster === MAIN || clusterOf(`${at}/`) === cluster;
    addFiles(
      cluster,
      plain.map(({ path }) => path),
      isPart,
    );
  }
  return [...clusters].map(([name, sources]) => ({ name, sources }));
}

/** The largest folders of some files of which all is wanted, and patterns for files of other folders. */
function foldersOf(paths: readonly string[], isWhole: (folder: string) => boolean): string[] {
  const known = new Map<string, boolean>();
  const isKnownWhole = (at: string) => cachedIn(known, at, () => isWhole(at));
  const placeOf = (path: string) => {
    const steps = dirname(path).split('/');
    const around = steps.map((_, i) => steps.slice(0, i + 1).join('/'));
    return around.find(isKnownWhole) ?? join(dirname(path), `*${extname(path)}`);
  };
  return [...new Set(paths.map(placeOf))];
}

/** Folders of an artifact that Flux builds, by cluster and name. */
type Artifacts = ReadonlyMap<string, readonly { readonly from: string; readonly to: string }[]>;

const AROUND_FOLDER = /^@[^/]*\/|\/?(\*\*)?$/g;

/** @see fluxcd/source-watcher docs/spec/v1beta1/artifactgenerators.md */
function artifactsIn(manifests: readonly Manifest[]): Artifacts {
  return new Map(
    manifests
      .filter(({ object }) => object.kind === 'ArtifactGenerator' && groupOf(object) === 'source.extensions.fluxcd.io')
      .flatMap(({ object, file }) =>
        mapsIn(mapIn(object, 'spec'), 'artifacts').map((artifact) => [
          `${clusterOf(file)} ${artifact.name}`,
          mapsIn(artifact, 'copy').map(({ from, to }) => ({
            from: String(from).replace(AROUND_FOLDER, ''),
            to: String(to).replace(AROUND_FOLDER, ''),
          })),
        ]),
      ),
  );
}

function appliedBy(
  { object, file }: Manifest,
  found: DiscoveryResult,
  folder: string,
  artifacts: Artifacts,
): Applied[] {
  const spec = mapIn(object, 'spec');
  switch (`${groupOf(object)}/${object.kind}`) {
    case 'argoproj.io/Application':
      return ofApplication(spec);
    case 'argoproj.io/ApplicationSet':
      return ofApplicationSet(spec, found, folder);
    case 'kustomize.toolkit.fluxcd.io/Kustomization':
      return ofKustomization(spec, file, artifacts);
    case 'helm.toolkit.fluxcd.io/HelmRelease':
      return ofRelease(object, file);
    default:
      return [];
  }
}

function ofKustomization({ path: written, sourceRef }: Json, file: string, artifacts: Artifacts): Applied[] {
  if (typeof written !== 'string') {
    return [];
  }
  const path = normalize(written);
  const { kind, name } = mapIn({ sourceRef }, 'sourceRef');
  const copies =
    kind === 'ExternalArtifact' ? (artifacts.get(`${clusterOf(file)} ${name}`) ?? []) : [{ from: '', to: '' }];
  return copies
    .filter(({ to }) => isWithin(path, to || '.'))
    .map(({ from, to }) => ({
      cluster: clusterOf(file) ?? MAIN,
      path: join(from, relative(to || '.', path)),
      isGenerated: true,
    }));
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

function ofApplicationSet(spec: Json, { kustomizations, charts, plain }: DiscoveryResult, folder: string): Applied[] {
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
  return [{ cluster: clusterOf(file) ?? MAIN, path: normalize(chart), helm }];
}

function helmOf(release: unknown, namespace: unknown, values: readonly string[]): Readonly<Json> {
  return {
    ...(typeof release === 'string' && { release }),
    ...(typeof namespace === 'string' && { namespace }),
    ...(values.length > 0 && { values }),
  };
}

/** The cluster that the path of a file, or of a folder with a slash at its end, names: `clusters/NAME/`. */
function clusterOf(path: string): string | undefined {
  return /(?:^|\/)clusters\/([^/]+)\//.exec(path)?.[1];
}

export const SCHEMA_FILE = 'node_modules/cdk8s-load-balancers/schema/load-balancers.schema.json';

/** A context file as the objects of some files show the cluster; comments say which objects. The same ones give the same text. */
export function initialContextFile(evidence: Evidence): string {
  return `${HEAD}\n${keysOf(evidence)}`;
}

export function initialClustersFile(clusters: readonly (ProposedCluster & { readonly evidence: Evidence })[]): string {
  const entries = clusters.map(({ name, sources, evidence }) => {
    const keys = keysOf(evidence).replace(/^(?=.)/gm, '    ');
    const listed = sources.map((source) => `      - ${fields(source)}\n`).join('');
    return `  - name: ${scalar(name)}\n    sources:\n${listed}${keys}`;
  });
  return `${HEAD}\nclusters:\n${entries.join('\n')}`;
}

function flow(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map(flow).join(', ')}]`
    : isMap(value)
      ? `{ ${fields(value)} }`
      : scalar(value);
}

function fields(map: Readonly<Record<string, unknown>>): string {
  return Object.entries(map)
    .map(([key, value]) => `${key}: ${flow(value)}`)
    .join(', ');
}

function keysOf(evidence: Evidence): string {
  return [
    kubernetes(evidence),
    controllers(evidence),
    key('strimzi', evidence.strimzi, ({ version }) => version),
    key('region', evidence.region, (region) => region),
    nodePools(evidence.nodePools),
    unseen('accepted'),
  ]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

const HEAD = `# yaml-language-server: $schema=${SCHEMA_FILE}
# What manifests cannot say about their cluster. This was read from the manifests: correct it, and complete it.
`;

function comment(text: string): string[] {
  return [`# ${printable(text)}`];
}

function unseen(name: keyof typeof CONTEXT_FIELDS): string[] {
  const { says, example } = CONTEXT_FIELDS[name];
  return [...comment(says), `# ${name}: ${example}`];
}

function key<T>(name: string, seen: Observation<T> | undefined, textOf: (value: T) => string): string[] {
  return seen === undefined
    ? unseen(name)
    : [
        ...comment(`${CONTEXT_FIELDS[name].says}: from ${evidenceInWords(seen.by)}`),
        `${name}: ${scalar(textOf(seen.value))}`,
      ];
}

function kubernetes({ kubelet }: Evidence): string[] {
  return kubelet === undefined
    ? unseen('kubernetes')
    : [
        ...comment(`${CONTEXT_FIELDS.kubernetes.says}: this one or a newer one, by ${evidenceInWords(kubelet.by)}`),
        `# kubernetes: ${scalar(kubelet.value)}`,
      ];
}

function controllers({ controllers: seen, doubt }: Evidence): string[] {
  const { says } = CONTEXT_FIELDS.controllers;
  const lines = ['controllers:', ...seen.flatMap(entry)];
  return seen.length === 0
    ? unseen('controllers')
    : doubt === undefined
      ? [...comment(says), ...lines]
      : [...comment(`${says}; decide, since ${doubt}`), ...lines.map((line) => `# ${line}`)];
}

function entry({ value: { name, options }, by }: Observation<InstalledController>): string[] {
  const from = `  # ${evidenceInWords(by)}`;
  const written = Object.entries(options).map(([option, value]) => `    ${option}: ${scalar(value)}`);
  return written.length === 0 ? [from, `  - ${name}`] : [from, `  - name: ${name}`, ...written];
}

function nodePools(pools: readonly Observation<NodePool>[]): string[] {
  return pools.length === 0
    ? unseen('nodePools')
    : [...comment(CONTEXT_FIELDS.nodePools.says), 'nodePools:', ...pools.flatMap(pool)];
}

function pool({ value: { name, labels, taints, zones }, by }: Observation<NodePool>): string[] {
  return [
    `  # ${evidenceInWords(by)}`,
    `  ${scalar(name)}:`,
    '    labels:',
    ...Object.entries(labels).map(([label, value]) => `      ${scalar(label)}: ${scalar(value)}`),
    ...(taints.length > 0 ? [`    taints: ${flow(taints.map(String))}`] : []),
    ...(zones.length > 0 ? [`    zones: ${flow(zones)}`] : []),
  ];
}

const PLAIN = /^([A-Za-z][\w./-]*|\d+\.\d+\.\d+)$/;

const WORDS = /^(y|n|yes|no|on|off|true|false|null)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') {
    return String(value);
  }
  return PLAIN.test(value) && !WORDS.test(value) ? value : `'${printable(value).replaceAll("'", "''")}'`;
}
