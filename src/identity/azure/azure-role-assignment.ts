import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { SynthWatch } from '../../rules/synth-watch';
import { isUnresolved } from '../aws/aws-arn';
import { AZURE_ROLE } from '../refused-identities';
import { AUTHORIZATION_GROUP, AUTHORIZATION_VERSION, GUID, ROLE_ASSIGNMENT_KIND } from './azure.facts';
import type { AzureRole } from './azure-role';
import type { AzureScope } from './azure-scope';

/**
 * A value that is in a ConfigMap of the same namespace.
 */
export interface AzureConfigMapValue {
  /** The name of the ConfigMap. */
  readonly name: string;

  /** The key in it. */
  readonly key: string;
}

/**
 * A role for the identity of a cluster.
 */
export interface AzureRoleAssignmentProps {
  /** What the role is given on. */
  readonly on: AzureScope;

  /** The role. */
  readonly role: AzureRole;

  /**
   * The object ID of the identity: for load balancers that of the cluster's control plane. Either this or `principalIdFrom`.
   *
   * @default - the one of `principalIdFrom`
   */
  readonly principalId?: string;

  /**
   * Where the operator wrote the object ID, with `operatorSpec.configMaps.principalId` of a UserAssignedIdentity.
   *
   * @default - the one of `principalId`
   */
  readonly principalIdFrom?: AzureConfigMapValue;

  /**
   * What kind of principal it is. Azure looks it up without it, and fails for an identity that was made a moment ago.
   *
   * @default 'ServicePrincipal'
   */
  readonly principalType?: string;

  /**
   * The name of the assignment in Azure, a GUID. It cannot be changed.
   *
   * @default - made by the operator
   */
  readonly azureName?: string;

  /**
   * Why it is given.
   *
   * @default - none
   */
  readonly description?: string;

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
   * The version of its API. Newer versions of the operator also write `v20220401`.
   *
   * @default 'v1api20220401'
   */
  readonly apiVersion?: string;
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
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which role on what
   * @throws when `principalId` is not a GUID
   */
  public constructor(scope: Construct, id: string, props: AzureRoleAssignmentProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AzureRoleAssignmentProps', props);
    super(scope, id);
    const { on, role, principalId, principalIdFrom, azureName, description } = props;
    if (principalId !== undefined && !isUnresolved(principalId) && !GUID.test(principalId)) {
      throw new Error(
        `${this.node.path}: principalId '${principalId}' is not a GUID; write the object ID of the identity, not its client ID or name (${AZURE_ROLE.id})`,
      );
    }
    this.assignment = new ApiObject(this, 'Resource', {
      apiVersion: `${AUTHORIZATION_GROUP}/${props.apiVersion ?? AUTHORIZATION_VERSION}`,
      kind: ROLE_ASSIGNMENT_KIND,
      metadata: { name: props.name, namespace: props.namespace },
      spec: {
        azureName,
        description,
        owner: { armId: on.armId },
        principalId,
        principalIdFromConfig: principalIdFrom && { name: principalIdFrom.name, key: principalIdFrom.key },
        principalType: props.principalType ?? 'ServicePrincipal',
        roleDefinitionReference: role._referenceIn(on),
      },
    });
    SynthWatch.of(this).own(this);
  }
}
