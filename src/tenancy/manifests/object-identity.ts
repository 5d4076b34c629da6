import type { Json } from '../../contract/json';
import type { TenancyBook } from '../shared/tenancy-registry';
import type { FileFault, TenantObject } from './tenant-file';
import { CLUSTER_KINDS, CLUSTER_NAME, NAMESPACED_DESPITE_NAME } from './tenant-manifests.facts';
import { identityOf } from './tenant-object-faults';

/** The group of an object. */
export function groupOf({ apiVersion }: Json): string {
  return apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
}

/** What an object is known by in messages. */
export function titleOf({ kind, metadata }: Json): string {
  return `${kind} ${metadata.name}`;
}

/** Whether an object belongs to no namespace. */
export function isOfCluster(json: Json): boolean {
  return (json.kind === 'Namespace' && groupOf(json) === '') || isKnownOfCluster(json) || isNamedOfCluster(json);
}

function isKnownOfCluster(json: Json): boolean {
  return CLUSTER_KINDS[json.kind] === groupOf(json);
}

/** A kind that nobody knows here, whose name says so, in a file that says no namespace of it. */
export function isNamedOfCluster(json: Json): boolean {
  const { kind, metadata } = json;
  return (
    !isKnownOfCluster(json) &&
    CLUSTER_NAME.test(kind) &&
    NAMESPACED_DESPITE_NAME[kind] !== groupOf(json) &&
    (metadata.namespace ?? undefined) === undefined
  );
}

interface TakenIn {
  readonly at: string;
  readonly path: string;
}

const FILES = new WeakMap<TenancyBook, Map<string, TakenIn>>();

/** The objects of all files of the tenants of one balancer, each known by what it is. */
function takenIn(book: TenancyBook): Map<string, TakenIn> {
  const known = FILES.get(book) ?? new Map<string, TakenIn>();
  FILES.set(book, known);
  return known;
}

/** Objects that another file has as well. */
export function inOtherFiles(objects: readonly TenantObject[], tenant: string, book: TenancyBook): FileFault[] {
  const known = takenIn(book);
  return objects.flatMap(({ json, at }) => {
    const other = known.get(identityOf(json, tenant));
    if (!other) {
      return [];
    }
    const isSame = other.at === at;
    const what = isSame
      ? `${titleOf(json)} is taken in by ${other.path} already`
      : `${titleOf(json)} stands at ${other.at} as well, which ${other.path} takes in, and the second would overwrite the first`;
    const remedy = isSame ? 'take the file in once' : 'keep it in one of the two files, or give it another name';
    return [{ ruleId: 'tenant-object-twice', at, what, remedy }];
  });
}

/** Remembers the objects of a file in which nothing is wrong. */
export function takeIn(objects: readonly TenantObject[], tenant: string, book: TenancyBook, path: string): void {
  for (const { json, at } of objects) {
    takenIn(book).set(identityOf(json, tenant), { at, path });
  }
}
