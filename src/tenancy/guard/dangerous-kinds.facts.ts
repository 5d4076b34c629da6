// Kinds of objects by which one tenant reaches another, of all engines. kubernetes-sigs/aws-load-balancer-controller v3.5.0:
// apis/gateway/v1, apis/elbv2/v1beta1; envoyproxy/gateway v1.9.1: api/v1alpha1; haproxytech/kubernetes-ingress v3.2.11: crs/definition

import { ownValue } from '../../contract/own-value';
import { GATEWAY_API } from '../tenancy.facts';

/** The group of the kinds of the AWS Load Balancer Controller for Gateways. */
export const AWS_GATEWAY_GROUP = 'gateway.k8s.aws';

/** The group of the kinds of Envoy Gateway. */
export const ENVOY_GATEWAY_GROUP = 'gateway.envoyproxy.io';

/** The group of the kinds of HAProxy's controller. */
const HAPROXY_GROUP = 'ingress.v3.haproxy.org';

/** By which targets are registered with any target group of an account. kubernetes-sigs/aws-load-balancer-controller v3.5.0: apis/elbv2/v1beta1 */
const TARGET_GROUP_BINDINGS = { group: 'elbv2.k8s.aws', resource: 'targetgroupbindings' } as const;

/** By which any balancer of an account gets an address in the internet, be it internal. The same: apis/aga/v1beta1 */
const GLOBAL_ACCELERATORS = { group: 'aga.k8s.aws', resource: 'globalaccelerators' } as const;

/** The first of EKS Auto Mode. docs.aws.amazon.com/eks/latest/userguide/migrate-auto.html */
const EKS_TARGET_GROUP_BINDINGS = { group: 'eks.amazonaws.com', resource: 'targetgroupbindings' } as const;

/** Kinds that reach target groups of others, or freeze the whole Gateway where one of them is wrong. */
export const NLB_DANGEROUS_KINDS = [
  TARGET_GROUP_BINDINGS,
  { group: AWS_GATEWAY_GROUP, resource: 'targetgroupconfigurations' },
  { group: AWS_GATEWAY_GROUP, resource: 'loadbalancerconfigurations' },
  { group: AWS_GATEWAY_GROUP, resource: 'listenerruleconfigurations' },
  GLOBAL_ACCELERATORS,
] as const;

/**
 * Kinds by which a tenant could undo its limits and source ranges, since the policy of a section outranks that of the whole
 * ListenerSet and the older of two policies wins; run code in the proxy of all; lead to any address; or take as much memory of the
 * proxies for each connection as it likes. With each change of how a proxy connects to a Service, changes of all others wait up to 15 seconds.
 */
export const ENVOY_DANGEROUS_KINDS = [
  { group: ENVOY_GATEWAY_GROUP, resource: 'clienttrafficpolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'securitypolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'envoyextensionpolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'envoypatchpolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'envoyproxies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'backends' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'backendtrafficpolicies' },
  { group: ENVOY_GATEWAY_GROUP, resource: 'httproutefilters' },
  { group: GATEWAY_API.group, resource: 'backendtlspolicies' },
] as const;

/** Kinds by which a tenant could take ports of others, undo its limits, or write into the configuration of all. */
export const HAPROXY_DANGEROUS_KINDS = [
  ...['tcps', 'backends', 'frontends', 'defaults', 'globals', 'validationrules'].map((resource) => ({
    group: HAPROXY_GROUP,
    resource,
  })),
  ...['tcps', 'backends', 'defaults', 'globals'].map((resource) => ({ group: 'ingress.v1.haproxy.org', resource })),
] as const;

/** Kinds by which a tenant reaches a balancer that was made of a Service, by the controller that made it. */
const KINDS_OF_FRONTS: Readonly<Record<string, readonly { readonly group: string; readonly resource: string }[]>> = {
  'aws-load-balancer-controller': [TARGET_GROUP_BINDINGS, GLOBAL_ACCELERATORS],
  'cloud-provider-aws': [TARGET_GROUP_BINDINGS, GLOBAL_ACCELERATORS],
  'eks-auto-mode': [EKS_TARGET_GROUP_BINDINGS, TARGET_GROUP_BINDINGS, GLOBAL_ACCELERATORS],
};

/** The kinds by which a tenant reaches the balancer in front of proxies, by the controller that makes it. */
export function kindsOfFront({
  name,
}: {
  readonly name: string;
}): readonly { readonly group: string; readonly resource: string }[] {
  return ownValue(KINDS_OF_FRONTS, name) ?? [];
}

/** The kinds of all engines; `*` is every kind of the group. */
export const DANGEROUS_KINDS_OF_ENGINES: readonly { readonly group: string; readonly resource: string }[] = [
  ...NLB_DANGEROUS_KINDS,
  { group: AWS_GATEWAY_GROUP, resource: '*' },
  { group: ENVOY_GATEWAY_GROUP, resource: '*' },
  ...HAPROXY_DANGEROUS_KINDS,
  EKS_TARGET_GROUP_BINDINGS,
];
