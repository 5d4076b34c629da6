import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import type { ProvisioningTime } from '../../rules/controller-definition';

// The operator waits until every Service of its listeners has an address before it makes any pod.

/** Where it waits. */
export const WAITING: Citation = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/assembly/KafkaListenersReconciler.java',
};

/** How long the operator waits, unless its installation says otherwise: one limit for all Services that it waits for. */
export const OPERATION_TIMEOUT = { variable: 'STRIMZI_OPERATION_TIMEOUT_MS', seconds: 300 } as const;

/**
 * What controllers are taken to need of which nothing is known: the service controller of Kubernetes makes one balancer at a
 * time unless it is configured otherwise, and a cloud takes about so many seconds.
 */
export const UNKNOWN_PROVISIONING_TIME: ProvisioningTime = {
  concurrency: 1,
  seconds: 15,
  confidence: Confidence.UNVERIFIED,
  source: {
    repository: 'kubernetes/cloud-provider',
    version: 'v0.36.3',
    file: 'controllers/service/config/v1alpha1/defaults.go',
  },
};

/** A controller that gives a Service no address before a ready pod is behind it. */
export interface Withholding {
  /** As messages call it. */
  readonly name: string;
  /** Whether it does so with any traffic policy, or only with `Local`. */
  readonly when: 'always' | 'local';
  /** Classes by which its Services are known. */
  readonly classes: readonly string[];
  /** How keys of annotations and labels begin that only its Services have. */
  readonly keys: readonly string[];
  /** The annotation of a Service of policy `Cluster` with which it does not, where its value is `true`. */
  readonly unless?: string;
  /** Where that was read. */
  readonly source: Citation;
}

/** Those that are known. None of them has a class in this package: they serve clusters without a cloud. */
export const WITHHOLDING: readonly Withholding[] = [
  {
    name: 'Node IPAM of Cilium',
    when: 'local',
    classes: ['io.cilium/node'],
    keys: ['io.cilium.nodeipam/'],
    source: { repository: 'cilium/cilium', version: '02674019', file: 'operator/pkg/nodeipam/nodesvclb.go' },
  },
  {
    name: 'kube-vip from 1.2 on',
    when: 'always',
    classes: ['kube-vip.io/kube-vip-class'],
    keys: ['kube-vip.io/'],
    unless: 'kube-vip.io/allow-reconcile-without-endpoints',
    source: { repository: 'kube-vip/kube-vip', version: 'v1.2.1', file: 'pull request 1578' },
  },
  {
    name: 'ServiceLB of k3s',
    when: 'local',
    classes: [],
    keys: ['svccontroller.k3s.cattle.io/'],
    source: { repository: 'k3s-io/k3s', version: '0821db5a', file: 'pkg/cloudprovider/servicelb.go' },
  },
];
