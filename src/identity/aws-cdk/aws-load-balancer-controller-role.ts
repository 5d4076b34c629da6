import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { AWS_MANAGED_POLICY, POLICY_LANGUAGE, STS_AUDIENCE } from '../aws/aws.facts';
import { arnFault, isResolved, isUnresolved, parseArn, serviceAccountFault } from '../aws/aws-arn';
import { CLUSTER_TAG } from '../aws/aws-load-balancer-controller.facts';
import { AwsLoadBalancerControllerPolicy } from '../aws/aws-load-balancer-controller-policy';
import { AwsPartition } from '../aws/aws-partition';
import { AwsRoleTrust } from '../aws/aws-role-trust';
import type { IamPolicy } from '../aws/iam-policy';
import { issuerFault, issuerIn, providerArnFault } from '../aws/irsa-provider';
import { refusal, refuse } from '../refusal';
import { type AwsCdk, awsCdkFor, managedPolicies, refuseForeignArns } from './load-aws-cdk';
import type { AwsIrsaCluster, AwsLoadBalancerControllerRoleProps } from './options';

const NAMESPACE = 'kube-system';
const SERVICE_ACCOUNT = 'aws-load-balancer-controller';

function partitionOf(scope: Construct, { core }: AwsCdk): AwsPartition {
  const { region, partition } = core.Stack.of(scope);
  return isUnresolved(region) ? AwsPartition._known(partition) : AwsPartition.ofRegion(region);
}

/**
 * The role of an AWS Load Balancer Controller, in a stack of AWS CDK: who may take it, what it may do, and for EKS Pod Identity
 * the association. Works with clusters of `aws-eks` and `aws-eks-v2`, imported ones, and those that CDK does not know, since it
 * takes texts alone, tokens or not.
 *
 * Delete it after the Services of the cluster: a controller without permissions leaves them in Terminating.
 */
export class AwsLoadBalancerControllerRole extends Construct {
  /** The ARN of the role, a token: for `AwsIdentity.irsa`, where the manifests are applied by the same app of AWS CDK. */
  public readonly roleArn: string;

  /** The name of the role, a token. */
  public readonly roleName: string;

  /** Permissions of the role. */
  public readonly permissions: IamPolicy;

  /**
   * A role.
   *
   * @param props who takes it, and what it may do
   * @throws when AWS CDK is not installed, none or both of `podIdentity` and `irsa` are given, an ARN, an issuer or a name is not valid,
   * one of them is of another partition than the stack, the VPC or the cluster of another region, or the permissions of another
   * cluster
   */
  public constructor(scope: Construct, id: string, props: AwsLoadBalancerControllerRoleProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AwsLoadBalancerControllerRoleProps', props);
    super(scope, id);
    const cdk = awsCdkFor(this);
    const { podIdentity, irsa } = props;
    const namespace = props.namespace ?? NAMESPACE;
    const serviceAccount = props.serviceAccount ?? SERVICE_ACCOUNT;
    const isOne = (podIdentity === undefined) !== (irsa === undefined);
    const either = 'exactly one of podIdentity and irsa decides who assumes the role; set one';
    const { path } = this.node;
    refuse(path, 'aws-identity-ambiguous', isOne ? undefined : either);
    const fault = serviceAccountFault(namespace, serviceAccount);
    refuse(path, 'service-account-name-invalid', fault && `${fault}; name the ServiceAccount of the controller`);
    refuseForeignArns(
      this,
      cdk,
      [
        ['irsa.oidcProviderArn', irsa?.oidcProviderArn],
        ['podIdentity.clusterArn', podIdentity?.clusterArn],
        ['permissionsBoundaryArn', props.permissionsBoundaryArn],
      ],
      [['irsa.issuer', irsa?.issuer]],
    );
    this.permissions = props.policy ?? this.derivedPolicy(props, cdk);
    refuse(path, 'aws-arn-invalid', boundaryFault(props.permissionsBoundaryArn));
    refuse(path, 'aws-cluster-mismatch', clusterFault(props));
    refuse(path, 'aws-region-mismatch', placeFault(props, cdk.core.Stack.of(this).region));
    const role = new cdk.iam.CfnRole(this, 'Resource', {
      assumeRolePolicyDocument: irsa
        ? irsaTrust(this, cdk, irsa, namespace, serviceAccount)
        : AwsRoleTrust.podIdentity({ ...podIdentity, namespace, serviceAccount }).toPolicyDocument(),
      description: 'AWS Load Balancer Controller',
      managedPolicyArns: managedPolicies(this, this.permissions, cdk),
      permissionsBoundary: props.permissionsBoundaryArn,
      roleName: props.roleName,
    });
    this.roleArn = role.attrArn;
    this.roleName = role.ref;
    if (podIdentity) {
      const association = { clusterName: podIdentity.clusterName, namespace, serviceAccount, roleArn: role.attrArn };
      // in a construct of its own, whose path is part of the logical ID
      new cdk.eks.CfnPodIdentityAssociation(new Construct(this, 'Association'), 'Resource', association);
    }
  }

  private derivedPolicy(props: AwsLoadBalancerControllerRoleProps, cdk: AwsCdk): IamPolicy {
    const { podIdentity, nlbOnly, features, isolation, vpcArn } = props;
    const clusterName = props.clusterName ?? podIdentity?.clusterName;
    if (clusterName === undefined) {
      const fault = 'which cluster the permissions are kept to is not known; give clusterName';
      throw refusal(this.node.path, 'aws-cluster-mismatch', fault);
    }
    const options = { clusterName, features, isolation, vpcArn, partition: partitionOf(this, cdk) };
    return nlbOnly ? AwsLoadBalancerControllerPolicy.nlbOnly(options) : AwsLoadBalancerControllerPolicy.full(options);
  }
}

function boundaryFault(arn: string | undefined): string | undefined {
  const fault =
    arn === undefined || AWS_MANAGED_POLICY.test(arn)
      ? undefined
      : arnFault(arn, 'iam', /^policy\/./, 'arn:aws:iam::123456789012:policy/boundary');
  return fault && `permissionsBoundaryArn ${fault}; write the ARN of the policy that limits the role`;
}

function clusterFault({ clusterName, podIdentity, policy }: AwsLoadBalancerControllerRoleProps): string | undefined {
  const given = podIdentity?.clusterName;
  if (policy === undefined) {
    return isResolved(clusterName) && isResolved(given) && clusterName !== given
      ? `the pods of cluster '${given}' take the role, and its permissions are kept to cluster '${clusterName}'; leave clusterName out, or pass a policy as well where the controller is started with that name`
      : undefined;
  }
  const clusterOfRole = clusterName ?? given;
  const names = clustersOf(policy);
  return isResolved(clusterOfRole) &&
    names.length > 0 &&
    names.every((name) => isResolved(name) && name !== clusterOfRole)
    ? `the policy is for cluster '${names[0]}', and the role for '${clusterOfRole}'; pass the policy of that cluster, or set clusterName to the name that the controller is started with`
    : undefined;
}

function clustersOf({ _statements }: IamPolicy): string[] {
  return _statements
    .flatMap(({ conditions = {} }) => Object.values(conditions))
    .flatMap(Object.entries)
    .filter(([key]) => key.endsWith(`/${CLUSTER_TAG}`))
    .flatMap(([, value]) => value)
    .filter((value): value is string => typeof value === 'string' && !/^(true|false)$/.test(value));
}

/**
 * Roles are of no region: a stack of another region may make one for IRSA. An association of Pod Identity is made in that of the
 * cluster.
 */
function placeFault(
  { podIdentity, irsa, vpcArn }: AwsLoadBalancerControllerRoleProps,
  region: string,
): string | undefined {
  const provider = irsa?.issuer ?? (isResolved(irsa?.oidcProviderArn) ? issuerIn(irsa.oidcProviderArn) : undefined);
  const ofIssuer = /^oidc\.eks\.([a-z0-9-]+)\./.exec(provider ?? '')?.[1];
  const home = podIdentity ? region : ofIssuer;
  const where = podIdentity ? 'the association is made' : 'the cluster of the issuer is';
  const given: [string, string | undefined][] = [
    ['podIdentity.clusterArn', podIdentity?.clusterArn],
    ['vpcArn', vpcArn],
  ];
  const foreign = given.find(([, arn]) => {
    const there = isResolved(arn) ? parseArn(arn)?.region : undefined;
    return isResolved(home) && isResolved(there) && there !== '' && there !== home;
  });
  return (
    foreign &&
    `${foreign[0]} '${foreign[1]}' is of another region than '${home}', where ${where}; name the one in '${home}'`
  );
}

/**
 * The trust policy of a role that takes tokens of a cluster. CloudFormation knows no keys that are tokens, so where the issuer
 * is one, a custom resource writes the condition. It is cut out of the ARN then: the issuer of a new cluster begins with
 * `https://`, and nothing shows whether a token does.
 */
function irsaTrust(
  scope: Construct,
  { core }: AwsCdk,
  { oidcProviderArn, issuer }: AwsIrsaCluster,
  namespace: string,
  serviceAccount: string,
): object {
  const fault = providerArnFault(oidcProviderArn) ?? (issuer === undefined ? undefined : issuerFault(issuer));
  refuse(scope.node.path, 'irsa-provider-invalid', fault);
  if (isResolved(issuer) || !isUnresolved(oidcProviderArn)) {
    const required = { oidcProviderArn, namespace, serviceAccount };
    return AwsRoleTrust.irsa(isResolved(issuer) ? { ...required, issuer } : required).toPolicyDocument();
  }
  const host = core.Fn.select(1, core.Fn.split(':oidc-provider/', oidcProviderArn));
  const condition = new core.CfnJson(scope, 'TrustCondition', {
    value: {
      [`${host}:aud`]: STS_AUDIENCE,
      [`${host}:sub`]: `system:serviceaccount:${namespace}:${serviceAccount}`,
    },
  });
  return {
    Version: POLICY_LANGUAGE,
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: oidcProviderArn },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { StringEquals: condition },
      },
    ],
  };
}
