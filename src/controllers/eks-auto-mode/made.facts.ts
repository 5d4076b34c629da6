/**
 * The label of a Namespace by which its pods wait for the balancer. AWS Containers Blog, 2026-11-23,
 * how-to-build-highly-available-kubernetes-applications-with-amazon-eks-auto-mode
 */
export const EKS_READINESS_GATES = { 'eks.amazonaws.com/pod-readiness-gate-inject': 'enabled' };
