import { AWS_LOAD_BALANCER_CONTROLLER, EKS_AUTO_MODE, GKE, METALLB, SERVICE_CONTROLLER } from './owners';

/** Where the manifests of a file belong, and who makes their balancer there. */
export interface Platform {
  readonly cluster: 'cloud' | 'bare metal';
  readonly owner: string;
}

const cloud = (owner: string): Platform => ({ cluster: 'cloud', owner });

/** The beginning of a file's name tells the platform; the first that fits counts. */
const PLATFORMS: ReadonlyArray<readonly [RegExp, Platform]> = [
  [/^aws-load-balancer-controller-/, cloud(AWS_LOAD_BALANCER_CONTROLLER.name)],
  [/^aws-cloud-provider-/, cloud(SERVICE_CONTROLLER)],
  [/^eks-auto-mode/, cloud(EKS_AUTO_MODE.name)],
  [/^eks-/, cloud(AWS_LOAD_BALANCER_CONTROLLER.name)],
  [/^(azure|aks|hetzner)\b/, cloud(SERVICE_CONTROLLER)],
  [/^gke-external/, cloud(GKE[0].name)],
  [/^gke\b/, cloud(GKE[1].name)],
  [/^metal/, { cluster: 'bare metal', owner: METALLB.name }],
];

/** @throws for a file that nobody has said anything about. */
export function platformOf(file: string): Platform {
  const found = PLATFORMS.find(([pattern]) => pattern.test(file));
  if (!found) {
    throw new Error(`test/cluster/models/platforms.ts does not say who owns the balancers of ${file}: add a line`);
  }
  return found[1];
}
