import type { Json } from '../contract/json';
import type { Claim } from '../rules/controller-definition';
import { classOf } from '../rules/service-json';

/** How the service controller of Kubernetes decides, and with it most cloud providers: no class, no other question. */
export function claimsWithoutClass(service: Json): Claim {
  const loadBalancerClass = classOf(service);
  return loadBalancerClass === undefined
    ? { claimed: 'yes', because: 'the Service has no class' }
    : { claimed: 'no', because: `it serves Services without a class only, and this one has '${loadBalancerClass}'` };
}
