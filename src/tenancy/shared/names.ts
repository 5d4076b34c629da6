/** Who reports what is no matter of an engine; the path of the construct is in front of it. */
export const REPORTER = 'SharedLoadBalancer';

/** The name of a balancer: the first has the name of the whole, the others a number behind it. */
export function balancerName(name: string, balancer: number): string {
  return balancer === 0 ? name : `${name}-${balancer + 1}`;
}

/** The DNS name of a balancer: a number behind the first label, so that all stay in one zone. */
export function balancerHostname(hostname: string | undefined, balancer: number): string | undefined {
  if (hostname === undefined || balancer === 0) {
    return hostname;
  }
  const [first, ...zone] = hostname.split('.');
  return [`${first}-${balancer + 1}`, ...zone].join('.');
}

/** What a port is known by, in the lock file and in messages. */
export function endpointKey(tenant: string, service: string, port: number): string {
  return `${tenant}/${service}:${port}`;
}

/** The name and namespace of each balancer. */
export function balancersOf(
  { balancerName: name, namespace }: { readonly balancerName: string; readonly namespace: string },
  balancers: number,
): { readonly name: string; readonly namespace: string }[] {
  return Array.from({ length: balancers }, (_, i) => ({ name: balancerName(name, i), namespace }));
}
