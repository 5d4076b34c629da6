import { ACTIONS_BY_PURPOSE } from './azure-identity.facts';
import type { AzureNetworkPurpose } from './azure-network-purpose';

/** The actions that purposes need. */
export function actionsFor(purposes: readonly AzureNetworkPurpose[]): string[] {
  return [...new Set(purposes.flatMap((purpose) => ACTIONS_BY_PURPOSE[purpose]))];
}
