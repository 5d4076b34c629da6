import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import type { ProvisioningTime } from '../../rules/controller-definition';

// How many balancers each controller makes at a time, as its flags default, and how long one takes. No vendor says the
// latter: the seconds are careful estimates, until the address is in the status of the Service; traffic may start later.

function estimate(concurrency: number, seconds: number, source: Citation): ProvisioningTime {
  return { concurrency, seconds, source, confidence: Confidence.UNVERIFIED };
}

/** Its flag --service-max-concurrent-reconciles; about two dozen calls of AWS for each, and the name is known at once. */
export const AWS_LBC_PROVISIONING_TIME = estimate(3, 15, {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: 'v3.5.0',
  file: 'pkg/config/controller_config.go',
});

/** Closed source: taken to be as fast as the AWS Load Balancer Controller. */
export const EKS_AUTO_MODE_PROVISIONING_TIME = AWS_LBC_PROVISIONING_TIME;
