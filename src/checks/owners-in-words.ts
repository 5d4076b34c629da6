import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedNote, findingOf } from '../contract/rule';
import { type LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import { likelyClaimants, possibleOwners } from '../rules/claimants';
import { classOf, finalizersOf } from '../rules/service-json';

export const OWNER_UNSAID: DescribedNote = {
  id: 'owner-unsaid',
  who: 'check',
  severity: 'note',
  says: 'a Service of type LoadBalancer says by class or annotations which controller makes its balancer',
  source: 'ours',
};

/** What a Service that says nothing of its owner becomes under each controller that may take it. */
export function ownerUnsaid(service: Json, { state }: LoadBalancerOwner): LoadBalancerFinding[] {
  const isSaid = classOf(service) !== undefined || finalizersOf(service).length > 0;
  if (state !== OwnershipState.UNKNOWN || isSaid || likelyClaimants(service).length > 0) {
    return [];
  }
  const kinds = possibleOwners(service);
  const schemes = new Map<string, string[]>();
  for (const kind of kinds) {
    const scheme = kind.schemeOf(service).scheme ?? 'as its address pool says';
    schemes.set(scheme, [...(schemes.get(scheme) ?? []), kind.name]);
  }
  if (kinds.length === 0) {
    return [];
  }
  const ways = [...schemes].map(([scheme, names]) => `${scheme} by ${names.join(', ')}`);
  const finding = {
    what: `neither class nor annotations say who makes this balancer: ${ways.join('; ')}`,
    remedy: 'set the class or the annotations of its owner, with a scheme, or name the controllers that run',
    at: '/spec/type',
  };
  return [findingOf(OWNER_UNSAID, finding, 'check')];
}
