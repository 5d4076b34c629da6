// What the rows about Hetzner have in common.

/** Annotations by their names without the prefix. */
export const keys = (annotations: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`load-balancer.hetzner.cloud/${name}`, value]),
  );

/** What is written for an internal balancer. */
export const internal = {
  'disable-public-network': 'true',
  'use-private-ip': 'true',
  'disable-private-ingress': 'false',
};
