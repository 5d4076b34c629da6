import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import { judgeProps } from '../rules/judge-props';
import { refuseFirst } from '../tenancy/fault';
import { celText } from '../tenancy/guard/admission';
import { tenantsAmong } from '../tenancy/guard/exemptions';
import { finalizersOfClasses, KEEPER_ANNOTATION, schemeSettings, serviceFinalizers } from './policy.facts';
import {
  annotationsIn,
  controllerLists,
  droppedFinalizers,
  PolicyScope,
  requests,
  requireValidatingPolicies,
} from './policy-objects';
import { type LoadBalancerPolicyProps, PolicyAction, PolicyFailure } from './policy-options';

/**
 * Options of the warning policies.
 */
export interface LoadBalancerWarningPoliciesProps extends LoadBalancerPolicyProps {
  /**
   * Whether a Service without a class and without an annotation for an internal load balancer gets a public one, as the cloud controllers
   * of AWS, Azure, GKE and Hetzner make it.
   *
   * @default false
   */
  readonly classlessIsPublic?: boolean;
}

/**
 * Returns warnings, which kubectl prints, for three requests that are accepted: the removal of a controller's finalizer by hand from a
 * Service in Terminating, which leaves the load balancer behind; another controller's finalizer, which its owner never removes; and a
 * public load balancer without `loadBalancerSourceRanges`. It also warns of the annotation `cdk8s-load-balancers/keeper` without a
 * reason, which does not switch the keeper off.
 */
export class LoadBalancerWarningPolicies extends Construct {
  /** The policies, for patches and dependencies. */
  public readonly policies: ApiObject[];

  /**
   * Warnings for a cluster.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props identities and namespaces
   * @throws if the API server is too old, or a controller is a group of all users
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerWarningPoliciesProps = {}) {
    judgeProps(scope, id, 'LoadBalancerWarningPoliciesProps', props);
    super(scope, id);
    requireValidatingPolicies(this, props.kubernetes);
    refuseFirst(this, [tenantsAmong(props.controllers ?? [])]);
    const lists = {
      finalizers: serviceFinalizers(),
      classes: finalizersOfClasses(),
      publicSettings: schemeSettings(LoadBalancerScheme.INTERNET_FACING),
      internalSettings: schemeSettings(LoadBalancerScheme.INTERNAL),
      ...controllerLists(props.controllers),
    };
    const policies = new PolicyScope(this, props, 'load-balancer-warnings', lists);
    const common = { failurePolicy: PolicyFailure.IGNORE, actions: [PolicyAction.WARN] };
    const writes = [requests(['CREATE', 'UPDATE'], '', ['services'])];
    const byOthers = { name: 'not-a-controller', expression: `!${policies.isController}` };
    const isBalanced = { name: 'load-balancer', expression: "object.spec.?type.orValue('') == 'LoadBalancer'" };
    const finalizers = (of: string) => `${of}.metadata.?finalizers.orValue([])`;
    const added = `${finalizers('object')}.filter(f, f in ${policies.list('finalizers')} && (oldObject == null || !(f in ${finalizers('oldObject')})))`;
    const named = "object.spec.?loadBalancerClass.orValue('')";
    const has = (list: string) =>
      `${policies.list(list)}.exists(s, ${annotationsIn('object')}[?s.split('=')[0]].orValue('') == s.split('=')[1])`;
    this.policies = [
      policies.validate({
        ...common,
        id: 'Removed',
        name: `${policies.name}-finalizer-removed`,
        rules: [requests(['UPDATE'], '', ['services'])],
        conditions: [{ name: 'terminating', expression: 'has(oldObject.metadata.deletionTimestamp)' }, byOthers],
        variables: [{ name: 'lost', expression: droppedFinalizers(policies.list('finalizers')) }],
        does: {
          validations: [
            {
              expression: 'size(variables.lost) == 0',
              messageExpression: `'the load balancer stays behind: its controller removes ' + variables.lost.join(', ') + ' once the load balancer is gone, and does not look for it any more'`,
            },
          ],
        },
      }),
      policies.validate({
        ...common,
        id: 'Foreign',
        name: `${policies.name}-finalizer-foreign`,
        rules: writes,
        conditions: [isBalanced, byOthers],
        variables: [
          {
            name: 'foreign',
            expression: `${celText('')} == ${named} || !(${named} + '=' in ${policies.list('classes')}) ? [] : ${added}.filter(f, !(${named} + '=' + f in ${policies.list('classes')}))`,
          },
        ],
        does: {
          validations: [
            {
              expression: 'size(variables.foreign) == 0',
              messageExpression: `'deletion hangs, or leaves the load balancer behind: finalizer ' + variables.foreign.join(', ') + ' is not removed by the controller of class ' + ${named}`,
            },
          ],
        },
      }),
      policies.validate({
        ...common,
        id: 'Public',
        name: `${policies.name}-public`,
        rules: writes,
        conditions: [isBalanced],
        variables: [
          {
            name: 'isPublic',
            expression: `${has('publicSettings')}${props.classlessIsPublic ? ` || ${named} == '' && !${has('internalSettings')}` : ''}`,
          },
          {
            name: 'off',
            expression: `${annotationsIn('object')}[?${celText(KEEPER_ANNOTATION)}].orValue('off: -')`,
          },
        ],
        does: {
          validations: [
            {
              expression: '!variables.isPublic || size(object.spec.?loadBalancerSourceRanges.orValue([])) > 0',
              message:
                'the load balancer is open to the internet: set spec.loadBalancerSourceRanges, or make it internal',
            },
            {
              expression: "variables.off.matches('^off: *\\\\S')",
              message: `annotation ${KEEPER_ANNOTATION} has no effect: write 'off: ' and a reason`,
            },
          ],
        },
      }),
    ];
  }
}
