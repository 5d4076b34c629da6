import type { AnnotationCatalogue } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { type DescribedRule, findingOf } from '../../contract/rule';
import { annotationsOf } from '../../rules/service-json';
import { SELECTOR_LABELS } from '../strimzi/operator-services.facts';

export const LISTENER_ADDRESS_LEFT_OUT: DescribedRule = {
  id: 'listener-address-left-out',
  severity: 'warning',
  says: 'addresses are fixed for all brokers of a listener, or for none',
  source: 'ours',
};

/**
 * The brokers of one listener whose annotations fix no address, while those of others do. Brokers without any annotation
 * are found by the rule listener-broker-left-out.
 *
 * @param services all Services of one listener
 * @param catalogue what their owner reads; undefined where it is unknown
 * @param who the one that reports
 */
export function addressesLeftOut(
  services: readonly Json[],
  catalogue: AnnotationCatalogue | undefined,
  who: string,
): LoadBalancerFinding[] {
  const brokers = services
    .filter(({ spec }) => spec.selector[SELECTOR_LABELS.pod] !== undefined)
    .map((service) => ({ name: service.metadata.name, annotations: annotationsOf(service) }))
    .map(({ name, annotations }) => ({ name, annotations, key: addressKeyIn(annotations, catalogue) }));
  const fixed = brokers.find(({ key }) => key !== undefined);
  const without = brokers.filter(({ key, annotations }) => key === undefined && Object.keys(annotations).length > 0);
  if (fixed === undefined || without.length === 0) {
    return [];
  }
  const names = without.map(({ name }) => name).join(', ');
  return [
    findingOf(
      LISTENER_ADDRESS_LEFT_OUT,
      {
        what: `annotation ${fixed.key} fixes addresses of other brokers of the listener and none of ${names}, so rules that admit them by address miss ${without.length > 1 ? 'these' : 'this one'}`,
        remedy: 'write it in the annotations of each entry of brokers, or for none',
        value: names,
      },
      who,
    ),
  ];
}

function addressKeyIn(annotations: Json, catalogue: AnnotationCatalogue | undefined): string | undefined {
  return Object.keys(annotations).find((key) => {
    const fact = catalogue?.find(key)?.fact;
    return fact?.namesOne && fact.wish === LoadBalancerWish.STATIC_ADDRESSES;
  });
}
