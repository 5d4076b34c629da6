import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { SynthWatch } from '../../rules/synth-watch';
import { isUnresolved } from '../aws/aws-arn';
import { refuse } from '../refusal';
import {
  ACTIONS_BY_PURPOSE,
  ARM_ID,
  AUTHORIZATION_GROUP,
  AUTHORIZATION_VERSION,
  GUID,
  NETWORK_CONTRIBUTOR_ID,
  ROLE_ASSIGNMENT_KIND,
  ROLE_DEFINITION_KIND,
} from './azure.facts';
import type { AzureRoleAssignmentProps, AzureRoleDefinitionProps } from './options';

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
    const fault = `'${id}' is not a GUID; write the ID of the role, or use AzureRole.wellKnown`;
    refuse('AzureRole', 'azure-role-invalid', GUID.test(id) ? undefined : fault);
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
    const isId = ARM_ID.test(armId) || String(armId).startsWith('/providers/');
    const fault = `'${armId}' is not the ID of a role; write one that begins with /subscriptions/ or /providers/`;
    refuse('AzureRole', 'azure-role-invalid', isId ? undefined : fault);
    return new AzureRole(() => ({ armId }));
  }

  private constructor(private readonly reference: (scope: AzureScope) => object) {}

  /** @internal */
  public _referenceIn(scope: AzureScope): object {
    return this.reference(scope);
  }

  /** @internal */
  public static _defined(name: string): AzureRole {
    return new AzureRole(() => ({ group: AUTHORIZATION_GROUP, kind: ROLE_DEFINITION_KIND, name }));
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
   * @param props what it may do
   */
  public constructor(scope: Construct, id: string, props: AzureRoleDefinitionProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AzureRoleDefinitionProps', props);
    super(scope, id);
    const ofPurposes = props.purposes.flatMap((purpose) => ACTIONS_BY_PURPOSE[purpose]);
    this.definition = authorization(this, ROLE_DEFINITION_KIND, props, {
      owner: { armId: props.assignableScope.armId },
      roleName: props.roleName,
      type: 'customRole',
      permissions: [{ actions: [...new Set([...ofPurposes, ...(props.actions ?? [])])] }],
      assignableScopesReferences: [{ armId: props.assignableScope.armId }],
    });
    this.role = AzureRole._defined(this.definition.name);
  }
}

function authorization(
  host: Construct,
  kind: string,
  {
    apiVersion = AUTHORIZATION_VERSION,
    name,
    namespace,
  }: Partial<Pick<AzureRoleDefinitionProps, 'apiVersion' | 'name' | 'namespace'>>,
  spec: object,
): ApiObject {
  SynthWatch.of(host).own(host);
  const object = { apiVersion: `${AUTHORIZATION_GROUP}/${apiVersion}`, kind, metadata: { name, namespace }, spec };
  return new ApiObject(host, 'Resource', object);
}

/**
 * A role that Azure Service Operator gives, for a subnet or a public IP address in another resource group than the nodes.
 *
 * It must outlive the Services: an identity that may no longer list load balancers leaves them in Terminating, and one that
 * may list but not write them leaves their frontends in Azure. Kubernetes does not order deletions.
 *
 * @see https://azure.github.io/azure-service-operator/reference/authorization/
 */
export class AzureRoleAssignment extends Construct {
  /** The RoleAssignment, for patches and dependencies. */
  public readonly assignment: ApiObject;

  /**
   * A role for an identity.
   *
   * @param props which role on what
   * @throws when `principalId` is not a GUID
   */
  public constructor(scope: Construct, id: string, props: AzureRoleAssignmentProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AzureRoleAssignmentProps', props);
    super(scope, id);
    const { on, role, principalId, principalIdFrom, azureName, description } = props;
    const isNoId = principalId !== undefined && !isUnresolved(principalId) && !GUID.test(principalId);
    const fault = `principalId '${principalId}' is not a GUID; write the object ID of the identity, not its client ID or name`;
    refuse(this.node.path, 'azure-role-invalid', isNoId ? fault : undefined);
    this.assignment = authorization(this, ROLE_ASSIGNMENT_KIND, props, {
      azureName,
      description,
      owner: { armId: on.armId },
      principalId,
      principalIdFromConfig: principalIdFrom && { name: principalIdFrom.name, key: principalIdFrom.key },
      principalType: props.principalType ?? 'ServicePrincipal',
      roleDefinitionReference: role._referenceIn(on),
    });
  }
}

function idOf(subscriptionId: string, resourceGroup: string, ...rest: string[]): string {
  const fault = `'${subscriptionId}' is not a subscription ID; write its ID, a GUID`;
  refuse('AzureScope', 'azure-scope-invalid', GUID.test(subscriptionId) ? undefined : fault);
  const name = [resourceGroup, ...rest].find((one) => !/^[\w.()-]{0,89}[\w()-]$/.test(one));
  const invalid = `'${name}' is not a valid resource name; write the name alone, without slashes`;
  refuse('AzureScope', 'azure-scope-invalid', name === undefined ? undefined : invalid);
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
}

/**
 * Scope of a role assignment: an Azure resource by its ID.
 */
export class AzureScope {
  /**
   * The subnet that internal load balancers take their address from.
   *
   * @param subscriptionId the GUID of the subscription
   * @param resourceGroup the group of the network
   * @param virtualNetwork the name of the network
   * @param subnet the name of the subnet
   * @throws when one of them has no such name
   */
  public static subnet(
    subscriptionId: string,
    resourceGroup: string,
    virtualNetwork: string,
    subnet: string,
  ): AzureScope {
    const group = idOf(subscriptionId, resourceGroup, virtualNetwork, subnet);
    return new AzureScope(`${group}/providers/Microsoft.Network/virtualNetworks/${virtualNetwork}/subnets/${subnet}`);
  }

  /**
   * A public IP address that is in another resource group than the nodes.
   *
   * @param subscriptionId the GUID of the subscription
   * @param resourceGroup the group of the address
   * @param name the name of the address
   * @throws when one of them has no such name
   */
  public static publicIp(subscriptionId: string, resourceGroup: string, name: string): AzureScope {
    const group = idOf(subscriptionId, resourceGroup, name);
    return new AzureScope(`${group}/providers/Microsoft.Network/publicIPAddresses/${name}`);
  }

  /**
   * A prefix that public IP addresses are taken from.
   *
   * @param subscriptionId the GUID of the subscription
   * @param resourceGroup the group of the prefix
   * @param name the name of the prefix
   * @throws when one of them has no such name
   */
  public static publicIpPrefix(subscriptionId: string, resourceGroup: string, name: string): AzureScope {
    const group = idOf(subscriptionId, resourceGroup, name);
    return new AzureScope(`${group}/providers/Microsoft.Network/publicIPPrefixes/${name}`);
  }

  /**
   * Everything in a resource group: the one that `azure-load-balancer-resource-group` names.
   *
   * @param subscriptionId the GUID of the subscription
   * @param name the name of the group
   * @throws when one of them has no such name
   */
  public static resourceGroup(subscriptionId: string, name: string): AzureScope {
    return new AzureScope(idOf(subscriptionId, name));
  }

  /**
   * Any resource.
   *
   * @param armId its ID, which begins with `/subscriptions/`
   * @throws when it is no such ID
   */
  public static ofId(armId: string): AzureScope {
    const fault = `'${armId}' is not the ID of a resource; write one that begins with /subscriptions/<GUID>`;
    refuse('AzureScope', 'azure-scope-invalid', GUID.test(ARM_ID.exec(armId)?.[1] ?? '') ? undefined : fault);
    return new AzureScope(armId);
  }

  private constructor(
    /** The ID in Azure Resource Manager. */
    public readonly armId: string,
  ) {}

  /** The GUID of the subscription. */
  public get subscriptionId(): string {
    return this.armId.split('/')[2];
  }
}
