import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { SynthWatch } from '../../rules/synth-watch';
import { IAM_API_VERSION, IAM_POLICY_MEMBER_KIND, PROJECT_ANNOTATION } from './gcp.facts';
import type { GcpResourceRef } from './gcp-resource-ref';

/**
 * A role of a member.
 */
export interface GcpIamPolicyMemberProps {
  /** What the role is given on. */
  readonly resource: GcpResourceRef;

  /** Who is given it, its kind before the colon: `serviceAccount:<address>`. */
  readonly member: string;

  /** The role, such as `roles/compute.networkUser`. */
  readonly role: string;

  /**
   * When it holds, in the Common Expression Language.
   *
   * @default - always
   */
  readonly conditionExpression?: string;

  /**
   * A name for the condition.
   *
   * @default - the name of the construct, where there is a condition
   */
  readonly conditionTitle?: string;

  /**
   * The project of the object, where it is another than the one that the namespace stands for.
   *
   * @default - that of the namespace
   */
  readonly projectId?: string;

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
}

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
