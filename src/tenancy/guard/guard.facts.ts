import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS } from '../../contract/kubernetes.facts';
import { ownValue } from '../../contract/own-value';
import { GATEWAY_API } from '../tenancy.facts';

// Names, versions and limits around admission.

/** Groups and versions of the API server. kubernetes/api v0.36.3: admissionregistration/v1, core/v1, rbac/v1 */
export const ADMISSION_API_VERSION = 'admissionregistration.k8s.io/v1';
export const ADMISSION_GROUP = 'admissionregistration.k8s.io';
export const VALIDATING_POLICY = 'ValidatingAdmissionPolicy';
export const VALIDATING_BINDING = 'ValidatingAdmissionPolicyBinding';
export const RBAC_API_VERSION = 'rbac.authorization.k8s.io/v1';
export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** The variables in which a policy of the guard collects what is wrong with a request, and the condition that nothing is. */
export const FAULTS_VARIABLE = 'faults';
export const SAID_VARIABLE = 'said';
export const NO_FAULTS = `size(variables.${FAULTS_VARIABLE}) == 0`;

/** What Roles are added to by label. kubernetes/kubernetes v1.36.3: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go */
export const AGGREGATE_PREFIX = 'rbac.authorization.k8s.io/aggregate-to-';

/**
 * From when on policies know `isCIDR`, `cidr` and lists with `join`. kubernetes/apiserver v0.36.3:
 * pkg/cel/environment/base.go; ValidatingAdmissionPolicy itself is v1 since then: kubernetes/enhancements, KEP 3488
 */
export const VALIDATING_POLICIES_SINCE = '1.30';

/** From when on MutatingAdmissionPolicy is v1. kubernetes/enhancements, KEP 3962; seen with 1.36.3 */
export const MUTATING_POLICIES_SINCE = '1.36';

/**
 * Characters of a message, of the 5 KiB above which the API server falls back to a fixed one; the rest is for what is
 * written by hand. kubernetes/apiserver v0.36.3: pkg/apis/cel/config.go
 */
export const MESSAGE_CHARACTERS = 3000;

/**
 * Characters of an object that etcd takes, of its 1.5 MiB; the rest is for what the API server adds. etcd-io/etcd v3.6.5:
 * server/embed/config.go (DefaultMaxRequestBytes); 10,000 tenants with a port and a domain each were seen to fit
 */
export const STORED_CHARACTERS = 1_400_000;

/** Characters of the sentence that an organisation adds to refusals. */
export const HELP_CHARACTERS = 400;

/** Characters of a condition in which variables are written out, of the 100,000 of an expression. google/cel-go v0.26.0: parser/parser.go */
export const INLINED_CHARACTERS = 50_000;

/** Kyverno's superset of MutatingAdmissionPolicy. kyverno/kyverno v1.19.1: config/crds/policies.kyverno.io */
export const KYVERNO_API_VERSION = 'policies.kyverno.io/v1';
export const KYVERNO_MUTATING_POLICY = 'MutatingPolicy';

/** The mechanism for API servers that are too old, as remedies name it. */
export const OLDER_MECHANISM = 'ClassDefaultMechanism.kyverno() if Kyverno runs';

/** The annotation of a namespace with the ports that it may listen on at a shared balancer: `20000-20009,30017`. */
export const PORTS_ANNOTATION = 'cdk8s-load-balancers/ports';

/**
 * The identities that write the addresses and finalizers of Services on any cloud, under their default names; those of single
 * controllers are beside the controllers.
 */
export const CONTROLLER_SERVICE_ACCOUNTS: readonly (readonly [namespace: string, name: string])[] = [
  // kubernetes/kubernetes v1.36.3: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go
  ['kube-system', 'service-controller'],
  // the manifests of cloud providers: kubernetes/cloud-provider-aws v1.36.1: charts/aws-cloud-controller-manager;
  // kubernetes-sigs/cloud-provider-azure v1.36.5: helm/cloud-provider-azure; kubernetes/cloud-provider-openstack v1.36.0: manifests
  ['kube-system', 'cloud-controller-manager'],
];

/** It writes what the hooks of others want. metacontroller/metacontroller v4.17.2: manifests/production/metacontroller.yaml */
export const HOOK_RUNNER = ['metacontroller', 'metacontroller'] as const;

/** The same where controllers have a certificate. kubernetes/apiserver v0.36.3: pkg/authentication/user/user.go */
export const CONTROLLER_USERS: readonly string[] = [
  'system:kube-controller-manager',
  'system:cloud-controller-manager',
];

/** The group of Ingresses. kubernetes/api v0.36.3: networking/v1 */
export const NETWORKING_GROUP = 'networking.k8s.io';

/** The class of an Ingress as it was set before the field came. kubernetes/ingress-gce acbcf5d6: pkg/annotations/ingress.go */
export const INGRESS_CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/**
 * The identities that delete what is in a namespace that goes, or whose owner went. kubernetes/kubernetes v1.36.3:
 * plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go
 */
export const DELETER_SERVICE_ACCOUNTS: readonly (readonly [namespace: string, name: string])[] = [
  ['kube-system', 'namespace-controller'],
  ['kube-system', 'generic-garbage-collector'],
];

/** The same where all controllers of Kubernetes are one user. kubernetes/apiserver v0.36.3: pkg/authentication/user/user.go */
export const DELETER_USERS: readonly string[] = ['system:kube-controller-manager'];

/** How the API server names a service account. kubernetes/apiserver v0.36.3: pkg/authentication/serviceaccount/util.go */
export const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The group of all service accounts of a namespace. kubernetes/apiserver v0.36.3: pkg/authentication/serviceaccount/util.go */
export const SERVICE_ACCOUNT_GROUP_PREFIX = 'system:serviceaccounts:';

/** Groups and users that all tenants belong to. kubernetes/apiserver v0.36.3: pkg/authentication/user/user.go, pkg/authentication/serviceaccount/util.go */
export const EVERYBODY_GROUPS: readonly string[] = [
  'system:authenticated',
  'system:serviceaccounts',
  'system:unauthenticated',
];
export const EVERYBODY_USERS: readonly string[] = ['system:anonymous'];

/** The group of EndpointSlices. kubernetes/api v0.36.3: discovery/v1 */
export const DISCOVERY_GROUP = 'discovery.k8s.io';

/**
 * By which an object asks external-dns for names, comma-separated. kubernetes-sigs/external-dns 05113e0:
 * source/annotations/annotations.go; its flag --annotation-prefix can change the beginning
 */
export const DNS_HOSTNAME_ANNOTATIONS: readonly string[] = EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.flatMap((key) => [
  key,
  key.replace('/hostname', '/internal-hostname'),
]);

/** The kind of records that external-dns reads. kubernetes-sigs/external-dns 05113e0: apis/v1alpha1 */
export const DNS_ENDPOINT = { group: 'externaldns.k8s.io', kind: 'DNSEndpoint', resource: 'dnsendpoints' } as const;

/**
 * Annotations that let clients in beside `spec.loadBalancerSourceRanges`, or put these out of force, as the options that write
 * them. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/service/model_build_managed_sg.go (prefix lists beside the ranges),
 * pkg/service/model_build_load_balancer.go (groups instead of the one with the ranges, or none). EKS Auto Mode has the same keys.
 */
export const OPENING_OPTIONS = {
  controllers: ['aws-load-balancer-controller', 'eks-auto-mode'] as readonly string[],
  catalogue: 'aws-load-balancer-controller',
  options: ['securityGroups', 'securityGroupPrefixLists', 'disableNlbSg'] as readonly string[],
} as const;

// Kinds of objects by which one tenant reaches another, of all engines. kubernetes-sigs/aws-load-balancer-controller v3.5.0:
// apis/gateway/v1, apis/elbv2/v1beta1; envoyproxy/gateway v1.9.1: api/v1alpha1; haproxytech/kubernetes-ingress v3.2.11: crs/definition

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
