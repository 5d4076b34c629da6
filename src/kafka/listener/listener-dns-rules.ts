import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import type { KafkaContext } from '../rules/kafka-context';
import { type NamedService, namedServicesOf } from './listener-dns';
import { CONFLICTS } from './listener-dns.facts';

const WAY_OUT =
  'give each Service a name of its own: dnsName for bootstrap, advertisedHostTemplate with {nodeId} or advertisedHost for brokers';

/** A name, and the Services to which it is led. */
interface Claim {
  readonly name: string;
  readonly services: NamedService[];
}

/** What is led to several balancers, or to another one than brokers advertise. */
function mixedUp(kafka: Json, context: KafkaContext): Finding[] {
  const services = namedServicesOf(kafka, context);
  const claims = new Map<string, Claim>();
  for (const service of services) {
    for (const name of service.names) {
      const key = `${name}\n${service.identifier}`;
      const claim = claims.get(key) ?? { name, services: [] };
      claim.services.push(service);
      claims.set(key, claim);
    }
  }
  // where there is one broker, every balancer leads to it
  const advertising =
    context.brokerIds?.length === 1 ? [] : services.filter(({ advertised }) => advertised !== undefined);
  const advertisers = new Map(advertising.map((service) => [service.advertised, service]));
  return [...claims.values()].flatMap(({ name, services: claimants }) => {
    if (claimants.length > 1) {
      return [twice(name, claimants)];
    }
    const advertiser = advertisers.get(name);
    return advertiser && advertiser !== claimants[0] ? [elsewhere(name, claimants[0], advertiser)] : [];
  });
}

function twice(name: string, claimants: readonly NamedService[]): Finding {
  const titles = claimants.slice(0, 2).map(({ title }) => title);
  const others = claimants.length > 2 ? [`${claimants.length - 2} more`] : [];
  return {
    what: `it is to lead ${name} to ${[...titles, ...others].join(' and to ')}, each of which has a balancer of its own`,
    remedy: WAY_OUT,
    value: name,
  };
}

function elsewhere(name: string, claimant: NamedService, advertiser: NamedService): Finding {
  return {
    what: `it is to lead ${name} to ${claimant.title}, and ${advertiser.title} advertises that name to clients`,
    remedy: WAY_OUT,
    value: name,
  };
}

/** What the Services of a document are called in DNS. */
export const LISTENER_DNS_RULES: readonly Rule<KafkaContext>[] = [
  {
    id: 'listener-dns-twice',
    who: 'external-dns',
    severity: 'error',
    says: 'a name in DNS leads to one balancer, and the one that a broker advertises to that of the broker',
    source: CONFLICTS,
    judge: mixedUp,
  },
];
