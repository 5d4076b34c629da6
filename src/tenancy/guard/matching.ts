import type { Json } from '../../contract/json';

// What policies look at. The API server takes each of these maps as one value and fills in what is not said: so that a
// second manager can apply the same object, everything is said.

/** Requests of some kinds, anywhere. */
export function constraints(resourceRules: readonly object[]): Json {
  return {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: resourceRules.map((rule) => ({ ...rule, scope: '*' })),
  };
}

/** All that the policy looks at, in some namespaces. */
export function inNamespaces(namespaceSelector: object): Json {
  return { matchPolicy: 'Equivalent', namespaceSelector, objectSelector: {} };
}
