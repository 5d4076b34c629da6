import type { Document } from '../../src/tenancy/engines/contract/publishing';
import { PUBLISHERS } from '../../src/tenancy/engines/publishers';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';
import {
  conditionOf,
  type Finding,
  isLeftBehind,
  ofKind,
  type SyncAnswer,
  type SyncRequest,
  withCondition,
} from './cluster-state';
import { setName } from './publish-service';

/** For how long a Service stays after nothing of it is seen any more: what was written last is seen a moment later. */
const LAST_LOOK_SECONDS = 1;

/**
 * Withdraws a Service that is deleted, or has lost the label by which the controller finds it: it keeps the controller's
 * finalizer until nothing of it is left, so that no port stays open for a Service that is not there.
 *
 * @param now the time that a condition gets whose status has changed
 */
export function withdraw(request: SyncRequest, config: HookConfig, now: string): SyncAnswer {
  const { object: service, attachments } = request;
  const { condition, endpoints } = config.keys;
  const own = conditionOf(service, condition);
  const made = Object.values(attachments ?? {}).flatMap((objects) => Object.values(objects ?? {}));
  const left = leftBehind(request, config);
  const isLookedAt = own?.status !== 'Unknown' || secondsBetween(own.lastTransitionTime, now) < LAST_LOOK_SECONDS;
  if (made.length > 0 || left || (own && isLookedAt)) {
    return {
      attachments: [],
      status: statusWith(service, config, withCondition(service, condition, findingOn(left), now)),
      finalized: false,
      resyncAfterSeconds: LAST_LOOK_SECONDS,
    };
  }
  const others = ((service.status?.conditions ?? []) as Document[]).filter((one) => one !== own);
  return {
    attachments: [],
    status: own ? statusWith(service, config, others) : null,
    annotations: { [endpoints]: null },
    finalized: true,
  };
}

/** The address goes with the ports; that of a Service of another class is another controller's. */
function statusWith(service: Document, { loadBalancerClass }: HookConfig, conditions: Document[]): Document {
  const isOurs = service.spec.loadBalancerClass === loadBalancerClass;
  return { ...service.status, ...(isOurs ? { loadBalancer: {} } : {}), conditions };
}

function findingOn(left: Document | undefined): Finding {
  return left
    ? {
        status: 'Unknown',
        reason: 'LeftBehind',
        message: `${left.kind} ${left.metadata.name} has lost its owner by a deletion with --cascade=orphan and keeps its ports: ask the platform to delete it`,
      }
    : { status: 'Unknown', reason: 'Withdrawing', message: 'its ports at the shared load balancer are being closed' };
}

/** What holds the ports of the Service, and belongs to nobody any more. */
function leftBehind({ object: service, related }: SyncRequest, config: HookConfig): Document | undefined {
  const { namespace } = service.metadata;
  return PUBLISHERS[config.publisher].kinds
    .flatMap(({ kind }) => ofKind(related, kind))
    .find(
      (object) =>
        object.metadata.namespace === namespace &&
        object.metadata.name === setName(service) &&
        isLeftBehind(object, config),
    );
}

function secondsBetween(first: string, second: string): number {
  return (Date.parse(second) - Date.parse(first)) / 1000;
}
