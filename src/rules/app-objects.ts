import { ApiObject, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { cachedIn, groupedByAll, type Json } from '../contract/json';
import { groupOf, type IndexedObject, ObjectIndex } from './objects';
import type { ObjectContext } from './rule';
import type { RuleSet } from './rule-set';

/** The passes that go on, by the roots of their apps: all objects of an app are looked at, and none of them changes. */
const PASSES = new WeakMap<IConstruct, object>();

/** Values of a pass, dropped at its end. */
const MADE = new WeakMap<object, Map<unknown, unknown>>();

export function passOf({ node }: IConstruct): object | undefined {
  return PASSES.get(node.root);
}

/** Looks at objects of an app while none of them changes: what is rendered or looked for is so once. */
export function inPass<T>({ node: { root } }: IConstruct, look: () => T): T {
  if (PASSES.has(root)) {
    return look();
  }
  PASSES.set(root, {});
  try {
    return look();
  } finally {
    PASSES.delete(root);
  }
}

function onceInPass<T>(construct: IConstruct, key: unknown, make: () => T): T {
  const pass = passOf(construct);
  return pass === undefined
    ? make()
    : (cachedIn(
        cachedIn(MADE, pass, () => new Map()),
        key,
        make,
      ) as T);
}

/** Value computed from a whole app: once in each pass of a synth, and anew at any other time. */
export function perPass<T>(look: (root: IConstruct) => T): (construct: IConstruct) => T {
  return ({ node: { root } }) => onceInPass(root, look, () => look(root));
}

/** Value derived from a construct's current state, such as its JSON: computed once in each pass of a synth, and anew at any other time. */
export class PassCache<T> {
  public constructor(
    private readonly of: IConstruct,
    private readonly make: () => T,
  ) {}

  /** The current value; in a pass many get the same, so none may change it. */
  public get now(): T {
    return onceInPass(this.of, this, this.make);
  }
}

const RENDERINGS = new WeakMap<ApiObject, PassCache<Json>>();

export function keepRendering(object: ApiObject, render: () => Json): PassCache<Json> {
  const rendering = new PassCache(object, render);
  RENDERINGS.set(object, rendering);
  return rendering;
}

/** An object as it is now; to look at one that is validated is not to write it. */
export function currentJson(object: ApiObject): Json {
  return (RENDERINGS.get(object) ?? keepRendering(object, () => object.toJson() as Json)).now;
}

const CHECKED = new WeakMap<IConstruct, { readonly document?: Json }>();

/** Rules validate an object, or find what is wrong with it in another one. */
export function setChecked(object: IConstruct, checked: { readonly document?: Json } = {}): void {
  CHECKED.set(object, checked);
}

export function isChecked(object: IConstruct): boolean {
  return CHECKED.has(object);
}

class AppObject implements IndexedObject {
  public readonly group: string;

  public constructor(
    public readonly index: ObjectIndex,
    public readonly construct: ApiObject,
  ) {
    this.group = groupOf(construct);
  }

  public get apiVersion(): string {
    return this.construct.apiVersion;
  }

  public get kind(): string {
    return this.construct.kind;
  }

  public get name(): string {
    return this.construct.name;
  }

  public get namespace(): string | undefined {
    return this.construct.metadata.namespace;
  }

  public get json(): Json {
    return CHECKED.get(this.construct)?.document ?? currentJson(this.construct);
  }

  public label(key: string): unknown {
    return this.construct.metadata.getLabel(key);
  }

  public get path(): string {
    return this.construct.node.path;
  }

  public get scopes(): readonly IConstruct[] {
    return this.construct.node.scopes;
  }

  public get unit(): IConstruct {
    return this.construct.chart;
  }

  public get isChecked(): boolean {
    return isChecked(this.construct);
  }
}

export class AppIndex extends ObjectIndex {
  public readonly all: readonly AppObject[];
  private readonly byConstruct: ReadonlyMap<IConstruct, AppObject>;
  private byScope?: ReadonlyMap<IConstruct, readonly AppObject[]>;

  public constructor(root: IConstruct) {
    super();
    this.all = root.node
      .findAll()
      .filter((one): one is ApiObject => ApiObject.isApiObject(one))
      .map((object) => new AppObject(this, object));
    this.byConstruct = new Map(this.all.map((object) => [object.construct, object]));
  }

  public under(scope: IConstruct): readonly AppObject[] {
    this.byScope ??= groupedByAll(this.all, ({ scopes }) => scopes);
    return this.byScope.get(scope) ?? [];
  }

  public entryOf(object: ApiObject): AppObject {
    return this.byConstruct.get(object) ?? new AppObject(this, object);
  }
}

/** The finished objects of the app of a construct: indexed once in each pass of a synth. */
export const appIndexOf = perPass((root) => new AppIndex(root));

/** Construct that made an object of an app; undefined if it is in a file, or an operator makes it. */
export function constructOf(object: IndexedObject): ApiObject | undefined {
  return object instanceof AppObject ? object.construct : undefined;
}

export function entryOf(object: ApiObject): AppObject {
  return appIndexOf(object).entryOf(object);
}

/**
 * An object among the others of its app, for rules that look at these: while a synth looks at all objects of the app.
 * At any other time each object would ask for the whole app, so then there is no answer.
 */
export function appObjectOf(object: ApiObject): AppObject | undefined {
  return passOf(object) && entryOf(object);
}

/**
 * A finished object that no ApiObject of its app is, such as a Service that an operator makes, among the objects of the
 * app; in a pass alone, as above.
 */
export function indexedObjectOf(host: Construct, json: Json): IndexedObject | undefined {
  if (passOf(host) === undefined) {
    return undefined;
  }
  const { path, scopes } = host.node;
  const { kind, apiVersion, metadata: { name, namespace, labels } = {} as Json } = json;
  const [index, group, unit] = [appIndexOf(host), groupOf(json), Chart.of(host)];
  const label = (key: string) => labels?.[key];
  return { index, apiVersion, group, kind, name, namespace, json, label, path, scopes, unit, isChecked: true };
}

const WAITING = new WeakMap<IConstruct, [ApiObject, RuleSet<ObjectContext>][]>();

/** Has rules validate an object that a controller makes beside a balancer, as soon as the balancer is known. */
export function validateWithBalancer(object: ApiObject, rules: RuleSet<ObjectContext>): void {
  cachedIn(WAITING, object.node.root, () => []).push([object, rules]);
}

export function takeWaiting({ node: { root } }: IConstruct): readonly (readonly [ApiObject, RuleSet<ObjectContext>])[] {
  const waiting = WAITING.get(root) ?? [];
  WAITING.delete(root);
  return waiting;
}
