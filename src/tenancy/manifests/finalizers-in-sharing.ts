import { type Json, list } from '../../contract/json';
import { shown } from '../../contract/printable';
import { knownKinds } from '../../rules/controller-definition';
import { classOf, finalizersOf } from '../../rules/service-json';
import type { LostSetting } from './lost-in-sharing';
import { RELEASED_BY_TYPE } from './tenant-manifests.facts';

// A finalizer by which a controller cleans up a balancer is taken out of what shares one: no controller would remove it from a
// Service that it never served, and applied again and again it never comes to rest.

/** The page that says how a tenant that is live gets its Services behind a shared balancer. */
const PAGE = 'docs/how-to/tenant-manifests.md';

/** Whether a finalizer is one by which a controller cleans up a balancer. */
export function isOfBalancer(finalizer: string): boolean {
  return knownKinds().some(({ finalizers, untouchableFinalizers = [] }) =>
    [...finalizers, ...untouchableFinalizers].includes(finalizer),
  );
}

/** Whether a live balancer stays in the cloud where its finalizer goes in one change with the type of its Service. */
export function leavesBalancer(finalizer: string): boolean {
  return isOfBalancer(finalizer) && !RELEASED_BY_TYPE.includes(finalizer);
}

/** The finalizers that are taken out of a Service without leaving a live balancer behind. */
export function lostFinalizers(service: Json, keepsType: boolean): LostSetting[] {
  const now = keepsType
    ? `it is removed; the API server refuses another class on a live Service: release its own balancer first, see ${PAGE}`
    : `it is removed; if its controller runs then, it deletes a live balancer when it sees the new type: move clients first, see ${PAGE}`;
  return balancerFinalizers(service)
    .filter((finalizer) => keepsType || !leavesBalancer(finalizer))
    .map((value) => ({ field: 'metadata.finalizers', value: shown(value), now }));
}

/** The finalizers that go in one change with the type, so that a live balancer stays in the cloud. */
export function orphaningFinalizers(service: Json, keepsType: boolean): string[] {
  return keepsType ? [] : balancerFinalizers(service).filter(leavesBalancer);
}

function balancerFinalizers(service: Json): string[] {
  return list<string>(finalizersOf(service)).filter(isOfBalancer);
}

/** What becomes of a balancer that lives. */
export const LEFT_BEHIND =
  'which is taken out together with the type: a balancer that lives stays in the cloud, since its controller cleans up only where it finds that finalizer';

/** The way out for a Service: one that an annotation claims is claimed with any type. */
export function givenUpFirst(service: Json, finalizer: string): string {
  const isByAnnotation =
    classOf(service) === undefined &&
    knownKinds().some(
      (kind) => kind.finalizers.includes(finalizer) && kind.claimsOtherTypes?.(service, undefined).claimed === 'yes',
    );
  const change = isByAnnotation
    ? 'change its type to ClusterIP without the annotation that claims it, and with the finalizer kept'
    : 'change its type to ClusterIP with the finalizer kept';
  return `if the Service is live, ${change}, wait until the finalizer is gone, and adopt it then, as ${PAGE} says; if it has no balancer of its own, acknowledge it`;
}

/** The way out for a listener, whose Services an operator writes. */
export const RENAME_FIRST = `if the Kafka is live, give the listener another name in the file, so that the operator deletes its Services and their controller the balancers, as ${PAGE} says; if they have no balancers of their own, acknowledge it`;
