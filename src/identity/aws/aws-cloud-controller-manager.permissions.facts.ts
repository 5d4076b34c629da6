// What the AWS cloud controller manager calls. kubernetes/cloud-provider-aws v1.36.1: docs/prerequisites.md for the documented
// policy, pkg/providers/v1 for the call sites.

/** The parts of the program that call AWS. `uncalled`: documented, and called by none of them. */
export type CloudControllerPart = 'nodes' | 'node-tags' | 'routes' | 'classic' | 'network' | 'uncalled';

/** A group of actions, who needs them, and whether the documentation names them. */
export interface CloudControllerCalls {
  readonly parts: readonly CloudControllerPart[];
  readonly service: string;
  readonly names: readonly string[];
  readonly documented: boolean;
  /** Below `pkg/providers/v1`, unless it begins with `docs`. */
  readonly source: string;
}

export const CLOUD_CONTROLLER_CALLS: readonly CloudControllerCalls[] = [
  {
    parts: ['nodes'],
    service: 'ec2',
    names: ['DescribeInstances', 'DescribeAvailabilityZones', 'DescribeInstanceTopology'],
    documented: true,
    source: 'instances.go, zones.go, topology.go',
  },
  {
    parts: ['nodes'],
    service: 'ec2',
    names: ['DescribeNetworkInterfaces'],
    documented: false,
    source: 'variant/fargate/fargate.go',
  },
  {
    parts: ['node-tags', 'classic', 'network'],
    service: 'ec2',
    names: ['CreateTags'],
    documented: true,
    source: 'tags.go',
  },
  { parts: ['node-tags'], service: 'ec2', names: ['DeleteTags'], documented: false, source: 'tags.go' },
  {
    parts: ['routes'],
    service: 'ec2',
    names: ['CreateRoute', 'DeleteRoute', 'ModifyInstanceAttribute'],
    documented: true,
    source: 'aws_routes.go',
  },
  {
    parts: ['routes', 'classic', 'network'],
    service: 'ec2',
    names: ['DescribeRouteTables'],
    documented: true,
    source: 'aws.go, aws_routes.go',
  },
  {
    parts: ['classic', 'network'],
    service: 'ec2',
    names: [
      'DescribeSecurityGroups',
      'DescribeSubnets',
      'CreateSecurityGroup',
      'DeleteSecurityGroup',
      'AuthorizeSecurityGroupIngress',
      'RevokeSecurityGroupIngress',
    ],
    documented: true,
    source: 'aws.go',
  },
  {
    parts: ['classic', 'network'],
    service: 'elasticloadbalancing',
    names: [
      'AddTags',
      'CreateLoadBalancer',
      'DeleteLoadBalancer',
      'DescribeLoadBalancers',
      'DescribeLoadBalancerAttributes',
      'ModifyLoadBalancerAttributes',
    ],
    documented: true,
    source: 'aws.go, aws_loadbalancer.go',
  },
  {
    parts: ['classic'],
    service: 'elasticloadbalancing',
    names: [
      'ApplySecurityGroupsToLoadBalancer',
      'AttachLoadBalancerToSubnets',
      'ConfigureHealthCheck',
      'CreateLoadBalancerListeners',
      'CreateLoadBalancerPolicy',
      'DeleteLoadBalancerListeners',
      'DeregisterInstancesFromLoadBalancer',
      'DescribeLoadBalancerPolicies',
      'DetachLoadBalancerFromSubnets',
      'RegisterInstancesWithLoadBalancer',
      'SetLoadBalancerPoliciesForBackendServer',
      'SetLoadBalancerPoliciesOfListener',
    ],
    documented: true,
    source: 'aws_loadbalancer.go',
  },
  {
    parts: ['network'],
    service: 'elasticloadbalancing',
    names: [
      'CreateListener',
      'CreateTargetGroup',
      'DeleteListener',
      'DeleteTargetGroup',
      'DeregisterTargets',
      'DescribeListeners',
      'DescribeTargetGroups',
      'DescribeTargetHealth',
      'ModifyListener',
      'ModifyTargetGroup',
      'RegisterTargets',
    ],
    documented: true,
    source: 'aws_loadbalancer.go',
  },
  {
    // neither in the documentation nor in the code of the tag; both have it in commit 63ec440c, which is not released
    parts: ['network'],
    service: 'elasticloadbalancing',
    names: ['SetSecurityGroups'],
    documented: false,
    source: 'aws_loadbalancer.go',
  },
  {
    parts: ['network'],
    service: 'elasticloadbalancing',
    names: ['DescribeTargetGroupAttributes', 'ModifyTargetGroupAttributes'],
    documented: false,
    source: 'aws_loadbalancer.go',
  },
  {
    parts: ['uncalled'],
    service: 'ec2',
    names: [
      'AttachVolume',
      'CreateVolume',
      'DeleteVolume',
      'DescribeRegions',
      'DescribeVolumes',
      'DescribeVpcs',
      'DetachVolume',
      'ModifyVolume',
    ],
    documented: true,
    source: 'docs/prerequisites.md',
  },
  {
    parts: ['uncalled'],
    service: 'autoscaling',
    names: ['DescribeAutoScalingGroups', 'DescribeLaunchConfigurations', 'DescribeTags'],
    documented: true,
    source: 'docs/prerequisites.md',
  },
  { parts: ['uncalled'], service: 'kms', names: ['DescribeKey'], documented: true, source: 'docs/prerequisites.md' },
];
