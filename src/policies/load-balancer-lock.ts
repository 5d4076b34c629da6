import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { protectionKey, validateProps } from '../rules/warnings';
import { faultOf, refuseFirst } from '../tenancy/fault';
import { celText, excludes } from '../tenancy/guard/policy';
import { tenantsAmong } from '../tenancy/guard/rules';
import { LOCKED_FIELDS, LOCKED_LABEL, losingAnnotations, serviceFinalizers } from './policy.facts';
import { annotationsIn, POLICIES, PolicySet, requests, VALIDATING, validations } from './policy-objects';
import { type LoadBalancerLockProps, PolicyAction, PolicyFailure } from './policy-options';

/**
 * Refuses requests that would lose the load balancer, or the address, of a Service with the annotation
 * `cdk8s-load-balancers/protected`, which `protect()` of a construct writes: its deletion, another type or class, the removal of a
 * finalizer, and each edit of an annotation or field that can replace or orphan the load balancer. The message names the consequence.
 * To unlock the Service, remove the annotation in a request of its own.
 *
 * An annotation counts as edited if its text changes, even where the new value means the same. A namespace that is deleted waits for
 * its locked Services: the API server has no way to see them when the namespace is deleted, so label such namespaces
 * `cdk8s-load-balancers/locked: 'true'`, and their deletion is refused as well.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export class LoadBalancerLock extends Construct {
  /** The policy for Services, for patches and dependencies. */
  public readonly policy: ApiObject;

  /** The policy for namespaces. */
  public readonly namespacePolicy: ApiObject;

  /**
   * A lock for a cluster.
   *
   * @param props actions, identities and namespaces
   * @throws if the API server is too old, the actions exclude each other, or an identity is a group of all users
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerLockProps = {}) {
    validateProps(scope, id, 'LoadBalancerLockProps', props);
    super(scope, id);
    const { actions = [PolicyAction.DENY], lockedBy } = props;
    const isBoth = actions.includes(PolicyAction.DENY) && actions.includes(PolicyAction.WARN);
    const isWrong = isBoth || actions.length === 0 || new Set(actions).size < actions.length;
    const wrong = isWrong ? faultOf(POLICIES['lock-actions-invalid'], { actions: actions.join(', ') }) : undefined;
    refuseFirst(this, [tenantsAmong(lockedBy ?? []), wrong]);
    const defaults = { name: 'load-balancer-lock', failurePolicy: PolicyFailure.FAIL, actions };
    const policies = new PolicySet(this, VALIDATING, props, defaults, {
      finalizers: serviceFinalizers(),
      replacing: losingAnnotations('replaced'),
      orphaning: losingAnnotations('orphaned', 'deleted'),
    });
    const changed = (list: string) =>
      `${policies.list(list)}.filter(k, ${annotationsIn('object')}[?k] != ${annotationsIn('oldObject')}[?k])`;
    const kept = (expression: string) => `!variables.locked || variables.deleted || ${expression}`;
    const sharing = losingAnnotations('replaced')
      .filter((key) => key.endsWith('/allow-shared-ip'))
      .map((key) => `${celText(key)} in ${annotationsIn('oldObject')}`)
      .join(' || ');
    const lockers = lockedBy && (excludes(lockedBy) || 'true');
    this.policy = policies.add('Policy', '', {
      rules: [requests(['CREATE', 'UPDATE', 'DELETE'], ['services', 'services/status'])],
      conditions: { locked: `${mark('oldObject')}.hasValue() || ${mark('object')}.hasValue()` },
      variables: {
        locked: `${mark('oldObject')}.hasValue() && oldObject.spec.?type.orValue('') == 'LoadBalancer' && !has(oldObject.metadata.deletionTimestamp)`,
        deleted: "request.operation == 'DELETE'",
        lost: `variables.deleted ? [] : ${policies.dropped('finalizers')}`,
        replacing: changed('replacing'),
        orphaning: changed('orphaning'),
      },
      validations: validations({
        '!variables.locked || !variables.deleted': `deletion of this Service deletes its load balancer and its address: ${UNLOCK}`,
        [kept("object.spec.?type.orValue('') == 'LoadBalancer'")]:
          `another type deletes the load balancer and its address: ${UNLOCK}`,
        [kept(`size(variables.lost) == 0 || ${policies.isController}`)]:
          `without finalizer {lost} a deletion leaves the load balancer behind: ${UNLOCK}`,
        ...Object.fromEntries(
          LOCKED_FIELDS.map(([field, when]) => [
            kept(`object.spec.?${field} == oldObject.spec.?${field}${when === 'always' ? '' : ` || !(${sharing})`}`),
            `a change of spec.${field} can replace the address of the load balancer: ${UNLOCK}`,
          ]),
        ),
        [kept('size(variables.orphaning) == 0')]: `a change of {orphaning} can orphan the load balancer: ${UNLOCK}`,
        [kept('size(variables.replacing) == 0')]: `a change of {replacing} can replace the load balancer: ${UNLOCK}`,
        ...(lockers && {
          [`variables.deleted || ${mark('object')} == ${mark('oldObject')} || !(${lockers})`]: `annotation ${protectionKey()} locks the load balancer and is written by the platform alone`,
        }),
      }),
    });
    const label = `oldObject.metadata.?labels.orValue({})[?${celText(LOCKED_LABEL)}]`;
    this.namespacePolicy = policies.add('NamespacePolicy', '-namespaces', {
      rules: [requests(['DELETE'], ['namespaces'])],
      conditions: { locked: `${label}.orValue('') == 'true'` },
      validations: validations({
        false: `deletion of this namespace deletes its load balancers and their addresses: remove label ${LOCKED_LABEL} first`,
      }),
    });
  }
}

const UNLOCK = `remove annotation ${protectionKey()} in a request of its own first`;

const mark = (of: 'object' | 'oldObject') =>
  `(${of} != null ? ${annotationsIn(of)}[?${celText(protectionKey())}] : optional.none())`;
