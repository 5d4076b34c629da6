/** A key of the controllers of AWS, by its end. */
export const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
