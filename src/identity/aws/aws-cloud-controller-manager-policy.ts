import { refuseWrongValue } from '../../contract/declared-types';
import { refuse } from '../refusal';
import { arnFault } from './aws-arn';
import { CLOUD_CONTROLLER_CALLS } from './aws-cloud-controller-manager.facts';
import { ELB_SERVICE_PRINCIPAL } from './aws-load-balancer-controller.facts';
import { IamPolicy } from './iam-policy';
import type { AwsCloudControllerFeature } from './options';
import { actionsOf, type CloudControllerPart, type IamStatement } from './permissions';

const ALL: readonly CloudControllerPart[] = ['nodes', 'node-tags', 'routes', 'classic', 'network', 'uncalled'];

function actionsFor(parts: readonly CloudControllerPart[]): string[] {
  return CLOUD_CONTROLLER_CALLS.filter((calls) => calls.parts.some((part) => parts.includes(part))).flatMap(actionsOf);
}

function policyFor(parts: readonly CloudControllerPart[]): IamPolicy {
  const balances = parts.some((part) => part === 'classic' || part === 'network');
  const serviceLinkedRole: IamStatement = {
    sid: 'ServiceLinkedRole',
    actions: ['iam:CreateServiceLinkedRole'],
    resources: ['*'],
    conditions: { StringEquals: { 'iam:AWSServiceName': ELB_SERVICE_PRINCIPAL } },
  };
  return IamPolicy._of([
    { sid: 'CloudController', actions: actionsFor(parts), resources: ['*'] },
    ...(balances ? [serviceLinkedRole] : []),
  ]);
}

/**
 * Permissions of the AWS cloud controller manager, as plain data. Nothing in it is kept to one cluster, as with the vendor: its
 * balancers carry the tag `kubernetes.io/cluster/<name>`, whose key differs by cluster, and its Classic Load Balancers cannot
 * all be checked by tag.
 *
 * @see https://github.com/kubernetes/cloud-provider-aws/blob/v1.36.1/docs/prerequisites.md
 */
export class AwsCloudControllerManagerPolicy {
  /**
   * Everything that the documentation asks for, four actions that it misses and the program calls (reading and changing the
   * attributes of target groups, removing tags, describing network interfaces), and one that the next version calls. The
   * service-linked role may be made for Elastic Load Balancing alone.
   */
  public static full(): IamPolicy {
    return policyFor(ALL);
  }

  /**
   * Actions that the program calls for nodes and for its other tasks. Volumes, autoscaling groups and keys, which the
   * documentation still asks for, are not among them.
   *
   * @param features what it is to do
   */
  public static only(features: AwsCloudControllerFeature[]): IamPolicy {
    refuseWrongValue('AwsCloudControllerManagerPolicy', 'features', 'string[]', features);
    return policyFor(['nodes', ...features]);
  }

  /**
   * Permissions of the pod's role if `cloudConfig.roleArn` names another one: take that one, and pass on the tags that sessions
   * of EKS Pod Identity have. Everything else is done with the role that is named: it gets `full` or `only`, and must trust the
   * role of the pod with both actions.
   *
   * @param roleArn the role that `cloudConfig.roleArn` names
   * @throws when it is no ARN of a role
   */
  public static assuming(roleArn: string): IamPolicy {
    const fault = arnFault(roleArn, 'iam', /^role\/./, 'arn:aws:iam::123456789012:role/ccm');
    refuse(
      'AwsCloudControllerManagerPolicy',
      'aws-arn-invalid',
      fault && `${fault}; write the ARN that cloudConfig.roleArn has`,
    );
    return IamPolicy._of([
      { sid: 'CloudControllerRole', actions: ['sts:AssumeRole', 'sts:TagSession'], resources: [roleArn] },
    ]);
  }

  private constructor() {}
}
