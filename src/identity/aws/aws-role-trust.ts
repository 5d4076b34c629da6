import { refuseWrongProps } from '../../contract/declared-types';
import { refusal, refuse } from '../refusal';
import {
  CLUSTER_ARN_SESSION_TAG,
  CLUSTER_NAME_SESSION_TAG,
  NAMESPACE_SESSION_TAG,
  POD_IDENTITY_PRINCIPAL,
  POLICY_LANGUAGE,
  SERVICE_ACCOUNT_SESSION_TAG,
  STS_AUDIENCE,
} from './aws.facts';
import { arnFault, isResolved, isUnresolved, parseArn, serviceAccountFault } from './aws-arn';
import { providerOf } from './irsa-provider';
import type { AwsIrsaTrustOptions, AwsPodIdentityTrustOptions } from './options';

const CLUSTER = 'arn:aws:eks:eu-west-1:123456789012:cluster/prod';

const WHO = 'AwsRoleTrust';

/** A trust policy compares texts whole: `*` in a name would match nothing. */
function refuseNames({ namespace, serviceAccount }: AwsPodIdentityTrustOptions): void {
  const fault = serviceAccountFault(namespace ?? 'any', serviceAccount ?? 'any');
  refuse(WHO, 'service-account-name-invalid', fault && `${fault}; name one ServiceAccount of one namespace`);
}

/**
 * Trust policy of an AWS role, as plain data.
 */
export class AwsRoleTrust {
  /**
   * A ServiceAccount, with the token that its cluster gives it (IAM roles for service accounts). The role, the OIDC provider and
   * the cluster are of one partition.
   *
   * @param options which ServiceAccount of which cluster
   * @throws when the ARN or the issuer is not valid, or they are of two clusters or partitions, or the issuer is a CDK token: it is
   * a key of the document there, which AWS CDK alone can write (`AwsLoadBalancerControllerRole` does)
   */
  public static irsa(options: AwsIrsaTrustOptions): AwsRoleTrust {
    refuseWrongProps('AwsRoleTrust.irsa', 'AwsIrsaTrustOptions', options);
    const { namespace, serviceAccount, audience } = options;
    refuseNames(options);
    const provider = providerOf(options);
    if (typeof provider === 'string') {
      throw refusal(WHO, 'irsa-provider-invalid', provider);
    }
    const { arn, issuer } = provider;
    const unresolved =
      'the issuer is a key of the trust policy, and is known only at deployment; write the issuer itself, or use AwsLoadBalancerControllerRole in a stack of AWS CDK';
    refuse(WHO, 'irsa-issuer-unresolved', isUnresolved(issuer) || issuer === '' ? unresolved : undefined);
    return new AwsRoleTrust([
      {
        Effect: 'Allow',
        Principal: { Federated: arn },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            [`${issuer}:aud`]: audience ?? STS_AUDIENCE,
            [`${issuer}:sub`]: `system:serviceaccount:${namespace}:${serviceAccount}`,
          },
        },
      },
    ]);
  }

  /**
   * The pods that associations of EKS Pod Identity name. Without options, every user who may make associations in a cluster of
   * the account, and may pass the role, decides who takes it.
   *
   * @param options what an association may say
   * @throws when the ARN is not one of a cluster, or of a cluster of another name
   */
  public static podIdentity(options: AwsPodIdentityTrustOptions = {}): AwsRoleTrust {
    refuseWrongProps('AwsRoleTrust.podIdentity', 'AwsPodIdentityTrustOptions', options);
    const { clusterName, clusterArn, namespace, serviceAccount } = options;
    refuseNames(options);
    const fault = clusterArn === undefined ? undefined : arnFault(clusterArn, 'eks', /^cluster\/[^/]+$/, CLUSTER);
    refuse(WHO, 'aws-arn-invalid', fault && `${fault}; write the ARN of the cluster`);
    const named = clusterArn === undefined ? undefined : parseArn(clusterArn)?.resource.split('/')[1];
    const isOther = named !== undefined && isResolved(clusterName) && named !== clusterName;
    const other = `the cluster '${clusterArn}' has another name than '${clusterName}'; name one cluster`;
    refuse(WHO, 'aws-cluster-mismatch', isOther ? other : undefined);
    const equal = {
      ...(clusterName !== undefined && { [CLUSTER_NAME_SESSION_TAG]: clusterName }),
      ...(clusterArn !== undefined && { [CLUSTER_ARN_SESSION_TAG]: clusterArn }),
      ...(namespace !== undefined && { [NAMESPACE_SESSION_TAG]: namespace }),
      ...(serviceAccount !== undefined && { [SERVICE_ACCOUNT_SESSION_TAG]: serviceAccount }),
    };
    return new AwsRoleTrust([
      {
        Effect: 'Allow',
        Principal: { Service: POD_IDENTITY_PRINCIPAL },
        Action: ['sts:AssumeRole', 'sts:TagSession'],
        ...(Object.keys(equal).length > 0 && { Condition: { StringEquals: equal } }),
      },
    ]);
  }

  private constructor(private readonly statements: object[]) {}

  /**
   * Either of two: for a role that moves from one kind of identity to the other.
   *
   * @param other its statements come behind
   */
  public plus(other: AwsRoleTrust): AwsRoleTrust {
    return new AwsRoleTrust([...this.statements, ...other.statements]);
  }

  /** The trust policy, ready for `JSON.stringify`. */
  public toPolicyDocument(): { [key: string]: unknown } {
    return { Version: POLICY_LANGUAGE, Statement: this.statements };
  }
}
