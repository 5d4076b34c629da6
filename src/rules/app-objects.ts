import { ApiObject, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../contract/json';
import { groupedByAll } from '../contract/json';
import { lookAt } from './judge-object';
import { groupOf, type IndexedObject, ObjectIndex } from './objects';
import { perPass } from './per-pass';
import { SynthWatch } from './synth-watch';

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
    return SynthWatch.find(this.construct)?.judgedOf(this.construct)?.document ?? lookAt(this.construct);
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

  public get isJudged(): boolean {
    return SynthWatch.find(this.construct)?.isJudged(this.construct) === true;
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

  /** The objects of a construct and of everything below it. */
  public under(scope: IConstruct): readonly AppObject[] {
    this.byScope ??= groupedByAll(this.all, ({ scopes }) => scopes);
    return this.byScope.get(scope) ?? [];
  }

  public entryOf(object: ApiObject): AppObject {
    return this.byConstruct.get(object) ?? new AppObject(this, object);
  }
}

const indexOf = perPass((root) => new AppIndex(root));

/** The finished objects of the app of a construct: indexed once in each pass of a synth. */
export function appIndexOf(construct: IConstruct): AppIndex {
  return indexOf(construct);
}

/** What an object of an app was made by; nothing where it is in a file, or an operator makes it. */
export function constructOf(object: IndexedObject): ApiObject | undefined {
  return object instanceof AppObject ? object.construct : undefined;
}

export function entryOf(object: ApiObject): AppObject {
  return indexOf(object).entryOf(object);
}

/**
 * An object among the others of its app, for rules that look at these: while a synth looks at all objects of the app. At any
 * other time each object would ask for the whole app, so then there is no answer.
 */
export function amongOthers(object: ApiObject): AppObject | undefined {
  return SynthWatch.find(object)?.currentPass === undefined ? undefined : indexOf(object).entryOf(object);
}

/**
 * A finished object that no ApiObject of its app is, such as a Service that an operator makes, among the objects of the app; in
 * a pass alone, as above.
 *
 * @param host the construct that it belongs to
 */
export function amongOthersOf(host: Construct, json: Json): IndexedObject | undefined {
  if (SynthWatch.find(host)?.currentPass === undefined) {
    return undefined;
  }
  const { path, scopes } = host.node;
  const { kind, metadata: { name, namespace } = {} as Json } = json;
  const index = indexOf(host);
  return {
    index,
    apiVersion: json.apiVersion,
    group: groupOf(json),
    kind,
    name,
    namespace,
    json,
    label: (key) => json.metadata?.labels?.[key],
    path,
    scopes,
    unit: Chart.of(host),
    isJudged: true,
  };
}
