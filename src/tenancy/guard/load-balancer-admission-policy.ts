import { type ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { knownKinds } from '../../rules/controller-definition';
import { judgeProps } from '../../rules/judge-props';
import { refuseFirst } from '../fault';
import { ALWAYS, celFinalizers, celText, celTexts } from './admission';
import type { AllowedClass } from './allowed-class';
import { type DenyPolicy, denyPolicy, requirePolicySupport, SPEC_OR_ANNOTATIONS_CHANGED } from './deny-policy';
import { exemptByDefault, judgeControllers, tenantsAmong } from './exemptions';
import { SERVICE_ACCOUNT_GROUP_PREFIX } from './guard.facts';
import type { LoadBalancerAdmissionPolicyProps } from './load-balancer-admission-policy.options';
import { namespaceSelector } from './namespaces';
import { classesFault, limitFaults } from './prop-faults';
import { allowedVariable, SERVICE_VARIABLES, serviceFaults } from './service-conditions';

const STATUS_MESSAGE =
  'services/status is written by load balancer controllers alone, its labels and annotations included: change the Service itself';

/**
 * Checks the Services of tenants (ValidatingAdmissionPolicy): classes and what they need, source ranges, ports, node ports,
 * external IPs; and keeps the status of Services for controllers. A refusal names everything that is wrong, and what to do.
 *
 * It checks changes of `spec` and annotations by all identities that are not exempt, whether the Service is being deleted or not: what
 * was there before can still be labelled and deleted. Finalizers of load balancers stay until their controllers remove them, or a
 * tenant could leave a balancer behind that nothing counts. The first requests after its creation slip through, for about a second.
 * It can count nothing: see `LoadBalancerQuota`.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export class LoadBalancerAdmissionPolicy extends Construct {
  /** The policy for Services, for patches and dependencies. */
  public readonly policy: ApiObject;

  /** The policy that keeps finalizers of load balancers on Services. */
  public readonly finalizerPolicy: ApiObject;

  /** The policy for `services/status`, where there is one. */
  public readonly statusPolicy?: ApiObject;

  /**
   * A policy for the Services of tenants.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what tenants may say
   * @throws on labels that select every namespace, classes that are not valid, limits out of range, names that are made twice, exemptions
   * of all users, and API servers that are too old
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerAdmissionPolicyProps) {
    judgeProps(scope, id, 'LoadBalancerAdmissionPolicyProps', props);
    super(scope, id);
    const { allowedClasses, exempt = exemptByDefault(allowedClasses), help } = props;
    const selector = namespaceSelector(this, props.namespaceLabels);
    requirePolicySupport(this, props.kubernetes ?? DEFAULT_KUBERNETES, help);
    refuseFirst(this, [classesFault(allowedClasses), ...limitFaults(props), tenantsAmong(exempt)]);
    const name = props.name ?? Names.toDnsLabel(this);
    const common = { namespaceSelector: selector, exempt, help };
    const allowed = () => allowedClasses.filter(({ _isAllowed }) => _isAllowed());
    this.policy = denyPolicy(this, 'Policy', () => ({
      ...common,
      name,
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['services'] }],
      conditions: [SPEC_OR_ANNOTATIONS_CHANGED],
      variables: [...SERVICE_VARIABLES, allowedVariable(allowed())],
      faults: serviceFaults(allowed(), props),
      message: 'the Service says something that is not allowed in this namespace',
    }));
    judgeControllers(this, this.policy, props);
    this.finalizerPolicy = finalizerPolicy(this, allowedClasses, { ...common, name: `${name}-finalizers` });
    if (props.guardStatus ?? true) {
      this.statusPolicy = denyPolicy(this, 'StatusPolicy', {
        ...common,
        name: `${name}-status`,
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['services/status'] }],
        // finalizers are removed through the status as well, by controllers whose names are not published
        conditions: [{ name: 'more-or-by-tenant', expression: `!(${FINALIZERS_ALONE}) || ${MADE_BY_TENANT}` }],
        faults: [{ when: ALWAYS, says: celText(STATUS_MESSAGE) }],
        message: STATUS_MESSAGE,
      });
    }
  }
}

/**
 * True for requests of tenants, as far as a request shows: of service accounts of the namespace itself, and of all identities that may not
 * write the status of Services in all namespaces. What serves tenants of all namespaces may, whatever it is called.
 */
const MADE_BY_TENANT = [
  `request.userInfo.?groups.orValue([]).exists(g, g == ${celText(SERVICE_ACCOUNT_GROUP_PREFIX)} + request.namespace)`,
  `!(${['update', 'patch']
    .map((verb) => `authorizer.group('').resource('services').subresource('status').check('${verb}').allowed()`)
    .join(' || ')})`,
].join(' || ');

/** True where a request at `services/status` changes nothing but finalizers: all else that it could write is compared. */
const FINALIZERS_ALONE = [
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
 * removed by a controller that is not exempt as well, and by an administrator.
 */
function finalizerPolicy(
  host: Construct,
  classes: readonly AllowedClass[],
  policy: Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt' | 'help'>,
): ApiObject {
  const kept = celTexts(finalizersOf(classes));
  const removed = `${celFinalizers('oldObject')}.filter(f, f in ${kept} && !(f in ${celFinalizers('object')}))`;
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
    ...knownKinds().flatMap(({ finalizers, untouchableFinalizers = [] }) => [...finalizers, ...untouchableFinalizers]),
    ...classes.flatMap(({ _finalizers }) => _finalizers),
  ];
  return [...new Set(all)].sort();
}
