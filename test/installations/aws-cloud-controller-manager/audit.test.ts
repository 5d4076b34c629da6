import { Chart, Testing } from 'cdk8s';
import { AwsCloudController } from '../../../src/installations/aws-cloud-controller-manager/aws-cloud-controller';
import {
  CCM_CLUSTER_RULES,
  CCM_LEASE_RULES,
  CLOUD_CONFIG_KEYS,
  CLOUD_CONTROLLERS,
  ENDPOINT_KEYS,
} from '../../../src/installations/aws-cloud-controller-manager/aws-cloud-controller-manager.facts';
import { AwsCloudControllerManagerInstallation } from '../../../src/installations/aws-cloud-controller-manager/aws-cloud-controller-manager-installation';

// What upstream has, spelled here on its own: a row taken out on either side fails.

/** kubernetes/cloud-provider-aws v1.36.1, pkg/providers/v1/config/config.go: the struct CloudConfig */
const KEYS = `Zone Region VPC SubnetID RouteTableID RoleARN SourceARN KubernetesClusterTag KubernetesClusterID
  DisableSecurityGroupIngress ElbSecurityGroup NodeIPFamilies ClusterServiceLoadBalancerHealthProbeMode
  ClusterServiceSharedLoadBalancerHealthProbePort ClusterServiceSharedLoadBalancerHealthProbePath NLBSecurityGroupMode`.split(
  /\s+/,
);

/** Left out on purpose: upstream itself warns of it. */
const NOT_OFFERED = ['SupportedTopologyInstanceTypePattern', 'SigningMethod'];

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

test('keys of the cloud config', () => {
  expect(Object.values(CLOUD_CONFIG_KEYS).sort()).toEqual([...KEYS].sort());
  expect(Object.values(ENDPOINT_KEYS)).toEqual(['Service', 'Region', 'URL', 'SigningRegion', 'SigningName']);
  expect(NOT_OFFERED.filter((key) => (Object.values(CLOUD_CONFIG_KEYS) as string[]).includes(key))).toEqual([]);
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
