import { isMap, type Json, list, ownValue } from './json';

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
  const value: unknown = ownValue(labels, key);
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
