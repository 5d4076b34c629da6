import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { AWS_LBC_FINALIZER } from '../controllers/aws-load-balancer-controller/annotations';
import { EKS_AUTO_MODE_FINALIZER } from '../controllers/eks-auto-mode/annotations';
import { BINDING_FINALIZER } from '../policies/policy.facts';

/**
 * The kind on which a finalizer is removed, by the text that it has or begins with; those of AWS as in
 * pkg/shared_constants/finalizers.go of its controller.
 */
export const FINALIZER_KINDS: readonly (readonly [finalizer: string, kind: string])[] = [
  [LOAD_BALANCER_CLEANUP_FINALIZER, 'Service'],
  [EKS_AUTO_MODE_FINALIZER, 'Service'],
  [AWS_LBC_FINALIZER, 'Service'],
  ['ingress.k8s.aws/resources', 'Ingress'],
  ['group.ingress.k8s.aws/', 'Ingress'],
  [BINDING_FINALIZER, 'TargetGroupBinding'],
  ['gateway.k8s.aws/nlb', 'Gateway'],
  ['gateway.k8s.aws/alb', 'Gateway'],
  ['gateway.k8s.aws/gatewayclass', 'GatewayClass'],
  ['gateway.k8s.aws/loadbalancerconfigurations', 'LoadBalancerConfiguration'],
  ['gateway.k8s.aws/targetgroupconfigurations', 'TargetGroupConfiguration'],
  ['gateway.k8s.aws/listenerruleconfigurations', 'ListenerRuleConfiguration'],
];
