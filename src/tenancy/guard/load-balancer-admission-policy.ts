import { type ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { judgeProps } from '../../rules/judge-props';
import { ALWAYS, celText } from './cel';
import { classesFault } from './class-faults';
import { denyPolicy, mustJudge, SPEC_OR_ANNOTATIONS_CHANGED } from './deny-policy';
import { exemptByDefault, judgeControllers } from './exempt-controllers';
import { tenantsAmong } from './exempt-tenants';
import { FINALIZERS_ALONE, finalizerPolicy, MADE_BY_TENANT } from './finalizer-policy';
import type { LoadBalancerAdmissionPolicyProps } from './load-balancer-admission-policy.options';
import { namespaceSelector } from './namespace-labels';
import { refuseFirst } from './refuse';
import { allowedVariable, SERVICE_VARIABLES, serviceFaults } from './service-faults';
import { limitFaults } from './service-limit-faults';

const STATUS_MESSAGE =
  'services/status is written by load balancer controllers alone, its labels and annotations included: change the Service itself';

/**
 * Judges what tenants say in Services (ValidatingAdmissionPolicy): classes and what they need, source ranges, ports, node ports,
 * external IPs; and keeps the status of Services for controllers. A refusal tells everything that is wrong, and what to do.
 *
 * It judges changes of `spec` and annotations, by anybody but those who are exempt, whether the Service is being deleted or not: what
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
   * @throws on labels that select every namespace, classes that are none, limits out of range, names that are made twice, exemptions
   * of everybody, and API servers that are too old
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerAdmissionPolicyProps) {
    judgeProps(scope, id, 'LoadBalancerAdmissionPolicyProps', props);
    super(scope, id);
    const { allowedClasses, exempt = exemptByDefault(allowedClasses), help } = props;
    const selector = namespaceSelector(this, props.namespaceLabels);
    mustJudge(this, props.kubernetes ?? DEFAULT_KUBERNETES, help);
    refuseFirst(this, [classesFault(allowedClasses), ...limitFaults(props), tenantsAmong(exempt)]);
    const name = props.name ?? Names.toDnsLabel(this);
    const common = { namespaceSelector: selector, exempt, help };
    this.policy = denyPolicy(this, 'Policy', {
      ...common,
      name,
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['services'] }],
      conditions: [SPEC_OR_ANNOTATIONS_CHANGED],
      variables: () => [...SERVICE_VARIABLES, allowedVariable(allowedClasses)],
      faults: serviceFaults(allowedClasses, props),
      message: 'the Service says something that is not allowed in this namespace',
    });
    judgeControllers(this, this.policy, props);
    this.finalizerPolicy = finalizerPolicy(this, allowedClasses, { ...common, name: `${name}-finalizers` });
    if (props.guardStatus ?? true) {
      this.statusPolicy = denyPolicy(this, 'StatusPolicy', {
        ...common,
        name: `${name}-status`,
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['services/status'] }],
        // finalizers are taken off through the status as well, by controllers whose names nobody publishes
        conditions: [{ name: 'more-or-by-tenant', expression: `!(${FINALIZERS_ALONE}) || ${MADE_BY_TENANT}` }],
        faults: [{ when: ALWAYS, says: celText(STATUS_MESSAGE) }],
        message: STATUS_MESSAGE,
      });
    }
  }
}
