import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { SynthWatch } from '../../rules/synth-watch';
import { refuse } from '../refusal';
import { IAM_API_VERSION, IAM_POLICY_MEMBER_KIND, PROJECT_ANNOTATION, PROJECT_ID } from './gcp.facts';
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
        resourceRef: resource._json,
        ...(conditionExpression !== undefined && {
          condition: { title: conditionTitle ?? id, expression: conditionExpression },
        }),
      },
    });
    SynthWatch.of(this).own(this);
  }
}

/**
 * Resource on which a role is assigned.
 */
export class GcpResourceRef {
  /**
   * A project.
   *
   * @param projectId its ID
   * @throws when it is not the ID of a project
   */
  public static project(projectId: string): GcpResourceRef {
    const fault = `'${projectId}' is not the ID of a project; write its ID, not its number or its display name`;
    refuse('GcpResourceRef', 'gcp-project-invalid', PROJECT_ID.test(projectId) ? undefined : fault);
    return new GcpResourceRef({ kind: 'Project', external: `projects/${projectId}` });
  }

  /**
   * A resource that is no object of the cluster.
   *
   * @param kind the kind that Config Connector has for it, such as `ComputeSubnetwork`
   * @param reference its name in Google's API: `projects/shared/regions/europe-west1/subnetworks/edge`
   */
  public static external(kind: string, reference: string): GcpResourceRef {
    return new GcpResourceRef({ kind, external: reference });
  }

  /**
   * An object of the cluster.
   *
   * @param kind its kind
   * @param name its name
   * @param namespace its namespace, where it is another
   */
  public static ofObject(kind: string, name: string, namespace?: string): GcpResourceRef {
    return new GcpResourceRef({ kind, name, ...(namespace !== undefined && { namespace }) });
  }

  private constructor(
    /** @internal */
    public readonly _json: object,
  ) {}
}
