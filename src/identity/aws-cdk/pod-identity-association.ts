import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { arnFault } from '../aws/aws-arn';
import { serviceAccountFault } from '../aws/service-account-fault';
import { POD_IDENTITY } from '../refused-identities';
import { awsCdkFor } from './load-aws-cdk';
import type { PodIdentityAssociationProps } from './options';
import { refuseForeignArns } from './stack-partition';

/**
 * An association of EKS Pod Identity, in a stack of AWS CDK. Nodes need the agent: the addon `eks-pod-identity-agent`, which
 * EKS Auto Mode has.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html
 */
export class PodIdentityAssociation extends Construct {
  /** The ARN of the association, a token. */
  public readonly associationArn: string;

  /**
   * An association.
   *
   * @param scope a stack of AWS CDK, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which role for which ServiceAccount
   * @throws when AWS CDK is not installed, a name or an ARN is not valid, or a role is of another partition than the stack
   */
  public constructor(scope: Construct, id: string, props: PodIdentityAssociationProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'PodIdentityAssociationProps', props);
    super(scope, id);
    const cdk = awsCdkFor(this, 'PodIdentityAssociation');
    const { clusterName, namespace, serviceAccount, roleArn, targetRoleArn, disableSessionTags } = props;
    const role = 'arn:aws:iam::123456789012:role/edge';
    const fault =
      serviceAccountFault(namespace, serviceAccount) ??
      arnFault(roleArn, 'iam', /^role\/./, role) ??
      (targetRoleArn === undefined ? undefined : arnFault(targetRoleArn, 'iam', /^role\/./, role));
    if (fault !== undefined) {
      throw new Error(
        `${this.node.path}: ${fault}; write the role and the ServiceAccount that it is for (${POD_IDENTITY.id})`,
      );
    }
    refuseForeignArns(this, cdk, [
      ['roleArn', roleArn],
      ['targetRoleArn', targetRoleArn],
    ]);
    const association = new cdk.eks.CfnPodIdentityAssociation(this, 'Resource', {
      clusterName,
      namespace,
      serviceAccount,
      roleArn,
      targetRoleArn,
      disableSessionTags,
    });
    this.associationArn = association.attrAssociationArn;
  }
}
