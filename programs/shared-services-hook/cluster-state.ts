import type { Document } from '../../src/tenancy/engines/contract/publishing';
import type { HookBalancer, HookConfig } from '../../src/tenancy/runtime/program-config';
import { MADE_BY_ANNOTATION } from '../../src/tenancy/tenancy.facts';

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
  /** Of a Service that is withdrawn: whether nothing of it is left, so that it may go. */
  readonly finalized?: boolean;
  /** Seconds after which the hook is to be called again. */
  readonly resyncAfterSeconds?: number;
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

/** Whether an object was made by the controller for a Service that went without it: nobody owns it, and its ports stay taken. */
export function isLeftBehind({ metadata }: Document, { controller }: HookConfig): boolean {
  const owners: Document[] = metadata.ownerReferences ?? [];
  return (
    metadata.annotations?.[MADE_BY_ANNOTATION] === controller && !owners.some((owner) => owner.controller === true)
  );
}

/**
 * The addresses of a balancer, as the status of a Service has them. An IP gets the mode `Proxy`: otherwise clients inside
 * the cluster are led past the balancer, and past its limits.
 */
export function addressesOf({ hostname }: HookBalancer, balancer: Document | undefined): Document[] {
  if (hostname !== undefined) {
    return [{ hostname }];
  }
  const ofService: Document[] = balancer?.status?.loadBalancer?.ingress ?? [];
  const ofGateway: Document[] = balancer?.status?.addresses ?? [];
  return [
    ...ofService.map((one) => (one.hostname ? { hostname: one.hostname } : { ip: one.ip, ipMode: 'Proxy' })),
    ...ofGateway
      .filter(({ value }) => value)
      .map(({ type, value }) => (type === 'Hostname' ? { hostname: value } : { ip: value, ipMode: 'Proxy' })),
  ];
}

/** The name or the address to connect to. */
export function hostOf(address: Document): string {
  return address.hostname ?? address.ip;
}

/** The object that is a balancer, as the cluster has it. */
export function balancerIn(
  related: ObjectMap | null | undefined,
  { kind }: { readonly kind: string },
  balancer: HookBalancer,
): Document | undefined {
  return ofKind(related, kind).find(
    ({ metadata }) => metadata.name === balancer.name && metadata.namespace === balancer.namespace,
  );
}

/** How a Service fares. */
export interface Finding {
  readonly status: 'True' | 'False' | 'Unknown';
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
