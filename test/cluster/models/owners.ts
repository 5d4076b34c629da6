import type { Owner } from '../../real/control-plane';

// The finalizers of the stories, spelled here on their own: what the library writes must agree with them.

/** Of the service controller: kubernetes/cloud-provider v0.36.3, service/helpers/helper.go */
export const KEP_980 = 'service.kubernetes.io/load-balancer-cleanup';

/** Of the AWS Load Balancer Controller: kubernetes-sigs/aws-load-balancer-controller v3.5.0, pkg/k8s/finalizer.go */
export const AWS_RESOURCES = 'service.k8s.aws/resources';

/** How the tables write them. */
export const LETTERS: Record<string, string> = { [KEP_980]: 'K', [AWS_RESOURCES]: 'F' };

/** What the letters of the tables mean. */
export const LEGEND = Object.entries(LETTERS)
  .map(([finalizer, letter]) => `${letter} = ${finalizer}`)
  .join(', ');

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const TARGET_TYPE = 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type';

/** The service controller's cloud, which keeps the ledger. */
export const SERVICE_CONTROLLER = 'ledger';

/**
 * What the clouds of AWS leave to another controller: kubernetes/cloud-provider-aws v1.36.1, pkg/providers/v1/aws.go,
 * isLBExternal.
 */
export const LEFT_TO_OTHERS = { [TYPE]: ['external', 'nlb-ip'] };

/** The class and claims of kubernetes-sigs/aws-load-balancer-controller v3.5.0, pkg/service/service_utils.go */
export const AWS_LOAD_BALANCER_CONTROLLER: Owner = {
  name: 'aws-load-balancer-controller',
  finalizer: AWS_RESOURCES,
  classes: ['service.k8s.aws/nlb'],
  annotations: [{ [TYPE]: ['nlb-ip'] }, { [TYPE]: ['external'], [TARGET_TYPE]: ['ip', 'instance'] }],
};

/** The class as in the Amazon EKS User Guide, 2026-11, auto-configure-nlb; its finalizer is not documented. */
export const EKS_AUTO_MODE: Owner = {
  name: 'eks-auto-mode',
  finalizer: 'service.eks.amazonaws.com/resources',
  classes: ['eks.amazonaws.com/nlb'],
};

/** The classes of kubernetes/ingress-gce acbcf5d6, pkg/l4/annotations and pkg/utils/common/finalizer.go */
export const GKE: readonly Owner[] = [
  {
    name: 'gke-l4-external',
    finalizer: 'gke.networking.io/l4-netlb-v2',
    classes: ['networking.gke.io/l4-regional-external'],
  },
  {
    name: 'gke-l4-internal',
    finalizer: 'gke.networking.io/l4-ilb-v2',
    classes: ['networking.gke.io/l4-regional-internal'],
  },
];

/** Claims every classless Service and adds no finalizer: metallb/metallb v0.16.2, controller/service.go */
export const METALLB: Owner = { name: 'metallb', classless: true };

/** The classes of cilium/cilium 079d9740, operator/pkg/lbipam/lbipam.go; it adds no finalizer. */
export const CILIUM: Owner = {
  name: 'cilium',
  classes: ['io.cilium/l2-announcer', 'io.cilium/bgp-control-plane', 'io.cilium/node'],
};

/** The class of kube-vip/kube-vip bee5cfe, pkg/services/processor.go; it adds no finalizer. */
export const KUBE_VIP: Owner = { name: 'kube-vip', classes: ['kube-vip.io/kube-vip-class'] };

/** Where the manifests of a file belong, who makes their balancer there, and what of that owner they declare. */
export interface Platform {
  readonly cluster: 'cloud' | 'bare metal';
  readonly owner: string;
  /** Finalizers that the manifest must carry from the beginning: no more and no less. */
  readonly declared: readonly string[];
}

const CLOUD: Platform = { cluster: 'cloud', owner: SERVICE_CONTROLLER, declared: [KEP_980] };
const AWS: Platform = { cluster: 'cloud', owner: AWS_LOAD_BALANCER_CONTROLLER.name, declared: [AWS_RESOURCES] };
/** Their finalizers are left to them. */
const leftTo = (owner: string): Platform => ({ cluster: 'cloud', owner, declared: [] });

/** They add no finalizer. */
const announcedBy = (owner: string): Platform => ({ cluster: 'bare metal', owner, declared: [] });

/** The beginning of a file's name tells the platform; the first that fits counts. */
const PLATFORMS: ReadonlyArray<readonly [RegExp, Platform]> = [
  [/^aws-load-balancer-controller-/, AWS],
  [/^aws-cloud-provider-/, CLOUD],
  [/^eks-auto-mode/, leftTo(EKS_AUTO_MODE.name)],
  [/^eks-/, AWS],
  [/^(azure|aks|hetzner|digitalocean|openstack|oracle|k3s)\b/, CLOUD],
  [/^gke-external/, leftTo(GKE[0].name)],
  [/^gke\b/, leftTo(GKE[1].name)],
  [/^metal/, announcedBy(METALLB.name)],
  [/^cilium\b/, announcedBy(CILIUM.name)],
  [/^kube-vip\b/, announcedBy(KUBE_VIP.name)],
];

/** @throws for a file that nobody has said anything about. */
export function platformOf(file: string): Platform {
  const found = PLATFORMS.find(([pattern]) => pattern.test(file));
  if (!found) {
    throw new Error(`test/cluster/models/owners.ts does not say who owns the balancers of ${file}: add a line`);
  }
  return found[1];
}
