import type { ControllerIdentity } from '../rules/controller-definition';
import { AWS_LBC, AWS_LBC_SOURCE } from './aws-load-balancer-controller/annotations';

// Who controllers are to the API server, under their default names.

const SYSTEM = 'kube-system';

/** The service account that the chart and the manual name. */
export const AWS_LBC_IDENTITIES: readonly ControllerIdentity[] = [
  {
    kind: 'ServiceAccount',
    name: AWS_LBC,
    namespace: SYSTEM,
    source: { ...AWS_LBC_SOURCE, file: 'docs/deploy/installation.md' },
  },
];

/** The group of what EKS runs for a cluster in Auto Mode. */
export const EKS_AUTO_MODE_IDENTITIES: readonly ControllerIdentity[] = [
  {
    kind: 'Group',
    name: 'eks:managed',
    source: { repository: 'Amazon EKS User Guide', version: '2026-08-17', file: 'auto-managed-rbac' },
  },
];
