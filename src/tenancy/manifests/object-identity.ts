import type { Json } from '../../contract/json';
import { CLUSTER_KINDS, CLUSTER_NAME, NAMESPACED_DESPITE_NAME } from './tenant-manifests.facts';

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
