import { cachedIn, grouped, type Json, nameIn } from '../contract/json';

/** A finished object, and where it is: in an app, or in a folder of manifests. */
export interface IndexedObject {
  readonly index: ObjectIndex;
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
  /** The kind of what it will be made of, where it is in no file itself. */
  readonly madeOf?: string;
  readonly name: unknown;
  readonly namespace?: string;
  readonly json: Json;
  /** A label, without the rest of the object. */
  label(key: string): unknown;
  /** The construct path, or the file with the line: for messages that are reported at another object. */
  readonly path: string;
  /** Scopes around the object, the outermost first: constructs, or folders and a file. */
  readonly scopes: readonly unknown[];
  /** Unit that is applied together: a chart or a file. */
  readonly unit: unknown;
  /** True if rules validate it, so that findings can be reported at it. */
  readonly isChecked: boolean;
}

interface ObjectKey {
  readonly namespace?: unknown;
  readonly name: unknown;
}

/**
 * The finished objects of an app or of a folder of manifests. Rules get it through the object that they validate, and
 * cannot tell which of the two it is.
 */
export abstract class ObjectIndex {
  private readonly kept = new Map<unknown, unknown>();
  private kinds?: ReadonlyMap<string, readonly IndexedObject[]>;

  /** All objects, in the order in which they were made or read. */
  public abstract readonly all: readonly IndexedObject[];

  public of(group: string, kind: string): readonly IndexedObject[] {
    this.kinds ??= grouped(this.all, (one) => `${one.group}/${one.kind}`);
    return this.kinds.get(`${group}/${kind}`) ?? NONE;
  }

  /** The objects with a name: more than one where manifests of several clusters are side by side. */
  public named(group: string, kind: string, { namespace, name }: ObjectKey): readonly IndexedObject[] {
    const namesakes = this.once(`${group}/${kind}`, () => grouped(this.of(group, kind), titleOf));
    return namesakes.get(titleOf({ namespace, name })) ?? NONE;
  }

  /**
   * The object that another one means by a name: of several, the one that shares the most scopes with it.
   * @returns undefined if it is made elsewhere, if several are equally near, or if one without a namespace is nearer,
   *   which may be meant for namespace default
   */
  public nearest(to: IndexedObject, group: string, kind: string, key: ObjectKey): IndexedObject | undefined {
    const inDefault = OF_DEFAULT.has(key.namespace) ? [...OF_DEFAULT] : [key.namespace];
    const found = inDefault.flatMap((namespace) => this.named(group, kind, { ...key, namespace }));
    const exact = found.filter(({ namespace }) => namespace === key.namespace);
    if (found.length < 2) {
      return exact[0];
    }
    const scopes = new Set(to.scopes);
    const shared = found.map((one) => one.scopes.filter((scope) => scopes.has(scope)).length);
    const most = Math.max(...shared);
    const nearest = found.filter((_, i) => shared[i] === most);
    return nearest.length === 1 && exact.includes(nearest[0]) ? nearest[0] : undefined;
  }

  /** The objects with a name that are applied together with another one, or else all with that name. */
  public beside(to: IndexedObject, group: string, kind: string, key: ObjectKey): readonly IndexedObject[] {
    const found = this.named(group, kind, key);
    const own = found.filter(({ unit }) => unit === to.unit);
    return own.length > 0 ? own : found;
  }

  /** Value computed once from all objects; `key` names the computation. */
  public once<T>(key: unknown, compute: (index: ObjectIndex) => T): T {
    return cachedIn(this.kept, key, () => compute(this)) as T;
  }
}

const NONE: readonly IndexedObject[] = [];

/** The namespace that kubectl uses by default, and that of objects that are written without one. */
const OF_DEFAULT: ReadonlySet<unknown> = new Set(['default', undefined]);

/** The API group of an object, empty for the core group. */
export function groupOf({ apiVersion }: { readonly apiVersion?: unknown }): string {
  const text = String(apiVersion);
  return text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
}

export function titleOf({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? nameIn(name) : `${nameIn(namespace)}/${nameIn(name)}`;
}

export function kindAndTitleOf(key: ObjectKey & { readonly kind: string }): string {
  return `${key.kind} ${titleOf(key)}`;
}
