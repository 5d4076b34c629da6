import { mapIn } from '../contract/json';
import { OwnershipState } from '../controllers/load-balancer-owner';
import { classOf } from '../rules/service-json';
import { SHARED_CLASS } from '../tenancy/tenancy.facts';
import type { SideBalancer } from './side';

/** Whether no controller that runs has made a balancer for a Service, so that there is none to lose. */
export function hasNoBalancer({ ownership, service }: SideBalancer): boolean {
  const { ingress } = mapIn(mapIn(service, 'status'), 'loadBalancer');
  const hasAddress = Array.isArray(ingress) && ingress.length > 0;
  return ownership === OwnershipState.UNCLAIMED && !hasAddress && !isShared(service);
}

/** Whether a Service has ports of a balancer that tenants share: no controller makes one for it, and its clients have it all the same. */
export function isShared(service: SideBalancer['service']): boolean {
  return classOf(service) === SHARED_CLASS;
}
