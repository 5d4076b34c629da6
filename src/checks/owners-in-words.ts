import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedNote, findingOf } from '../contract/rule';
import { type LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import { likelyClaimants, possibleOwners } from '../rules/claimants';
import type { ControllerDefinition } from '../rules/controller-definition';
import { classOf, finalizersOf } from '../rules/service-json';
import { clientAddressOf, policyOf } from './service-words';

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
    const scheme = kind.schemeOf(service).scheme ?? 'of the scheme that its address pool gives';
    schemes.set(scheme, [...(schemes.get(scheme) ?? []), productIn(kind, service)]);
  }
  if (kinds.length === 0) {
    return [];
  }
  const ways = [...schemes].map(([scheme, products]) => `${scheme} as ${products.join(', ')}`);
  const { policy, means } = policyOf(service);
  const finding = {
    what: `neither class nor annotations say who makes this balancer, and so who can reach it: it is ${ways.join('; ')}; with policy ${policy} ${means}, and the address of clients is ${clientsIn(kinds, service)}`,
    remedy: 'set the class or the annotations of its owner, with a scheme, or name the controllers that run',
    at: '/spec/type',
  };
  return [findingOf(OWNER_UNSAID, finding, 'check')];
}

function productIn({ name, facts, productOf }: ControllerDefinition, service: Json): string {
  return `${productOf?.(service) ?? facts.product} of ${name}`;
}

/** What pods see of clients, by what most controllers do, and the others by name. */
function clientsIn(kinds: readonly ControllerDefinition[], service: Json): string {
  const usual = clientAddressOf(service);
  const others = kinds.filter((kind) => kind.clientAddressOf?.(service) !== undefined);
  const replacing = others.filter((kind) => kind.clientAddressOf?.(service)?.startsWith('replaced'));
  return replacing.length === 0
    ? usual
    : `${usual}; ${replacing.map(({ name }) => name).join(', ')} replace it by that of the balancer`;
}
