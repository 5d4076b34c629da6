import type { Owner } from '../harness/control-plane';
import { AWS_RESOURCES } from './finalizers';

const TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const TARGET_TYPE = 'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type';

/** The service controller's cloud, which keeps the ledger. */
export const SERVICE_CONTROLLER = 'ledger';

/**
 * What the clouds of AWS leave to another controller: kubernetes/cloud-provider-aws v1.36.1, pkg/providers/v1/aws.go,
 * isLBExternal.
 */
export const LEFT_TO_OTHERS = { [TYPE]: ['external', 'nlb-ip'] };

/** The class and claims of kubernetes-sigs/aws-load-balancer-controller v3.5.0, pkg/service/service_utils.go */
export const AWS_LOAD_BALANCER_CONTROLLER: Owner = {
  name: 'aws-load-balancer-controller',
  finalizer: AWS_RESOURCES,
  classes: ['service.k8s.aws/nlb'],
  annotations: [{ [TYPE]: ['nlb-ip'] }, { [TYPE]: ['external'], [TARGET_TYPE]: ['ip', 'instance'] }],
};

/** The class as in the Amazon EKS User Guide, 2026-11, auto-configure-nlb; its finalizer is not documented. */
export const EKS_AUTO_MODE: Owner = {
  name: 'eks-auto-mode',
  finalizer: 'service.eks.amazonaws.com/resources',
  classes: ['eks.amazonaws.com/nlb'],
};

/** The classes of kubernetes/ingress-gce acbcf5d6, pkg/l4/annotations and pkg/utils/common/finalizer.go */
export const GKE: readonly Owner[] = [
  {
    name: 'gke-l4-external',
    finalizer: 'gke.networking.io/l4-netlb-v2',
    classes: ['networking.gke.io/l4-regional-external'],
  },
  {
    name: 'gke-l4-internal',
    finalizer: 'gke.networking.io/l4-ilb-v2',
    classes: ['networking.gke.io/l4-regional-internal'],
  },
];

/** Claims every classless Service and adds no finalizer: metallb/metallb v0.16.2, controller/service.go */
export const METALLB: Owner = { name: 'metallb', classless: true };

/** The classes of cilium/cilium 079d9740, operator/pkg/lbipam/lbipam.go; it adds no finalizer. */
export const CILIUM: Owner = {
  name: 'cilium',
  classes: ['io.cilium/l2-announcer', 'io.cilium/bgp-control-plane', 'io.cilium/node'],
};

/** The class of kube-vip/kube-vip bee5cfe, pkg/services/processor.go; it adds no finalizer. */
export const KUBE_VIP: Owner = { name: 'kube-vip', classes: ['kube-vip.io/kube-vip-class'] };
