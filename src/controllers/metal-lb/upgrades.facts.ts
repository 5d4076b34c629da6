import { Confidence } from '../../contract/kubernetes.facts';
import type { UpgradeFact } from '../../contract/upgrade';

/** What versions of MetalLB changed. */
export const METALLB_UPGRADES: readonly UpgradeFact[] = [
  {
    since: '0.13.0',
    up: {
      onEdit: 'replaced',
      what: 'its ConfigMap is not read any more: without pools as objects no Service has an address',
      first: 'apply the pools and advertisements that its converter makes of the ConfigMap',
    },
    down: {
      onEdit: 'replaced',
      what: 'its objects are not read: without pools in a ConfigMap no Service has an address',
      first: 'write the ConfigMap with the same pools',
    },
    source: { repository: 'metallb/metallb', version: 'v0.16.2', file: 'website/content/release-notes/_index.md' },
    confidence: Confidence.DOCS,
  },
];
