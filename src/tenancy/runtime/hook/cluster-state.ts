import type { Document } from '../../engines/contract/attachment';
import type { HookBalancer } from './hook-config';

/** Objects as the hook is sent them: by kind (`TCPRoute.group/version`), then by `namespace/name`. */
type ObjectMap = Readonly<Record<string, Readonly<Record<string, Document>> | null>>;

/** What the hook is asked: what is to be there for a Service. */
export interface SyncRequest {
  readonly object: Document;
  /** What was made for the Service before. */
  readonly attachments?: ObjectMap | null;
  /** What `customize` asked for. */
  readonly related?: ObjectMap | null;
}

/** What is to be there; a status of null is left as it is. */
export interface SyncAnswer {
  readonly status: Document | null;
  readonly attachments: readonly Document[];
  /** Annotations to write; null removes one. */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

/** Objects of one kind, whatever their version. */
export function ofKind(map: ObjectMap | null | undefined, kind: string): Document[] {
  return Object.entries(map ?? {})
    .filter(([key]) => key.split('.', 1)[0] === kind)
    .flatMap(([, objects]) => Object.values(objects ?? {}));
}

/** Whether an object is controlled by a Service: by this very one, not by another of its name. */
export function isOf(object: Document, service: Document): boolean {
  const owners: Document[] = object.metadata.ownerReferences ?? [];
  return owners.some(({ controller, uid }) => controller === true && uid === service.metadata.uid);
}

/**
 * The addresses of a balancer, as the status of a Service has them. An IP gets the mode `Proxy`: otherwise clients inside
 * the cluster are led past the balancer, and past its limits.
 */
export function addressesOf({ hostname }: HookBalancer, gateway: Document | undefined): Document[] {
  if (hostname !== undefined) {
    return [{ hostname }];
  }
  return ((gateway?.status?.addresses ?? []) as Document[])
    .filter(({ value }) => value)
    .map(({ type, value }) => (type === 'Hostname' ? { hostname: value } : { ip: value, ipMode: 'Proxy' }));
}

/** The name or the address to connect to. */
export function hostOf(address: Document): string {
  return address.hostname ?? address.ip;
}

/** The Gateway of a balancer, as the cluster has it. */
export function gatewayOf(related: ObjectMap | null | undefined, balancer: HookBalancer): Document | undefined {
  return ofKind(related, 'Gateway').find(
    ({ metadata }) => metadata.name === balancer.name && metadata.namespace === balancer.namespace,
  );
}

/** How a Service fares. */
export interface Finding {
  readonly status: 'True' | 'False';
  /** One word, in camel case. */
  readonly reason: string;
  /** For the tenant: it names no other tenant. */
  readonly message: string;
}

/** A condition among those of others. Its time moves with its status alone, so that an equal state is no change. */
export function withCondition(service: Document, type: string, finding: Finding, now: string): Document[] {
  const before: Document[] = service.status?.conditions ?? [];
  const own = before.find((condition) => condition.type === type);
  const { status, reason, message } = finding;
  const { generation } = service.metadata;
  const next: Document = {
    type,
    status,
    reason,
    message,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: own && own.status === status ? own.lastTransitionTime : now,
  };
  return own ? before.map((condition) => (condition === own ? next : condition)) : [...before, next];
}

/** The condition of a type. */
export function conditionOf(object: Document | undefined, type: string): Document | undefined {
  return ((object?.status?.conditions ?? []) as Document[]).find((condition) => condition.type === type);
}

/** Whether a list of conditions has one that is true. */
function isTrue(conditions: readonly Document[] | undefined, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

/** What is there for one port of a Service. */
interface PortState {
  readonly gateway: Document | undefined;
  readonly set: Document | undefined;
  readonly route: Document | undefined;
  /** The name of the listener. */
  readonly listener: string;
}

/** Whether the controller of the balancer says that it knows of a conflict. */
export function isConflicted({ set, listener }: PortState): boolean {
  return isTrue(listenerStatus(set, listener)?.conditions, 'Conflicted');
}

/**
 * Why a port is not served yet; nothing where it is. A listener that is programmed proves nothing by itself: some
 * controllers say so of listeners that they did nothing for.
 */
export function pendingOf(state: PortState): string | undefined {
  const { gateway, set, route, listener } = state;
  const parents = (route?.status?.parents ?? []) as Document[];
  const parent = parents.find(
    ({ parentRef }) =>
      parentRef?.kind === 'ListenerSet' && parentRef.name === set?.metadata.name && parentRef.sectionName === listener,
  );
  return (
    lacking('the shared Gateway', gateway?.status?.conditions, ['Accepted', 'Programmed']) ??
    lacking('the ListenerSet', set?.status?.conditions, ['Accepted']) ??
    lacking('the listener', listenerStatus(set, listener)?.conditions, ['Programmed']) ??
    lacking('the route', parent?.conditions, ['Accepted', 'ResolvedRefs'])
  );
}

function listenerStatus(set: Document | undefined, listener: string): Document | undefined {
  return ((set?.status?.listeners ?? []) as Document[]).find(({ name }) => name === listener);
}

/** The first of some conditions that is not true, as text. */
function lacking(what: string, conditions: readonly Document[] | undefined, types: readonly string[]) {
  const type = types.find((one) => !isTrue(conditions, one));
  if (type === undefined) {
    return undefined;
  }
  const reason = (conditions ?? []).find((condition) => condition.type === type)?.reason;
  return `${what} is not ${WORDS[type]} yet${reason ? ` (${reason})` : ''}`;
}

const WORDS: Record<string, string> = {
  Accepted: 'accepted',
  Programmed: 'programmed',
  ResolvedRefs: 'resolved',
};
