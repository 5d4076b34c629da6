// Kinds of objects by which one tenant reaches another, of all engines. kubernetes-sigs/aws-load-balancer-controller v3.5.0:
// apis/gateway/v1, apis/elbv2/v1beta1; envoyproxy/gateway v1.9.1: api/v1alpha1; haproxytech/kubernetes-ingress v3.2.11: crs/definition

/** The group of the kinds of the AWS Load Balancer Controller for Gateways. */
export const AWS_GATEWAY_GROUP = 'gateway.k8s.aws';

/** The group of the kinds of Envoy Gateway. */
export const ENVOY_GATEWAY_GROUP = 'gateway.envoyproxy.io';

/** The group of the kinds of HAProxy's controller. */
const HAPROXY_GROUP = 'ingress.v3.haproxy.org';

/** Kinds that reach target groups of others, or freeze the whole Gateway where one of them is wrong. */
export const NLB_DANGEROUS_KINDS = [
  { group: 'elbv2.k8s.aws', resource: 'targetgroupbindings' },
  { group: AWS_GATEWAY_GROUP, resource: 'targetgroupconfigurations' },
  { group: AWS_GATEWAY_GROUP, resource: 'loadbalancerconfigurations' },
  { group: AWS_GATEWAY_GROUP, resource: 'listenerruleconfigurations' },
] as const;

/**
 * Kinds by which a tenant could undo its limits and source ranges, since the policy of a section outranks that of the whole
 * ListenerSet and the older of two policies wins; run code in the proxy of all; or lead to any address.
 */
export const ENVOY_DANGEROUS_KINDS = [
  { group: ENVOY_GATEWAY_GROUP, resource: 'clienttrafficpolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'securitypolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'envoyextensionpolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'envoypatchpolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'envoyproxies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'backends' },
] as const;

/** Kinds by which a tenant could take ports of others, undo its limits, or write into the configuration of all. */
export const HAPROXY_DANGEROUS_KINDS = [
  ...['tcps', 'backends', 'frontends', 'defaults', 'globals', 'validationrules'].map((resource) => ({
    group: HAPROXY_GROUP,
    resource,
  })),
  ...['tcps', 'backends', 'defaults', 'globals'].map((resource) => ({ group: 'ingress.v1.haproxy.org', resource })),
] as const;

/** The kinds of all engines; `*` is every kind of the group. */
export const DANGEROUS_KINDS_OF_ENGINES: readonly { readonly group: string; readonly resource: string }[] = [
  ...NLB_DANGEROUS_KINDS,
  { group: AWS_GATEWAY_GROUP, resource: '*' },
  { group: ENVOY_GATEWAY_GROUP, resource: '*' },
  ...HAPROXY_DANGEROUS_KINDS,
];
