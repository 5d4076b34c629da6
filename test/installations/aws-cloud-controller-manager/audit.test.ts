import { join } from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import { AwsCloudControllerManagerInstallation } from '../../../src/installations/aws-cloud-controller-manager/installation';
import {
  AWS_IDS,
  CCM_CLUSTER_RULES,
  CCM_FLAGS,
  CCM_LEASE_RULES,
  CLOUD_CONFIG_KEYS,
  CLOUD_CONFIG_SINCE,
  CLOUD_CONTROLLERS,
} from '../../../src/installations/aws-cloud-controller-manager/installation.facts';
import {
  AwsCloudController,
  type AwsCloudControllerManagerInstallationProps,
} from '../../../src/installations/aws-cloud-controller-manager/options';
import { expectGolden, writtenBy } from '../../support/golden-files';

// What upstream has, spelled here on its own: a row removed on either side fails.

/** kubernetes/cloud-provider-aws v1.36.1 and v1.37.0, pkg/providers/v1/config/config.go: the struct CloudConfig */
const KEYS = `Zone Region VPC SubnetID RouteTableID RoleARN SourceARN KubernetesClusterTag KubernetesClusterID
  DisableSecurityGroupIngress ElbSecurityGroup NodeIPFamilies ClusterServiceLoadBalancerHealthProbeMode
  ClusterServiceSharedLoadBalancerHealthProbePort ClusterServiceSharedLoadBalancerHealthProbePath NLBSecurityGroupMode`.split(
  /\s+/,
);

/** kubernetes/cloud-provider v0.36.3, names/controller_names.go; cloud-provider-aws v1.36.1, cmd/aws-cloud-controller-manager */
const CONTROLLERS = {
  'cloud-node-controller': true,
  'cloud-node-lifecycle-controller': true,
  'service-lb-controller': true,
  'node-route-controller': true,
  tagging: false,
};

/** The charts' ClusterRole of cloud-provider-aws v1.36.1, charts/aws-cloud-controller-manager/values.yaml, without what nobody calls. */
const RULES = {
  events: 'create patch update',
  nodes: 'get list watch patch update delete',
  'nodes/status': 'patch',
  services: 'get list watch patch update',
  'services/status': 'patch update',
  tokenreviews: 'create',
  subjectaccessreviews: 'create',
};

/** What the programs of v1.36.1 and v1.37.0 list with --help, without what they print and end with. */
const FLAGS =
  `allocate-node-cidrs authentication-kubeconfig authentication-skip-lookup authentication-token-webhook-cache-ttl
  authentication-tolerate-lookup-failure authorization-always-allow-paths authorization-kubeconfig
  authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl bind-address cert-dir
  cidr-allocator-type client-ca-file cloud-config cloud-provider cluster-cidr cluster-name concurrent-node-status-updates concurrent-node-lifecycle-syncs
  concurrent-node-syncs concurrent-service-syncs configure-cloud-routes contention-profiling controller-start-interval
  controllers disable-http2-serving enable-leader-migration external-cloud-volume-plugin feature-gates
  http2-max-streams-per-connection kube-api-burst kube-api-content-type kube-api-qps kubeconfig leader-elect
  leader-elect-lease-duration leader-elect-renew-deadline leader-elect-resource-lock leader-elect-resource-name
  leader-elect-resource-namespace leader-elect-retry-period leader-migration-config log-flush-frequency
  log-text-info-buffer-size log-text-split-stream logging-format master min-resync-period node-monitor-period
  node-status-update-frequency permit-address-sharing permit-port-sharing profiling requestheader-allowed-names
  requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
  requestheader-username-headers resources route-reconciliation-period secure-port tagging-controller-burst-limit
  tagging-controller-concurrent-node-syncs tagging-controller-enable-batching tagging-controller-rate-limit tags
  tls-cert-file tls-cipher-suites tls-curve-preferences tls-min-version tls-private-key-file tls-sni-cert-key
  use-service-account-credentials v vmodule webhook-bind-address webhook-cert-dir webhook-disable-http2-serving
  webhook-secure-port webhook-tls-cert-file webhook-tls-cipher-suites webhook-tls-curve-preferences
  webhook-tls-min-version webhook-tls-private-key-file webhook-tls-sni-cert-key webhooks`.split(/\s+/);

test('flags', () => {
  expect(CCM_FLAGS.map(({ flag }) => flag).sort()).toEqual([...FLAGS].sort());
});

test('keys of the cloud config', () => {
  const keys = [...Object.values(CLOUD_CONFIG_KEYS), ...Object.keys(CLOUD_CONFIG_SINCE), ...Object.keys(AWS_IDS)];
  expect(keys.filter((key) => !KEYS.includes(key))).toEqual([]);
});

test('controllers', () => {
  expect(Object.fromEntries(CLOUD_CONTROLLERS.map(({ name, byDefault }) => [name, byDefault]))).toEqual(CONTROLLERS);
  expect(Object.values(AwsCloudController).sort()).toEqual(Object.keys(CONTROLLERS).sort());
});

test('permissions of the whole cluster', () => {
  const chart = new Chart(Testing.app(), 'system');
  new AwsCloudControllerManagerInstallation(chart, 'Ccm', { clusterName: 'prod' });
  const role = Testing.synth(chart).find(({ kind }) => kind === 'ClusterRole');
  const emitted = role.rules.map(({ resources, verbs }: Record<string, string[]>) => [
    resources.join(),
    verbs.join(' '),
  ]);
  expect(Object.fromEntries(emitted)).toEqual(RULES);
  expect(CCM_LEASE_RULES.map(({ verbs }) => verbs.join(' '))).toEqual(['create', 'get update']);
});

test('every row says where it was read', () => {
  const rows = [...CCM_CLUSTER_RULES, ...CCM_LEASE_RULES, ...CLOUD_CONTROLLERS];
  expect(rows.filter(({ source }) => !/\.(go|yaml)|controllers\/\*/.test(source))).toEqual([]);
});

const { NODE, NODE_LIFECYCLE } = AwsCloudController;

const GOLDENS: Record<string, Partial<AwsCloudControllerManagerInstallationProps>> = {
  'aws-cloud-controller-manager': { cloudConfig: { disableSecurityGroupIngress: true, nlbSecurityGroups: true } },
  'aws-cloud-controller-manager-without-services': { controllers: [NODE, NODE_LIFECYCLE], replicas: 2 },
};

test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
  const chart = new Chart(new App(), 'system');
  new AwsCloudControllerManagerInstallation(chart, 'CloudController', { clusterName: 'prod', ...props });
  const { yaml, said } = writtenBy(() => chart);
  expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
  expect(said).toBe('');
});
