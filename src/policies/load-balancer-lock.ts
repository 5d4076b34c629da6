import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { judgeProps } from '../rules/judge-props';
import { protectionKey } from '../rules/protection';
import { refuse, refuseFirst } from '../tenancy/fault';
import { celText, madeByNoneOf } from '../tenancy/guard/admission';
import { tenantsAmong } from '../tenancy/guard/exemptions';
import type { TenancyIdentity } from '../tenancy/guard/tenancy-identity';
import {
  LOCKED_FIELDS,
  LOCKED_LABEL,
  losingAnnotations,
  losingFields,
  serviceFinalizers,
  sharingAnnotations,
} from './policy.facts';
import {
  annotationsIn,
  controllerLists,
  droppedFinalizers,
  PolicyScope,
  requests,
  requireValidatingPolicies,
} from './policy-objects';
import { type LoadBalancerPolicyProps, PolicyAction, PolicyFailure } from './policy-options';
import { LOCK_ACTIONS } from './rules';

/**
 * Options of a lock.
 */
export interface LoadBalancerLockProps extends LoadBalancerPolicyProps {
  /**
   * What happens to a request that would lose a locked load balancer. The API server takes DENY and WARN only alternatively.
   *
   * @default [PolicyAction.DENY]
   */
  readonly actions?: PolicyAction[];

  /**
   * What the API server does with a request if the policy cannot be evaluated.
   *
   * @default PolicyFailure.FAIL
   */
  readonly failurePolicy?: PolicyFailure;

  /**
   * The identities that may add, change and remove the annotation of a lock. Without them a tenant can keep a load balancer by its own lock.
   *
   * @default - whoever may write the Service
   */
  readonly lockedBy?: TenancyIdentity[];
}

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
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props actions, identities and namespaces
   * @throws if the API server is too old, the actions exclude each other, or an identity is a group of all users
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerLockProps = {}) {
    judgeProps(scope, id, 'LoadBalancerLockProps', props);
    super(scope, id);
    const { actions = [PolicyAction.DENY], failurePolicy = PolicyFailure.FAIL, lockedBy, controllers = [] } = props;
    requireValidatingPolicies(this, props.kubernetes);
    refuseFirst(this, [tenantsAmong(controllers), tenantsAmong(lockedBy ?? [])]);
    this.refuseActions(actions);
    const lists = {
      finalizers: serviceFinalizers(),
      replacing: losingAnnotations('replaced'),
      orphaning: [...losingAnnotations('orphans'), ...losingAnnotations('deleted')],
      ...controllerLists(controllers),
    };
    const policies = new PolicyScope(this, props, 'load-balancer-lock', lists);
    const marked = (of: 'object' | 'oldObject') => `${of} != null && ${MARK} in ${annotationsIn(of)}`;
    const changed = (list: string) =>
      `${policies.list(list)}.filter(k, ${annotationsIn('object')}[?k] != ${annotationsIn('oldObject')}[?k])`;
    const says = (keys: string, consequence: string) =>
      `'a change of ' + ${keys}.join(', ') + ${celText(` can ${consequence} the load balancer: ${UNLOCK}`)}`;
    const kept = (expression: string) => `!variables.locked || variables.deleted || ${expression}`;
    const marks = `(object != null ? ${annotationsIn('object')}[?${MARK}] : optional.none()) == (oldObject != null ? ${annotationsIn('oldObject')}[?${MARK}] : optional.none())`;
    this.policy = policies.validate({
      id: 'Policy',
      name: policies.name,
      failurePolicy,
      actions,
      rules: [requests(['CREATE', 'UPDATE', 'DELETE'], '', ['services'])],
      conditions: [{ name: 'locked', expression: `(${marked('oldObject')}) || (${marked('object')})` }],
      variables: [
        {
          name: 'locked',
          expression: `${marked('oldObject')} && oldObject.spec.?type.orValue('') == 'LoadBalancer' && !has(oldObject.metadata.deletionTimestamp)`,
        },
        { name: 'deleted', expression: "request.operation == 'DELETE'" },
        { name: 'lost', expression: `variables.deleted ? [] : ${droppedFinalizers(policies.list('finalizers'))}` },
        { name: 'replacing', expression: changed('replacing') },
        { name: 'orphaning', expression: changed('orphaning') },
      ],
      does: {
        validations: [
          {
            expression: '!variables.locked || !variables.deleted',
            message: `deletion of this Service deletes its load balancer and its address: ${UNLOCK}`,
          },
          {
            expression: kept("object.spec.?type.orValue('') == 'LoadBalancer'"),
            message: `another type deletes the load balancer and its address: ${UNLOCK}`,
          },
          {
            expression: kept(`size(variables.lost) == 0 || ${policies.isController}`),
            messageExpression: `'without finalizer ' + variables.lost.join(', ') + ${celText(` a deletion leaves the load balancer behind: ${UNLOCK}`)}`,
          },
          ...fieldValidations(kept),
          {
            expression: kept('size(variables.orphaning) == 0'),
            messageExpression: says('variables.orphaning', 'orphan'),
          },
          {
            expression: kept('size(variables.replacing) == 0'),
            messageExpression: says('variables.replacing', 'replace'),
          },
          ...(lockedBy === undefined
            ? []
            : [
                {
                  expression: `variables.deleted || ${marks} || !(${madeByNoneOf(lockedBy) || 'true'})`,
                  message: `annotation ${protectionKey()} locks the load balancer and is written by the platform alone`,
                },
              ]),
        ],
      },
    });
    this.namespacePolicy = policies.validate({
      id: 'NamespacePolicy',
      name: `${policies.name}-namespaces`,
      failurePolicy,
      actions,
      rules: [requests(['DELETE'], '', ['namespaces'])],
      conditions: [
        {
          name: 'locked',
          expression: `oldObject.metadata.?labels.orValue({})[?${celText(LOCKED_LABEL)}].orValue('') == 'true'`,
        },
      ],
      does: {
        validations: [
          {
            expression: 'false',
            message: `deletion of this namespace deletes its load balancers and their addresses: remove label ${LOCKED_LABEL} first`,
          },
        ],
      },
    });
  }

  private refuseActions(actions: readonly PolicyAction[]): void {
    const isBoth = actions.includes(PolicyAction.DENY) && actions.includes(PolicyAction.WARN);
    if (actions.length === 0 || new Set(actions).size < actions.length || isBoth) {
      refuse(this, {
        rule: LOCK_ACTIONS,
        what: `actions is [${actions.join(', ')}], which the API server does not accept`,
        remedy: 'pass DENY or WARN, and AUDIT beside it if the audit log should name the request',
      });
    }
  }
}

const MARK = celText(protectionKey());
const UNLOCK = `remove annotation ${protectionKey()} in a request of its own first`;

function fieldValidations(kept: (expression: string) => string): object[] {
  const sharing = sharingAnnotations()
    .map((key) => `${celText(key)} in ${annotationsIn('oldObject')}`)
    .join(' || ');
  return losingFields().flatMap((field) => {
    const when = LOCKED_FIELDS[field];
    const [, name] = field.split('.');
    const same = `object.spec.?${name} == oldObject.spec.?${name}`;
    return when === undefined
      ? []
      : [
          {
            expression: kept(when === 'always' ? same : `${same} || !(${sharing})`),
            message: `a change of ${field} can replace the address of the load balancer: ${UNLOCK}`,
          },
        ];
  });
}
