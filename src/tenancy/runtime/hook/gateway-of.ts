import type { Document } from '../../attachment/attachment';
import type { HookBalancer } from './hook-config';
import { type ObjectMap, ofKind } from './hook-messages';

/** The Gateway of a balancer, as the cluster has it. */
export function gatewayOf(related: ObjectMap | null | undefined, balancer: HookBalancer): Document | undefined {
  return ofKind(related, 'Gateway').find(
    ({ metadata }) => metadata.name === balancer.name && metadata.namespace === balancer.namespace,
  );
}
