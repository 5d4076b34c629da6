import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { SynthWatch } from '../../rules/synth-watch';
import { AZURE_ROLE } from '../refused-identities';
import {
  ACTIONS_BY_PURPOSE,
  ARM_ID,
  AUTHORIZATION_GROUP,
  AUTHORIZATION_VERSION,
  GUID,
  NETWORK_CONTRIBUTOR_ID,
  ROLE_DEFINITION_KIND,
} from './azure.facts';
import type { AzureScope } from './azure-scope';
import type { AzureRoleDefinitionProps } from './options';

/**
 * A role of Azure, by what names it.
 */
export class AzureRole {
  /**
   * The built-in role that AKS asks for: it may change and delete everything of networks in its scope, so give it on a subnet
   * or an address, and not on a group. `AzureRoleDefinition` makes one that may do less.
   */
  public static networkContributor(): AzureRole {
    return AzureRole.builtIn(NETWORK_CONTRIBUTOR_ID);
  }

  /**
   * A built-in role.
   *
   * @param id its GUID, the same in every subscription
   * @throws when it is not a GUID
   */
  public static builtIn(id: string): AzureRole {
    if (!GUID.test(id)) {
      throw new Error(
        `AzureRole: '${id}' is not a GUID; write the ID of the role, or use AzureRole.wellKnown (${AZURE_ROLE.id})`,
      );
    }
    return new AzureRole((scope) => ({
      armId: `/subscriptions/${scope.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${id}`,
    }));
  }

  /**
   * A built-in role by its display name. Old versions of Azure Service Operator do not know the field.
   *
   * @param name such as `Network Contributor`
   */
  public static wellKnown(name: string): AzureRole {
    return new AzureRole(() => ({ wellKnownName: name }));
  }

  /**
   * Any role by its ID.
   *
   * @param armId the ID of its definition
   * @throws when it is not the ID of a resource
   */
  public static ofId(armId: string): AzureRole {
    if (!ARM_ID.test(armId) && !String(armId).startsWith('/providers/')) {
      throw new Error(
        `AzureRole: '${armId}' is not the ID of a role; write one that begins with /subscriptions/ or /providers/ (${AZURE_ROLE.id})`,
      );
    }
    return new AzureRole(() => ({ armId }));
  }

  private constructor(private readonly reference: (scope: AzureScope) => object) {}

  /** @internal */
  public static _defined(name: string): AzureRole {
    return new AzureRole(() => ({ group: AUTHORIZATION_GROUP, kind: ROLE_DEFINITION_KIND, name }));
  }

  /** @internal */
  public _referenceIn(scope: AzureScope): object {
    return this.reference(scope);
  }
}

/**
 * A role that Azure Service Operator defines. The operator's own identity must be allowed to define roles on the scope.
 */
export class AzureRoleDefinition extends Construct {
  /** The RoleDefinition, for patches and dependencies. */
  public readonly definition: ApiObject;

  /** The role, for assignments in the same namespace. */
  public readonly role: AzureRole;

  /**
   * A role.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what it may do
   */
  public constructor(scope: Construct, id: string, props: AzureRoleDefinitionProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AzureRoleDefinitionProps', props);
    super(scope, id);
    const ofPurposes = props.purposes.flatMap((purpose) => ACTIONS_BY_PURPOSE[purpose]);
    this.definition = new ApiObject(this, 'Resource', {
      apiVersion: `${AUTHORIZATION_GROUP}/${props.apiVersion ?? AUTHORIZATION_VERSION}`,
      kind: ROLE_DEFINITION_KIND,
      metadata: { name: props.name, namespace: props.namespace },
      spec: {
        owner: { armId: props.assignableScope.armId },
        roleName: props.roleName,
        type: 'customRole',
        permissions: [{ actions: [...new Set([...ofPurposes, ...(props.actions ?? [])])] }],
        assignableScopesReferences: [{ armId: props.assignableScope.armId }],
      },
    });
    SynthWatch.of(this).own(this);
    this.role = AzureRole._defined(this.definition.name);
  }
}
