/**
 * The minor version that first let a Network Load Balancer have security groups of the user's, where NLBSecurityGroupMode is
 * Managed. 1.35 and 1.36 refuse them, and older ones make the balancer without any.
 * pkg/providers/v1/aws.go and aws_validations.go, tags v1.34.3, v1.35.0 and v1.36.1, and module k8s.io/cloud-provider-aws v1.37.0
 */
export const NLB_SECURITY_GROUPS_SINCE = '1.37';

/** The minor version that first refused them, and further groups; before, they were not read. */
export const NLB_SECURITY_GROUPS_REFUSED_SINCE = '1.35';

/** The minor version that first read attributes of target groups, and refused them for a Classic Load Balancer. */
export const TARGET_GROUP_ATTRIBUTES_SINCE = '1.34';

/** The values of the type annotation by which a Service is left to the AWS Load Balancer Controller. */
export const IMPLEMENTED_ELSEWHERE: readonly string[] = ['external', 'nlb-ip'];

/** The value of the type annotation that makes a Network Load Balancer. */
export const NLB_TYPE = 'nlb';
