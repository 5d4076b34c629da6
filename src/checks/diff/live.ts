import { isMap, type Json, mapIn, mapsIn } from '../../contract/json';
import { objectIdOf } from '../../contract/object-title';
import { printable } from '../../contract/printable';
import type { SideBalancer } from '../../diff/side';
import type { Manifest } from '../../rules/manifest-objects';
import { SET_MARKS } from './live.facts';

/** What the API server alone writes. */
const SERVER_FIELDS = ['uid', 'resourceVersion', 'managedFields'];

/** The kinds that tell a dump from files: what balancers are, and what makes them. */
const KINDS = new Set(['Service', 'Kafka', 'KafkaNodePool', 'Gateway']);

/** Whether objects are a dump of a cluster: all that matter have what the API server alone writes. */
export function isDump(manifests: readonly Manifest[]): boolean {
  const all = manifests.filter(({ object }) => KINDS.has(object.kind));
  return all.length > 0 && all.every(({ object }) => isServed(object));
}

function isServed({ metadata }: Json): boolean {
  return isMap(metadata) && SERVER_FIELDS.some((field) => field in metadata);
}

/** Balancers of a dump, those that manifests are about and those that they are not. */
export interface Compared {
  readonly balancers: readonly SideBalancer[];
  readonly others: readonly SideBalancer[];
}

/**
 * Parts the balancers of a whole cluster by whether some manifests are about them: by name, by what makes them, or since they were
 * applied as one set with one that they are about.
 */
export function comparedWith(
  balancers: readonly SideBalancer[],
  after: { readonly balancers: readonly SideBalancer[]; readonly manifests: readonly Manifest[] },
): Compared {
  const written = new Written(after);
  const named = new Set(balancers.filter((balancer) => written.isAbout(balancer)));
  const sets = new Set([...named].flatMap(setsOf));
  const isCompared = (one: SideBalancer) => named.has(one) || setsOf(one).some((set) => sets.has(set));
  return {
    balancers: balancers.filter(isCompared),
    others: balancers.filter((one) => !isCompared(one)),
  };
}

/** What some manifests are about. */
class Written {
  private readonly ids: ReadonlySet<string>;
  private readonly starts: readonly string[];
  private readonly nameless: ReadonlySet<string>;
  private readonly objects: ReadonlySet<string>;

  public constructor(after: { readonly balancers: readonly SideBalancer[]; readonly manifests: readonly Manifest[] }) {
    const { balancers, manifests } = after;
    const services = manifests.filter(({ object }) => object.kind === 'Service').map(({ object }) => object);
    this.ids = new Set([...balancers.map(({ id }) => id), ...services.map(objectIdOf)]);
    this.starts = [...this.ids].filter((id) => id.endsWith('*')).map((id) => id.slice(0, -1));
    this.nameless = new Set(
      services.filter(({ metadata }) => !isMap(metadata) || !metadata.namespace).map((one) => nameOf(objectIdOf(one))),
    );
    this.objects = new Set(manifests.map(({ object }) => keyOf(object)));
  }

  public isAbout({ id, service, written }: SideBalancer): boolean {
    const { namespace } = mapIn(service, 'metadata');
    const owners = mapsIn(mapIn(service, 'metadata'), 'ownerReferences');
    const maker = written.madeOf && keyOf(written.madeOf.object);
    return (
      this.ids.has(id) ||
      this.nameless.has(nameOf(id)) ||
      this.starts.some((start) => id.startsWith(start)) ||
      (maker !== undefined && this.objects.has(maker)) ||
      owners.some(({ kind, name }) => this.objects.has(keyOf({ kind, metadata: { name, namespace } })))
    );
  }
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

function keyOf(object: Json): string {
  return `${object.kind} ${objectIdOf(object)}`;
}

/** The sets that a Service was applied with: `application of Argo CD edge`. */
export function setsOf({ service }: SideBalancer): string[] {
  return SET_MARKS.flatMap(({ of, keys, until, called }) => {
    const marks = mapIn(mapIn(service, 'metadata'), of);
    const parts = keys.map((key) => marks[key]);
    if (!parts.every((part) => typeof part === 'string' && part !== '')) {
      return [];
    }
    const name = parts.join('/');
    return [printable(`${called} ${until === undefined ? name : name.split(until)[0]}`)];
  });
}
