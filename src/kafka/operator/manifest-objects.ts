import { ApiObject, Include } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { grouped } from '../../contract/grouped';
import { validateOnce } from '../../contract/synth-run';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, STRIMZI_GROUP } from '../strimzi/strimzi.facts';

const INCLUDED = new WeakMap<IConstruct, ManifestObjects>();

/**
 * The objects of a construct, as clusters are looked for among them: by what of an object never changes. Labels do.
 *
 * To look through a construct of a thousand clusters for each of them takes longer than all else. An `Include` is looked
 * through once, since it makes its objects when it is made; where one was added to it all the same and the reader has not seen
 * it, the synth fails.
 */
export class ManifestObjects {
  public static in(construct: IConstruct): ManifestObjects {
    const known = INCLUDED.get(construct);
    if (known) {
      known.isShared = true;
      return known;
    }
    const objects = new ManifestObjects(construct);
    if (construct instanceof Include) {
      INCLUDED.set(construct, objects);
      validateOnce(construct, () => objects.unseen());
    }
    return objects;
  }

  public readonly all: readonly ApiObject[];

  public readonly kafkas: readonly ApiObject[];

  public readonly pools: readonly ApiObject[];

  private readonly kafkasByName: ReadonlyMap<string, readonly ApiObject[]>;
  private readonly poolsByNamespace: ReadonlyMap<string | undefined, readonly ApiObject[]>;
  private isShared = false;

  private constructor(private readonly construct: IConstruct) {
    this.all = objectsIn(construct);
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

  /** Forgets objects to which others were added; says whether there are any. */
  public forgetIfStale(): boolean {
    const isStale = this.added().length > 0;
    if (isStale) {
      INCLUDED.delete(this.construct);
    }
    return isStale;
  }

  private added(): ApiObject[] {
    const known = new Set(this.all);
    return objectsIn(this.construct).filter((object) => !known.has(object));
  }

  private unseen(): string[] {
    const isCurrent = INCLUDED.get(this.construct) === this;
    const late = isCurrent && this.isShared ? this.added().filter(({ apiGroup }) => apiGroup === STRIMZI_GROUP) : [];
    return late.map(
      ({ kind, name }) =>
        `strimzi: ${kind} ${name} was added after KafkaCluster.fromManifest had looked through this construct, and is in none of its clusters; add it to the chart, or before`,
    );
  }
}

function objectsIn(construct: IConstruct): ApiObject[] {
  return construct.node.findAll().filter((child): child is ApiObject => ApiObject.isApiObject(child));
}

function isOfStrimzi(wanted: string): (object: ApiObject) => boolean {
  return ({ kind, apiGroup }) => kind === wanted && apiGroup === STRIMZI_GROUP;
}
