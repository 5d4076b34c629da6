import { AWS_MANAGED_POLICY } from '../aws/aws.facts';
import { arnFault, isUnresolved, parseArn } from '../aws/aws-arn';
import { CLUSTER_TAG } from '../aws/aws-load-balancer-controller.facts';
import type { IamPolicy } from '../aws/iam-policy';
import { issuerIn } from '../aws/irsa-provider';
import { AWS_ARN, AWS_CLUSTER_NAME, AWS_REGION_OF_ROLE } from '../refused-identities';
import type { AwsLoadBalancerControllerRoleProps } from './options';

/** What is wrong, and the rule that says so. */
export interface RoleFault {
  readonly fault: string;
  readonly ruleId: string;
}

const known = (text: string | undefined): text is string => text !== undefined && !isUnresolved(text);

/** What does not fit together in what is set for a role, for a stack of a region. */
export function roleFault(props: AwsLoadBalancerControllerRoleProps, region: string): RoleFault | undefined {
  const boundary = boundaryFault(props.permissionsBoundaryArn);
  if (boundary !== undefined) {
    return { fault: boundary, ruleId: AWS_ARN.id };
  }
  const cluster = clusterFault(props);
  return cluster === undefined ? placeFault(props, region) : { fault: cluster, ruleId: AWS_CLUSTER_NAME.id };
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
    return known(clusterName) && known(given) && clusterName !== given
      ? `the pods of cluster '${given}' take the role, and its permissions are kept to cluster '${clusterName}'; leave clusterName out, or pass a policy as well where the controller is started with that name`
      : undefined;
  }
  const clusterOfRole = clusterName ?? given;
  const names = clustersOf(policy);
  return known(clusterOfRole) && names.length > 0 && names.every((name) => known(name) && name !== clusterOfRole)
    ? `the policy is for cluster '${names[0]}', and the role for '${clusterOfRole}'; pass the policy of that cluster, or set clusterName to the name that the controller is started with`
    : undefined;
}

/** The clusters whose tag a policy asks for. */
function clustersOf({ statements }: IamPolicy): string[] {
  return statements
    .flatMap(({ conditions = {} }) => Object.values(conditions))
    .flatMap((keys) => Object.entries(keys as Record<string, unknown>))
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
): RoleFault | undefined {
  const provider = irsa?.issuer ?? (known(irsa?.oidcProviderArn) ? issuerIn(irsa.oidcProviderArn) : undefined);
  const ofIssuer = /^oidc\.eks\.([a-z0-9-]+)\./.exec(provider ?? '')?.[1];
  const home = podIdentity ? region : ofIssuer;
  const where = podIdentity ? 'the association is made' : 'the cluster of the issuer is';
  const given: [string, string | undefined][] = [
    ['podIdentity.clusterArn', podIdentity?.clusterArn],
    ['vpcArn', vpcArn],
  ];
  const foreign = given.find(([, arn]) => {
    const there = known(arn) ? parseArn(arn)?.region : undefined;
    return known(home) && known(there) && there !== '' && there !== home;
  });
  return (
    foreign && {
      fault: `${foreign[0]} '${foreign[1]}' is of another region than '${home}', where ${where}; name the one of that region`,
      ruleId: AWS_REGION_OF_ROLE.id,
    }
  );
}
