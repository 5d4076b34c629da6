import type { Finding } from '../contract/finding';
import { isMap, type Json, list } from '../contract/json';
import { quantityOf } from '../contract/quantity';
import { isUnresolved } from '../identity/aws/aws-arn';

/** The tag of an image, where it is a version. */
export const VERSION_TAG = /:v?(\d+\.\d+\.\d+)(@.*)?$/;

/** What the API server refuses of the resources of the containers of a finished workload. */
export function resourceFaults(workload: Json): Finding[] {
  return list<Json>(workload.spec?.template?.spec?.containers).flatMap((container) => {
    const { requests, limits } = isMap(container?.resources) ? container.resources : ({} as Json);
    return [...noAmounts('requests', requests), ...noAmounts('limits', limits), ...aboveLimits(requests, limits)];
  });
}

const amountsIn = (amounts: unknown): [resource: string, amount: unknown][] =>
  isMap(amounts) ? Object.entries(amounts) : [];

function noAmounts(which: string, amounts: unknown): Finding[] {
  return amountsIn(amounts)
    .filter(([, amount]) => !isUnresolved(String(amount)) && !(Number(quantityOf(amount)) >= 0))
    .map(([resource, amount]) => ({
      what: `resources.${which}.${resource} '${amount}' is not a valid quantity`,
      remedy: 'write one like 500m or 1Gi',
      value: String(amount),
    }));
}

function aboveLimits(requests: unknown, limits: unknown): Finding[] {
  const most = isMap(limits) ? limits : {};
  return amountsIn(requests)
    .filter(([resource, amount]) => Number(quantityOf(amount)) > Number(quantityOf(most[resource])))
    .map(([resource, amount]) => ({
      what: `resources.requests.${resource} is '${amount}', above its limit of '${most[resource]}'`,
      remedy: 'raise the limit or lower the request',
      value: String(amount),
    }));
}
