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

/**
 * What the cloud provider of Azure does with resources outside the resource group of the nodes.
 */
export enum AzureNetworkPurpose {
  /** Internal load balancers take addresses from a subnet. */
  INTERNAL_SUBNET = 'internal-subnet',

  /** Load balancers take public IP addresses of another resource group. */
  PUBLIC_IP = 'public-ip',

  /** Public IP addresses are taken from a prefix of another resource group. */
  PUBLIC_IP_PREFIX = 'public-ip-prefix',

  /** Rules are written to a network security group of another resource group. */
  SECURITY_GROUP = 'security-group',

  /** Services are offered through Private Link. */
  PRIVATE_LINK = 'private-link',
}

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
 * A role that may do what load balancers need, and nothing else.
 */
export interface AzureRoleDefinitionProps {
  /**
   * What the role can be given on, and on everything below it. A tenant has 5000 roles at most: rather than one for each address
   * define one on the resource group, and give it on the addresses.
   */
  readonly assignableScope: AzureScope;

  /** The name of the role, unique in its tenant. */
  readonly roleName: string;

  /** What the cloud provider does there. */
  readonly purposes: AzureNetworkPurpose[];

  /**
   * What it may do in addition, such as `Microsoft.Network/routeTables/read`.
   *
   * @default - nothing
   */
  readonly actions?: string[];

  /**
   * The name of the object.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the object.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * The version of its API.
   *
   * @default 'v1api20220401'
   */
  readonly apiVersion?: string;
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
