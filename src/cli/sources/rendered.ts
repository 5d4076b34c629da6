import { grouped, isMap, type Json, mapIn, valueBySteps } from '../../contract/json';
import {
  itemsOf,
  type PlacesOfFields,
  readKubernetesYaml,
  type YamlPath,
  type YamlPlace,
} from '../../contract/kubernetes-yaml';
import type { Manifest } from '../../rules/manifest-objects';
import { isOfCluster } from '../../tenancy/manifests/tenant-file';
import type { Files } from '../files';
import { pointerTo } from '../places';
import type { Inputs } from './discovery';
import type { Rendering } from './renderers';

type PartFiles = Pick<Inputs, 'files' | 'patches'>;

export interface RenderedSource {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly namespace?: string;
  readonly inputs: () => PartFiles;
  readonly isChart: boolean;
}

export function objectsOf(source: RenderedSource, files: Files): Manifest[] | Exclude<Rendering, { text: string }> {
  const { values, faults } = readKubernetesYaml(source.text);
  const [fault] = faults;
  if (fault) {
    return { failure: `line ${fault.line} of what it renders: ${fault.what}`, remedy: fault.remedy };
  }
  const parts = new Parts(source.inputs, files);
  return values.flatMap(itemsOf).flatMap(({ value, source: written }) => {
    if (!isMap(value) || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string') {
      return [];
    }
    const object = source.isChart ? inNamespace(value, source.namespace) : value;
    const places = source.isChart
      ? new PlacesInTemplate(source.name, files, written.template)
      : new PlacesInParts(object, parts);
    return [{ file: source.file, line: 1, object, source: places, renderedFrom: source.name }];
  });
}

/** An object of a chart in the namespace of its release, which is unknown for a chart without a declaration. */
function inNamespace(object: Json, namespace: string | undefined): Json {
  const metadata = mapIn(object, 'metadata');
  if (namespace === undefined && metadata.namespace === 'default') {
    const { namespace: _, ...others } = metadata;
    return { ...object, metadata: others };
  }
  return namespace === undefined || metadata.namespace !== undefined || isOfCluster({ ...object, metadata })
    ? object
    : { ...object, metadata: { ...metadata, namespace } };
}

const TOP: YamlPlace = { line: 1, column: 1 };

interface Part {
  readonly file: string;
  readonly kind?: string;
  readonly isPatch: boolean;
  isFor(object: Json): boolean;
  readonly name?: string;
  valueAt(path: YamlPath): unknown;
  placeOf(path: YamlPath): YamlPlace;
}

class Parts {
  private read?: readonly Part[];
  /** Parts by the kind and name that they have: most objects keep their names. */
  private named?: ReadonlyMap<string, readonly Part[]>;
  private nameless?: readonly Part[];

  public constructor(
    private readonly inputs: () => PartFiles,
    private readonly files: Files,
  ) {}

  /** The objects and patches of an object; a prefix or suffix may have been added to its name. */
  public of(object: Json): readonly Part[] {
    this.read ??= this.documents();
    this.named ??= grouped(this.read, (part) => `${part.kind}/${part.name}`);
    this.nameless ??= this.read.filter((part) => part.name === undefined);
    const name = String(mapIn(object, 'metadata').name);
    const exact = this.named.get(`${object.kind}/${name}`);
    if (exact) {
      return [...exact, ...this.nameless.filter((part) => part.isFor(object))];
    }
    const parts = this.read.filter((part) => part.isFor(object));
    // of api and api-v2, staging-api-v2 is made of the second one
    const names = parts.flatMap((part) => (part.name && name.includes(part.name) ? [part.name] : []));
    const own = names.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
    return parts.filter((part) => part.name === undefined || part.name === own);
  }

  private documents(): Part[] {
    const { files, patches } = this.inputs();
    return [...new Set(files)].flatMap((file) => this.documentsIn(file, patches.get(file)));
  }

  /** @param isForTarget true for a patch that is for all objects of a target, and undefined for no patch */
  private documentsIn(file: string, isForTarget: boolean | undefined): Part[] {
    try {
      return readKubernetesYaml(this.files.read(file))
        .values.flatMap(itemsOf)
        .flatMap(({ value, source, line }): Part[] =>
          Array.isArray(value)
            ? value.flatMap((one, i) =>
                isMap(one) ? operation(file, one, (path) => source.placeOf([i, ...path])) : [],
              )
            : isMap(value)
              ? [document(file, value, source, line, isForTarget)]
              : [],
        );
    } catch {
      return []; // the renderer has read it
    }
  }
}

function document(
  file: string,
  value: Json,
  source: PlacesOfFields,
  line: number,
  isForTarget: boolean | undefined,
): Part {
  const { name } = mapIn(value, 'metadata');
  return {
    file,
    kind: String(value.kind),
    isPatch: isForTarget !== undefined,
    ...(isForTarget !== true && { name: String(name ?? '') }),
    isFor: ({ kind }) => value.kind === kind,
    valueAt: (path) => valueBySteps(value, path),
    // the place of a field is found by parsing the document again
    placeOf: (path) => (path.length === 0 ? { line, column: 1 } : source.placeOf(path)),
  };
}

function operation(file: string, { op, path, value }: Json, placeOf: Part['placeOf']): Part[] {
  const at = String(path);
  const isIn = (steps: YamlPath) => pointerTo(steps.slice(0, at.split('/').length - 1)) === at;
  const inner = (steps: YamlPath) => steps.slice(at.split('/').length - 1);
  return op === 'add' || op === 'replace'
    ? [
        {
          file,
          isPatch: true,
          isFor: () => true,
          valueAt: (steps) => (isIn(steps) ? valueBySteps(value, inner(steps)) : undefined),
          placeOf: (steps) => placeOf(['value', ...inner(steps)]),
        },
      ]
    : [];
}

class PlacesInParts implements PlacesOfFields {
  public readonly isItem = false;

  public constructor(
    private readonly object: Json,
    private readonly parts: Parts,
  ) {}

  public placeOf(path: YamlPath): YamlPlace & { readonly file?: string } {
    const parts = this.parts.of(this.object);
    for (let steps = path; steps.length > 0; steps = steps.slice(0, -1)) {
      const value = valueBySteps(this.object, steps);
      if (value === undefined) {
        continue; // the place of what is missing is that of the map around it
      }
      const having = parts.filter((part) => isHeld(part.valueAt(steps), value));
      const objects = having.filter(({ isPatch }) => !isPatch);
      // patches write parts of maps: the map itself is in the object
      return placeIn(typeof value === 'object' && objects.length > 0 ? objects : having, steps);
    }
    return placeIn(
      parts.filter(({ isPatch }) => !isPatch),
      [],
    );
  }
}

function placeIn([only, ...others]: readonly Part[], path: YamlPath): YamlPlace & { readonly file?: string } {
  return only && others.length === 0 ? { ...only.placeOf(path), file: only.file } : TOP;
}

/** True also for a text with a variable, whose default is filled in. */
function isHeld(written: unknown, rendered: unknown): boolean {
  const isFilled = typeof written === 'string' && written.includes('${');
  return written !== undefined && (typeof rendered === 'object' || written === rendered || isFilled);
}

class PlacesInTemplate implements PlacesOfFields {
  public readonly isItem = false;

  public constructor(
    private readonly chart: string,
    private readonly files: Files,
    public readonly template?: string,
  ) {}

  public placeOf(path: YamlPath): YamlPlace & { readonly file?: string } {
    const keys = path.filter((step) => typeof step === 'string');
    // Helm names templates by the name of the chart: `shop/templates/service.yaml`
    const file = `${this.chart}/${this.template?.slice(this.template.indexOf('/') + 1)}`;
    if (this.template === undefined || this.files.kindOf(file) !== 'file') {
      return TOP;
    }
    if (keys.length === 0) {
      return { ...TOP, file };
    }
    const key = String(keys[keys.length - 1]);
    const lines = Buffer.from(this.files.read(file)).toString('utf8').split('\n');
    const found = lines.flatMap((text, i) => {
      const column = text.indexOf(`${key}:`);
      return column >= 0 && !/[\w./-]/.test(text[column - 1] ?? ' ') ? [{ line: i + 1, column: column + 1, file }] : [];
    });
    return found.length === 1 ? found[0] : TOP;
  }
}
