import { refuseWrongProps, refuseWrongValue } from '../../contract/declared-types';
import { refuse } from '../refusal';
import {
  AUDIENCE_ANNOTATION,
  REGIONAL_STS_ANNOTATION,
  ROLE_ARN_ANNOTATION,
  TOKEN_EXPIRATION_ANNOTATION,
  TOKEN_SECONDS,
} from './aws.facts';
import { arnFault } from './aws-arn';
import type { AwsIrsaOptions } from './options';

const ROLE = 'arn:aws:iam::123456789012:role/aws-load-balancer-controller';

/**
 * Source of the AWS permissions of the pods of a ServiceAccount.
 */
export class AwsIdentity {
  /**
   * EKS Pod Identity: an association of the ServiceAccount with a role, made outside Kubernetes, and the agent on every node.
   * The ServiceAccount itself carries nothing. `AwsLoadBalancerControllerRole` makes one with AWS CDK.
   */
  public static podIdentity(): AwsIdentity {
    return new AwsIdentity({});
  }

  /**
   * IAM roles for service accounts: an annotation of the ServiceAccount names the role. Pods that run already keep what they
   * have until they are started again.
   *
   * The ARN of a role that a stack of AWS CDK makes is known when that is deployed: an installation may have it in a chart that
   * the stack takes (`cluster.addCdk8sChart`). Where the app writes files (`app.synth()`), write the ARN itself, such as that of
   * a CfnOutput or of an SSM parameter of the deployed stack.
   *
   * @param roleArn the role; it must trust the ServiceAccount (`AwsRoleTrust.irsa`)
   * @param options settings of its tokens
   * @throws when it is no ARN of a role, or a token would live shorter or longer than is possible
   */
  public static irsa(roleArn: string, options: AwsIrsaOptions = {}): AwsIdentity {
    refuseWrongProps('AwsIdentity.irsa', 'AwsIrsaOptions', options);
    refuseWrongValue('AwsIdentity.irsa', 'roleArn', 'string', roleArn);
    const { regionalSts, audience, tokenExpirationSeconds } = options;
    const fault = arnFault(roleArn, 'iam', /^role\/./, ROLE);
    refuse('AwsIdentity', 'aws-arn-invalid', fault && `${fault}; write the ARN of the role`);
    const { least, most } = TOKEN_SECONDS;
    const seconds = tokenExpirationSeconds ?? most;
    const isLife = Number.isInteger(seconds) && seconds >= least && seconds <= most;
    const never = `a token cannot live for ${seconds} seconds; write ${least} to ${most}`;
    refuse('AwsIdentity', 'token-expiration-invalid', isLife ? undefined : never);
    return new AwsIdentity({
      [ROLE_ARN_ANNOTATION]: roleArn,
      ...(regionalSts !== undefined && { [REGIONAL_STS_ANNOTATION]: String(regionalSts) }),
      ...(audience !== undefined && { [AUDIENCE_ANNOTATION]: audience }),
      ...(tokenExpirationSeconds !== undefined && { [TOKEN_EXPIRATION_ANNOTATION]: String(tokenExpirationSeconds) }),
    });
  }

  /**
   * The role of the nodes. Every pod of a node can take it, and the pod needs a way to the metadata of its instance: a hop
   * limit of 2, or the network of the host.
   */
  public static nodeRole(): AwsIdentity {
    return new AwsIdentity({});
  }

  private constructor(
    /** Annotations that the ServiceAccount must carry. */
    public readonly serviceAccountAnnotations: { [key: string]: string },
  ) {}
}
