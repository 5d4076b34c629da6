// The AWS cloud controller manager as its project installs it: kubernetes/cloud-provider-aws, tag v1.36.1;
// examples/existing-cluster/base, charts/aws-cloud-controller-manager, cmd/aws-cloud-controller-manager/main.go.
// Its controllers are those of kubernetes/cloud-provider v0.36.3. Module k8s.io/cloud-provider-aws v1.37.0 was read beside it, with
// cloud-provider v0.37.0: permissions, controllers, names and the rest of its pods are the same.

/** Files that rules were read in. */
export const CCM_SOURCES = {
  lease: { repository: 'kubernetes/cloud-provider', version: 'v0.36.3', file: 'config/v1alpha1/defaults.go' },
  config: {
    repository: 'kubernetes/cloud-provider-aws',
    version: 'v1.36.1',
    file: 'pkg/providers/v1/config/config.go',
  },
} as const;

/** The name of the program, of its DaemonSet and of its container. */
export const CCM = 'aws-cloud-controller-manager';

/** The namespace that it runs in: its lease is always there. cloud-provider, config/v1alpha1/defaults.go */
export const CCM_NAMESPACE = 'kube-system';

/** Names that other tools look for. examples/existing-cluster/base */
export const CCM_NAMES = {
  serviceAccount: 'cloud-controller-manager',
  clusterRole: 'system:cloud-controller-manager',
  authenticationReader: 'cloud-controller-manager:apiserver-authentication-reader',
  leaderElection: 'cloud-controller-manager:leader-election',
  cloudConfig: 'cloud-config',
} as const;

/** The Role that lets a program read how the API server proves who asks. kubernetes v1.36, rbac/bootstrappolicy */
export const AUTHENTICATION_READER_ROLE = 'extension-apiserver-authentication-reader';

/** The lease that its replicas hold. cloud-provider, config/v1alpha1/defaults.go */
export const CCM_LEASE = 'cloud-controller-manager';

/** charts/aws-cloud-controller-manager/values.yaml */
export const CCM_IMAGE_REPOSITORY = 'registry.k8s.io/provider-aws/cloud-controller-manager';

/** The version that is installed unless the props say another one. */
export const CCM_VERSION = '1.36.1';

/** The minor versions that these facts are of. */
export const CCM_KNOWN_MINORS: readonly string[] = ['1.36', '1.37'];

/** Versions, as tags say them behind a v. kubernetes/cloud-provider-aws, tags */
export const VERSION_SYNTAX = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/;

/** What changes Services before a controller sees them. kubernetes/api v0.36.3, admissionregistration/v1/types.go */
export const SERVICE_WEBHOOK = { kind: 'MutatingWebhookConfiguration', resource: 'services' } as const;

/** What distinguishes its pods from others. */
export const CCM_LABEL = 'k8s-app';

/** A mark of ours on the pods: they start anew when their cloud config changes, which they read once. */
export const CLOUD_CONFIG_HASH = 'cdk8s-load-balancers/cloud-config';

/** Where its pods run. examples/existing-cluster/base/aws-cloud-controller-manager-daemonset.yaml */
export const CONTROL_PLANE_LABEL = 'node-role.kubernetes.io/control-plane';

/** The taint of nodes that it has not seen yet, which it takes off. cloud-provider, api/well_known_taints.go */
export const UNINITIALIZED_TAINT = 'node.cloudprovider.kubernetes.io/uninitialized';

/**
 * Taints of nodes whose network does not work yet, or whose routes are not made: the network may wait for this program, which
 * does without where it uses that of its node. kubernetes/website, content/en/blog/_posts/2025/cloud-controller-manager-chicken-egg-problem;
 * kubernetes/api v0.36.3, core/v1/well_known_taints.go
 */
export const NETWORKLESS_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/network-unavailable'] as const;

/** How it says that it lives, to whomever asks. cloud-provider v0.36.3, ports.go, app/controllermanager.go */
export const CCM_HEALTH = { path: '/healthz', port: 10258, scheme: 'HTTPS' } as const;

/** Flags that decide where it says so, and to whom. kubernetes/apiserver v0.36.3, pkg/server/options */
export const CCM_HEALTH_FLAGS = ['secure-port', 'bind-address', 'authorization-always-allow-paths'] as const;

/** How patient the kubelet is: that of kube-controller-manager. kubernetes v1.36, cmd/kubeadm/app/util/staticpod/utils.go */
export const CCM_PATIENCE = { failures: 8, failuresAtStart: 24, periodSeconds: 10, timeoutSeconds: 15 } as const;

/** charts/aws-cloud-controller-manager: templates/daemonset.yaml, values.yaml */
export const CCM_POD = { priorityClassName: 'system-node-critical', dnsPolicy: 'Default', cpuRequest: '200m' } as const;

/** Where it reads its cloud config. */
export const CLOUD_CONFIG_FILE = { folder: '/etc/kubernetes/cloud-config', key: 'cloud.conf' } as const;

/** A controller of the program. */
export interface CloudControllerFact {
  readonly name: string;
  /** Whether it runs where `--controllers` has nothing but `*`. */
  readonly byDefault: boolean;
  readonly source: string;
}

const NAMES = 'kubernetes/cloud-provider v0.36.3, names/controller_names.go';

/** Its controllers. */
export const CLOUD_CONTROLLERS: readonly CloudControllerFact[] = [
  { name: 'cloud-node-controller', byDefault: true, source: NAMES },
  { name: 'cloud-node-lifecycle-controller', byDefault: true, source: NAMES },
  { name: 'service-lb-controller', byDefault: true, source: NAMES },
  { name: 'node-route-controller', byDefault: true, source: NAMES },
  {
    name: 'tagging',
    byDefault: false,
    source: 'kubernetes/cloud-provider-aws v1.36.1, pkg/controllers/tagging/tagging_controller.go',
  },
];

/** A permission, and the controllers that use it; none where the program itself does. */
export interface CloudControllerRule {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly usedBy?: readonly string[];
  readonly source: string;
}

const OF_NODES = ['cloud-node-controller', 'cloud-node-lifecycle-controller', 'service-lb-controller', 'tagging'];
const provider = (file: string) => `kubernetes/cloud-provider v0.36.3, ${file}`;

/**
 * In the whole cluster. Upstream's roles allow more: all verbs of nodes, tokens of every service account, volumes, endpoints.
 * The first would let it make nodes, the second would make it any user; the program calls none of that when it acts under its
 * own service account.
 */
export const CCM_CLUSTER_RULES: readonly CloudControllerRule[] = [
  { group: '', resource: 'events', verbs: ['create', 'patch', 'update'], source: provider('controllers/*') },
  {
    group: '',
    resource: 'nodes',
    verbs: ['get', 'list', 'watch'],
    source: provider('node/helpers/labels.go, node/helpers/taints.go, controllers/service/controller.go'),
  },
  {
    group: '',
    resource: 'nodes',
    verbs: ['patch', 'update'],
    usedBy: OF_NODES,
    source: provider('controllers/node/node_controller.go, node/helpers/taints.go'),
  },
  {
    group: '',
    resource: 'nodes',
    verbs: ['delete'],
    usedBy: ['cloud-node-lifecycle-controller'],
    source: provider('controllers/nodelifecycle/node_lifecycle_controller.go'),
  },
  {
    group: '',
    resource: 'nodes/status',
    verbs: ['patch'],
    usedBy: ['cloud-node-controller', 'node-route-controller'],
    source: provider('controllers/node/node_controller.go, controllers/route/route_controller.go'),
  },
  {
    group: '',
    resource: 'services',
    verbs: ['get', 'list', 'watch', 'patch', 'update'],
    usedBy: ['service-lb-controller'],
    source: provider('controllers/service/controller.go'),
  },
  {
    group: '',
    resource: 'services/status',
    verbs: ['patch', 'update'],
    usedBy: ['service-lb-controller'],
    source: provider('service/helpers/helper.go'),
  },
  {
    group: 'authentication.k8s.io',
    resource: 'tokenreviews',
    verbs: ['create'],
    source: 'charts/aws-cloud-controller-manager/values.yaml',
  },
  {
    group: 'authorization.k8s.io',
    resource: 'subjectaccessreviews',
    verbs: ['create'],
    source: 'charts/aws-cloud-controller-manager/values.yaml',
  },
];

/** In its own namespace: its lease. An object that is not there yet has no name to be allowed by. */
export const CCM_LEASE_RULES: readonly (CloudControllerRule & { readonly names?: readonly string[] })[] = [
  { group: 'coordination.k8s.io', resource: 'leases', verbs: ['create'], source: provider('app/controllermanager.go') },
  {
    group: 'coordination.k8s.io',
    resource: 'leases',
    names: [CCM_LEASE],
    verbs: ['get', 'update'],
    source: provider('app/controllermanager.go'),
  },
];

/** The keys of its section `Global`, by the option that writes them. */
export const CLOUD_CONFIG_KEYS = {
  region: 'Region',
  zone: 'Zone',
  vpcId: 'VPC',
  subnetId: 'SubnetID',
  routeTableId: 'RouteTableID',
  roleArn: 'RoleARN',
  sourceArn: 'SourceARN',
  kubernetesClusterTag: 'KubernetesClusterTag',
  kubernetesClusterId: 'KubernetesClusterID',
  disableSecurityGroupIngress: 'DisableSecurityGroupIngress',
  elbSecurityGroup: 'ElbSecurityGroup',
  nlbSecurityGroupMode: 'NLBSecurityGroupMode',
  nodeIpFamilies: 'NodeIPFamilies',
  sharedHealthCheck: 'ClusterServiceLoadBalancerHealthProbeMode',
  sharedHealthCheckPort: 'ClusterServiceSharedLoadBalancerHealthProbePort',
  sharedHealthCheckPath: 'ClusterServiceSharedLoadBalancerHealthProbePath',
} as const;

/**
 * The minor versions that keys of the section `Global` came with, where not all that run today have them: an older one reads the
 * file silently, and ignores the key. pkg/providers/v1/config/config.go of v1.32.8, v1.33.0, v1.34.3 and v1.35.0;
 * pkg/providers/v1/aws.go, newCloud: gcfg.FatalOnly
 */
export const CLOUD_CONFIG_SINCE = {
  nlbSecurityGroups: '1.35',
  sharedHealthCheck: '1.33',
  sharedHealthCheckPort: '1.33',
  sharedHealthCheckPath: '1.33',
} as const;

/** The section of other endpoints, and its keys. */
export const ENDPOINT_SECTION = 'ServiceOverride';
export const ENDPOINT_KEYS = {
  awsService: 'Service',
  region: 'Region',
  url: 'URL',
  signingRegion: 'SigningRegion',
  signingName: 'SigningName',
} as const;

/** Ids of AWS, old and new. */
export const AWS_IDS = {
  vpcId: /^vpc-(?:[0-9a-f]{8}|[0-9a-f]{17})$/,
  subnetId: /^subnet-(?:[0-9a-f]{8}|[0-9a-f]{17})$/,
  routeTableId: /^rtb-(?:[0-9a-f]{8}|[0-9a-f]{17})$/,
  elbSecurityGroup: /^sg-(?:[0-9a-f]{8}|[0-9a-f]{17})$/,
} as const;

// The flags of kubernetes/cloud-provider-aws, tag v1.36.1 and module v1.37.0, as the program itself lists them: cmd/aws-cloud-controller-manager and
// pkg/controllers/tagging; kubernetes/cloud-provider v0.36.0, options; kubernetes/apiserver v0.36.0, pkg/server/options;
// kubernetes/component-base v0.36.0, logs and config/options. With another one it does not start.

/** What a flag says. */
export type CloudControllerFlagKind = 'boolean' | 'whole' | 'number' | 'duration' | 'text';

/** The flags that say something, by what they say. */
export const CCM_FLAGS: Readonly<Record<CloudControllerFlagKind, readonly string[]>> = {
  boolean: [
    'allocate-node-cidrs',
    'authentication-skip-lookup',
    'authentication-tolerate-lookup-failure',
    'configure-cloud-routes',
    'contention-profiling',
    'disable-http2-serving',
    'enable-leader-migration',
    'leader-elect',
    'log-text-split-stream',
    'permit-address-sharing',
    'permit-port-sharing',
    'profiling',
    'tagging-controller-enable-batching',
    'use-service-account-credentials',
    'webhook-disable-http2-serving',
  ],
  whole: [
    'concurrent-node-lifecycle-syncs',
    'concurrent-node-status-updates',
    'concurrent-node-syncs',
    'concurrent-service-syncs',
    'http2-max-streams-per-connection',
    'kube-api-burst',
    'secure-port',
    'tagging-controller-burst-limit',
    'tagging-controller-concurrent-node-syncs',
    'v',
    'webhook-secure-port',
  ],
  number: ['kube-api-qps', 'tagging-controller-rate-limit'],
  duration: [
    'authentication-token-webhook-cache-ttl',
    'authorization-webhook-cache-authorized-ttl',
    'authorization-webhook-cache-unauthorized-ttl',
    'controller-start-interval',
    'leader-elect-lease-duration',
    'leader-elect-renew-deadline',
    'leader-elect-retry-period',
    'log-flush-frequency',
    'min-resync-period',
    'node-monitor-period',
    'node-status-update-frequency',
    'route-reconciliation-period',
  ],
  text: [
    'authentication-kubeconfig',
    'authorization-always-allow-paths',
    'authorization-kubeconfig',
    'bind-address',
    'cert-dir',
    'cidr-allocator-type',
    'client-ca-file',
    'cloud-config',
    'cloud-provider',
    'cluster-cidr',
    'cluster-name',
    'controllers',
    'external-cloud-volume-plugin',
    'feature-gates',
    'kube-api-content-type',
    'kubeconfig',
    'leader-elect-resource-lock',
    'leader-elect-resource-name',
    'leader-elect-resource-namespace',
    'leader-migration-config',
    'log-text-info-buffer-size',
    'logging-format',
    'master',
    'requestheader-allowed-names',
    'requestheader-client-ca-file',
    'requestheader-extra-headers-prefix',
    'requestheader-group-headers',
    'requestheader-uid-headers',
    'requestheader-username-headers',
    'resources',
    'tags',
    'tls-cert-file',
    'tls-cipher-suites',
    'tls-curve-preferences',
    'tls-min-version',
    'tls-private-key-file',
    'tls-sni-cert-key',
    'vmodule',
    'webhook-bind-address',
    'webhook-cert-dir',
    'webhook-tls-cert-file',
    'webhook-tls-cipher-suites',
    'webhook-tls-curve-preferences',
    'webhook-tls-min-version',
    'webhook-tls-private-key-file',
    'webhook-tls-sni-cert-key',
    'webhooks',
  ],
};

/** The minor versions that flags came with, where 1.36 has not got them. kubernetes/cloud-provider v0.37.0, options/nodelifecycle.go */
export const CCM_FLAGS_SINCE: Readonly<Record<string, string>> = { 'concurrent-node-lifecycle-syncs': '1.37' };

/** Flags with which it prints something and ends. */
export const CCM_PRINTING_FLAGS = ['help', 'version'] as const;

/** Flags that decide which lease its pods hold. */
export const CCM_LEASE_FLAGS = [
  'leader-elect-resource-lock',
  'leader-elect-resource-name',
  'leader-elect-resource-namespace',
] as const;

/** Flags without which the controller of tags ends the program. pkg/controllers/options/tagging_controller.go */
export const CCM_TAGGING_FLAGS = ['tags', 'resources'] as const;

/** The flag without which every pod works at once. */
export const CCM_LEADER_FLAG = 'leader-elect';

/** How values of flags are written. golang/go, time.ParseDuration and strconv */
export const FLAG_VALUES: Readonly<
  Record<CloudControllerFlagKind, { readonly syntax: RegExp; readonly like: string }>
> = {
  boolean: { syntax: /^(true|false)$/, like: 'true or false' },
  whole: { syntax: /^-?\d+$/, like: 'a whole number' },
  number: { syntax: /^-?\d+(\.\d+)?$/, like: 'a number' },
  duration: { syntax: /^-?(0|(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+)$/, like: 'a duration such as 30s or 1h30m' },
  text: { syntax: /^[^\r\n]*$/, like: 'one line' },
};
