import { ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { judgeObject } from '../../rules/judge-object';
import { judgeProps } from '../../rules/judge-props';
import { refuse } from '../fault';
import { hasListenerPolicy, namespacesOf, rememberListenerRole } from './app-state';
import { AGGREGATE_PREFIX, RBAC_API_VERSION, RBAC_GROUP } from './guard.facts';
import { clusterObject } from './policy';
import { GUARD } from './rules';
import type { GuardedKind } from './shared-listener-policy';
import type { TenancyIdentity } from './tenancy-identity';
import { TENANT_ROLE_RULE_SET, tenantRights } from './tenant-rights';

/**
 * Something that tenants may do beside.
 */
export interface TenantRight {
  /** API groups, named one by one; `''` is the core group. */
  readonly apiGroups: string[];

  /** Resources, named one by one. */
  readonly resources: string[];

  /** Verbs, named one by one. */
  readonly verbs: string[];
}

/**
 * What tenants may do.
 */
export interface TenantRoleProps {
  /**
   * The name of the role and of its bindings.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * Built-in roles that it becomes a part of: `edit`, for example. A subject of one of them anywhere has it there too.
   *
   * @default - none
   */
  readonly aggregateTo?: string[];

  /**
   * Whether tenants write listeners and routes of shared balancers themselves. Only with a `SharedListenerPolicy`: without one they
   * can take any port, and a warning reports that the app has none.
   *
   * @default false
   */
  readonly attachments?: boolean;

  /**
   * What they may do beside. Checked at synth: a way around the guard is an error.
   *
   * @default - nothing
   */
  readonly rights?: TenantRight[];

  /**
   * Further kinds that tenants may never write. Gateways, quotas, policies, namespaces, endpoints, tokens of service accounts,
   * `services/status` and the kinds of the engines of shared balancers are never theirs.
   *
   * @default - none
   */
  readonly guardedKinds?: GuardedKind[];
}

/**
 * What tenants may do with Services (ClusterRole, and a RoleBinding for each namespace): write Services, read their status, events,
 * quotas, and the listeners that they were given.
 *
 * Permissions add up: it takes nothing from a user who has another role. **Permissions cannot count, nor see fields**: they say
 * who may create Services, never of which type or how many. That is for `LoadBalancerAdmissionPolicy` and `LoadBalancerQuota`.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */
export class TenantRole extends Construct {
  /** The role, for patches and dependencies. */
  public readonly role: ApiObject;

  /**
   * What tenants may do with Services.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what they may do
   * @throws when another role of the app has the name
   */
  public constructor(scope: Construct, id: string, props: TenantRoleProps = {}) {
    judgeProps(scope, id, 'TenantRoleProps', props);
    super(scope, id);
    const { aggregateTo = [], attachments = false, rights = [], guardedKinds = [] } = props;
    this.role = clusterObject(this, 'Role', {
      apiVersion: RBAC_API_VERSION,
      kind: 'ClusterRole',
      name: props.name ?? Names.toDnsLabel(this),
      labels: Object.fromEntries(aggregateTo.map((role) => [`${AGGREGATE_PREFIX}${role}`, 'true'])),
      content: { rules: [...tenantRights(attachments), ...rights] },
    });
    if (attachments) {
      rememberListenerRole(this);
    }
    judgeObject(this, this.role, {
      judge: (role) =>
        TENANT_ROLE_RULE_SET.judge(role, {
          guarded: guardedKinds,
          attachments,
          hasListenerPolicy: hasListenerPolicy(this),
        }),
    });
  }

  /**
   * Gives the permissions to subjects in a namespace.
   *
   * @param namespace the namespace of a tenant
   * @param subjects who belongs to the tenant
   * @returns the binding, for patches and dependencies
   * @throws when there is no subject, the namespace is not valid, or was bound already
   */
  public bind(namespace: string, subjects: TenancyIdentity[]): ApiObject {
    namespacesOf(this, [namespace]);
    const id = `Binding-${namespace}`;
    const isBound = this.node.tryFindChild(id) !== undefined;
    if (isBound || subjects.length === 0) {
      refuse(this, {
        rule: GUARD['tenant-subjects'],
        what: isBound ? `namespace ${namespace} was bound already` : `no subject is named for namespace ${namespace}`,
        remedy: 'name all subjects of a namespace at once',
      });
    }
    const { name } = this.role;
    return new ApiObject(this, id, {
      apiVersion: RBAC_API_VERSION,
      kind: 'RoleBinding',
      metadata: { name, namespace },
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
      subjects: subjects.map(({ _subject }) => _subject),
    });
  }
}
