import type { Document } from '../../attachment/attachment';
import type { HookBalancer } from './hook-config';

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
