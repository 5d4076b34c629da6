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
