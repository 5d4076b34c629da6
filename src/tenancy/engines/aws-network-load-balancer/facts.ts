// kubernetes-sigs/aws-load-balancer-controller v3.5.0: docs/guide/gateway/l4gateway.md, docs/guide/gateway/loadbalancerconfig.md,
// docs/guide/gateway/targetgroupconfig.md, pkg/gateway/constants/controller_constants.go, apis/gateway/v1; what is known of
// tenants was seen with this version running.

/** The controller of Gateways that are Network Load Balancers. */
export const NLB_GATEWAY_CONTROLLER = 'gateway.k8s.aws/nlb';

/** The version of its own kinds. */
export const AWS_GATEWAY_VERSION = 'gateway.k8s.aws/v1';

/** What the GatewayClass is called in the controller's documentation. */
export const NLB_GATEWAY_CLASS = 'aws-nlb';

/** Listeners of one NLB; the quota cannot be raised. docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-limits.html */
export const NLB_LISTENERS = 50;

/** Attributes of target groups. docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html */
export const PRESERVE_CLIENT_IP = 'preserve_client_ip.enabled';
export const PROXY_PROTOCOL_V2 = 'proxy_protocol_v2.enabled';

export { DELETION_PROTECTION } from '../../../controllers/aws/annotations';

/** Ids of security groups; what begins so is looked for by id, anything else by name. pkg/networking/security_group_resolver.go */
export const SECURITY_GROUP_ID = /^sg-[0-9a-f]+$/;

/** Names of security groups, which may hold blanks. docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateSecurityGroup.html */
export const SECURITY_GROUP_NAME = /^\S(?:.{0,253}\S)?$/;
