import { SERVICE_WRITES } from '../guard/class-default-policy';
import type { ClassDefaultWay } from '../guard/class-default-way';
import { clusterObject } from '../guard/cluster-object';
import { KYVERNO_API_VERSION, KYVERNO_MUTATING_POLICY } from '../guard/guard.facts';

/** By Kyverno, whose policies are a superset of those of the API server and need no binding. */
export const byKyverno: ClassDefaultWay = (host, { name, namespaceSelector, spec }) => ({
  policy: clusterObject(host, 'Policy', {
    apiVersion: KYVERNO_API_VERSION,
    kind: KYVERNO_MUTATING_POLICY,
    name,
    content: { spec: { ...spec, matchConstraints: { ...SERVICE_WRITES, namespaceSelector } } },
  }),
});
