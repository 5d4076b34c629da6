// What the AWS Load Balancer Controller calls, and what each call is checked against. Every policy is derived from these tables.
// kubernetes-sigs/aws-load-balancer-controller v3.5.0: docs/install/iam_policy.json (unchanged since v2.13.0),
// iam_policy_acm_certs.json, aga_controller_iam_policy.json, iam_policy_v1_to_v2_additional.json; the call sites are files of
// that tag. What AWS can check by tag: Service Authorization Reference, "Actions, resources, and condition keys for Elastic
// Load Balancing V2" and "for Amazon EC2" (2026).

/** The tag that the controller puts on what it makes, with its cluster name. */
export const CLUSTER_TAG = 'elbv2.k8s.aws/cluster';

/** The same tag of the first version of the controller, and the tag that marks accelerators. */
export const CLUSTER_TAG_OF_V1 = 'ingress.k8s.aws/cluster';
export const ACCELERATOR_TAG = 'aga.k8s.aws/resource';
export const ACCELERATOR_TAG_VALUE = 'GlobalAccelerator';

/** The service that the service-linked roles are of, in every partition. */
export const ELB_SERVICE_PRINCIPAL = 'elasticloadbalancing.amazonaws.com';
export const ACCELERATOR_SERVICE_PRINCIPAL = 'globalaccelerator.amazonaws.com';

/** What a call is needed for. `uncalled`: in the vendor's policy, and nowhere in its code. */
export type Purpose =
  | 'nlb'
  | 'alb'
  | 'capacity'
  | 'certificate-discovery'
  | 'certificate-management'
  | 'cognito'
  | 'global-accelerator'
  | 'migration-from-v1'
  | 'service-linked-role'
  | 'shield'
  | 'tagging-api'
  | 'waf-classic'
  | 'wafv2'
  | 'wafv2-by-name'
  | 'uncalled';

/** What the vendor's own policy covers. */
export const IN_DEFAULT_POLICY: readonly Purpose[] = [
  'nlb',
  'alb',
  'capacity',
  'certificate-discovery',
  'cognito',
  'service-linked-role',
  'shield',
  'waf-classic',
  'wafv2',
  'uncalled',
];

/** What a statement checks of the cluster tag: that the request carries it, does not carry it, or the resource has it. */
export type TagCheck = 'request-tagged' | 'request-untagged' | 'resource-tagged';

/** What a group of calls is allowed on, and under which conditions. */
export interface StatementFact {
  readonly sid: string;
  /** What follows `arn:<partition>:`; `*` stands for everything, `{kind}` for `net`, and `app` where there are ALBs. */
  readonly resources: readonly string[];
  readonly checks?: readonly TagCheck[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** Whether it can be narrowed to security groups of one VPC. */
  readonly vpc?: boolean;
  /** The only actions it is about, where its row has several statements. */
  readonly only?: readonly string[];
}

const BALANCERS_AND_GROUPS = [
  'elasticloadbalancing:*:*:targetgroup/*/*',
  'elasticloadbalancing:*:*:loadbalancer/{kind}/*/*',
];
const LISTENERS_AND_RULES = [
  'elasticloadbalancing:*:*:listener/{kind}/*/*/*',
  'elasticloadbalancing:*:*:listener-rule/{kind}/*/*/*',
];
const SECURITY_GROUPS = ['ec2:*:*:security-group/*'];
const ACCELERATORS = [
  'globalaccelerator::*:accelerator/*',
  'globalaccelerator::*:accelerator/*/listener/*',
  'globalaccelerator::*:accelerator/*/listener/*/endpoint-group/*',
];
const EVERYTHING = ['*'];
const OF_AN_ACCELERATOR = { StringEquals: { [`aws:ResourceTag/${ACCELERATOR_TAG}`]: ACCELERATOR_TAG_VALUE } };
const FOR_AN_ACCELERATOR = { StringEquals: { [`aws:RequestTag/${ACCELERATOR_TAG}`]: ACCELERATOR_TAG_VALUE } };

/** The statements, in the order in which they are written. */
export const STATEMENTS = {
  serviceLinkedRole: {
    sid: 'ServiceLinkedRole',
    resources: EVERYTHING,
    conditions: { StringEquals: { 'iam:AWSServiceName': ELB_SERVICE_PRINCIPAL } },
  },
  describe: { sid: 'Describe', resources: EVERYTHING },
  integrations: { sid: 'Integrations', resources: EVERYTHING },
  securityGroupRules: { sid: 'SecurityGroupRules', resources: EVERYTHING, vpc: true },
  securityGroupCreation: { sid: 'SecurityGroupCreation', resources: EVERYTHING },
  securityGroupTagsOnCreation: {
    sid: 'SecurityGroupTagsOnCreation',
    resources: SECURITY_GROUPS,
    checks: ['request-tagged'],
    conditions: { StringEquals: { 'ec2:CreateAction': 'CreateSecurityGroup' } },
  },
  securityGroupTags: {
    sid: 'SecurityGroupTags',
    resources: SECURITY_GROUPS,
    checks: ['request-untagged', 'resource-tagged'],
  },
  ownSecurityGroups: { sid: 'OwnSecurityGroups', resources: EVERYTHING, checks: ['resource-tagged'] },
  creation: { sid: 'Creation', resources: EVERYTHING, checks: ['request-tagged'] },
  listenerCreation: { sid: 'ListenerCreation', resources: EVERYTHING },
  tags: { sid: 'Tags', resources: BALANCERS_AND_GROUPS, checks: ['request-untagged', 'resource-tagged'] },
  listenerTags: { sid: 'ListenerTags', resources: LISTENERS_AND_RULES },
  ownResources: { sid: 'OwnResources', resources: EVERYTHING, checks: ['resource-tagged'] },
  tagsOnCreation: {
    sid: 'TagsOnCreation',
    resources: BALANCERS_AND_GROUPS,
    checks: ['request-tagged'],
    conditions: { StringEquals: { 'elasticloadbalancing:CreateAction': ['CreateTargetGroup', 'CreateLoadBalancer'] } },
  },
  targets: { sid: 'Targets', resources: ['elasticloadbalancing:*:*:targetgroup/*/*'] },
  listenerChanges: { sid: 'ListenerChanges', resources: EVERYTHING },
  certificates: { sid: 'Certificates', resources: EVERYTHING },
  certificateRequests: { sid: 'CertificateRequests', resources: EVERYTHING, checks: ['request-tagged'] },
  ownCertificates: { sid: 'OwnCertificates', resources: EVERYTHING, checks: ['resource-tagged'] },
  acceleratorServiceLinkedRole: {
    sid: 'AcceleratorServiceLinkedRole',
    resources: EVERYTHING,
    conditions: { StringEquals: { 'iam:AWSServiceName': ACCELERATOR_SERVICE_PRINCIPAL } },
  },
  acceleratorLists: { sid: 'AcceleratorLists', resources: EVERYTHING },
  ownAccelerators: {
    sid: 'OwnAccelerators',
    resources: ACCELERATORS,
    checks: ['resource-tagged'],
    conditions: OF_AN_ACCELERATOR,
  },
  acceleratorCreation: {
    sid: 'AcceleratorCreation',
    resources: EVERYTHING,
    checks: ['request-tagged'],
    conditions: FOR_AN_ACCELERATOR,
  },
  acceleratorTags: {
    sid: 'AcceleratorTags',
    resources: ['globalaccelerator::*:accelerator/*'],
    checks: ['request-untagged', 'resource-tagged'],
    conditions: OF_AN_ACCELERATOR,
  },
  acceleratorTagsOnCreation: {
    sid: 'AcceleratorTagsOnCreation',
    resources: ['globalaccelerator::*:accelerator/*'],
    checks: ['request-tagged'],
    conditions: FOR_AN_ACCELERATOR,
  },
  securityGroupTagsOfV1: {
    sid: 'SecurityGroupTagsOfV1',
    resources: SECURITY_GROUPS,
    conditions: { Null: { [`aws:ResourceTag/${CLUSTER_TAG_OF_V1}`]: 'false' } },
  },
  resourcesOfV1: {
    sid: 'ResourcesOfV1',
    resources: BALANCERS_AND_GROUPS,
    conditions: { Null: { [`aws:ResourceTag/${CLUSTER_TAG_OF_V1}`]: 'false' } },
  },
} as const satisfies Record<string, StatementFact>;

/** The name of a statement. */
export type StatementName = keyof typeof STATEMENTS;

/**
 * What takes the place of statements that the vendor leaves open, where only what belongs to one cluster may be touched. A
 * request for a security group is checked against the group and against its VPC, which has no tag of the request.
 */
export const STRICT_STATEMENTS: Readonly<Partial<Record<StatementName, readonly StatementFact[]>>> = {
  securityGroupCreation: [
    { sid: 'SecurityGroupCreation', resources: SECURITY_GROUPS, checks: ['request-tagged'] },
    { sid: 'SecurityGroupVpc', resources: ['ec2:*:*:vpc/*'] },
  ],
  listenerCreation: [{ sid: 'ListenerCreation', resources: EVERYTHING, checks: ['resource-tagged'] }],
  listenerTags: [
    {
      sid: 'ListenerTagsOnCreation',
      resources: LISTENERS_AND_RULES,
      checks: ['request-tagged'],
      conditions: { StringEquals: { 'elasticloadbalancing:CreateAction': ['CreateListener', 'CreateRule'] } },
      only: ['elasticloadbalancing:AddTags'],
    },
    { sid: 'ListenerTags', resources: LISTENERS_AND_RULES, checks: ['request-untagged', 'resource-tagged'] },
  ],
  targets: [{ sid: 'Targets', resources: ['elasticloadbalancing:*:*:targetgroup/*/*'], checks: ['resource-tagged'] }],
  listenerChanges: [{ sid: 'ListenerChanges', resources: EVERYTHING, checks: ['resource-tagged'] }],
};

/** An action, the statement that allows it, what it is needed for, and the file that calls it. */
export interface CallFact {
  readonly action: string;
  readonly statement: StatementName;
  readonly purpose: Purpose;
  /** A file of the controller; for what is in its policy and not in its code, the policy. */
  readonly source: string;
}

const POLICY = 'docs/install/iam_policy.json';
const TAGGING = 'pkg/deploy/elbv2/tagging_manager.go';
const BALANCERS = 'pkg/deploy/elbv2/load_balancer_manager.go';
const GROUPS = 'pkg/deploy/elbv2/target_group_manager.go';
const LISTENERS = 'pkg/deploy/elbv2/listener_manager.go';
const RULES = 'pkg/deploy/elbv2/listener_rule_manager.go';
const TARGETS = 'pkg/targetgroupbinding/targets_manager.go';
const GROUP_RULES = 'pkg/networking/security_group_manager.go';
const SECURITY = 'pkg/deploy/ec2/security_group_manager.go';
const SECURITY_TAGS = 'pkg/deploy/ec2/tagging_manager.go';
const CERTIFICATES = 'docs/install/iam_policy_acm_certs.json';
const ACCELERATOR = 'docs/install/aga_controller_iam_policy.json';
const FROM_V1 = 'docs/install/iam_policy_v1_to_v2_additional.json';

const elb = (name: string) => `elasticloadbalancing:${name}`;

function calls(
  statement: StatementName,
  purpose: Purpose,
  source: string,
  service: string,
  ...names: readonly string[]
): CallFact[] {
  return names.map((name) => ({ action: `${service}:${name}`, statement, purpose, source }));
}

/** Called nowhere in the controller: AWS is believed to check them itself, for the caller, when a balancer is made. */
const dependent = (...names: string[]) => calls('describe', 'nlb', POLICY, 'ec2', ...names);

/** Every action that a policy of the controller may name. */
export const CALLS: readonly CallFact[] = [
  ...calls('serviceLinkedRole', 'service-linked-role', POLICY, 'iam', 'CreateServiceLinkedRole'),

  ...dependent(
    'DescribeAccountAttributes',
    'DescribeAddresses',
    'DescribeInternetGateways',
    'DescribeVpcPeeringConnections',
  ),
  ...dependent('DescribeTags', 'GetCoipPoolUsage', 'DescribeCoipPools', 'GetSecurityGroupsForVpc', 'DescribeIpamPools'),
  ...calls('describe', 'nlb', 'pkg/networking/az_info_provider.go', 'ec2', 'DescribeAvailabilityZones'),
  ...calls('describe', 'nlb', 'pkg/networking/vpc_info_provider.go', 'ec2', 'DescribeVpcs'),
  ...calls('describe', 'nlb', 'pkg/networking/subnet_resolver.go', 'ec2', 'DescribeSubnets', 'DescribeRouteTables'),
  ...calls('describe', 'nlb', GROUP_RULES, 'ec2', 'DescribeSecurityGroups'),
  ...calls('describe', 'nlb', 'pkg/networking/node_info_provider.go', 'ec2', 'DescribeInstances'),
  ...calls('describe', 'nlb', 'pkg/networking/pod_eni_info_resolver.go', 'ec2', 'DescribeNetworkInterfaces'),
  ...calls(
    'describe',
    'nlb',
    TAGGING,
    'elasticloadbalancing',
    'DescribeLoadBalancers',
    'DescribeListeners',
    'DescribeRules',
    'DescribeTargetGroups',
    'DescribeTags',
  ),
  ...calls('describe', 'nlb', LISTENERS, 'elasticloadbalancing', 'DescribeListenerCertificates'),
  ...calls('describe', 'nlb', TARGETS, 'elasticloadbalancing', 'DescribeTargetHealth'),
  {
    action: elb('DescribeLoadBalancerAttributes'),
    statement: 'describe',
    purpose: 'nlb',
    source: 'pkg/deploy/elbv2/load_balancer_attributes_reconciler.go',
  },
  {
    action: elb('DescribeTargetGroupAttributes'),
    statement: 'describe',
    purpose: 'nlb',
    source: 'pkg/deploy/elbv2/target_group_attributes_reconciler.go',
  },
  {
    action: elb('DescribeListenerAttributes'),
    statement: 'describe',
    purpose: 'nlb',
    source: 'pkg/deploy/elbv2/listener_attributes_reconciler.go',
  },
  {
    action: elb('DescribeCapacityReservation'),
    statement: 'describe',
    purpose: 'capacity',
    source: 'pkg/deploy/elbv2/load_balancer_capacity_reservation_reconciler.go',
  },
  ...calls('describe', 'alb', 'pkg/shared_utils/alb_listener_utils.go', 'elasticloadbalancing', 'DescribeTrustStores'),
  ...calls('describe', 'uncalled', POLICY, 'elasticloadbalancing', 'DescribeSSLPolicies'),

  ...calls('integrations', 'cognito', POLICY, 'cognito-idp', 'DescribeUserPoolClient'),
  ...calls(
    'integrations',
    'certificate-discovery',
    'pkg/certs/cert_discovery.go',
    'acm',
    'ListCertificates',
    'DescribeCertificate',
  ),
  ...calls('integrations', 'uncalled', POLICY, 'iam', 'ListServerCertificates', 'GetServerCertificate'),
  ...calls('integrations', 'uncalled', POLICY, 'waf-regional', 'GetWebACL'),
  ...calls(
    'integrations',
    'waf-classic',
    'pkg/deploy/wafregional/web_acl_association_manager.go',
    'waf-regional',
    'GetWebACLForResource',
    'AssociateWebACL',
    'DisassociateWebACL',
  ),
  ...calls('integrations', 'uncalled', POLICY, 'wafv2', 'GetWebACL'),
  ...calls(
    'integrations',
    'wafv2',
    'pkg/deploy/wafv2/web_acl_association_manager.go',
    'wafv2',
    'GetWebACLForResource',
    'AssociateWebACL',
    'DisassociateWebACL',
  ),
  ...calls('integrations', 'wafv2-by-name', 'pkg/ingress/model_builder.go', 'wafv2', 'ListWebACLs'),
  ...calls(
    'integrations',
    'shield',
    'pkg/deploy/shield/protection_manager.go',
    'shield',
    'GetSubscriptionState',
    'DescribeProtection',
    'CreateProtection',
    'DeleteProtection',
  ),
  ...calls('integrations', 'tagging-api', TAGGING, 'tag', 'GetResources'),

  ...calls(
    'securityGroupRules',
    'nlb',
    GROUP_RULES,
    'ec2',
    'AuthorizeSecurityGroupIngress',
    'RevokeSecurityGroupIngress',
  ),
  ...calls('securityGroupCreation', 'nlb', SECURITY, 'ec2', 'CreateSecurityGroup'),
  ...calls('securityGroupTagsOnCreation', 'nlb', SECURITY, 'ec2', 'CreateTags'),
  ...calls('securityGroupTags', 'nlb', SECURITY_TAGS, 'ec2', 'CreateTags', 'DeleteTags'),
  ...calls(
    'ownSecurityGroups',
    'nlb',
    GROUP_RULES,
    'ec2',
    'AuthorizeSecurityGroupIngress',
    'RevokeSecurityGroupIngress',
  ),
  ...calls('ownSecurityGroups', 'nlb', SECURITY, 'ec2', 'DeleteSecurityGroup'),

  ...calls('creation', 'nlb', BALANCERS, 'elasticloadbalancing', 'CreateLoadBalancer'),
  ...calls('creation', 'nlb', GROUPS, 'elasticloadbalancing', 'CreateTargetGroup'),
  ...calls('listenerCreation', 'nlb', LISTENERS, 'elasticloadbalancing', 'CreateListener', 'DeleteListener'),
  ...calls('listenerCreation', 'alb', RULES, 'elasticloadbalancing', 'CreateRule', 'DeleteRule'),
  ...calls('tags', 'nlb', TAGGING, 'elasticloadbalancing', 'AddTags', 'RemoveTags'),
  ...calls('listenerTags', 'nlb', TAGGING, 'elasticloadbalancing', 'AddTags', 'RemoveTags'),
  ...calls(
    'ownResources',
    'nlb',
    BALANCERS,
    'elasticloadbalancing',
    'SetIpAddressType',
    'SetSecurityGroups',
    'SetSubnets',
    'DeleteLoadBalancer',
  ),
  {
    action: elb('ModifyLoadBalancerAttributes'),
    statement: 'ownResources',
    purpose: 'nlb',
    source: 'pkg/deploy/elbv2/load_balancer_attributes_reconciler.go',
  },
  ...calls('ownResources', 'nlb', GROUPS, 'elasticloadbalancing', 'ModifyTargetGroup', 'DeleteTargetGroup'),
  {
    action: elb('ModifyTargetGroupAttributes'),
    statement: 'ownResources',
    purpose: 'nlb',
    source: 'pkg/deploy/elbv2/target_group_attributes_reconciler.go',
  },
  {
    action: elb('ModifyListenerAttributes'),
    statement: 'ownResources',
    purpose: 'nlb',
    source: 'pkg/deploy/elbv2/listener_attributes_reconciler.go',
  },
  {
    action: elb('ModifyCapacityReservation'),
    statement: 'ownResources',
    purpose: 'capacity',
    source: 'pkg/deploy/elbv2/load_balancer_capacity_reservation_reconciler.go',
  },
  ...calls('ownResources', 'alb', BALANCERS, 'elasticloadbalancing', 'ModifyIpPools'),
  ...calls('tagsOnCreation', 'nlb', BALANCERS, 'elasticloadbalancing', 'AddTags'),
  ...calls('targets', 'nlb', TARGETS, 'elasticloadbalancing', 'RegisterTargets', 'DeregisterTargets'),
  ...calls(
    'listenerChanges',
    'nlb',
    LISTENERS,
    'elasticloadbalancing',
    'ModifyListener',
    'AddListenerCertificates',
    'RemoveListenerCertificates',
  ),
  ...calls('listenerChanges', 'alb', RULES, 'elasticloadbalancing', 'ModifyRule', 'SetRulePriorities'),
  ...calls('listenerChanges', 'uncalled', POLICY, 'elasticloadbalancing', 'SetWebAcl'),

  ...calls(
    'certificates',
    'certificate-management',
    CERTIFICATES,
    'acm',
    'ListTagsForCertificate',
    'AddTagsToCertificate',
  ),
  ...calls(
    'certificates',
    'certificate-management',
    CERTIFICATES,
    'route53',
    'ListHostedZones',
    'ListHostedZonesByName',
    'ChangeResourceRecordSets',
  ),
  ...calls(
    'certificates',
    'certificate-management',
    CERTIFICATES,
    'acm-pca',
    'IssueCertificate',
    'GetCertificate',
    'ListPermissions',
  ),
  ...calls('certificateRequests', 'certificate-management', CERTIFICATES, 'acm', 'RequestCertificate'),
  ...calls('ownCertificates', 'certificate-management', CERTIFICATES, 'acm', 'DeleteCertificate'),

  ...calls('acceleratorServiceLinkedRole', 'global-accelerator', ACCELERATOR, 'iam', 'CreateServiceLinkedRole'),
  ...calls(
    'acceleratorLists',
    'global-accelerator',
    ACCELERATOR,
    'globalaccelerator',
    'ListAccelerators',
    'ListEndpointGroups',
    'ListListeners',
    'ListTagsForResource',
  ),
  ...calls('acceleratorLists', 'global-accelerator', ACCELERATOR, 'ec2', 'DescribeRegions'),
  ...calls('acceleratorLists', 'global-accelerator', ACCELERATOR, 'tag', 'GetResources'),
  ...calls(
    'ownAccelerators',
    'global-accelerator',
    ACCELERATOR,
    'globalaccelerator',
    ...['DescribeAccelerator', 'DescribeEndpointGroup', 'DescribeListener', 'UpdateAccelerator', 'DeleteAccelerator'],
    ...['CreateListener', 'UpdateListener', 'DeleteListener', 'CreateEndpointGroup', 'UpdateEndpointGroup'],
    ...['DeleteEndpointGroup', 'AddEndpoints', 'RemoveEndpoints'],
  ),
  ...calls('acceleratorCreation', 'global-accelerator', ACCELERATOR, 'globalaccelerator', 'CreateAccelerator'),
  ...calls('acceleratorTags', 'global-accelerator', ACCELERATOR, 'globalaccelerator', 'TagResource', 'UntagResource'),
  ...calls('acceleratorTagsOnCreation', 'global-accelerator', ACCELERATOR, 'globalaccelerator', 'TagResource'),

  ...calls('securityGroupTagsOfV1', 'migration-from-v1', FROM_V1, 'ec2', 'CreateTags', 'DeleteTags'),
  ...calls(
    'resourcesOfV1',
    'migration-from-v1',
    FROM_V1,
    'elasticloadbalancing',
    'AddTags',
    'RemoveTags',
    'DeleteTargetGroup',
  ),
];

/** What a controller calls whose only task is to register targets with target groups of others. docs/guide/targetgroupbinding */
export const BINDING_READS: readonly string[] = [
  'ec2:DescribeVpcs',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeInstances',
  'elasticloadbalancing:DescribeTargetGroups',
  'elasticloadbalancing:DescribeTargetHealth',
];
export const BINDING_WRITES: readonly string[] = [
  'elasticloadbalancing:ModifyTargetGroup',
  'elasticloadbalancing:ModifyTargetGroupAttributes',
  'elasticloadbalancing:RegisterTargets',
  'elasticloadbalancing:DeregisterTargets',
];
