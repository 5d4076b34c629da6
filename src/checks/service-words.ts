import type { Json } from '../contract/json';
import { ownValue } from '../contract/own-value';

/** What the traffic policy means. */
const POLICIES: Readonly<Record<string, string>> = {
  Cluster: 'a node that gets traffic forwards it to any pod',
  Local: 'a node that gets traffic forwards it to its own pods only, and fails the health check without one',
};

/** What pods see of clients where nothing but the traffic policy decides it. */
const CLIENTS: Readonly<Record<string, string>> = {
  Cluster: 'replaced by that of a node, where it forwards to a pod of another one',
  Local: 'kept',
};

/** The traffic policy of a Service, and what it means where its controller does nothing of its own. */
export function policyOf({ spec }: Json): { readonly policy: string; readonly means: string } {
  const policy: string = spec?.externalTrafficPolicy ?? 'Cluster';
  return { policy, means: ownValue(POLICIES, policy) ?? 'unknown' };
}

/** What pods see of the address of clients, where its controller does nothing of its own. */
export function clientAddressOf(service: Json): string {
  return ownValue(CLIENTS, policyOf(service).policy) ?? 'unknown';
}
