import { ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { faultOf, refuse } from '../fault';
import { AGGREGATE_PREFIX, RBAC_API_VERSION, RBAC_GROUP } from './guard.facts';
import type { TenantRoleProps } from './options';
import { clusterObject } from './policy';
import { GUARD, LISTENER_POLICIES, LISTENER_ROLES, refuseWrongNamespaces } from './rules';
import type { TenancyIdentity } from './tenancy-identity';
import { TENANT_ROLE_RULE_SET, tenantRights } from './tenant-rights';

/**
 * Permissions of tenants for Services (ClusterRole, and a RoleBinding for each namespace): write Services, read their status, events,
 * quotas, and the listeners that they were given.
 *
 * Permissions add up: it takes nothing from a user who has another role. **Permissions cannot count, nor see fields**: they say
 * who may create Services, never of which type or how many. That is for `LoadBalancerAdmissionPolicy` and quotas.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */
export class TenantRole extends Construct {
  /** The role, for patches and dependencies. */
  public readonly role: ApiObject;

  /**
   * Permissions of tenants for Services.
   *
   * @param props what they may do
   * @throws when another role of the app has the name
   */
  public constructor(scope: Construct, id: string, props: TenantRoleProps = {}) {
    validateProps(scope, id, 'TenantRoleProps', props);
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
      LISTENER_ROLES.add(this);
    }
    validateObject(this, this.role, {
      check: (role) =>
        TENANT_ROLE_RULE_SET.check(role, {
          guarded: guardedKinds,
          attachments,
          hasListenerPolicy: LISTENER_POLICIES.has(this),
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
    refuseWrongNamespaces(this, [namespace]);
    const id = `Binding-${namespace}`;
    const isBound = this.node.tryFindChild(id) !== undefined;
    if (isBound || subjects.length === 0) {
      refuse(this, faultOf(GUARD[isBound ? 'boundTwice' : 'tenant-subjects-invalid'], { namespace }));
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
