import type { Citation } from '../../contract/kubernetes.facts';
import { AWS_CLOUD_CONTROLLER, AWS_CLOUD_SOURCE } from '../../controllers/aws-cloud-provider/annotations';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AZURE_CONTROLLER, AZURE_SOURCE } from '../../controllers/azure-cloud-provider/annotations';
import { EKS_AUTO_MODE } from '../../controllers/eks-auto-mode/annotations';
import { GKE_CONTROLLER, GKE_LEGACY_SOURCE } from '../../controllers/gke/annotations';
import { HCLOUD_CONTROLLER, HCLOUD_SOURCE } from '../../controllers/hetzner-cloud/annotations';
import { METALLB_CONTROLLER, METALLB_SOURCE } from '../../controllers/metal-lb/annotations';

// What objects of a cluster say of it.

/** A program that is known by its image. */
export interface ProgramFact {
  readonly controller: string;
  /** How the image ends, before tag or digest. */
  readonly image: string;
  readonly source: Citation;
}

/** Controllers that no installation of this package recognizes. */
export const PROGRAMS: readonly ProgramFact[] = [
  {
    controller: METALLB_CONTROLLER,
    image: 'metallb/controller',
    source: { ...METALLB_SOURCE, file: 'config/manifests/metallb-native.yaml' },
  },
  {
    controller: HCLOUD_CONTROLLER,
    image: 'hcloud-cloud-controller-manager',
    source: { ...HCLOUD_SOURCE, file: 'deploy/ccm.yaml' },
  },
  {
    controller: AZURE_CONTROLLER,
    image: 'azure-cloud-controller-manager',
    source: { ...AZURE_SOURCE, file: 'helm/cloud-provider-azure/templates/cloud-provider-azure.yaml' },
  },
];

/** Programs that a controller needs beside it: without them its addresses answer nobody. */
export const PARTS: readonly ProgramFact[] = [
  {
    controller: METALLB_CONTROLLER,
    image: 'metallb/speaker',
    source: { ...METALLB_SOURCE, file: 'config/manifests/metallb-native.yaml' },
  },
];

/** The flag of MetalLB with the class that it serves. metallb/metallb v0.16.2, controller/main.go */
export const METALLB_CLASS_FLAG = 'lb-class';

/** The flag of cloud controller managers with the loops that they run, without that of Services. kubernetes/cloud-provider v0.36.3, names/controller_names.go */
export const NO_SERVICE_CONTROLLER = /^--controllers=(.*,)?-service(-lb-controller)?(,|$)/;

/** The variable by which the controller of Hetzner leaves balancers alone. hetznercloud/hcloud-cloud-controller-manager v1.35.0, internal/config/config.go */
export const BALANCERS_OFF = { variable: 'HCLOUD_LOAD_BALANCERS_ENABLED', value: 'false' } as const;

/** A cloud, and the controllers of its balancers. */
export interface CloudFact {
  readonly cloud: string;
  /** How the provider IDs of its Nodes begin. */
  readonly providerId: string;
  /** The one that its clusters run by themselves. */
  readonly own: string;
  /** Others that run in its clusters alone. */
  readonly others: readonly string[];
  readonly source: Citation;
}

/** Clouds whose controllers are known here. */
export const CLOUDS: readonly CloudFact[] = [
  {
    cloud: 'AWS',
    providerId: 'aws://',
    own: AWS_CLOUD_CONTROLLER,
    others: [AWS_LBC_CONTROLLER, EKS_AUTO_MODE],
    source: { ...AWS_CLOUD_SOURCE, file: 'pkg/providers/v1/instances.go' },
  },
  {
    cloud: 'Azure',
    providerId: 'azure://',
    own: AZURE_CONTROLLER,
    others: [],
    source: { ...AZURE_SOURCE, file: 'pkg/consts/consts.go' },
  },
  {
    cloud: 'Google Cloud',
    providerId: 'gce://',
    own: GKE_CONTROLLER,
    others: [],
    source: { ...GKE_LEGACY_SOURCE, file: 'providers/gce/gce.go' },
  },
  {
    cloud: 'Hetzner Cloud',
    providerId: 'hcloud://',
    own: HCLOUD_CONTROLLER,
    others: [],
    source: { ...HCLOUD_SOURCE, file: 'internal/providerid/providerid.go' },
  },
];

/** The label of Nodes that EKS Auto Mode makes. Amazon EKS User Guide, 2026-08, associate-workload */
export const AUTO_MODE_NODE = { label: 'eks.amazonaws.com/compute-type', value: 'auto' } as const;

/** Where a Node is, the older label after the current one. kubernetes/api v0.36, core/v1/well_known_labels.go */
export const REGION_LABELS = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'] as const;
export const ZONE_LABELS = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'] as const;

/**
 * Taints that come and go with the state of a Node, and are not of its pool. kubernetes/api v0.36, core/v1/well_known_taints.go;
 * kubernetes/cloud-provider v0.36.3, api/well_known_taints.go
 */
export const PASSING_TAINTS = /^(node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io)\//;
