// The AWS Load Balancer Controller as its vendor installs it. kubernetes-sigs/aws-load-balancer-controller, tag v3.5.0,
// helm/aws-load-balancer-controller: templates/deployment.yaml, templates/_helpers.tpl, templates/cert-manager.yaml, values.yaml;
// requests: config/controller/controller.yaml. Tags v3.3.0, v3.4.0 to v3.4.3 were read beside it: what came later than the first of
// them says so; permissions, kinds of the group elbv2.k8s.aws, webhooks and defaults are the same in all of them.

/** The namespace that it usually runs in. */
export const KUBE_SYSTEM = 'kube-system';

/** The image, to which the version is a tag. values.yaml */
export const IMAGE_REPOSITORY = 'public.ecr.aws/eks/aws-load-balancer-controller';

/** The newest version that these facts are of: it ran in a test, against a real API server. */
export const KNOWN_VERSION = '3.5.0';

/** The oldest version that these facts are of. */
export const OLDEST_VERSION = '3.3.0';

/** What is cut off the name of the controller to make the names of what serves its webhooks. _helpers.tpl */
export const NAME_SUFFIX = '-controller';

/** The class of Ingresses and who serves it. templates/ingressclass.yaml */
export const INGRESS_CLASS = { name: 'alb', controller: 'ingress.k8s.aws/alb' } as const;

/**
 * The class of Ingresses where none is to be served. No flag and no gate switches the reconciler of Ingresses off (main.go), and
 * without a class it takes those that name none (pkg/config/ingress_config.go): so it gets a class that no Ingress has.
 */
export const NO_INGRESS_CLASS = 'nlb-only';

/** The labels by which Kubernetes' own tools distinguish programs. kubernetes/website, common-labels.md */
export const NAME_LABEL = 'app.kubernetes.io/name';
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const COMPONENT_LABEL = 'app.kubernetes.io/component';

/** The label of every namespace with its own name. kubernetes/api v0.36, core/v1/types.go */
export const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/** What Prometheus reads in annotations. templates/deployment.yaml */
export const POD_ANNOTATIONS = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' } as const;

/** Where it listens. values.yaml */
export const PORTS = { webhook: 9443, metrics: 8080, health: 61779, service: 443 } as const;

/** The names of its ports. templates/deployment.yaml */
export const PORT_NAMES = { webhook: 'webhook-server', metrics: 'metrics-server' } as const;

/** Where it reads the certificate of its webhooks. templates/deployment.yaml */
export const CERTIFICATE_FOLDER = '/tmp/k8s-webhook-server/serving-certs';

/** The rest of its pods. values.yaml */
export const POD = {
  priorityClassName: 'system-cluster-critical',
  fsGroup: 65534,
  terminationGracePeriodSeconds: 10,
  revisionHistoryLimit: 10,
  antiAffinityWeight: 100,
} as const;

/**
 * What is kept free for it unless it is set otherwise. config/controller/controller.yaml, without its limits: the one of CPU only
 * delays, and the one of memory kills it in a big cluster, all of whose pods it holds; the chart has neither
 */
export const RESOURCES = { cpu: '100m', memory: '200Mi' } as const;

/** Probes. values.yaml */
export const PROBES = {
  liveness: { path: '/healthz', initialDelaySeconds: 30, timeoutSeconds: 10, failureThreshold: 2 },
  readiness: { path: '/readyz', initialDelaySeconds: 10, timeoutSeconds: 10, successThreshold: 1, failureThreshold: 2 },
} as const;

/** The longest name of an EKS cluster, and its characters; other clusters have dots as well. AWS's reference of CreateCluster */
export const CLUSTER_NAME = { longest: 100, syntax: /^[0-9A-Za-z][-.\w]*$/ } as const;

/** Ids of networks, old and new. webhooks/elbv2/targetgroupbinding_validator.go */
export const VPC_ID = /^vpc-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

export const GATEWAY_API_GROUP = 'gateway.networking.k8s.io';

/** What versions of the controller need of the Gateway API. */
export interface GatewayApiNeed {
  /** The first version of the controller that needs it. */
  readonly of: string;
  /** The oldest release of the Gateway API with these versions of kinds. kubernetes-sigs/gateway-api, config/crd */
  readonly since: string;
  /** Kinds that it watches, with the version that it reads, by the gate that makes it. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Kinds whose version only the experimental channel serves, by gate. */
  readonly experimental: Readonly<Record<string, readonly string[]>>;
}

const COMMON = {
  ALBGatewayAPI: { gateways: 'v1', gatewayclasses: 'v1', httproutes: 'v1', grpcroutes: 'v1' },
  GatewayListenerSet: { listenersets: 'v1' },
} as const;
const OF_NLBS = { gateways: 'v1', gatewayclasses: 'v1', tlsroutes: 'v1' } as const;

/** Newest first. pkg/gateway/crddetect/gateway_feature_flags.go and go.mod, tags v3.3.0, v3.4.3 and v3.5.0 */
export const GATEWAY_API_NEEDS: readonly GatewayApiNeed[] = [
  {
    of: '3.5.0',
    since: '1.6.0',
    kinds: { ...COMMON, NLBGatewayAPI: { ...OF_NLBS, tcproutes: 'v1', udproutes: 'v1' } },
    experimental: {},
  },
  {
    of: OLDEST_VERSION,
    since: '1.5.0',
    kinds: { ...COMMON, NLBGatewayAPI: { ...OF_NLBS, tcproutes: 'v1alpha2', udproutes: 'v1alpha2' } },
    experimental: { NLBGatewayAPI: ['tcproutes', 'udproutes'] },
  },
];

/** The release that a CRD of the Gateway API is of. kubernetes-sigs/gateway-api v1.6.0, config/crd/standard */
export const GATEWAY_API_BUNDLE = 'gateway.networking.k8s.io/bundle-version';

/** What it calls itself in GatewayClasses, by gate. pkg/gateway/constants/controller_constants.go */
export const GATEWAY_CONTROLLERS = [
  { controller: 'gateway.k8s.aws/nlb', gate: 'NLBGatewayAPI' },
  { controller: 'gateway.k8s.aws/alb', gate: 'ALBGatewayAPI' },
] as const;

/** API versions of Kubernetes' own kinds. kubernetes/api v0.36 */
export const API = {
  admission: 'admissionregistration.k8s.io/v1',
  apps: 'apps/v1',
  core: 'v1',
  extensions: 'apiextensions.k8s.io/v1',
  networking: 'networking.k8s.io/v1',
  policy: 'policy/v1',
  rbac: 'rbac.authorization.k8s.io/v1',
} as const;

/** The group that roles are of. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** A part of the controller that wants rules, kinds and webhooks of its own. The reconciler of Ingresses cannot be switched off. main.go */
export type Part = 'core' | 'ingress' | 'gateway' | 'global-accelerator' | 'alb-target-control' | 'service-webhook';
