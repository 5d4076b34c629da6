import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { SynthWatch } from '../../rules/synth-watch';
import { IAM_API_VERSION, IAM_POLICY_MEMBER_KIND, PROJECT_ANNOTATION } from './gcp.facts';
import type { GcpIamPolicyMemberProps } from './options';

/**
 * One role of one member, which Config Connector gives. Roles of others stay as they are, unlike with an IAMPolicy.
 *
 * @see https://cloud.google.com/config-connector/docs/reference/resource-docs/iam/iampolicymember
 */
export class GcpIamPolicyMember extends Construct {
  /** The IAMPolicyMember, for patches and dependencies. */
  public readonly policyMember: ApiObject;

  /**
   * A role of a member.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props who is given what
   */
  public constructor(scope: Construct, id: string, props: GcpIamPolicyMemberProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'GcpIamPolicyMemberProps', props);
    super(scope, id);
    const { resource, member, role, conditionExpression, conditionTitle, projectId } = props;
    this.policyMember = new ApiObject(this, 'Resource', {
      apiVersion: IAM_API_VERSION,
      kind: IAM_POLICY_MEMBER_KIND,
      metadata: {
        name: props.name,
        namespace: props.namespace,
        ...(projectId !== undefined && { annotations: { [PROJECT_ANNOTATION]: projectId } }),
      },
      spec: {
        member,
        role,
        resourceRef: resource._toJson(),
        ...(conditionExpression !== undefined && {
          condition: { title: conditionTitle ?? id, expression: conditionExpression },
        }),
      },
    });
    SynthWatch.of(this).own(this);
  }
}
