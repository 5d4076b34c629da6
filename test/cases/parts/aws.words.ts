/** A key of the controllers of AWS, by its end. */
export const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;

/** Annotations by their names without the prefix. */
export const prefixed = (annotations: Record<string, string>) =>
  Object.fromEntries(Object.entries(annotations).map(([name, text]) => [key(name), text]));
