import { AWS_RESOURCES, KEP_980 } from './finalizers';
import {
  AWS_LOAD_BALANCER_CONTROLLER,
  CILIUM,
  EKS_AUTO_MODE,
  GKE,
  KUBE_VIP,
  METALLB,
  SERVICE_CONTROLLER,
} from './owners';

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
    throw new Error(`test/cluster/models/platforms.ts does not say who owns the balancers of ${file}: add a line`);
  }
  return found[1];
}
