import { refuseWrongProps, refuseWrongValue } from '../../contract/declared-types';
import { refusal, refuse } from '../refusal';
import { type ArnService, arnFault, foreignPartition, isUnresolved, partitionIn } from './aws-arn';
import { BINDING_READS, BINDING_WRITES, IN_DEFAULT_POLICY } from './aws-load-balancer-controller.facts';
import { statementsFor } from './aws-load-balancer-controller-statements';
import { AwsPartition } from './aws-partition';
import { IamPolicy } from './iam-policy';
import type { AwsLoadBalancerControllerPolicyOptions } from './options';
import type { IamStatement, Purpose } from './permissions';

const WHO = 'AwsLoadBalancerControllerPolicy';

/** AWS counts 256 characters of a tag's value, and reads `${...}` in a policy as a variable. */
function clusterNameFault(name: string): string | undefined {
  if (isUnresolved(name)) {
    return undefined;
  }
  return name !== '' && name.length <= 256 && !/[*?$]/.test(name)
    ? undefined
    : `'${name}' is not a valid cluster name; write the one that the controller is started with`;
}

interface Wanted {
  readonly service: ArnService;
  readonly kind: RegExp;
  readonly example: string;
  readonly wildcards?: boolean;
}

const ROLES: Wanted = {
  service: 'iam',
  kind: /^role\/./,
  example: 'arn:aws:iam::123456789012:role/edge',
  wildcards: true,
};
const VPC: Wanted = {
  service: 'ec2',
  kind: /^vpc\/vpc-[0-9a-f]+$/,
  example: 'arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0',
};
const TARGET_GROUPS: Wanted = {
  service: 'elasticloadbalancing',
  kind: /^targetgroup\/([^/]+\/[^/]+|.*[*?].*)$/,
  example: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/edge/0123456789abcdef',
  wildcards: true,
};

function refuseArn(arn: string, { service, kind, example, wildcards }: Wanted, partition?: AwsPartition): void {
  const fault = arnFault(arn, service, kind, example, wildcards);
  refuse(WHO, 'aws-arn-invalid', fault && `${fault}; write a whole ARN`);
  const other = partitionIn(arn);
  if (partition && !isUnresolved(partition.id) && other !== undefined && other !== partition.id) {
    const of = `'${arn}' is of partition ${other}, and the policy of ${partition.id}; name one partition`;
    throw refusal(WHO, 'aws-partition-mismatch', of);
  }
}

function refuseArns(wanted: Wanted, arns: readonly (string | undefined)[] = [], partition?: AwsPartition): void {
  for (const arn of arns) {
    if (arn !== undefined) {
      refuseArn(arn, wanted, partition);
    }
  }
}

function policyOf(purposes: readonly Purpose[], options: AwsLoadBalancerControllerPolicyOptions): IamPolicy {
  const { clusterName, vpcArn, assumableRoleArns, features, serviceLinkedRole } = options;
  const { partition = AwsPartition.AWS } = options;
  refuse(WHO, 'aws-cluster-mismatch', clusterNameFault(clusterName));
  refuseArns(VPC, [vpcArn], partition);
  refuseArns(ROLES, assumableRoleArns, partition);
  const wanted = new Set<Purpose>([...purposes, ...(features ?? [])]);
  if (serviceLinkedRole === false) {
    wanted.delete('service-linked-role');
  }
  const assumed: IamStatement[] =
    assumableRoleArns && assumableRoleArns.length > 0
      ? [{ sid: 'OtherAccounts', actions: ['sts:AssumeRole'], resources: assumableRoleArns }]
      : [];
  return IamPolicy._of([...statementsFor([...wanted], options), ...assumed]);
}

/**
 * Permissions of the AWS Load Balancer Controller, as plain data.
 *
 * The controller is refused a call where its version needs more than its policy has: take both from one place.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/v3.5/deploy/installation/#configure-iam
 */
export class AwsLoadBalancerControllerPolicy {
  /**
   * Everything in the policy of version 3.5.0, and nothing else unless `features` ask for it. Unlike the vendor's, it holds for
   * one cluster: the cluster tag must have the name of the cluster wherever the vendor asks that it is there.
   *
   * @param options of which cluster, and what in addition
   * @throws when the name of the cluster or an ARN is not valid, or an ARN is of another partition
   */
  public static full(options: AwsLoadBalancerControllerPolicyOptions): IamPolicy {
    refuseWrongProps('AwsLoadBalancerControllerPolicy.full', 'AwsLoadBalancerControllerPolicyOptions', options);
    return policyOf(IN_DEFAULT_POLICY, options);
  }

  /**
   * Actions for Services of type LoadBalancer and Gateways of the class for NLBs, derived from the calls that the controller
   * makes for them; it was not tried in an account. Run the controller with `--enable-shield=false`, `--enable-waf=false` and
   * `--enable-wafv2=false`. Its part for Ingresses cannot be switched off: an Ingress of its class fails with events.
   *
   * Two features are for Gateways of NLBs as well: `CERTIFICATE_DISCOVERY` where a TLS listener names no certificate, and
   * `LOAD_BALANCER_CAPACITY` where capacity is reserved. Without them the controller is refused these calls.
   *
   * @param options of which cluster, and what in addition
   * @throws when the name of the cluster or an ARN is not valid, or an ARN is of another partition
   */
  public static nlbOnly(options: AwsLoadBalancerControllerPolicyOptions): IamPolicy {
    refuseWrongProps('AwsLoadBalancerControllerPolicy.nlbOnly', 'AwsLoadBalancerControllerPolicyOptions', options);
    return policyOf(['nlb', 'service-linked-role'], options);
  }

  /**
   * Actions for TargetGroupBindings of existing target groups: nothing is created or deleted.
   *
   * @param targetGroupArns the target groups: ARNs, tokens of AWS CDK or ARNs with wildcards; every target group of the account without
   * @param vpcArn the ARN of the VPC of the cluster, where the bindings say `networking` and rules are to be written for them
   * @throws when an ARN is not valid, or the ARNs are of two partitions
   */
  public static targetGroupBindingsOnly(targetGroupArns?: string[], vpcArn?: string): IamPolicy {
    const who = 'AwsLoadBalancerControllerPolicy.targetGroupBindingsOnly';
    if (targetGroupArns !== undefined) {
      refuseWrongValue(who, 'targetGroupArns', 'string[]', targetGroupArns);
    }
    refuseArns(TARGET_GROUPS, targetGroupArns);
    refuseArns(VPC, [vpcArn]);
    const groups = (targetGroupArns ?? []).map((arn) => ['targetGroupArns', arn] as const);
    const foreign = foreignPartition([...groups, ['vpcArn', vpcArn]]);
    refuse(WHO, 'aws-partition-mismatch', foreign && `${foreign.what}; name one partition, or make a policy for each`);
    return IamPolicy._of([
      {
        sid: 'Describe',
        actions: [...BINDING_READS, ...(vpcArn ? ['ec2:DescribeNetworkInterfaces'] : [])],
        resources: ['*'],
      },
      { sid: 'Targets', actions: [...BINDING_WRITES], resources: targetGroupArns ?? ['*'] },
      ...(vpcArn === undefined
        ? []
        : [
            {
              sid: 'SecurityGroupRules',
              actions: ['ec2:AuthorizeSecurityGroupIngress', 'ec2:RevokeSecurityGroupIngress'],
              resources: ['*'],
              conditions: { ArnEquals: { 'ec2:Vpc': vpcArn } },
            },
          ]),
    ]);
  }

  private constructor() {}
}
