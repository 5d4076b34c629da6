import { basename, dirname, join, normalize, relative } from 'node:path';
import picomatch from 'picomatch';
import { cachedIn, isMap, type Json, mapsIn, textsAt } from '../../contract/json';
import { readKubernetesYaml } from '../../contract/kubernetes-yaml';
import { CONTEXT_FILE } from '../context/context-file';
import { DISK, type Files } from '../files';
import { isManifest } from '../manifests';

const CHART = 'Chart.yaml';

export interface DiscoveryResult {
  readonly kustomizations: readonly string[];
  readonly charts: readonly string[];
  readonly plain: readonly string[];
}

interface Kustomization {
  readonly folder: string;
  readonly file: string;
  readonly isComponent: boolean;
  readonly names: ReadonlySet<string>;
  readonly patches: ReadonlyMap<string, boolean>;
}

export interface Inputs {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Those of the files that are patches; true for one that is for all objects of a target, whatever name it has in it. */
  readonly patches: ReadonlyMap<string, boolean>;
}

export class Discovery {
  private readonly known = new Map<string, Kustomization | undefined>();

  public constructor(private readonly files: Files) {}

  public in(folder: string, isLeftOut: (file: string) => boolean = () => false): DiscoveryResult {
    const all = this.files.below(folder).filter((file) => !isLeftOut(file));
    const folders = [...new Set(all.map((file) => dirname(file)))];
    const charts = outermost(all.filter((file) => basename(file) === CHART).map((file) => dirname(file)));
    const isInChart = (path: string) => charts.some((chart) => isWithin(path, chart));
    const kustomizations = folders.filter((one) => !isInChart(one)).flatMap((one) => this.kustomizationOf(one) ?? []);
    const included = new Set(kustomizations.flatMap(({ names }) => [...names]));
    const roots = kustomizations.filter((one) => !one.isComponent && !included.has(one.folder));
    const owned = new Set(kustomizations.map((one) => one.folder));
    // a folder that is named has no kustomization of its own: its files are parts of the one that names it
    const named = [...included].filter((path) => this.files.kindOf(path) === 'folder');
    return {
      kustomizations: roots.map((one) => one.folder),
      charts: charts.filter((chart) => this.read(join(chart, CHART))?.type !== 'library'),
      plain: all.filter(
        (file) =>
          isManifest(file) &&
          basename(file) !== CONTEXT_FILE &&
          !isInChart(file) &&
          !owned.has(dirname(file)) &&
          !included.has(file) &&
          !named.some((one) => isWithin(file, one)),
      ),
    };
  }

  public fileOf(folder: string): string | undefined {
    return this.kustomizationOf(folder)?.file;
  }

  public inputsOf(folder: string, known = new Set<string>()): Inputs {
    const one = this.kustomizationOf(folder);
    if (!one || known.has(folder)) {
      return { folders: known.has(folder) ? [] : [folder], files: [], patches: new Map() };
    }
    known.add(folder);
    const names = [...one.names];
    const inner = names
      .filter((path) => this.files.kindOf(path) === 'folder')
      .map((path) => this.inputsOf(path, known));
    return {
      folders: [folder, ...inner.flatMap(({ folders }) => folders)],
      files: [
        ...names.filter((path) => this.files.kindOf(path) === 'file'),
        ...inner.flatMap(({ files, folders }) =>
          files.length > 0
            ? files
            : folders.filter((at) => !this.fileOf(at)).flatMap((at) => this.files.below(at).filter(isManifest)),
        ),
      ],
      patches: new Map([one, ...inner].flatMap(({ patches }) => [...patches])),
    };
  }

  public nameOfChart(folder: string): string {
    const { name } = this.read(join(folder, CHART)) ?? {};
    return typeof name === 'string' ? name : basename(folder);
  }

  private kustomizationOf(folder: string): Kustomization | undefined {
    return cachedIn(this.known, folder, () => this.readKustomization(folder));
  }

  private readKustomization(folder: string): Kustomization | undefined {
    const file = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']
      .map((name) => join(folder, name))
      .find((path) => this.files.kindOf(path) === 'file');
    const object = file === undefined ? undefined : this.read(file);
    // a Kustomization of Flux is an object of the cluster
    const isOfFlux = String(object?.apiVersion ?? '').startsWith('kustomize.toolkit.fluxcd.io/');
    if (file === undefined || isOfFlux) {
      return undefined;
    }
    const at = (text: string) => normalize(join(folder, text)).replace(/\/$/, '');
    const paths = placesIn(object).filter(isPath);
    // a generator may name its file: key=file
    const names = paths.map((text) => at(text.slice(text.lastIndexOf('=') + 1)));
    const patches = [...mapsIn(object, 'patches'), ...mapsIn(object, 'patchesJson6902')];
    return {
      folder,
      file,
      isComponent: object?.kind === 'Component',
      names: new Set(names.filter((path) => path !== folder && this.files.kindOf(path) !== undefined)),
      patches: new Map([
        ...textsAt(object, ['patchesStrategicMerge']).map((text): [string, boolean] => [at(text), false]),
        ...patches
          .filter(({ path }) => isPath(path))
          .map(({ path, target }): [string, boolean] => [at(path), isMap(target)]),
      ]),
    };
  }

  private read(file: string): Json | undefined {
    try {
      const [first] = readKubernetesYaml(this.files.read(file)).values;
      return isMap(first?.value) ? first.value : undefined;
    } catch {
      return undefined; // the renderer says why
    }
  }
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('/'));
}

/**
 * A test for files that patterns leave out, as lines of .gitignore do: the last pattern that fits decides, and `!` takes back.
 */
export function leftOutBy(patterns: readonly string[], folder: string): (file: string) => boolean {
  const tests = patterns.map((pattern) => {
    const isTaking = pattern.startsWith('!');
    const text = (isTaking ? pattern.slice(1) : pattern).replace(/\/$/, '');
    const anchored = text.replace(/^\//, '');
    const isAnywhere = !anchored.includes('/') && !text.startsWith('/');
    const path = isAnywhere ? `**/${anchored}` : anchored;
    return { isTaking, fits: picomatch([path, `${path}/**`], { dot: true }) };
  });
  return (file) => {
    const path = relative(folder, file);
    return tests.reduce((isOut, { isTaking, fits }) => (fits(path) ? !isTaking : isOut), false);
  };
}

function outermost(folders: readonly string[]): string[] {
  return folders.filter((one) => !folders.some((other) => other !== one && isWithin(one, other)));
}

const LISTS = 'resources bases components patchesStrategicMerge generators transformers validators crds configurations';
const MEMBERS = 'path files envs env valuesFile additionalValuesFiles';

export function placesIn(value: unknown, names = LISTS): unknown[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]): unknown[] =>
    names.split(' ').includes(key) ? [inner].flat() : placesIn(inner, MEMBERS),
  );
}

function isPath(text: unknown): text is string {
  return typeof text === 'string' && !text.includes('\n') && !text.includes('://');
}

/** Paths with the files of patterns in place of these. A pattern that no file fits is left as it is, and so is a file that cannot be read. */
export function withoutPatterns(paths: readonly string[], files: Files = DISK): string[] {
  return paths.flatMap((path) => {
    const { base, isGlob } = picomatch.scan(path);
    const folder = base || '.';
    if (!isGlob || files.kindOf(path) || files.kindOf(folder) !== 'folder') {
      return [path];
    }
    const isNamed = picomatch(normalize(path));
    const found = files.below(folder).filter((file) => isNamed(file));
    return found.length > 0 ? found : [path];
  });
}
