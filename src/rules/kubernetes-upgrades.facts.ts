import type { UpgradeFact } from '../contract/edit';
import { type Citation, Confidence } from '../contract/kubernetes.facts';
import { isLocal } from './service-json';

export const KUBERNETES = 'kubernetes';

export const NEWEST_KUBERNETES = '1.37';

export const OLDEST_KUBERNETES = '1.25';

const documented = (version: string, file: string): Citation => ({
  repository: 'kubernetes/website',
  version: `v${version}`,
  file,
});
const CONFIDENCE = Confidence.DOCS;

export const KUBERNETES_UPGRADES: readonly UpgradeFact[] = [
  {
    since: '1.26',
    concerns: ({ service }) => isLocal(service),
    up: {
      outcome: 'kept',
      what: 'a node whose pods are all in termination still sends connections to those that are ready',
    },
    down: {
      outcome: 'interrupted',
      what: 'a node whose pods are all in termination drops connections until the balancer has noticed, in each rollout',
    },
    source: documented('1.28', 'content/en/docs/reference/networking/virtual-ips.md'),
    confidence: CONFIDENCE,
  },
];

/** What runs balancers of clouds: before, Kubernetes itself had some of them in it. */
export function ownManagerSince(since: string): UpgradeFact {
  return {
    product: KUBERNETES,
    since,
    up: {
      outcome: 'kept',
      notApplied: true,
      what: `Kubernetes ${since} has no provider of this cloud in it: without a cloud controller manager of its own nothing updates the balancer, and a deletion of its Service hangs`,
      first: 'run the cloud controller manager of the provider',
    },
    source: documented('1.31', 'content/en/blog/_posts/2024-05-20-completing-cloud-provider-migration.md'),
    confidence: CONFIDENCE,
  };
}
