import type { Citation } from '../../contract/kubernetes.facts';

// What manifests spell as upstream used to, or as no upstream ever did.

const CILIUM: Citation = { repository: 'cilium/cilium', version: 'v1.18', file: 'pkg/annotation/k8s.go' };

/** Where the old names of annotations were read. */
export const OLD_SPELLINGS_SOURCE = CILIUM;

/** Annotations that have another name by now; the old one is still read. */
export const OLD_SPELLINGS: Readonly<Record<string, string>> = {
  'io.cilium/lb-ipam-ips': 'lbipam.cilium.io/ips',
  'io.cilium/lb-ipam-sharing-key': 'lbipam.cilium.io/sharing-key',
  'io.cilium/lb-ipam-sharing-cross-namespace': 'lbipam.cilium.io/sharing-cross-namespace',
  'io.cilium/lb-ipam-sharing-permit-different-pods': 'lbipam.cilium.io/sharing-permit-different-pods',
};

/** Annotations by which a TargetGroupBinding shows which object its controller made it for. */
export const BINDING_STACK_LABELS: readonly string[] = [
  'ingress.k8s.aws/stack',
  'ingress.k8s.aws/stack-name',
  'service.k8s.aws/stack-name',
];

/** The group of Ingresses, for which the controller makes bindings as well. */
export const INGRESS_GROUP = 'networking.k8s.io';

/** Where the API server warns of fields of Services. */
export const SERVICE_WARNINGS: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/api/service/warnings.go',
};

/** Where the API server came to take Services that mix protocols, and left them to controllers. */
export const MIXED_PROTOCOLS: Citation = {
  repository: 'kubernetes/enhancements',
  version: 'v1.26',
  file: 'keps/sig-network/1435-mixed-protocol-lb/README.md',
};
