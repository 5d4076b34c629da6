import { type Citation, Confidence } from '../contract/kubernetes.facts';

/** The label by which one platform distinguishes the nodes of a pool from all others. */
export interface NodePoolLabel {
  /** The platform, as its vendor calls it. */
  readonly platform: string;
  /** The key of the label. */
  readonly label: string;
  /** What is in its value. */
  readonly value: string;
  readonly source: Citation;
  readonly confidence: Confidence;
}

/** A taint that a platform puts on nodes, or gives a meaning. */
export interface NodeTaintFact {
  readonly key: string;
  readonly value: string;
  readonly source: Citation;
  readonly confidence: Confidence;
}

const docs = (repository: string, file: string): Citation => ({ repository, version: '2026-11', file });

const AKS: Citation = docs('Microsoft Learn', 'azure/aks/use-labels');
const KARPENTER: Citation = { repository: 'kubernetes-sigs/karpenter', version: 'v1', file: 'pkg/apis/v1/labels.go' };

/** The labels of node pools, by the factory of `NodePools` that uses them. */
export const NODE_POOL_LABELS = {
  aks: {
    platform: 'AKS',
    label: 'kubernetes.azure.com/agentpool',
    value: 'name',
    source: AKS,
    confidence: Confidence.DOCS,
  },
  aksLegacy: {
    platform: 'AKS',
    label: 'agentpool',
    value: 'name; deprecated',
    source: AKS,
    confidence: Confidence.DOCS,
  },
  banzai: {
    platform: 'Banzai Pipeline',
    label: 'nodepool.banzaicloud.io/name',
    value: 'name',
    source: { repository: 'banzaicloud/pipeline', version: '2023-06', file: 'the last tree before it was archived' },
    confidence: Confidence.SOURCE,
  },
  eksManagedNodeGroup: {
    platform: 'EKS managed node group',
    label: 'eks.amazonaws.com/nodegroup',
    value: 'name',
    source: docs('AWS documentation', 'eks/latest/userguide/managed-node-groups.html'),
    confidence: Confidence.DOCS,
  },
  eksctl: {
    platform: 'eksctl',
    label: 'alpha.eksctl.io/nodegroup-name',
    value: 'name',
    source: docs('eksctl.io', 'node groups'),
    confidence: Confidence.UNVERIFIED,
  },
  karpenter: {
    platform: 'Karpenter',
    label: 'karpenter.sh/nodepool',
    value: 'name',
    source: KARPENTER,
    confidence: Confidence.SOURCE,
  },
  eksAutoMode: {
    platform: 'EKS Auto Mode',
    label: 'karpenter.sh/nodepool',
    value: 'name',
    source: docs('AWS documentation', 'eks/latest/userguide/create-node-pool.html'),
    confidence: Confidence.DOCS,
  },
  gke: {
    platform: 'GKE',
    label: 'cloud.google.com/gke-nodepool',
    value: 'name',
    source: docs('Google Cloud documentation', 'kubernetes-engine/docs/concepts/node-pools'),
    confidence: Confidence.DOCS,
  },
  digitalOcean: {
    platform: 'DigitalOcean Kubernetes',
    label: 'doks.digitalocean.com/node-pool',
    value: 'name',
    source: docs('DigitalOcean documentation', 'products/kubernetes/details/managed'),
    confidence: Confidence.DOCS,
  },
  linode: {
    platform: 'Linode Kubernetes Engine',
    label: 'lke.linode.com/pool-id',
    value: 'id, a number',
    source: docs('Akamai documentation', 'linode kubernetes engine, node pools'),
    confidence: Confidence.DOCS,
  },
  scaleway: {
    platform: 'Scaleway Kapsule',
    label: 'k8s.scaleway.com/pool-name',
    value: 'name',
    source: {
      repository: 'scaleway/scaleway-cloud-controller-manager',
      version: 'v0.36.2',
      file: 'docs',
    },
    confidence: Confidence.SOURCE,
  },
  vultr: {
    platform: 'Vultr Kubernetes Engine',
    label: 'vke.vultr.com/node-pool',
    value: 'label of the pool',
    source: docs('Vultr documentation', 'kubernetes engine, node pools'),
    confidence: Confidence.DOCS,
  },
  ovh: {
    platform: 'OVHcloud Managed Kubernetes',
    label: 'nodepool',
    value: 'name',
    source: docs('ovh/docs', 'managed kubernetes, node pools'),
    confidence: Confidence.SOURCE,
  },
  exoscale: {
    platform: 'Exoscale SKS',
    label: 'node.exoscale.net/nodepool-id',
    value: 'id, a UUID',
    source: docs('Exoscale documentation', 'SKS, nodepools'),
    confidence: Confidence.DOCS,
  },
  ibm: {
    platform: 'IBM Cloud Kubernetes Service',
    label: 'ibm-cloud.kubernetes.io/worker-pool-name',
    value: 'name',
    source: docs('IBM Cloud documentation', 'containers, worker pools'),
    confidence: Confidence.DOCS,
  },
  alibaba: {
    platform: 'Alibaba Cloud ACK',
    label: 'alibabacloud.com/nodepool-id',
    value: 'id',
    source: docs('Alibaba Cloud documentation', 'ACK, node pools'),
    confidence: Confidence.DOCS,
  },
  tencent: {
    platform: 'Tencent TKE',
    label: 'tke.cloud.tencent.com/nodepool-id',
    value: 'id',
    source: docs('manifests of third parties', 'no page of the vendor was read'),
    confidence: Confidence.UNVERIFIED,
  },
  openStackMagnum: {
    platform: 'OpenStack Magnum',
    label: 'magnum.openstack.org/nodegroup',
    value: 'name',
    source: {
      repository: 'kubernetes/autoscaler',
      version: '55c37cd5',
      file: 'cluster-autoscaler/cloudprovider/magnum',
    },
    confidence: Confidence.SOURCE,
  },
} as const satisfies Record<string, NodePoolLabel>;

const GKE_DOCS = 'Google Cloud documentation';

/** Taints with a meaning, by the factory of `NodeTaints` that uses them; all of them are NoSchedule. */
export const NODE_TAINTS = {
  aksSpot: {
    key: 'kubernetes.azure.com/scalesetpriority',
    value: 'spot',
    source: docs('Microsoft Learn', 'azure/aks/spot-node-pool'),
    confidence: Confidence.DOCS,
  },
  aksSystemPool: {
    key: 'CriticalAddonsOnly',
    value: 'true',
    source: docs('Microsoft Learn', 'azure/aks/use-system-pools'),
    confidence: Confidence.DOCS,
  },
  gkeSpot: {
    key: 'cloud.google.com/gke-spot',
    value: 'true',
    source: docs(GKE_DOCS, 'kubernetes-engine/docs/concepts/spot-vms'),
    confidence: Confidence.UNVERIFIED,
  },
  gkeGpu: {
    key: 'nvidia.com/gpu',
    value: 'present',
    source: docs(GKE_DOCS, 'kubernetes-engine/docs/how-to/gpus'),
    confidence: Confidence.UNVERIFIED,
  },
  gkeArm: {
    key: 'kubernetes.io/arch',
    value: 'arm64',
    source: docs(GKE_DOCS, 'kubernetes-engine/docs/how-to/prepare-arm-workloads-for-deployment'),
    confidence: Confidence.DOCS,
  },
} as const satisfies Record<string, NodeTaintFact>;
