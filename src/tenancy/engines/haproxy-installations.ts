import type { Construct, IConstruct } from 'constructs';
import { refuse } from '../guard/refuse';
import type { HaproxyIngress } from './haproxy-ingress';

/** By app, what an installation is known by, and the shared load balancer that it serves. */
const SERVED = new WeakMap<IConstruct, Map<string, Construct>>();

/**
 * An installation serves one shared load balancer. It binds whatever is published under its class, so that two lock files
 * would give one port of its pods to two tenants, and each balancer would lead to both.
 *
 * @param host the shared load balancer, or a further balancer of it
 */
export function serveOne(host: Construct, { release, ingressClass }: HaproxyIngress, namespace = 'default'): void {
  const served = SERVED.get(host.node.root) ?? new Map<string, Construct>();
  SERVED.set(host.node.root, served);
  for (const one of [`ingress class ${ingressClass}`, `release ${namespace}/${release}`]) {
    const first = served.get(one);
    if (first && !host.node.scopes.includes(first)) {
      refuse(host, {
        ruleId: 'haproxy-twice',
        what: `HAProxy with ${one} serves ${first.node.path} already, and a port that both publish would lead to tenants of either`,
        remedy:
          'give one of the two an installation of its own: new HaproxyIngress({ release }) with another release and class',
      });
    }
    served.set(one, first ?? host);
  }
}
