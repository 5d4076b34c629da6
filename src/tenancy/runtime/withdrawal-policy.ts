import type { Construct } from 'constructs';
import { ORPHAN_FINALIZER } from '../../contract/kubernetes.facts';
import { celFinalizers, celText } from '../guard/admission';
import { denyPolicy } from '../guard/deny-policy';
import { namespaceSelector } from '../guard/namespaces';
import type { TenancyIdentity } from '../guard/tenancy-identity';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import { FINALIZER_PREFIX } from '../tenancy.facts';

/** Who withdraws what was published. */
interface WithdrawalPolicy {
  /** The name of the controller. */
  readonly name: string;
  readonly shared: SharedLoadBalancer;
  readonly controller: TenancyIdentity;
}

/**
 * A Service keeps the finalizer of the controller until its ports are closed, and is not deleted without what was made for it:
 * else the ports would stay open, count for no quota, and could be closed by the platform alone.
 */
export function makeWithdrawalPolicy(host: Construct, { name, shared, controller }: WithdrawalPolicy): void {
  const finalizer = `${FINALIZER_PREFIX}${name}`;
  const removed = `the finalizer ${finalizer} is removed by ${controller.name}, once the ports are closed: leave it, and delete the Service or change its type`;
  const orphaned =
    'a published Service cannot leave its listeners behind: delete it without --cascade=orphan, and without the finalizer orphan';
  denyPolicy(host, 'Withdrawal', {
    name: `${name}-withdrawal`,
    namespaceSelector: namespaceSelector(host, shared.namespaceLabels),
    exempt: [controller],
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        // who writes a status writes finalizers as well
        resources: ['services', 'services/status'],
      },
    ],
    conditions: [
      {
        name: 'published-or-orphaning',
        expression: `(oldObject != null && ${celText(finalizer)} in ${celFinalizers('oldObject')}) || (${BEGINS_ORPHANING})`,
      },
    ],
    faults: [
      {
        when: `request.operation == 'UPDATE' && ${celText(finalizer)} in ${celFinalizers('oldObject')} && !(${celText(finalizer)} in ${celFinalizers('object')})`,
        says: celText(removed),
      },
      {
        when: BEGINS_ORPHANING,
        says: celText(orphaned),
      },
      {
        when: `request.operation == 'DELETE' && (request.options.?propagationPolicy.orValue('') == 'Orphan' || request.options.?orphanDependents.orValue(false))`,
        says: celText(orphaned),
      },
    ],
    message: orphaned,
  });
}

const ORPHANED = celText(ORPHAN_FINALIZER);

/** With the finalizer from the beginning, a Service would leave its listeners behind however it is deleted. */
const BEGINS_ORPHANING = `object != null && ${isOrphaning('object')} && (oldObject == null || !(${isOrphaning('oldObject')}))`;

/** True for what gets a balancer, or has been published, and leaves behind what it owns. */
function isOrphaning(of: string): string {
  return `${ORPHANED} in ${celFinalizers(of)} && (${of}.spec.?type.orValue('') == 'LoadBalancer' || ${celFinalizers(of)}.exists(f, f.startsWith(${celText(FINALIZER_PREFIX)})))`;
}
