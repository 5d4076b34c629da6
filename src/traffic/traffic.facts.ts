import type { Citation } from '../contract/kubernetes.facts';

// What kube-proxy and the controllers around it do to packets, as far as shares depend on it.

const KUBERNETES = { repository: 'kubernetes/kubernetes', version: 'v1.36.3' };

/**
 * The taint of a node that the cluster autoscaler is about to delete: kube-proxy then fails the health check of the node, not
 * those of Services with policy Local. kubernetes/kubernetes v1.36.3, pkg/proxy/healthcheck/proxy_health.go
 */
export const TO_BE_DELETED_TAINT = 'ToBeDeletedByClusterAutoscaler';

/** Where statements about packets come from. */
export const PACKET_FACTS = {
  /** Policy Cluster: all ready endpoints, from any node. Policy Local: those of the node. Without a ready one, those that terminate and still serve. */
  endpoints: { ...KUBERNETES, file: 'pkg/proxy/topology.go' },
  /** A chain of rules, each taking one part of what is left: 1/n, 1/(n-1) … 1. */
  chain: { ...KUBERNETES, file: 'pkg/proxy/iptables/proxier.go' },
  /** One rule that draws a number modulo n. */
  numgen: { ...KUBERNETES, file: 'pkg/proxy/nftables/proxier.go' },
  /** Policy Cluster marks what comes from outside, and postrouting gives it the address of the node. */
  masquerade: { ...KUBERNETES, file: 'pkg/proxy/iptables/proxier.go' },
  /** Pods and nodes that connect to an address of the balancer with ipMode VIP never leave their node for it, and policy Local does not bind them. */
  shortCircuit: { ...KUBERNETES, file: 'pkg/proxy/iptables/proxier.go' },
  /** Addresses with ipMode Proxy, and host names, get no rule. */
  vips: { ...KUBERNETES, file: 'pkg/proxy/serviceport.go' },
  /** The health check port of a Service answers 200 where the node has a ready endpoint, and 503 elsewhere. */
  serviceHealth: { ...KUBERNETES, file: 'pkg/proxy/healthcheck/service_health.go' },
  /** The health check port of kube-proxy knows nothing of Services. */
  proxyHealth: { ...KUBERNETES, file: 'pkg/proxy/healthcheck/proxy_health.go' },
  /** Traffic distribution: one hint for each ready endpoint, its own zone or node. */
  hints: { repository: 'kubernetes/endpointslice', version: 'v0.36.3', file: 'trafficdist/trafficdist.go' },
  /** Ready: published though not ready, or ready and not terminating. Serving: ready, terminating or not. */
  conditions: { repository: 'kubernetes/endpointslice', version: 'v0.36.3', file: 'utils.go' },
  /** A client that is its own target, with its address kept: the packet comes back from itself, and the connection times out. */
  hairpin: {
    repository: 'docs.aws.amazon.com',
    version: '2026-11',
    file: 'elasticloadbalancing/latest/network/edit-target-group-attributes.html',
  },
} as const satisfies Readonly<Record<string, Citation>>;

/** Hints by the cores of zones instead of `trafficDistribution`, the newer annotation first. kubernetes/api v0.36, core/v1/annotation_key_constants.go */
export const TOPOLOGY_ANNOTATIONS: readonly string[] = [
  'service.kubernetes.io/topology-mode',
  'service.kubernetes.io/topology-aware-hints',
];
