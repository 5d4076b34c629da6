import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { registered } from '../../controllers/shared/definition';
import type { AllowedClass } from './allowed-class';
import { ALWAYS, celText, celTexts } from './cel';
import { type DenyPolicy, denyPolicy } from './deny-policy';
import { SERVICE_ACCOUNT_GROUP_PREFIX } from './guard.facts';

/**
 * True for requests of tenants, as far as a request tells: of service accounts of the namespace itself, and of everybody who may not
 * write the status of Services in all namespaces. What serves tenants of all namespaces may, whatever it is called.
 */
export const MADE_BY_TENANT = [
  `request.userInfo.?groups.orValue([]).exists(g, g == ${celText(SERVICE_ACCOUNT_GROUP_PREFIX)} + request.namespace)`,
  `!(${['update', 'patch']
    .map((verb) => `authorizer.group('').resource('services').subresource('status').check('${verb}').allowed()`)
    .join(' || ')})`,
].join(' || ');

/** True where a request at `services/status` changes nothing but finalizers: all else that it could write is compared. */
export const FINALIZERS_ALONE = [
  'object.?status == oldObject.?status',
  ...['labels', 'annotations'].map((field) => same(field, '{}')),
  same('ownerReferences', '[]'),
].join(' && ');

function same(field: string, none: string): string {
  const [now, before] = ['object', 'oldObject'].map((of) => `${of}.metadata.?${field}.orValue(${none})`);
  return `${now} == ${before}`;
}

/**
 * Keeps finalizers of load balancers on Services of tenants: without one the controller does not see that it has to delete the
 * balancer, which then stays, costs, and is counted by no quota. From a Service that is being deleted, or has its type no more, it is
 * taken by a controller that nobody named as well, and by an administrator.
 */
export function finalizerPolicy(
  host: Construct,
  classes: readonly AllowedClass[],
  policy: Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt' | 'help'>,
): ApiObject {
  const kept = celTexts(finalizersOf(classes));
  const removed = `oldObject.metadata.?finalizers.orValue([]).filter(f, f in ${kept} && !(f in object.metadata.?finalizers.orValue([])))`;
  const live = "oldObject.spec.?type.orValue('') == 'LoadBalancer' && !has(oldObject.metadata.deletionTimestamp)";
  return denyPolicy(host, 'FinalizerPolicy', {
    ...policy,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['services'] }],
    // who may do what is asked here: where messages are made, the answer would cost too much
    conditions: [
      { name: 'finalizer-removed', expression: `size(${removed}) > 0` },
      { name: 'live-or-by-tenant', expression: `(${live}) || ${MADE_BY_TENANT}` },
    ],
    faults: [
      {
        when: ALWAYS,
        says: `'metadata.finalizers must keep ' + ${removed}.join(', ') + ': its controller removes it once the load balancer is gone; without it the load balancer would stay. Delete the Service, or change its type, and leave the finalizer'`,
      },
    ],
    message: 'metadata.finalizers must keep what a load balancer controller put there: it removes that itself',
  });
}

function finalizersOf(classes: readonly AllowedClass[]): string[] {
  const all = [
    ...registered().flatMap(({ finalizers, untouchableFinalizers = [] }) => [...finalizers, ...untouchableFinalizers]),
    ...classes.flatMap(({ _finalizers }) => _finalizers),
  ];
  return [...new Set(all)].sort();
}
