import { Confidence } from '../../contract/kubernetes.facts';
import type { UpgradeFact } from '../../contract/upgrade';
import { ownManagerSince } from '../../rules/kubernetes-upgrades.facts';

/** What versions of the cloud controller manager changed, and of Kubernetes for it. */
export const AWS_CLOUD_UPGRADES: readonly UpgradeFact[] = [
  {
    since: '1.36',
    up: {
      outcome: 'kept',
      what: 'a change of the annotation of the type is refused; before, it left the old balancer behind',
    },
    down: {
      outcome: 'kept',
      what: 'a change of the annotation of the type is not refused any more, and leaves the old balancer behind',
    },
    source: {
      repository: 'kubernetes/cloud-provider-aws',
      version: 'v1.36.1',
      file: 'pkg/providers/v1/aws_validations.go',
    },
    confidence: Confidence.SOURCE,
  },
  ownManagerSince('1.27'),
];
