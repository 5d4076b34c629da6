import { ApiObject, Include } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { grouped } from '../../contract/json';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../strimzi/strimzi.facts';

const INCLUDED = new WeakMap<IConstruct, ManifestObjects>();

/**
 * The objects of a construct, as clusters are looked for among them: by what of an object never changes. Labels do.
 * An `Include` of many clusters is looked through once, and again after something was added to it.
 */
export class ManifestObjects {
  public static in(construct: IConstruct): ManifestObjects {
    const known = INCLUDED.get(construct);
    if (known && known.children === construct.node.children.length) {
      return known;
    }
    const objects = new ManifestObjects(construct);
    if (construct instanceof Include) {
      INCLUDED.set(construct, objects);
    }
    return objects;
  }

  public readonly all: readonly ApiObject[];

  public readonly kafkas: readonly ApiObject[];

  public readonly pools: readonly ApiObject[];

  private readonly kafkasByName: ReadonlyMap<string, readonly ApiObject[]>;
  private readonly poolsByNamespace: ReadonlyMap<string | undefined, readonly ApiObject[]>;

  private readonly children: number;

  private constructor(construct: IConstruct) {
    this.children = construct.node.children.length;
    this.all = construct.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child));
    this.kafkas = this.all.filter(isOfStrimzi(KAFKA_KIND));
    this.pools = this.all.filter(isOfStrimzi(KAFKA_NODE_POOL_KIND));
    this.kafkasByName = grouped(this.kafkas, ({ name }) => name);
    this.poolsByNamespace = grouped(this.pools, ({ metadata }) => metadata.namespace);
  }

  public kafkasNamed(name: string): readonly ApiObject[] {
    return this.kafkasByName.get(name) ?? [];
  }

  public poolsIn(namespace: string | undefined): readonly ApiObject[] {
    return this.poolsByNamespace.get(namespace) ?? [];
  }
}

function isOfStrimzi(wanted: string): (object: ApiObject) => boolean {
  return ({ kind, apiGroup }) => kind === wanted && apiGroup === STRIMZI_GROUP;
}
