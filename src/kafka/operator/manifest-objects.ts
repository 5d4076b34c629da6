import { ApiObject, Include } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { grouped } from '../../contract/grouped';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../strimzi/strimzi.facts';

const INCLUDED = new WeakMap<IConstruct, ManifestObjects>();

/**
 * The objects of a construct, as clusters are looked for among them: by what of an object never changes. Labels do.
 * An `Include` makes its objects when it is made, so it is looked through once for all its clusters.
 */
export class ManifestObjects {
  public static in(construct: IConstruct): ManifestObjects {
    const objects = INCLUDED.get(construct) ?? new ManifestObjects(construct);
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

  private constructor(private readonly construct: IConstruct) {
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

  /** True if the construct is looked through anew the next time. */
  public forget(): boolean {
    return INCLUDED.delete(this.construct);
  }
}

function isOfStrimzi(wanted: string): (object: ApiObject) => boolean {
  return ({ kind, apiGroup }) => kind === wanted && apiGroup === STRIMZI_GROUP;
}
