import { basename, dirname, join, normalize, resolve } from 'node:path';
import picomatch from 'picomatch';
import { cachedIn, grouped, isMap, type Json, mapIn, mapsIn, objectNameOf, printable } from '../../contract/json';
import { readKubernetesYaml } from '../../contract/kubernetes-yaml';
import { count, someOf } from '../../contract/rule';
import { groupOf } from '../../rules/objects';
import type { UnreadableDocument } from '../check-report';
import {
  type CheckContext,
  type ControllerSelection,
  type HelmSource,
  NO_CONTEXT,
  type SourceEntry,
} from '../context/check-context';
import { joinWords } from '../context/context-controllers';
import { CONTEXT_FILE, contextFileAbove, readContextFile } from '../context/context-file';
import { DISK, type Files, UsageError } from '../files';
import { isManifest, type Manifests, readManifests } from '../manifests';
import { Discovery, isWithin, leftOutBy, withoutPatterns } from './discovery';
import type { ProposedCluster, ProposedSource } from './init';
import { objectsOf } from './rendered';
import { type Rendered, type Rendering, RenderingCache, renderChart, renderKustomization } from './renderers';

export interface Cluster {
  readonly name?: string;
  readonly context: CheckContext;
  readonly read: Manifests;
  readonly plainPaths?: readonly string[];
  /** Its sources as text, if they are declared: a cluster with another name and the same sources is the same cluster. */
  readonly sources?: string;
}

interface UnreadCluster extends Omit<Cluster, 'read'> {
  readonly render: () => () => Manifests;
}

export interface ClusterOptions {
  readonly config?: string;
  readonly cluster?: string;
  readonly controllers?: ControllerSelection;
  readonly exclude?: readonly string[];
  readonly contextFiles?: Files;
  readonly mayBeEmpty?: boolean;
}

interface RenderedFrom {
  readonly folder: string;
  readonly chart?: Omit<HelmSource, 'chart'>;
  /** Place of its declaration; undefined if it is discovered. */
  readonly place?: SourceEntry['place'];
}

type Source = RenderedFrom | { readonly files: readonly string[] };

interface Region {
  readonly folder: string;
  readonly file?: string;
  readonly paths: readonly string[];
}

const STANDARD_INPUT = '-';

/**
 * Reads the clusters of some paths: their context files say which ones there are and what is applied to each. A manifest belongs
 * to the nearest context file; without one, kustomizations and charts are looked for, and all other manifests are applied as they
 * are.
 *
 * @throws Misuse if a context file has mistakes, or a path belongs to no cluster
 */
export function clustersOf(
  paths: readonly string[],
  options: ClusterOptions = {},
  files: Files = DISK,
  cache?: RenderingCache,
): Cluster[] {
  return new Repository(options, files, cache).clusters(paths);
}

export function readProposed({ sources }: ProposedCluster, folder: string): Manifests {
  return new Repository({}, DISK).readProposed(sources, folder);
}

export function haveContextFile(paths: readonly string[], files: Files): boolean {
  return new Repository({}, files).regionsOf(paths).some(({ file }) => file !== undefined);
}

/** True if a context file around or below some paths names clusters; undefined if one has mistakes. */
export function nameClusters(paths: readonly string[], files: Files): boolean | undefined {
  const regions = new Repository({}, files).regionsOf(paths);
  const read = regions.flatMap(({ file }) => (file === undefined ? [] : [readContextFile(file, files)]));
  return read.some(({ mistakes }) => mistakes.length > 0)
    ? undefined
    : read.some(({ clusters }) => clusters !== undefined);
}

class Repository {
  private readonly discovery: Discovery;
  private readonly contextFiles: Files;

  public constructor(
    private readonly options: ClusterOptions,
    private readonly files: Files,
    private readonly cache = new RenderingCache(),
  ) {
    this.discovery = new Discovery(files);
    this.contextFiles = options.contextFiles ?? files;
  }

  public clusters(paths: readonly string[]): Cluster[] {
    const { cluster: wanted } = this.options;
    const regions = this.regionsOf(paths);
    const isAlone = regions.length === 1;
    const all = regions.flatMap((region) => this.clustersIn(region, isAlone ? undefined : region.folder));
    const chosen = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
    if (chosen.length === 0) {
      const names = all.flatMap(({ name }) => name ?? []);
      const known = names.length === 0 ? 'there is one cluster, without a name' : `known are ${names.join(', ')}`;
      throw new UsageError(printable(`--cluster ${wanted} is unknown; ${known}`));
    }
    const { controllers } = this.options;
    const reading = chosen.map((cluster) => ({ ...cluster, read: cluster.render() }));
    return reading.map(({ name, read, context, sources, plainPaths }) => ({
      plainPaths,
      ...(all.length > 1 && { name }),
      ...(sources !== undefined && { sources }),
      context: controllers ? withControllers(context, controllers) : context,
      read: read(),
    }));
  }

  public regionsOf(paths: readonly string[]): Region[] {
    const { config } = this.options;
    const regions = new Map<string, Region>();
    const add = (file: string | undefined, path: string) => {
      const region = regions.get(file ?? '') ?? { folder: file === undefined ? '.' : dirname(file), file, paths: [] };
      regions.set(file ?? '', { ...region, paths: [...region.paths, path] });
    };
    for (const path of paths) {
      const nested = config === undefined ? this.contextFilesBelow(path) : [];
      const around = config ?? contextFileAbove(this.folderOf(path), this.contextFiles);
      for (const file of nested.filter((one) => around === undefined || resolve(one) !== resolve(around))) {
        add(file, dirname(file));
      }
      // a folder whose files all belong to nested context files has none of its own
      if (around !== undefined || nested.length === 0 || this.hasOwnFiles(path, nested)) {
        add(around, path);
      }
    }
    return [...regions.values()];
  }

  private contextFilesBelow(path: string): string[] {
    if (path === STANDARD_INPUT || this.contextFiles.kindOf(path) !== 'folder') {
      return [];
    }
    const isLeftOut = this.leftOut(path);
    return this.contextFiles
      .below(path)
      .filter((file) => basename(file) === CONTEXT_FILE && !isLeftOut(file))
      .filter((file) => resolve(contextFileAbove(dirname(file), this.contextFiles) ?? '') === resolve(file));
  }

  private hasOwnFiles(path: string, nested: readonly string[]): boolean {
    const isNested = (file: string) => nested.some((one) => isWithin(file, dirname(one)));
    const { kustomizations, charts, plain } = this.discovery.in(path, isNested);
    return [...kustomizations, ...charts, ...plain].length > 0;
  }

  private folderOf(path: string): string {
    if (path === STANDARD_INPUT) {
      return '.';
    }
    const { base, isGlob } = picomatch.scan(path);
    const from = isGlob && !this.files.kindOf(path) ? base || '.' : path;
    return this.files.kindOf(from) === 'folder' ? from : dirname(from);
  }

  private leftOut(folder: string, exclude: readonly string[] = []): (file: string) => boolean {
    return leftOutBy([...exclude, ...(this.options.exclude ?? [])], folder);
  }

  /** @param name what clusters without a name are called, if there are several */
  private clustersIn({ file, folder, paths }: Region, name?: string): UnreadCluster[] {
    const { context = NO_CONTEXT, clusters, exclude = [], mistakes } = file ? this.contextIn(file) : NOTHING_READ;
    if (mistakes.length > 0) {
      const lines = mistakes.map(({ place: { line, column }, what, remedy }) =>
        printable(`${file}:${line}:${column}: ${what}; ${remedy}`),
      );
      throw new UsageError(lines.join('\n'));
    }
    const isLeftOut = this.leftOut(folder, exclude);
    if (clusters === undefined) {
      const render = () => this.renderDiscovered(paths, isLeftOut, context);
      return [{ name, context, render, plainPaths: paths }];
    }
    const { cluster: wanted } = this.options;
    const known = clusters.map((cluster) => ({
      ...cluster,
      sources: cluster.sources.map((one) => located(one, folder)),
    }));
    const isOnly = known.length === 1;
    const strays = paths.filter((path) => !known.some(({ sources }) => sources.some((one) => isFor(one, path))));
    if (strays.length > 0 && !isOnly && wanted === undefined) {
      const what = strays[0] === STANDARD_INPUT ? 'standard input' : printable(strays[0]);
      const names = known.map((one) => one.name).join(' | ');
      throw new UsageError(`${what} is in no source of the clusters in ${file}; name its cluster: --cluster ${names}`);
    }
    return known.map((cluster) => {
      const isOwn = isOnly || cluster.name === wanted;
      const sources = cluster.sources.filter((source) => paths.some((path) => isFor(source, path)));
      const render = () => this.renderSources(cluster.context, sources, isOwn ? strays : [], isLeftOut);
      const text = JSON.stringify(cluster.sources.map((source) => ({ ...source, place: undefined })));
      const plainPaths = sources.flatMap((source) => ('files' in source ? source.files : []));
      return { name: cluster.name, context: cluster.context, render, sources: text, plainPaths };
    });
  }

  private contextIn(file: string) {
    return readContextFile(file, this.options.config === undefined ? this.contextFiles : DISK);
  }

  private renderDiscovered(
    paths: readonly string[],
    isLeftOut: (file: string) => boolean,
    context: CheckContext,
  ): () => Manifests {
    const folders = paths.filter((path) => this.files.kindOf(path) === 'folder');
    const found = folders.map((folder) =>
      this.discovery.in(folder, (file) => isLeftOut(file) || this.isOfOther(file, folder)),
    );
    const kustomizations = found.flatMap((one) => one.kustomizations);
    const charts = found.flatMap((one) => one.charts);
    const others = paths.filter((path) => !folders.includes(path));
    const plain = [...withoutPatterns(others, this.files), ...found.flatMap((one) => one.plain)];
    const empty = folders.filter((folder) => !this.files.below(folder).some(isManifest));
    const sources: Source[] = [
      ...kustomizations.map((folder) => ({ folder })),
      ...charts.map((folder) => ({ folder, chart: {} })),
    ];
    const assumed = assumedIn(kustomizations, charts, plain.length);
    return this.reading(sources, context, this.options.mayBeEmpty ? plain : [...empty, ...plain], { notes: assumed });
  }

  private isOfOther(file: string, folder: string): boolean {
    if (this.options.config !== undefined) {
      return false;
    }
    const nested = cachedIn(this.nested, folder, () => this.contextFilesBelow(folder).map((one) => dirname(one)));
    return nested.some((one) => resolve(one) !== resolve(folder) && isWithin(file, one));
  }

  private readonly nested = new Map<string, readonly string[]>();

  public readProposed(sources: readonly ProposedSource[], folder: string): Manifests {
    const place = { file: CONTEXT_FILE, line: 1, column: 1 };
    const written = sources.map((one) => ({ ...('helm' in one ? one.helm : one), place }) as SourceEntry);
    const all = written.map((one) => located(one, folder));
    return this.renderSources(NO_CONTEXT, all, [], this.leftOut(folder))();
  }

  private renderSources(
    context: CheckContext,
    sources: readonly Source[],
    strays: readonly string[],
    isLeftOut: (file: string) => boolean,
  ): () => Manifests {
    const plain = sources.flatMap((source) => ('files' in source ? source.files : []));
    const paths = withoutPatterns([...plain, ...strays], this.files).flatMap((path) =>
      this.files.kindOf(path) === 'folder' ? this.files.below(path).filter(isManifest) : [path],
    );
    const isRead = (file: string) => !isLeftOut(file);
    return this.reading(sources, context, paths.filter(isRead), { notes: [], isDeclared: true });
  }

  /**
   * Begins to render sources, and returns what reads their objects and those of files. A declared source that cannot be rendered is
   * unreadable, and a discovered one is noted.
   */
  private reading(
    sources: readonly Source[],
    context: CheckContext,
    paths: readonly string[],
    { notes, ...more }: Pick<Manifests, 'isDeclared'> & { readonly notes: readonly string[] },
  ): () => Manifests {
    const rendering = sources
      .filter((source): source is RenderedFrom => !('files' in source))
      .map((source) => ({ source, rendered: this.rendered(source, context) }));
    return () => {
      const read = readManifests(paths, this.files);
      const failed = this.add(rendering, read);
      fillDefaults(read.manifests.map(({ object }) => object));
      return { ...read, ...more, notes: [...notes, ...(read.notes ?? []), ...failed], isIncomplete: failed.length > 0 };
    };
  }

  private add(
    rendering: readonly { source: RenderedFrom; rendered: Rendered }[],
    { manifests, unreadable }: Manifests,
  ): string[] {
    const failures = rendering.flatMap(({ source, rendered }) => {
      const result = this.objectsIn(source, rendered());
      if (Array.isArray(result)) {
        manifests.push(...result);
        return [];
      }
      return [{ ...result, source, folder: source.folder }];
    });
    // a program that is missing is told once
    const told = grouped(failures, ({ isMissing, failure, folder }) => (isMissing ? failure : `${folder} ${failure}`));
    return [...told.values()].flatMap((alike) => {
      const [{ source, failure: what, remedy }] = alike;
      const names = someOf(alike.map(({ folder }) => folder));
      if (source.place !== undefined) {
        unreadable.push({ place: source.place, what: printable(`${names}: ${what}`), remedy, isSource: true });
        return [];
      }
      const [be, their] = alike.length === 1 ? ['is', 'its'] : ['are', 'their'];
      return [printable(`${names} ${be} not rendered, so ${their} objects are not known: ${what}; ${remedy}`)];
    });
  }

  private objectsIn({ folder, chart, place }: RenderedFrom, rendering: Rendering): ReturnType<typeof objectsOf> {
    const of = chart
      ? { file: join(folder, 'Chart.yaml'), isChart: true, namespace: chart.namespace ?? (place && 'default') }
      : { file: this.discovery.fileOf(folder) ?? join(folder, 'kustomization.yaml'), isChart: false };
    return 'text' in rendering
      ? objectsOf(
          { name: folder, text: rendering.text, ...of, inputs: () => this.discovery.inputsOf(folder) },
          this.files,
        )
      : rendering;
  }

  private rendered({ folder, chart }: RenderedFrom, { kubernetes }: CheckContext): Rendered {
    const { files, cache } = this;
    if (!chart) {
      if (this.discovery.fileOf(folder) === undefined) {
        return () => ({ failure: 'there is no kustomization.yaml in it', remedy: 'name a folder that has one' });
      }
      const inputs = this.discovery.inputsOf(folder);
      const read = [...inputs.folders, ...inputs.files].map((one) => files.onDisk(one));
      return cache.once(['kustomize'], read, (by) => renderKustomization(files.onDisk(folder), files.onDisk('.'), by));
    }
    const { release = this.discovery.nameOfChart(folder), namespace = 'default', values = [] } = chart;
    const missing = values.find((file) => files.kindOf(file) !== 'file');
    if (files.kindOf(join(folder, 'Chart.yaml')) !== 'file' || missing !== undefined) {
      const what = missing === undefined ? 'there is no Chart.yaml in it' : `there is no ${missing}`;
      return () => ({ failure: what, remedy: 'name a path that is there' });
    }
    const version = kubernetes?.version;
    const [at, ...valuesFiles] = [folder, ...values].map((one) => files.onDisk(one));
    return cache.once(['helm', release, namespace, version], [at, ...valuesFiles], (by) =>
      renderChart({ folder: at, release, namespace, values: valuesFiles, kubernetes: version }, by),
    );
  }
}

const NOTHING_READ = { context: NO_CONTEXT, clusters: undefined, exclude: [], mistakes: [] as UnreadableDocument[] };

function located(source: SourceEntry, folder: string): Source {
  const at = (path: string) => normalize(join(folder, path)).replace(/(.)\/$/, '$1');
  if ('files' in source) {
    return { files: source.files.map(at) };
  }
  const { place } = source;
  if ('kustomize' in source) {
    return { folder: at(source.kustomize), place };
  }
  const { chart, values, release, namespace } = source;
  return { folder: at(chart), chart: { release, namespace, values: values?.map(at) }, place };
}

function isFor(source: Source, path: string): boolean {
  const paths = 'files' in source ? source.files : [source.folder];
  return path !== STANDARD_INPUT && paths.some((one) => isWithin(one, path) || isWithin(path, one));
}

function assumedIn(kustomizations: readonly string[], charts: readonly string[], files: number): string[] {
  const found = [
    ...(kustomizations.length > 0
      ? [`${count(kustomizations.length, 'kustomization')} (${someOf(kustomizations)})`]
      : []),
    ...(charts.length > 0 ? [`${count(charts.length, 'chart')} with default values (${someOf(charts)})`] : []),
  ];
  const all = [...found, ...(files > 0 ? [count(files, 'other file')] : [])];
  return found.length === 0
    ? []
    : [printable(`assumed that one cluster gets ${all.join(', ')}; declare clusters and sources in ${CONTEXT_FILE}`)];
}

function withControllers(context: CheckContext, named: ControllerSelection): CheckContext {
  const what = `controllers ${joinWords((named.installed ?? []).map(({ name }) => name))}`;
  const known = context.known.map((one) =>
    one.field === 'controllers' ? { ...one, what, from: '--controllers' } : one,
  );
  return { ...context, ...named, known };
}

/** A variable with a default. fluxcd/pkg envsubst v1.4.0, template.go */
const DEFAULTED = /(?<!\$)\$\{([A-Za-z_]\w*):?[=-]([^${}]*)\}/g;

/**
 * Fills in the defaults of variables that no Kustomization of Flux declares. If there are some and they declare none, Flux fills in
 * nothing. fluxcd/pkg kustomize v1.20.0, kustomize_varsub.go
 */
function fillDefaults(objects: readonly Json[]): void {
  const ofFlux = objects.filter((one) => groupOf(one) === 'kustomize.toolkit.fluxcd.io');
  const builds = ofFlux.map(({ spec }) => mapIn(spec, 'postBuild'));
  const sources = builds
    .flatMap((one) => mapsIn(one, 'substituteFrom'))
    .map(({ kind, name }) => objects.filter((one) => one.kind === kind && objectNameOf(one) === name));
  const maps = [
    ...builds.map(({ substitute }) => substitute),
    ...sources.flat().flatMap((one) => [one.data, one.stringData]),
  ];
  const declared = new Set(maps.filter(isMap).flatMap((map) => Object.keys(map)));
  const areKnown = sources.every(({ length }) => length > 0) && (builds.length === 0 || declared.size > 0);
  for (const object of areKnown ? objects : []) {
    fill(object, declared);
  }
}

/** Fields with maps of texts, in which a number is a text too. */
const TEXTS = ['annotations', 'labels', 'data', 'stringData', 'selector', 'matchLabels', 'nodeSelector', 'env'];

function fill(value: Json, declared: ReadonlySet<string>, isText = false): void {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner.includes('${')) {
      const text = inner.replace(DEFAULTED, (whole, name, byDefault) => (declared.has(name) ? whole : byDefault));
      const read = isText || text === inner ? text : readKubernetesYaml(text).values[0]?.value;
      value[key] = typeof read === 'number' || typeof read === 'boolean' ? read : text;
    } else if (typeof inner === 'object' && inner !== null) {
      fill(inner, declared, isText || TEXTS.includes(key));
    }
  }
}
