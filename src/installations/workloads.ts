import type { Finding } from '../contract/finding';
import { isMap, type Json, list } from '../contract/json';
import { quantityOf } from '../contract/quantity';
import { isUnresolved } from '../identity/aws/aws-arn';

/** An image: host, path, tag and digest. distribution/reference v0.6.0, regexp.go */
export const IMAGE_SYNTAX =
  /^([\w.-]+(:\d+)?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,})?$/;

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

/** Whether a selector that says something matches labels. kubernetes/apimachinery v0.36, pkg/apis/meta/v1/types.go */
export function selects(selector: unknown, labels: Json = {}): boolean {
  if (!isMap(selector)) {
    return false;
  }
  const equal = Object.entries(isMap(selector.matchLabels) ? selector.matchLabels : {});
  const expressions = list<Json>(selector.matchExpressions).filter(isMap);
  return (
    equal.length + expressions.length > 0 &&
    equal.every(([key, value]) => labels[key] === value) &&
    expressions.every((expression) => holds(expression, labels))
  );
}

function holds({ key, operator, values }: Json, labels: Json): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return list(values).includes(value);
    case 'NotIn':
      return !list(values).includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return operator === 'DoesNotExist' && value === undefined;
  }
}
