import type { Part } from './facts';

/** What a webhook is asked about only: an expression over the object, evaluated by the API server itself. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A requirement of a label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** A webhook of the controller. */
export interface WebhookFact {
  readonly part: Part;
  readonly type: 'mutating' | 'validating';
  readonly name: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly operations: readonly string[];
  /** What happens to the request where no controller answers: the controller is down, or not there yet. */
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** The prop of the installation that says something else. */
  readonly failurePolicyProp?: 'podMutatorFailurePolicy';
  /** It asks AWS before it answers. webhooks/elbv2 */
  readonly asksAws?: true;
  /** What upstream's installation says, where that is something else. */
  readonly upstreamFailurePolicy?: 'Fail';
  /** The namespaces that it is for; those of the cluster itself and of the controller are never among them. */
  readonly namespaces?: readonly LabelRequirement[];
  /** It never concerns the namespaces of the cluster itself and of the controller. */
  readonly sparesSystem?: true;
  /** It never concerns objects of the controller's own installation. */
  readonly sparesItself?: true;
  readonly objects?: readonly LabelRequirement[];
  readonly conditions?: readonly MatchCondition[];
}

/** The file of kubernetes-sigs/aws-load-balancer-controller, tag v3.5.0, that webhooks were read in; selectors: templates/webhook.yaml of its chart. */
export const WEBHOOKS_FILE = 'config/webhook/manifests.yaml';

/**
 * How long a request waits for an answer. The controller looks into its caches, which takes milliseconds. Behind a closed
 * security group no controller answers at all: each request, and each retry of it, would wait the 10 seconds of the API server's default
 * before the failure policy counts. kubernetes/api v0.37.2, admissionregistration/v1/types.go
 */
export const WEBHOOK_SECONDS = 5;

/** The same where it asks AWS first, which may be slow: what fails here is refused. */
export const ASKS_AWS_SECONDS = 10;

/** While the controller is away, finalizers can still be taken off what is being deleted. */
const NOT_BEING_DELETED: MatchCondition = {
  name: 'not-being-deleted',
  expression: '!has(object.metadata.deletionTimestamp)',
};

/** All others go through without being asked about, above all those of other types. */
const WANTS_A_CLASS: MatchCondition = {
  name: 'load-balancer-without-class',
  expression: "object.spec.type == 'LoadBalancer' && !has(object.spec.loadBalancerClass)",
};

const AGENT_NAMESPACE_LABEL = 'elbv2.k8s.aws/alb-target-control-agent-injection';
const AGENT_LABEL = 'elbv2.k8s.aws/alb-target-control-agent-inject';

const enabled = (key: string): LabelRequirement => ({ key, operator: 'In', values: ['enabled'] });

const POD_CREATION = { group: '', version: 'v1', resource: 'pods', operations: ['CREATE'] } as const;
const SPARING = { sparesSystem: true, sparesItself: true } as const;
const TARGET_GROUP_BINDING = {
  group: 'elbv2.k8s.aws',
  version: 'v1beta1',
  resource: 'targetgroupbindings',
  operations: ['CREATE', 'UPDATE'],
  failurePolicy: 'Fail',
  asksAws: true,
  conditions: [NOT_BEING_DELETED],
} as const;

/** The webhook that gives the class of the controller to Services without one. */
export const SERVICE_WEBHOOK_NAME = 'mservice.elbv2.k8s.aws';

/** The webhooks of the controller, in upstream's order. */
export const WEBHOOKS: readonly WebhookFact[] = [
  {
    part: 'core',
    type: 'mutating',
    name: 'mpod.elbv2.k8s.aws',
    path: '/mutate-v1-pod',
    ...POD_CREATION,
    failurePolicy: 'Ignore',
    failurePolicyProp: 'podMutatorFailurePolicy',
    namespaces: [enabled('elbv2.k8s.aws/pod-readiness-gate-inject')],
    ...SPARING,
  },
  {
    part: 'core',
    type: 'mutating',
    name: 'quicid.elbv2.k8s.aws',
    path: '/mutate-v1-pod-server-id',
    ...POD_CREATION,
    failurePolicy: 'Fail',
    namespaces: [enabled('elbv2.k8s.aws/quic-server-id-inject')],
    ...SPARING,
  },
  {
    part: 'service-webhook',
    type: 'mutating',
    name: SERVICE_WEBHOOK_NAME,
    path: '/mutate-v1-service',
    group: '',
    version: 'v1',
    resource: 'services',
    operations: ['CREATE'],
    failurePolicy: 'Fail',
    ...SPARING,
    conditions: [WANTS_A_CLASS],
  },
  // the controller answers on these two paths only with the gate: without it every pod that they are for is refused
  {
    part: 'alb-target-control',
    type: 'mutating',
    name: 'alb-target-control.namespace.elbv2.k8s.aws',
    path: '/mutate-alb-target-control-namespace-v1-pod',
    ...POD_CREATION,
    failurePolicy: 'Fail',
    namespaces: [enabled(AGENT_NAMESPACE_LABEL)],
    ...SPARING,
    objects: [{ key: AGENT_LABEL, operator: 'NotIn', values: ['false'] }],
  },
  {
    part: 'alb-target-control',
    type: 'mutating',
    name: 'alb-target-control.object.elbv2.k8s.aws',
    path: '/mutate-alb-target-control-object-v1-pod',
    ...POD_CREATION,
    failurePolicy: 'Fail',
    namespaces: [{ key: AGENT_NAMESPACE_LABEL, operator: 'DoesNotExist' }],
    ...SPARING,
    objects: [{ key: AGENT_LABEL, operator: 'In', values: ['true'] }],
  },
  {
    part: 'core',
    type: 'mutating',
    name: 'mtargetgroupbinding.elbv2.k8s.aws',
    path: '/mutate-elbv2-k8s-aws-v1beta1-targetgroupbinding',
    ...TARGET_GROUP_BINDING,
  },
  {
    part: 'ingress',
    type: 'validating',
    name: 'vingressclassparams.elbv2.k8s.aws',
    path: '/validate-elbv2-k8s-aws-v1beta1-ingressclassparams',
    group: 'elbv2.k8s.aws',
    version: 'v1beta1',
    resource: 'ingressclassparams',
    operations: ['CREATE', 'UPDATE'],
    failurePolicy: 'Fail',
    sparesItself: true,
    conditions: [NOT_BEING_DELETED],
  },
  {
    part: 'core',
    type: 'validating',
    name: 'vtargetgroupbinding.elbv2.k8s.aws',
    path: '/validate-elbv2-k8s-aws-v1beta1-targetgroupbinding',
    ...TARGET_GROUP_BINDING,
  },
  // it is asked about the Ingresses of every other controller as well; what it refuses the controller refuses again later
  {
    part: 'ingress',
    type: 'validating',
    name: 'vingress.elbv2.k8s.aws',
    path: '/validate-networking-v1-ingress',
    group: 'networking.k8s.io',
    version: 'v1',
    resource: 'ingresses',
    operations: ['CREATE', 'UPDATE'],
    failurePolicy: 'Ignore',
    upstreamFailurePolicy: 'Fail',
    sparesSystem: true,
    conditions: [NOT_BEING_DELETED],
  },
  {
    part: 'global-accelerator',
    type: 'validating',
    name: 'vglobalaccelerator.aga.k8s.aws',
    path: '/validate-aga-k8s-aws-v1beta1-globalaccelerator',
    group: 'aga.k8s.aws',
    version: 'v1beta1',
    resource: 'globalaccelerators',
    operations: ['CREATE', 'UPDATE'],
    failurePolicy: 'Fail',
    conditions: [NOT_BEING_DELETED],
  },
];
