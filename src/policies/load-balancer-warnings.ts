import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { LoadBalancerScheme } from '../contract/options';
import { validateProps } from '../rules/warnings';
import { celFinalizers, celText } from '../tenancy/guard/policy';
import { finalizersOfClasses, KEEPER_ANNOTATION, schemeSettings, serviceFinalizers } from './policy.facts';
import { annotationsIn, PolicySet, requests, VALIDATING, validations } from './policy-objects';
import { type LoadBalancerWarningPoliciesProps, PolicyAction, PolicyFailure } from './policy-options';

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
   * @param props identities and namespaces
   * @throws if the API server is too old, or a controller is a group of all users
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerWarningPoliciesProps = {}) {
    validateProps(scope, id, 'LoadBalancerWarningPoliciesProps', props);
    super(scope, id);
    const actions = [PolicyAction.WARN];
    const defaults = { name: 'load-balancer-warnings', failurePolicy: PolicyFailure.IGNORE, actions };
    const policies = new PolicySet(this, VALIDATING, props, defaults, {
      finalizers: serviceFinalizers(),
      classes: finalizersOfClasses(),
      publicSettings: schemeSettings(LoadBalancerScheme.INTERNET_FACING),
      internalSettings: schemeSettings(LoadBalancerScheme.INTERNAL),
    });
    const byOthers = { 'not-a-controller': `!${policies.isController}` };
    const isBalanced = { 'load-balancer': "object.spec.?type.orValue('') == 'LoadBalancer'" };
    const added = `${celFinalizers('object')}.filter(f, f in ${policies.list('finalizers')} && (oldObject == null || !(f in ${celFinalizers('oldObject')})))`;
    const has = (list: string) =>
      `${policies.list(list)}.exists(s, ${annotationsIn('object')}[?s.split('=')[0]].orValue('') == s.split('=')[1])`;
    this.policies = [
      policies.add('Removed', '-finalizer-removed', {
        rules: [requests(['UPDATE'], ['services'])],
        conditions: { terminating: 'has(oldObject.metadata.deletionTimestamp)', ...byOthers },
        variables: { lost: policies.dropped('finalizers') },
        validations: validations({
          'size(variables.lost) == 0':
            'the load balancer may stay behind: without {lost} its controller does not delete it, so check in the cloud that it is gone',
        }),
      }),
      policies.add('Foreign', '-finalizer-foreign', {
        rules: [requests(['CREATE', 'UPDATE'], ['services'])],
        conditions: { ...isBalanced, ...byOthers },
        variables: {
          owner: `[${CLASS}]`,
          foreign: `${CLASS} == '' || !(${CLASS} + '=' in ${policies.list('classes')}) ? [] : ${added}.filter(f, !(${CLASS} + '=' + f in ${policies.list('classes')}))`,
        },
        validations: validations({
          'size(variables.foreign) == 0':
            'deletion hangs, or leaves the load balancer behind: the controller of class {owner} does not remove finalizer {foreign}',
        }),
      }),
      policies.add('Public', '-public', {
        rules: [requests(['CREATE', 'UPDATE'], ['services'])],
        conditions: isBalanced,
        variables: {
          isPublic: `${has('publicSettings')}${props.classlessIsPublic ? ` || ${CLASS} == '' && !${has('internalSettings')}` : ''}`,
          off: `${annotationsIn('object')}[?${celText(KEEPER_ANNOTATION)}].orValue('off: -')`,
        },
        validations: validations({
          '!variables.isPublic || size(object.spec.?loadBalancerSourceRanges.orValue([])) > 0':
            'the load balancer is open to the internet: set spec.loadBalancerSourceRanges, or make it internal',
          "variables.off.matches('^off: *\\\\S')": `annotation ${KEEPER_ANNOTATION} has no effect: write 'off: ' and a reason`,
        }),
      }),
    ];
  }
}

const CLASS = "object.spec.?loadBalancerClass.orValue('')";
