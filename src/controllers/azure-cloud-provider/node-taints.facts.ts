// Nodes of AKS. Microsoft Learn: azure/aks/use-system-pools (2026-11)

/** The label by which AKS marks the nodes of its system pools, and the hard taint that such a pool may have. */
export const AKS_MODE_LABEL = 'kubernetes.azure.com/mode';
export const AKS_SYSTEM_TAINT = 'CriticalAddonsOnly';

/** Taints that come and go with the state of a node. */
export const TAINTS_OF_STATE =
  /^(node\.(kubernetes|cloudprovider\.kubernetes|cilium)\.io\/|remediator\.|ToBeDeleted|DeletionCandidate)/;
