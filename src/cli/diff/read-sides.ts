import { dirname, posix, relative } from 'node:path';
import picomatch from 'picomatch';
import { compareVersions } from '../../contract/compare-versions';
import { printable } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { OPERATOR } from '../../kafka/strimzi/releases';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { knownKinds } from '../../rules/known-kinds';
import { KUBERNETES, NEWEST_KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import { type CheckContext, NO_CONTEXT } from '../context/check-context';
import { findKind, joinWords, optionsOf } from '../context/context-controllers';
import { VERSION_SYNTAX } from '../context/context-fields.facts';
import { CONTEXT_FILE, operatorOf } from '../context/context-file';
import { inVersions, type VersionOverrides } from '../context/inference';
import { DISK, type Files, UsageError } from '../files';
import {
  RepositoryPaths,
  type Revision,
  RevisionFiles,
  revisionsOf,
  type Submodule,
  submodulesOfWorkingTree,
  topOfRepository,
  WorkingFiles,
} from '../git';
import type { Manifests } from '../manifests';
import { type Cluster, type ClusterOptions, clustersOf, haveContextFile, nameClusters } from '../sources/clusters';
import { withoutPatterns } from '../sources/discovery';
import { RenderingCache } from '../sources/renderers';

export interface ReadSide {
  readonly name: string;
  readonly read: Manifests;
  readonly context: CheckContext;
  readonly notes: readonly string[];
  /** A file of it as both sides call it: without the folder that the side is. */
  common(file: string): string;
  real(file: string): string;
  shown(file: string): string;
}

export interface ReadSides {
  readonly before: ReadSide;
  readonly after: ReadSide;
  isSame(file: string): boolean;
}

const STANDARD_INPUT = '-';

export type ClusterSides = ReadSides & { readonly cluster?: string };

export function readPaths(old: string, now: string, options: ClusterOptions): ClusterSides[] {
  if (old === STANDARD_INPUT && now === STANDARD_INPUT) {
    throw new UsageError('both sides are standard input; name one of them: diff OLD -');
  }
  const cache = new RenderingCache();
  const isSame = (file: string) => areSameBytes(file, rooted(old, file), rooted(now, file), DISK, DISK);
  const [before, after] = [old, now].map((path) => clustersOf([path], options, DISK, cache));
  return pairedClusters(before, after).map(({ before: one, after: other, ...pair }) => ({
    ...pair,
    before: pathSide(old, one, other),
    after: pathSide(now, other, one),
    isSame,
  }));
}

export function readPath(path: string, versions: VersionsOfSides, options: ClusterOptions): ClusterSides[] {
  return clustersOf([path], options).map((cluster) => {
    const { name } = cluster;
    const side = pathSide(path, cluster);
    const named = ({ versions: given }: VersionOverrides): ReadSide => {
      const words = Object.entries(given).map(([product, version]) => `${CALLED[product] ?? product} ${version}`);
      return { ...side, name: `${side.name} with ${joinWords(words)}` };
    };
    const sides = { before: named(versions.before), after: named(versions.after), isSame: () => false };
    return { ...inVersionsOf(sides, versions), ...(name !== undefined && { cluster: name }) };
  });
}

const NO_CLUSTER: Cluster = { context: NO_CONTEXT, read: { manifests: [], unreadable: [], strange: [] } };

/** A cluster as a side has it; a side that says nothing of its cluster is of the same one as the other. */
function clusterSide(own: Cluster | undefined, other: Cluster | undefined): Pick<ReadSide, 'read' | 'context'> {
  const isSaid = own !== undefined && own.context !== NO_CONTEXT;
  const { context } = (isSaid ? own : (other ?? own)) ?? NO_CLUSTER;
  return { read: own?.read ?? { manifests: [], unreadable: [], strange: [] }, context };
}

interface ClusterPair {
  readonly cluster?: string;
  readonly before?: Cluster;
  readonly after?: Cluster;
}

/** Clusters of two trees by their names; a cluster with another name is the same if it has the same sources. */
function pairedClusters(before: readonly Cluster[], after: readonly Cluster[]): ClusterPair[] {
  if (before.length === 1 && after.length === 1) {
    return [{ before: before[0], after: after[0] }];
  }
  const left = new Set(before);
  const take = (fits: (one: Cluster) => boolean): Cluster | undefined => {
    const found = [...left].find(fits);
    return found && left.delete(found) ? found : undefined;
  };
  const named = after.map((one) => ({ one, other: take(({ name }) => name !== undefined && name === one.name) }));
  const pairs = named.map(({ one, other }): ClusterPair => {
    const same = other ?? take(({ sources }) => sources !== undefined && sources === one.sources);
    return { cluster: one.name, before: same, after: one };
  });
  return [...pairs, ...[...left].map((one): ClusterPair => ({ cluster: one.name, before: one }))];
}

/** Two sides in the versions that are given for them. What cannot be read and is the same on both sides is in other versions there. */
export function inVersionsOf(sides: ReadSides, versions: VersionsOfSides): ReadSides {
  const [before, after] = (['before', 'after'] as const).map((name): ReadSide => {
    const { context, ...side } = sides[name];
    const { by } = versions[name];
    const lacking = Object.keys(versions[name].versions).find(
      (one) => findKind(one) && context.installed?.every((other) => other.name !== one),
    );
    if (lacking !== undefined) {
      throw new UsageError(`--controller-${by} ${lacking} is not among controllers of ${CONTEXT_FILE}; add it there`);
    }
    return { ...side, context: inVersions(context, versions[name]) };
  });
  return { before, after, isSame: () => false };
}

const CALLED: Readonly<Record<string, string>> = { [KUBERNETES]: 'Kubernetes', [OPERATOR.name]: 'Strimzi' };

function pathSide(path: string, own?: Cluster, other?: Cluster): ReadSide {
  const isInput = path === STANDARD_INPUT;
  const root = rootOf(path);
  const real = (file: string) => (file === STANDARD_INPUT ? file : posix.join(posixed(root), file));
  return {
    ...clusterSide(own, other),
    name: isInput ? 'standard input' : printable(path),
    notes: [],
    common: (file) => (isInput || file === STANDARD_INPUT ? file : posixed(relative(root, file))),
    real,
    shown: real,
  };
}

function rootOf(path: string): string {
  const { base, isGlob } = picomatch.scan(path);
  return isGlob && !DISK.kindOf(path) ? base || '.' : DISK.kindOf(path) === 'folder' ? path : dirname(path);
}

function rooted(path: string, file: string): string {
  return posix.join(posixed(rootOf(path)), file);
}

function posixed(path: string): string {
  return path.split('\\').join('/');
}

export function readRevisions(range: string, paths: readonly string[], options: ClusterOptions): ClusterSides[] {
  if (paths.includes(STANDARD_INPUT)) {
    throw new UsageError('standard input is in no revision; name files or folders beside --git');
  }
  const top = topOfRepository();
  const { before: old, after: now } = revisionsOf(range);
  const repository = new RepositoryPaths(top);
  for (const path of paths.filter((one) => repository.within(one) === undefined)) {
    throw new UsageError(`${printable(path)} is outside of the repository ${printable(top)}; name paths in it`);
  }
  const [before, after] = [treeOf(old, repository, top), treeOf(now, repository, top, true)];
  for (const path of paths.filter((one) => !isIn(one, before.files) && !isIn(one, after.files))) {
    throw new UsageError(nowhere(path, before, after));
  }
  const cache = new RenderingCache();
  const isSame = (file: string) => areSameBytes(file, file, file, before.files, after.files);
  const side = (
    { name, files, isWorking }: Tree,
    notes: readonly string[],
    own?: Cluster,
    other?: Cluster,
  ): ReadSide => {
    const missing = paths.filter((path) => !isIn(path, files)).map(printable);
    const lack = `${missing.join(', ')}: not in ${name}; if it was moved, name its other path as well`;
    return {
      name,
      ...clusterSide(own, other),
      notes: [...(missing.length > 0 ? [lack] : []), ...notes],
      common: (file) => posixed(relative('', file)),
      real: (file) => file,
      shown: (file) => (isWorking ? file : `${name}:${file}`),
    };
  };
  const ofOld = clustersOfTree(before, after, paths, options, cache);
  const ofNow = clustersOfTree(after, before, paths, options, cache);
  return pairedClusters(ofOld.clusters, ofNow.clusters).map(({ before: one, after: other, ...pair }) => {
    const sides = { before: side(before, ofOld.notes, one, other), after: side(after, ofNow.notes, other, one) };
    const asked = ((other ?? one)?.plainPaths ?? paths).map((path) => repository.within(path) ?? '');
    const notes = addSubmodules(sides, { before, after }, asked);
    return { ...pair, ...sides, after: { ...sides.after, notes: [...sides.after.notes, ...notes] }, isSame };
  });
}

/**
 * The clusters of a tree by its own context files. Those of the other tree are used if it has none, if they name clusters and its own
 * do not, and if the newer tree has corrected mistakes of the older one.
 */
function clustersOfTree(
  tree: Tree,
  other: Tree,
  paths: readonly string[],
  options: ClusterOptions,
  cache: RenderingCache,
): { readonly clusters: readonly Cluster[]; readonly notes: readonly string[] } {
  const { files } = tree;
  const there = paths.filter((path) => isIn(path, files));
  if (there.length === 0) {
    return { clusters: [NO_CLUSTER], notes: [] };
  }
  const own = { ...options, mayBeEmpty: true };
  const asOther = (...notes: string[]) => ({
    clusters: clustersOf(there, { ...own, contextFiles: other.files }, files, cache),
    notes,
  });
  if (!haveContextFile(there, files) && haveContextFile(paths, other.files)) {
    return asOther();
  }
  const isOfOne = options.config === undefined && nameClusters(there, files) === false;
  if (isOfOne && nameClusters(paths, other.files) === true) {
    return asOther(`${CONTEXT_FILE} of ${tree.name} names no clusters; that of ${other.name} is used for both`);
  }
  try {
    return { clusters: clustersOf(there, own, files, cache), notes: [] };
  } catch (error) {
    if (!(error instanceof UsageError) || tree.isNewer) {
      throw error;
    }
    const [what] = error.message.split('\n');
    return asOther(`${tree.name}:${what}; the file of the newer side is used for both`);
  }
}

type Tree = ReturnType<typeof treeOf>;

function treeOf(revision: Revision | undefined, repository: RepositoryPaths, top: string, isNewer = false) {
  const files = revision ? new RevisionFiles(revision, repository) : new WorkingFiles(top, repository);
  return {
    name: revision ? printable(revision.name) : 'the working tree',
    files,
    submodules: files instanceof RevisionFiles ? files.submodules : submodulesOfWorkingTree(top),
    isWorking: revision === undefined,
    isNewer,
  };
}

function isIn(path: string, files: Files): boolean {
  return withoutPatterns([path], files).some((file) => files.kindOf(file) !== undefined);
}

function nowhere(path: string, before: Tree, after: Tree): string {
  const shown = printable(path);
  return after.isWorking && DISK.kindOf(path) !== undefined
    ? `git ignores ${shown}, so ${before.name} has none of it; render both versions into folders: diff OLD NEW`
    : `${shown} is neither in ${before.name} nor in ${after.name}; name a path that one of them has`;
}

function areSameBytes(name: string, old: string, now: string, before: Files, after: Files): boolean {
  try {
    const content = name === STANDARD_INPUT ? undefined : Buffer.from(before.read(old));
    return content?.equals(Buffer.from(after.read(now))) === true;
  } catch {
    return false; // what is on one side alone, or cannot be read, is not the same
  }
}

/** The content of another repository is not read: where its commit is another one, that is not read. */
function addSubmodules(
  { before, after }: Pick<ReadSides, 'before' | 'after'>,
  trees: Readonly<Record<'before' | 'after', { readonly submodules: readonly Submodule[] }>>,
  asked: readonly string[],
): readonly string[] {
  const isAsked = (path: string) => asked.some((one) => one === '' || path === one || path.startsWith(`${one}/`));
  const old = new Map(trees.before.submodules.map(({ path, commit }) => [path, commit]));
  const now = new Map(trees.after.submodules.map(({ path, commit }) => [path, commit]));
  const all = [...new Set([...old.keys(), ...now.keys()])].filter(isAsked);
  const place = (file: string) => ({ file, line: 1, column: 1 });
  for (const file of all.filter((path) => old.get(path) !== now.get(path))) {
    const [has, side] = now.has(file) ? [now, after] : [old, before];
    const what = `it is a submodule, of commit ${has.get(file)?.slice(0, 10)} in ${side.name} alone`;
    side.read.unreadable.push({ place: place(file), what, remedy: 'run diff in the submodule' });
  }
  return all
    .filter((path) => old.get(path) === now.get(path))
    .map((path) => printable(`${path} is a submodule, of the same commit on both sides; it is not looked into`));
}

export interface VersionOptions {
  readonly kubernetesFrom?: string;
  readonly kubernetesTo?: string;
  readonly strimziFrom?: string;
  readonly strimziTo?: string;
  readonly controllerFrom?: readonly string[];
  readonly controllerTo?: readonly string[];
}

interface VersionsOfSides {
  readonly before: VersionOverrides;
  readonly after: VersionOverrides;
}

type End = 'from' | 'to';

/** Subject with options of its own: its name, a version as an example, and how one is read. */
const PRODUCTS: readonly (readonly [
  name: 'kubernetes' | 'strimzi',
  example: string,
  read: (text: string) => string,
])[] = [
  [KUBERNETES, NEWEST_KUBERNETES, (text) => KubernetesVersion.of(text).version],
  [OPERATOR.name, OPERATOR.newest, (text) => operatorOf(text).strimzi?.version ?? plain(text)],
];

/** @throws if a version cannot be read, or is given for one side alone */
export function versionsOfOptions(options: VersionOptions): VersionsOfSides | undefined {
  const { controllerFrom = [], controllerTo = [] } = options;
  const controllers = { from: controllersIn(controllerFrom, 'from'), to: controllersIn(controllerTo, 'to') };
  const textOf = (name: 'kubernetes' | 'strimzi', by: End) =>
    options[by === 'from' ? (`${name}From` as const) : (`${name}To` as const)];
  for (const name of new Set([...controllers.from.keys(), ...controllers.to.keys()])) {
    refuseOne('controller', controllers.from.get(name), controllers.to.get(name), `${name}@`);
  }
  for (const [name] of PRODUCTS) {
    refuseOne(name, textOf(name, 'from'), textOf(name, 'to'));
  }
  const side = (by: End): VersionOverrides => {
    const versions = PRODUCTS.flatMap(([name, example, read]) => {
      const text = textOf(name, by);
      if (text !== undefined && !VERSION_SYNTAX.test(text)) {
        const flags = `--${name}-from and --${name}-to`;
        throw new UsageError(`'${printable(text)}' is not a version; write ${flags} like ${example}`);
      }
      return text === undefined ? [] : [[name, read(text)]];
    });
    return { by, versions: Object.fromEntries([...versions, ...controllers[by]]) };
  };
  const sides = { before: side('from'), after: side('to') };
  return Object.keys(sides.before.versions).length === 0 ? undefined : sides;
}

function refuseOne(product: string, from?: string, to?: string, start = ''): void {
  if ((from === undefined) !== (to === undefined)) {
    const [has, lacks] = from === undefined ? ['to', 'from'] : ['from', 'to'];
    throw new UsageError(
      `--${product}-${has} ${printable(`${start}${from ?? to}`)} has nothing to be compared with; add --${product}-${lacks} ${start}VERSION`,
    );
  }
}

function controllersIn(entries: readonly string[], end: End): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of entries) {
    const at = entry.lastIndexOf('@');
    const [name, version] = [entry.slice(0, Math.max(at, 0)), entry.slice(at + 1)];
    const written = `--controller-${end} ${printable(entry)}`;
    if (name === '' || !VERSION_SYNTAX.test(version)) {
      throw new UsageError(
        `${written} is not a controller and its version; write it like ${versioned()[0].name}@2.8.1`,
      );
    }
    const kind = versioned().find((one) => one.name === name);
    if (!kind) {
      throw new UsageError(`${written}: ${whyNot(name)}`);
    }
    if (found.has(name)) {
      throw new UsageError(`${written}: ${name} is named twice; name it once`);
    }
    found.set(name, newestPatch(plain(version), kind));
  }
  return found;
}

function versioned(): ControllerDefinition[] {
  return knownKinds().filter(({ name }) => optionsOf(name).version !== undefined);
}

function whyNot(name: string): string {
  const names = versioned().map((one) => one.name);
  return name === OPERATOR.name || name === KUBERNETES
    ? `${name} has options of its own; write --${name}-from and --${name}-to`
    : findKind(name)
      ? `nothing is known of what its versions change; leave it out, or write one of ${names.join(', ')}`
      : `controller '${printable(name)}' is unknown; write one of ${names.join(', ')}`;
}

function newestPatch(version: string, { upgrades = [], catalogue, facts }: ControllerDefinition): string {
  if (version.split('.').length > 2) {
    return version;
  }
  const known = [
    facts.source.version,
    ...upgrades.flatMap(({ since = '' }) => since),
    ...catalogue.annotations.map(({ fact }) => fact.since ?? ''),
  ].flatMap((one) => /^v?(\d+\.\d+\.\d+)/.exec(one)?.[1] ?? []);
  const patches = known.filter((one) => one.startsWith(`${version}.`)).sort(compareVersions);
  return patches.at(-1) ?? `${version}.0`;
}

/** The numbers of a version: `v2.8.1-rc1` is `2.8.1`. */
function plain(version: string): string {
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? version;
}
