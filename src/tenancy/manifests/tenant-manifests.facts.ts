// What means something to load balancers, and what is between tenants.

import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { OTHER_CONTROLLERS } from '../../controllers/marks.facts';
import { DISCOVERY_GROUP, KYVERNO_API_VERSION } from '../guard/guard.facts';
import { DECORATOR_GROUP, DECORATOR_KINDS } from '../tenancy.facts';

/** Beginnings of annotations that only makers of load balancers read. */
export const BALANCER_PREFIXES: readonly string[] = [
  // kubernetes/api v0.36: core/v1/annotation_key_constants.go; every cloud provider puts its own behind it
  'service.beta.kubernetes.io/',
  'service.alpha.kubernetes.io/',
  ...OTHER_CONTROLLERS.flatMap(({ keys }) => keys),
];

/**
 * The finalizers of controllers that delete the balancer of a Service which asks for none any more, with the finalizer or without
 * it; the others look for their finalizer. kubernetes/cloud-provider v0.36.3: controllers/service/controller.go, syncLoadBalancerIfNeeded
 */
export const RELEASED_BY_TYPE: readonly string[] = [LOAD_BALANCER_CLEANUP_FINALIZER];

/** Words in keys of annotations by which clouds let some clients in and others not. */
export const RESTRICTING = /allow|deny|security-group|prefix-list|acl-|firewall|whitelist/;

/** Names and targets of external-dns, which it takes from Services of type LoadBalancer. kubernetes-sigs/external-dns v0.23.0: source/annotations/annotations.go */
export const DNS_PREFIXES: readonly string[] = ['external-dns.alpha.kubernetes.io/', 'external-dns.kubernetes.io/'];

/** Kinds of the Gateway API by which listeners and ports are given out. kubernetes-sigs/gateway-api v1.6.1: apis/v1 */
export const LISTENER_KINDS: readonly string[] = [
  'Gateway',
  'GatewayClass',
  'ListenerSet',
  'TCPRoute',
  'TLSRoute',
  'UDPRoute',
];

/** The group of kinds of the Gateway API that are being tried. kubernetes-sigs/gateway-api v1.6.1: apisx/v1alpha1 */
export const EXPERIMENTAL_GATEWAY_GROUP = 'gateway.networking.x-k8s.io';

/**
 * Groups of kinds whose controllers write, or let through, what the author may not. kyverno/kyverno v1.19.1: api;
 * open-policy-agent/gatekeeper v3.22.0: apis; metacontroller's own is in runtime.facts.ts
 */
export const OVERRIDING_GROUPS: readonly string[] = [
  'kyverno.io',
  KYVERNO_API_VERSION.split('/')[0],
  'config.gatekeeper.sh',
  'constraints.gatekeeper.sh',
  'expansion.gatekeeper.sh',
  'mutations.gatekeeper.sh',
  'templates.gatekeeper.sh',
  DECORATOR_GROUP,
];

/** Kinds by which their authors give orders to what applies manifests, with rights that their author need not have. */
export const DELIVERY_KINDS: readonly { readonly group: string; readonly kinds: '*' | readonly string[] }[] = [
  // fluxcd/kustomize-controller 29d25a4: api/v1/groupversion_info.go
  { group: 'kustomize.toolkit.fluxcd.io', kinds: '*' },
  // fluxcd/helm-controller 5b7133b: api/v2/groupversion_info.go
  { group: 'helm.toolkit.fluxcd.io', kinds: '*' },
  // controlplaneio-fluxcd/flux-operator 62aed2b: api/v1/groupversion_info.go
  { group: 'fluxcd.controlplane.io', kinds: '*' },
  // argoproj/argo-cd 00d0a3e: pkg/apis/application/register.go; other products of the group act in their own namespace
  { group: 'argoproj.io', kinds: ['Application', 'ApplicationSet', 'AppProject'] },
  // k3s-io/helm-controller cb89e69: pkg/apis/helm.cattle.io/v1/zz_generated_register.go
  { group: 'helm.cattle.io', kinds: '*' },
  // k3s-io/helm-controller 950e19e: pkg/apis/k3s.cattle.io/v1/zz_generated_register.go
  { group: 'k3s.cattle.io', kinds: '*' },
  // rancher/fleet b88a66c: pkg/apis/fleet.cattle.io/v1alpha1/groupversion_info.go
  { group: 'fleet.cattle.io', kinds: '*' },
];

/** Their kinds as permissions name them; a group whose kinds are all meant is one entry with a star. */
const DELIVERY_RESOURCES: readonly { readonly group: string; readonly resource: string }[] = DELIVERY_KINDS.flatMap(
  ({ group, kinds }) =>
    kinds === '*' ? { group, resource: '*' } : kinds.map((kind) => ({ group, resource: `${kind.toLowerCase()}s` })),
);

/**
 * Classes of Ingresses whose controllers make a balancer for each Ingress, or for a group of them, by the names that their
 * vendors give them. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/ingress/class_annotation_matcher.go;
 * kubernetes/ingress-gce 0b7b3f1: pkg/annotations/ingress.go; Azure's documents of both of its ingress controllers, 2026
 */
export const BALANCER_INGRESS_CLASSES: readonly string[] = [
  'alb',
  'gce',
  'gce-internal',
  'gce-multi-cluster',
  'azure-application-gateway',
  'azure/application-gateway',
  'azure-alb-external',
];

/** Beginnings of annotations of Ingresses that such controllers read, whatever the class is called. The files above, and pkg/annotations/constants.go of the first */
export const BALANCER_INGRESS_PREFIXES: readonly string[] = [
  'alb.ingress.kubernetes.io/',
  'appgw.ingress.kubernetes.io/',
  'ingress.gcp.kubernetes.io/',
];

/** The class of an Ingress as it was written before there was a field. kubernetes/api v0.36: networking/v1beta1/types.go */
export const INGRESS_CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/**
 * Kinds of which a controller makes a balancer in a cloud, by their names, whatever their groups: LB and ELB of
 * crossplane-contrib/provider-upjet-aws (apis/elbv2, apis/elb), LoadBalancer of aws-controllers-k8s/elbv2-controller
 * (apis/v1alpha1/load_balancer.go) and Azure Service Operator, ComputeForwardingRule of Config Connector, GlobalAccelerator of
 * kubernetes-sigs/aws-load-balancer-controller v3.5.0 (apis/aga/v1beta1)
 */
export const BALANCER_KIND = /LoadBalancer$|^E?LB$|ForwardingRule$|^(Global)?Accelerator$|^ApplicationGateway$/;

/** Kinds that say which addresses are behind a Service. kubernetes/api v0.36: core/v1, discovery/v1 */
export const ENDPOINT_KINDS: Readonly<Record<string, string>> = { Endpoints: '', EndpointSlice: DISCOVERY_GROUP };

/** Their kinds as permissions name them. */
export const OVERRIDING_RESOURCES: readonly { readonly group: string; readonly resource: string }[] = [
  ...['clusterpolicies', 'policies', 'policyexceptions'].map((resource) => ({ group: 'kyverno.io', resource })),
  { group: KYVERNO_API_VERSION.split('/')[0], resource: 'policyexceptions' },
  ...DECORATOR_KINDS.map((resource) => ({ group: DECORATOR_GROUP, resource })),
  ...DELIVERY_RESOURCES,
];

/** The role that may do everything. kubernetes/kubernetes v1.36.3: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go */
export const CLUSTER_ADMIN = 'cluster-admin';

/** The kind of a namespace's limits. kubernetes/api v0.36: core/v1/types.go */
export const QUOTA_KIND = 'ResourceQuota';

/** Kinds that belong to no namespace, with their group. kubernetes/api v0.36.3: types.go of each group; kubernetes-sigs/gateway-api v1.6.1: apis/v1 */
export const CLUSTER_KINDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    '': 'Namespace Node PersistentVolume',
    'admissionregistration.k8s.io':
      'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
    'apiextensions.k8s.io': 'CustomResourceDefinition',
    'apiregistration.k8s.io': 'APIService',
    'certificates.k8s.io': 'CertificateSigningRequest',
    'flowcontrol.apiserver.k8s.io': 'FlowSchema PriorityLevelConfiguration',
    'gateway.networking.k8s.io': 'GatewayClass',
    'networking.k8s.io': 'IngressClass IPAddress ServiceCIDR',
    'node.k8s.io': 'RuntimeClass',
    'rbac.authorization.k8s.io': 'ClusterRole ClusterRoleBinding',
    'resource.k8s.io': 'DeviceClass DeviceTaintRule ResourceSlice',
    'scheduling.k8s.io': 'PriorityClass',
    'storage.k8s.io': 'CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass',
  }).flatMap(([group, kinds]) => kinds.split(' ').map((kind) => [kind, group])),
);

/** By which name a kind says that it belongs to no namespace, as most do that have it: ClusterIssuer, ClusterSecretStore. */
export const CLUSTER_NAME = /^[A-Z][A-Za-z]*Clusterwide[A-Z]|^Cluster[A-Z]/;

/**
 * Kinds in namespaces whose names begin like those of the cluster. operator-framework/api v0.40: pkg/operators/v1alpha1;
 * kubernetes-sigs/cluster-api v1.13: api/core/v1beta2, api/addons/v1beta2
 */
export const NAMESPACED_DESPITE_NAME: Readonly<Record<string, string>> = {
  ClusterServiceVersion: 'operators.coreos.com',
  ClusterClass: 'cluster.x-k8s.io',
  ClusterResourceSet: 'addons.cluster.x-k8s.io',
  ClusterResourceSetBinding: 'addons.cluster.x-k8s.io',
};

/** By which ingress-nginx forwards TCP; other ingress controllers took both names over. kubernetes/ingress-nginx b2e1ad6: docs/user-guide/exposing-tcp-udp-services.md */
export const NGINX_TCP_FLAG = '--tcp-services-configmap';
export const NGINX_TCP_CONFIG = 'tcp-services';
