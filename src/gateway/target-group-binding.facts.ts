// The TargetGroupBinding. kubernetes-sigs/aws-load-balancer-controller v3.5.0: config/crd/bases/elbv2.k8s.aws_targetgroupbindings.yaml
// for its fields, webhooks/elbv2/targetgroupbinding_validator.go for what is refused; that a name is not resolved without the
// webhook was seen running. EKS Auto Mode: Amazon EKS user guide (2024-12)
import type { Citation } from '../contract/kubernetes.facts';

export const TARGET_GROUP_BINDING_KIND = 'TargetGroupBinding';
export const TARGET_GROUP_BINDING_API_VERSION = 'elbv2.k8s.aws/v1beta1';

/** The same object, as EKS Auto Mode has it. */
export const AUTO_MODE_BINDING_API_VERSION = 'eks.amazonaws.com/v1';

export const VPC_ID = /^vpc-([0-9a-f]{8}|[0-9a-f]{17})$/;
export const SECURITY_GROUP_ID = /^sg-[0-9a-f]{8,17}$/;
export const TARGET_GROUP_ARN = /^arn:aws[a-z-]*:elasticloadbalancing:[a-z0-9-]+:\d{12}:targetgroup\/[^/]+\/[0-9a-f]+$/;

export const BINDING_VALIDATOR: Citation = {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: 'v3.5.0',
  file: 'webhooks/elbv2/targetgroupbinding_validator.go',
};
