import type { AnnotationCatalogue } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../../contract/rule';
import { namedBy } from '../../rules/claims';
import { annotationsOf } from '../../rules/service-json';
import { shown } from '../document/kafka-json';

// What only one Service can have, and several Services of one listener ask for.

export const LISTENER_CANNOT_CARRY: DescribedRule = {
  id: 'listener-cannot-carry',
  severity: 'error',
  says: 'a listener can carry the plan of its balancers, for one Service or for all',
  source: 'ours',
};

/** What Services claim, and which of them. */
interface Claim {
  readonly where: string;
  readonly value: string;
  readonly services: Json[];
}

/**
 * What is wrong between the Services of one listener: each has the port of the listener, so not even where a controller lets
 * Services share a balancer or an address can two of them have the same.
 *
 * @param services all Services of one listener
 * @param catalogue what their owner reads; undefined where it is unknown
 * @param who the one that reports
 */
export function claimedTwice(
  services: readonly Json[],
  catalogue: AnnotationCatalogue | undefined,
  who: string,
): LoadBalancerFinding[] {
  const claims = new Map<string, Claim>();
  for (const service of services) {
    for (const [where, value] of claimsOf(service, catalogue)) {
      const key = `${where}\n${value}`;
      const claim = claims.get(key) ?? { where, value, services: [] };
      claim.services.push(service);
      claims.set(key, claim);
    }
  }
  return [...claims.values()]
    .filter((claim) => claim.services.length > 1)
    .map((claim) =>
      findingOf(
        LISTENER_CANNOT_CARRY,
        {
          what: `${claim.where} ${shown(claim.value)} is set on ${namesOf(claim.services)}, which all listen on port ${claim.services[0].spec.ports[0].port} and cannot share it`,
          remedy: remedyFor(claim.where),
          value: claim.value,
        },
        who,
      ),
    );
}

const ADDRESS_FIELD = 'loadBalancerIP';

function* claimsOf(service: Json, catalogue: AnnotationCatalogue | undefined): Generator<[string, string]> {
  if (typeof service.spec[ADDRESS_FIELD] === 'string') {
    yield [ADDRESS_FIELD, service.spec[ADDRESS_FIELD]];
  }
  for (const [key, text] of Object.entries(annotationsOf(service))) {
    const entry = catalogue?.find(key);
    if (entry?.fact.namesOne && typeof text === 'string') {
      for (const value of namedBy(entry, entry.decode(text))) {
        yield [`annotation ${key}`, value];
      }
    }
  }
}

function namesOf(services: readonly Json[]): string {
  const names = services.map(({ metadata }) => metadata.name);
  const [last, ...others] = names.slice(0, 3).reverse();
  return names.length > 3
    ? `Services ${names.slice(0, 2).join(', ')} and ${names.length - 2} others`
    : `Services ${others.reverse().join(', ')} and ${last}`;
}

function remedyFor(where: string): string {
  return where === ADDRESS_FIELD
    ? 'give each Service an address of its own (bootstrapLoadBalancerIp, brokers of the construct), or none'
    : 'leave it out of the options of the controller, and give each Service its own (bootstrapAnnotations, brokers of the construct)';
}
