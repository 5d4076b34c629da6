import type { Json } from '../../contract/json';
import { ownValue } from '../../contract/own-value';
import { groupOf } from '../../rules/objects';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { TENANT_OBJECT_TWICE } from './rules';
import type { FileFault, TenantObject } from './tenant-file';
import { CLUSTER_KINDS, CLUSTER_NAME, NAMESPACED_DESPITE_NAME } from './tenant-manifests.facts';

/** The identity of an object in the cluster: without a namespace of its own it gets that of the tenant. */
function identityOf(json: Json, tenant: string): string {
  const namespace = isOfCluster(json) ? '' : (json.metadata.namespace ?? tenant);
  return [groupOf(json), json.kind, namespace, json.metadata.name].join('/');
}

/** The name of an object in messages. */
export function titleOf({ kind, metadata }: Json): string {
  return `${kind} ${metadata.name}`;
}

/** Whether an object belongs to no namespace. */
export function isOfCluster(json: Json): boolean {
  return isKnownOfCluster(json) || isNamedOfCluster(json);
}

function isKnownOfCluster(json: Json): boolean {
  return ownValue(CLUSTER_KINDS, json.kind) === groupOf(json);
}

/** An unknown kind that is named like a cluster-scoped one, and has no namespace in the file. */
export function isNamedOfCluster(json: Json): boolean {
  const { kind, metadata } = json;
  return (
    !isKnownOfCluster(json) &&
    CLUSTER_NAME.test(kind) &&
    ownValue(NAMESPACED_DESPITE_NAME, kind) !== groupOf(json) &&
    (metadata.namespace ?? undefined) === undefined
  );
}

interface TakenIn {
  readonly place: string;
  readonly path: string;
}

const FILES = new WeakMap<TenancyRegistry, Map<string, TakenIn>>();

/** The objects of all files of the tenants of one balancer, each known by what it is. */
function takenIn(registry: TenancyRegistry): Map<string, TakenIn> {
  const known = FILES.get(registry) ?? new Map<string, TakenIn>();
  FILES.set(registry, known);
  return known;
}

/** Objects that another file has as well. */
export function inOtherFiles(objects: readonly TenantObject[], tenant: string, registry: TenancyRegistry): FileFault[] {
  const known = takenIn(registry);
  return objects.flatMap(({ json, place }) => {
    const other = known.get(identityOf(json, tenant));
    if (!other) {
      return [];
    }
    const isSame = other.place === place;
    const what = isSame
      ? `${titleOf(json)} is read by ${other.path} already`
      : `${titleOf(json)} is in ${other.place} as well, which ${other.path} reads, and the second would overwrite the first`;
    const remedy = isSame ? 'read the file once' : 'keep it in one of the two files, or give it another name';
    return [{ rule: TENANT_OBJECT_TWICE, place, what, remedy }];
  });
}

/** Registers the objects of a file in which nothing is wrong. */
export function takeIn(
  objects: readonly TenantObject[],
  tenant: string,
  registry: TenancyRegistry,
  path: string,
): void {
  for (const { json, place } of objects) {
    takenIn(registry).set(identityOf(json, tenant), { place, path });
  }
}

/** Objects that the file has twice. */
export function twice(objects: readonly TenantObject[], tenant: string): FileFault[] {
  const first = new Map<string, TenantObject>();
  return objects.flatMap((object) => {
    const { json, place } = object;
    const key = identityOf(json, tenant);
    const before = first.get(key);
    first.set(key, before ?? object);
    const what = `${titleOf(json)} is in ${before?.place} as well, and the second would overwrite the first`;
    return before ? [{ rule: TENANT_OBJECT_TWICE, place, what, remedy: 'keep one, or give it another name' }] : [];
  });
}
