import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { SynthWatch } from '../../rules/synth-watch';
import { isUnresolved } from '../aws/aws-arn';
import { AZURE_ROLE } from '../refused-identities';
import { AUTHORIZATION_GROUP, AUTHORIZATION_VERSION, GUID, ROLE_ASSIGNMENT_KIND } from './azure.facts';
import type { AzureRoleAssignmentProps } from './options';

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
