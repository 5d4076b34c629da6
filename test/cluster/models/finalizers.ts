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
