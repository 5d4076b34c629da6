import type { UpgradeFact } from '../../contract/upgrade';
import { ownManagerSince } from '../../rules/kubernetes-upgrades.facts';

/** What versions of Kubernetes changed for it. */
export const AZURE_UPGRADES: readonly UpgradeFact[] = [ownManagerSince('1.31')];
