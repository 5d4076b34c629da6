import type { Citation } from '../../contract/kubernetes.facts';
import { GKE_CLASS, GKE_SOURCE } from './annotations';

/** A file of the version that was read. */
export const gkeFile = (file: string): Citation => ({ ...GKE_SOURCE, file });

/** The classes by what they make. */
export const GKE_CLASSES = {
  internal: [GKE_CLASS.internal, GKE_CLASS.internalLegacy],
  external: [GKE_CLASS.external, GKE_CLASS.externalLegacy],
  legacy: [GKE_CLASS.externalLegacy, GKE_CLASS.internalLegacy],
  l4: [GKE_CLASS.external, GKE_CLASS.internal, GKE_CLASS.standaloneNeg],
};

/** How nodes are asked for a Service of the newer controllers: that of policy Local for itself, others for all together. */
export const GKE_CHECKS = {
  local: { interval: 3, failures: 2 },
  cluster: { interval: 8, failures: 3 },
};

/** How the older controller has nodes asked, whatever the policy. */
export const GKE_LEGACY_CHECK = { interval: 8, failures: 3 };

/** How many nodes the newer controllers choose for a Service; the others get none of its traffic. */
export const GKE_SUBSETS = {
  internal: { local: 250, cluster: 25 },
  external: { local: 3000, cluster: 250 },
};

/** Where they do. */
export const GKE_SUBSETS_SOURCE = gkeFile('pkg/neg/syncers/subsets.go');

/** How many nodes get traffic of an internal balancer whose backends are instance groups. */
export const GKE_NODES_WITHOUT_SUBSETTING = 250;

/** Where Google documents that. */
export const GKE_WITHOUT_SUBSETTING_SOURCE: Citation = {
  repository: 'Google Kubernetes Engine documentation',
  version: '2026-11-23',
  file: 'how-to/internal-load-balancing',
};
