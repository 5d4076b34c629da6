import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Json } from '../contract/json';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import type { SchemeReading } from '../rules/controller-definition';
import { annotationsOf } from '../rules/service-json';

/** The scheme that one of some annotations decides; without any of them it is the default of the controller. */
export function schemeBy(service: Json, entries: readonly AnyAnnotation[], isInternal: boolean): SchemeReading {
  const annotations = annotationsOf(service);
  const found = entries.find((entry) => annotations[entry.key()] !== undefined);
  const because = found
    ? `${nameOf(found)} is '${annotations[found.key()]}'`
    : `the default, since ${nameOf(entries[0])} is not written`;
  return {
    isSaid: found !== undefined,
    scheme: isInternal ? LoadBalancerScheme.INTERNAL : LoadBalancerScheme.INTERNET_FACING,
    because,
  };
}

/** The key without its prefix. */
function nameOf(entry: AnyAnnotation): string {
  const key = entry.key();
  return key.slice(key.lastIndexOf('/') + 1);
}
