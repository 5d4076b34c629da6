import type { Construct } from 'constructs';
import { denyPolicy, mustJudge } from '../guard/deny-policy';
import { namespaceSelector } from '../guard/namespace-labels';
import type { EngineFences } from './shared-engine';

/** Whether a Service could be a backend, and has a family that the balancer has not: without ports nothing leads to it. */
function hurts(service: string): string {
  return `size(${service}.spec.?ports.orValue([])) > 0 && ${service}.spec.?ipFamilies.orValue([]).exists(f, f == 'IPv6')`;
}

/**
 * Services of tenants with ports have no IPv6: the balancer has IPv4 alone, and where a route leads to a Service with another family
 * the controller changes nothing of the whole balancer any more. It is the API server that gives both families to a Service
 * that has neither an address nor a selector. Nobody is exempt, since it freezes the balancer whoever did it.
 */
export function serviceFences(scope: Construct, { name, namespaceLabels, kubernetes }: EngineFences): void {
  mustJudge(scope, kubernetes, undefined);
  const says =
    "'spec.ipFamilies must be IPv4 alone, since the shared load balancer has no IPv6 and could change nothing for any tenant: set spec.ipFamilyPolicy to SingleStack and spec.ipFamilies to IPv4'";
  denyPolicy(scope, 'Families', {
    name: `${name}-ip-families`,
    namespaceSelector: namespaceSelector(scope, namespaceLabels),
    exempt: [],
    rules: [{ apiGroups: [''], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['services'] }],
    // what was there before the fence stays, and can be deleted
    conditions: [{ name: 'not-before', expression: `oldObject == null || !(${hurts('oldObject')})` }],
    faults: [{ when: hurts('object'), says }],
    message: 'the Service has IPv6, which the shared load balancer has not',
  });
}
