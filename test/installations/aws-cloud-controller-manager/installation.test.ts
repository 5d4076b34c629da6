import { join } from 'node:path';
import { ApiObject, type ApiObjectProps, App, Chart, Testing } from 'cdk8s';
import {
  AwsCloudProvider,
  type AwsCloudProviderNlbOptions,
  LoadBalancedService,
  LoadBalancers,
  NodePools,
} from '../../../src';
import { AwsIdentity } from '../../../src/identity/aws/aws-identity';
import { AwsCloudControllerFeature } from '../../../src/identity/aws/options';
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
  ROUTE_CONTROLLER,
  SERVICE_CONTROLLER,
  TAGGING_CONTROLLER,
} from '../../../src/installations/aws-cloud-controller-manager/objects';
import type {
  AwsCloudConfig,
  AwsCloudControllerManagerInstallationProps,
} from '../../../src/installations/aws-cloud-controller-manager/options';
import { errorsOf, stderrOf } from '../../support/apps';
import { expectGolden, writtenBy } from '../../support/goldens';
import { casesIn, revived, table } from '../../support/yaml-cases';

const CASES = revived(casesIn(__dirname, 'installation.yaml'));

type Props = Partial<AwsCloudControllerManagerInstallationProps>;

const { NODE_TAGS, ROUTES } = AwsCloudControllerFeature;

const TAGS = { tags: 'team=edge', resources: 'instance' };

function installed(props: Props = {}) {
  const app = Testing.app();
  const chart = new Chart(app, 'system');
  const installation = new AwsCloudControllerManagerInstallation(chart, 'Ccm', { clusterName: 'prod', ...props });
  let objects: ReturnType<typeof Testing.synth> = [];
  stderrOf(() => {
    objects = Testing.synth(chart);
  });
  const one = (kind: string) => objects.find((object) => object.kind === kind);
  return { app, chart, installation, objects, one };
}

function argsOf(props: Props): string[] {
  const { one } = installed(props);
  return (one('DaemonSet') ?? one('Deployment')).spec.template.spec.containers[0].args;
}

function configOf(cloudConfig: AwsCloudConfig): string {
  return installed({ cloudConfig }).one('ConfigMap').data['cloud.conf'];
}

test('an operator would recognise the manifests of the project', () => {
  const { objects } = installed();
  expect(objects.map(({ kind, metadata: { name, namespace = '' } }) => `${kind} ${namespace}/${name}`)).toEqual(
    casesIn(__dirname, 'installation.yaml')['an operator would recognise the manifests of the project'],
  );
});

test('its pods', () => {
  const { spec } = installed().one('DaemonSet').spec.template;
  expect(spec).toMatchObject(casesIn(__dirname, 'installation.yaml')['its pods']);
  expect(spec.containers[0].image).toBe('registry.k8s.io/provider-aws/cloud-controller-manager:v1.36.1');
  const mount = spec.containers[0].volumeMounts[0].mountPath;
  expect(spec.containers[0].args).toContain(`--cloud-config=${mount}/cloud.conf`);
  expect(spec.volumes[0].configMap.name).toBe(installed().one('ConfigMap').metadata.name);
});

test('what belongs to the whole cluster has no namespace, whatever the chart says', () => {
  const chart = new Chart(Testing.app(), 'system', { namespace: 'other' });
  new AwsCloudControllerManagerInstallation(chart, 'Ccm', { clusterName: 'prod' });
  expect(Testing.synth(chart).map(({ kind, metadata: { namespace } }) => [kind, namespace])).toEqual(
    casesIn(__dirname, 'installation.yaml')['what belongs to the whole cluster has no namespace whatever'],
  );
});

test('its container gains nothing, and is asked whether it lives', () => {
  const { securityContext } = installed().one('DaemonSet').spec.template.spec;
  const [container] = installed().one('DaemonSet').spec.template.spec.containers;
  expect(securityContext).toEqual({ seccompProfile: { type: 'RuntimeDefault' } });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  });
  const httpGet = { path: '/healthz', port: 10258, scheme: 'HTTPS' };
  expect(container.livenessProbe).toMatchObject({ httpGet, failureThreshold: 8 });
  expect(container.startupProbe).toMatchObject({ httpGet, failureThreshold: 24 });
});

test('without the network of its node it waits for nodes that are ready', () => {
  const { tolerations } = installed({ hostNetwork: false }).one('DaemonSet').spec.template.spec;
  expect(tolerations.map(({ key }: { key: string }) => key)).toEqual([
    'node.cloudprovider.kubernetes.io/uninitialized',
    'node-role.kubernetes.io/control-plane',
  ]);
});

test('on a pool of nodes, as a Deployment', () => {
  const { one } = installed({ nodePool: NodePools.eksManagedNodeGroup('system'), replicas: 2, hostNetwork: false });
  const { spec } = one('Deployment');
  expect(spec.replicas).toBe(2);
  expect(spec.template.spec.nodeSelector).toBeUndefined();
  expect(spec.template.spec.hostNetwork).toBeUndefined();
  expect(JSON.stringify(spec.template.spec.affinity)).toContain('eks.amazonaws.com/nodegroup');
  expect(one('DaemonSet')).toBeUndefined();
});

test.each<[string, Props, string[], string[]]>(CASES.flags)('flags: %s', (_, props, there, away) => {
  const args = argsOf(props);
  expect(args).toEqual(expect.arrayContaining(there));
  expect(args.filter((arg) => away.some((flag) => arg.startsWith(flag)))).toEqual([]);
});

test.each<[string, AwsCloudConfig, string]>(CASES.cloudConfig)('the cloud config: %s', (_, config, file) => {
  const lines = (text: string) => text.split('\n').sort();
  expect(lines(configOf(config))).toEqual(lines(file));
});

test('pods start anew when the cloud config changes, and only then', () => {
  const hashOf = (props: Props) =>
    installed(props).one('DaemonSet').spec.template.metadata.annotations['cdk8s-load-balancers/cloud-config'];
  expect(hashOf({})).toBe(hashOf({ flags: { v: '4' } }));
  expect(hashOf({})).not.toBe(hashOf({ cloudConfig: { region: 'eu-west-1' } }));
});

test.each<[string, Props, RegExp]>([
  ['no name of a cluster', { clusterName: ' ' }, /the cluster name is ' '.*\(cloud-controller-flag-invalid\)/],
  ['routes without ranges', { features: [ROUTES] }, /fails without --cluster-cidr.*\(cloud-controller-flag-invalid\)/],
  ['no range', { clusterCidrs: ['10.0.0.0'] }, /'10.0.0.0' is not a valid address range/],
  ['two ranges of one family', { clusterCidrs: ['10.0.0.0/16', '10.1.0.0/16'] }, /one of each family/],
  [
    'a flag that a prop writes',
    { flags: { 'cluster-name': 'a' } },
    /--cluster-name is set twice.*by the prop clusterName/,
  ],
  [
    'other service accounts',
    { flags: { 'use-service-account-credentials': 'true' } },
    /default of --use-service-account-credentials; leave it out/,
  ],
  ['another lease', { flags: { 'leader-elect-resource-name': 'a' } }, /permissions depend on .*; leave it out/],
  ['underscores', { flags: { kube_api_qps: '5' } }, /is unknown: the program does not start; write --kube-api-qps/],
  ['a flag of a newer version', { flags: { 'concurrent-node-lifecycle-syncs': '4' } }, /install 1\.37 or newer/],
  ['a flag that an object has', { flags: { constructor: 'x' } }, /--constructor is unknown/],
  ['no leader of several', { flags: { 'leader-elect': 'false' } }, /all pods work at once/],
  ['a number that is none', { flags: { 'kube-api-burst': '1.5' } }, /'1\.5', not a whole number; write it like 10/],
  ['a switch that is none', { flags: { profiling: 'yes' } }, /write it like true/],
  ['tags that nobody names', { features: [NODE_TAGS], flags: { tags: 'a=b' } }, /without --resources/],
  ['a version with its v', { version: 'v1.36.1' }, /is of version 'v1\.36\.1', which is not valid/],
  ['an image of another version', { image: 'my/ccm:v1.30.1' }, /\(cloud-controller-image-version-mismatch\)/],
  ...(['1.32.8', '1.33.0', '1.34.3'] as const).map((version): [string, Props, RegExp] => [
    `groups of NLBs of ${version}`,
    { version, cloudConfig: { nlbSecurityGroups: true } },
    /NLBSecurityGroupMode came with 1\.35, and .* silently ignores it.*\(cloud-config-invalid\)/,
  ]),
  ['no id', { cloudConfig: { elbSecurityGroup: 'web' } }, /ElbSecurityGroup 'web' is not an id of AWS/],
  ['no region', { cloudConfig: { region: 'europe' } }, /Region 'europe' is not an AWS region/],
  ['no role', { cloudConfig: { roleArn: 'role/ccm' } }, /RoleARN 'role\/ccm' is not an ARN/],
  ['a network alone', { cloudConfig: { vpcId: 'vpc-01234567' } }, /does nothing without SubnetID or RoleARN/],
  ['a subnet alone', { cloudConfig: { subnetId: 'subnet-01234567' } }, /does nothing without VPC/],
])('refused: %s', (_, props, message) => expect(() => installed(props)).toThrow(message));

test.each<[string, Props]>(CASES.taken)('taken: %s', (_, props) => expect(() => installed(props)).not.toThrow());

describe('two installations', () => {
  type Pair = [one: Props, other: Props, isInOneChart?: boolean];
  const EU = { cloudConfig: { region: 'eu-west-1' } };

  function synth([one, other, isInOneChart]: Pair) {
    const { app, chart } = installed(one);
    const place = isInOneChart ? chart : new Chart(app, 'other');
    new AwsCloudControllerManagerInstallation(place, 'Again', { clusterName: 'prod', ...other });
    return () => Testing.synth(place);
  }

  test.each<[string, ...Pair]>(CASES.twoInstallations)('%s', (_, ...pair) => {
    expect(synth(pair)).toThrow(
      /only one of two installations works: system\/Ccm is for cluster 'prod' too, .* lease kube-system\/cloud-controller-manager.*\(cloud-controller-duplicate\)/,
    );
  });

  test.each<[string, ...Pair]>([
    ['of two clusters', {}, { clusterName: 'stage' }],
    ['of two regions', EU, { cloudConfig: { region: 'us-east-1' } }],
  ])('%s', (_, ...pair) => expect(synth(pair)).not.toThrow());
});

describe('one that somebody else wrote', () => {
  const IMAGE = 'registry.k8s.io/provider-aws/cloud-controller-manager:v1.33.0';

  function errorOf(container: object, isInOneChart: boolean, kind = 'DaemonSet'): string {
    const { app, chart } = installed();
    new ApiObject(isInOneChart ? chart : new Chart(app, 'vendor'), 'Vendor', {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: 'vendors' },
      spec: { template: { spec: { containers: [{ name: 'proxy', image: 'proxy' }, container] } } },
    } as ApiObjectProps);
    try {
      Testing.synth(chart);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  }

  test.each<[string, object, boolean, string?]>(CASES.known)('is known %s', (_, ...given) => {
    expect(errorOf(...given)).toMatch(
      /(system|vendor)\/Vendor is for cluster 'prod' too.*\(cloud-controller-duplicate\)/,
    );
  });

  test.each<[string, object, boolean]>([
    ['of another cluster', { image: IMAGE, args: ['--cluster-name=stage'] }, false],
    ['of a cluster that is not said', { image: IMAGE }, false],
    ['of another cloud', { image: 'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1' }, true],
  ])('is right %s', (_, ...given) => expect(errorOf(...given)).toBe(''));
});

describe('tokens that only a stack fills in', () => {
  const token = `$\{Token[TOKEN.12]}`;

  test.each<[string, Props, string]>([
    ['the name of the cluster', { clusterName: token }, 'DaemonSet aws-cloud-controller-manager'],
    ['a subnet', { cloudConfig: { elbSecurityGroup: token } }, 'ConfigMap aws-cloud-controller-manager-cloud-config'],
  ])('%s is no text for a file', (_, props, object) => {
    const { app, chart } = installed(props);
    for (const write of [() => app.synth(), () => app.synthYaml()]) {
      expect(write).toThrow(`${object} holds ${token}, which only a deployment fills in; write the value itself`);
      expect(write).toThrow(/\(token-unresolved\)/);
    }
    expect(JSON.stringify(Testing.synth(chart))).toContain('Token[TOKEN.12]');
  });

  test('none is there', () => {
    const { app } = installed();
    expect(app.synthYaml()).toContain('aws-cloud-controller-manager');
  });
});

test('tokens are taken as they are', () => {
  expect(configOf({ elbSecurityGroup: `$\{Token[TOKEN.1]}` })).toContain('Token[TOKEN.1]');
});

test('permissions in the cluster follow the controllers', () => {
  const resources = (props: Props) =>
    installed(props)
      .one('ClusterRole')
      .rules.map(({ resources: [name], verbs }: { resources: string[]; verbs: string[] }) => `${name} ${verbs.join()}`);
  expect(resources({})).toContain('services get,list,watch,patch,update');
  expect(resources({})).toContain('nodes get,list,watch,patch,update,delete');
  expect(resources({ features: [] }).join()).not.toContain('services');
  expect(resources({ features: [] })).toContain('nodes get,list,watch,patch,update,delete');
});

test('permissions in AWS follow the controllers', () => {
  const actions = (props: Props) =>
    installed(props).installation.permissions._statements.flatMap((statement) => statement.actions);
  expect(actions({})).toContain('elasticloadbalancing:CreateLoadBalancer');
  expect(actions({ features: [] }).filter((action) => action.startsWith('elasticloadbalancing'))).toEqual([]);
  expect(actions({ features: [NODE_TAGS], flags: TAGS })).toContain('ec2:DeleteTags');
  expect(actions({ features: [ROUTES], clusterCidrs: ['10.0.0.0/16'] })).toContain('ec2:CreateRoute');
});

test('an identity', () => {
  const role = 'arn:aws:iam::111122223333:role/ccm';
  expect(installed({ identity: AwsIdentity.irsa(role) }).one('ServiceAccount').metadata.annotations).toEqual({
    'eks.amazonaws.com/role-arn': role,
  });
  expect(installed().one('ServiceAccount').metadata.annotations).toBeUndefined();
});

test('it hands out the matching controllers', () => {
  const { installation } = installed();
  expect(installation.nlb().name).toBe('cloud-provider-aws');
  expect(installation.classic({ connectionDrainingEnabled: true }).name).toBe('cloud-provider-aws');
  const { installation: off } = installed({ features: [] });
  expect(() => off.nlb()).toThrow(
    /makes no load balancers of the kind 'network', since .*\(controller-installation-mismatch\)/,
  );
  expect(() => off.classic()).toThrow(/\(controller-installation-mismatch\)/);
});

describe('warnings', () => {
  function findingsOf(props: Props, chartOfService: 'system' | 'shop' | 'none') {
    const { app, chart } = installed(props);
    if (chartOfService !== 'none') {
      new LoadBalancedService(chartOfService === 'system' ? chart : new Chart(app, 'shop'), 'Echo', {
        controller: AwsCloudProvider.nlb(),
        selector: { app: 'echo' },
        ports: [{ port: 443 }],
        internetFacing: true,
      } as ConstructorParameters<typeof LoadBalancedService>[2]);
    }
    const ofController = LoadBalancers.of(chart).warnings.filter(({ path }) => path === 'system/Ccm');
    return ofController.map(({ finding }) => finding);
  }

  const rulesOf = (...wanted: Parameters<typeof findingsOf>) => findingsOf(...wanted).map(({ ruleId }) => ruleId);

  const AWAY = { features: [] };
  test.each<[string, Props, 'system' | 'shop', object, object, ApiObjectProps | undefined, string[]]>(
    table('installations/aws-cloud-controller-manager/installation.yaml', 'a Service that is in the app as it is', {
      AWAY,
    }),
  )('a Service that is in the app as it is, %s', (_, props, place, spec, annotations, more, rules) => {
    const { app, chart } = installed(props);
    const shop = new Chart(app, 'shop');
    new ApiObject(place === 'system' ? chart : shop, 'Raw', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'raw', annotations },
      spec: { type: 'LoadBalancer', ...spec },
    } as ApiObjectProps);
    if (more) new ApiObject(shop, 'More', more);
    const found = LoadBalancers.of(chart).warnings.filter(({ path }) => path === 'system/Ccm');
    expect(found.map(({ finding }) => finding.ruleId)).toEqual(rules);
  });

  test('charts of one app may go to several clusters', () => {
    const [{ remedy }] = findingsOf({ features: [] }, 'shop');
    expect(remedy).toMatch(/AwsCloudControllerFeature.NETWORK.*acknowledge it if .* chart 'system'/);
  });

  test.each<[string, Props, 'system' | 'shop' | 'none', string[]]>(CASES.warnings)('%s', (_, props, place, rules) => {
    expect(rulesOf(props, place)).toEqual(rules);
  });
});

test.each([
  ['1.36.1', ''],
  ['1.37.0', ''],
  ['1.38.0', 'version 1.38.0 is installed, and 1.37 is the newest one known here, as which it is checked'],
])('version %s is warned of where it is newer than the facts', (version, said) => {
  const { chart } = installed({ version });
  expect(LoadBalancers.of(chart).warnings.map(({ finding }) => finding.what)).toEqual(said === '' ? [] : [said]);
});

describe('security groups of Network Load Balancers', () => {
  const groups = { securityGroups: ['sg-0123456789abcdef0'] };
  const made = (props: Props, options: AwsCloudProviderNlbOptions = groups) => {
    const app = new App();
    const chart = new Chart(app, 'system');
    const ccm = new AwsCloudControllerManagerInstallation(chart, 'Ccm', { clusterName: 'prod', ...props });
    const shop = new Chart(app, 'shop');
    new LoadBalancedService(shop, 'Echo', {
      controller: ccm.nlb(options),
      selector: { app: 'echo' },
      ports: [{ port: 443 }],
    });
    return [...errorsOf(shop), ...LoadBalancers.of(shop).warnings.map(({ finding }) => finding.ruleId)];
  };

  test('are written where the installation manages them', () => {
    expect(made({ version: '1.37.0', cloudConfig: { nlbSecurityGroups: true } })).toEqual([]);
  });

  test('are refused by a version before, whatever its cloud config says', () => {
    expect(made({ cloudConfig: { nlbSecurityGroups: true } }).join()).toContain(
      'is refused for a Network Load Balancer by version 1.36; leave it out, or use version 1.37 (aws-cloud-nlb-security-groups-unsupported-version)',
    );
  });

  test.each<[string, Props, AwsCloudProviderNlbOptions, string]>(CASES.cannotBeWished)(
    '%s cannot be wished for',
    (_, props, options, message) => {
      expect(() => made(props, options)).toThrow(`${message} (controller-installation-mismatch)`);
    },
  );
});

describe('audit', () => {
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
  const RULES = casesIn(__dirname, 'installation.yaml').rules;

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

  test('flags', () => expect(CCM_FLAGS.map(({ flag }) => flag).sort()).toEqual([...FLAGS].sort()));

  test('keys of the cloud config', () => {
    const keys = [...Object.values(CLOUD_CONFIG_KEYS), ...Object.keys(CLOUD_CONFIG_SINCE), ...Object.keys(AWS_IDS)];
    expect(keys.filter((key) => !KEYS.includes(key))).toEqual([]);
  });

  test('controllers', () => {
    expect(Object.fromEntries(CLOUD_CONTROLLERS.map(({ name, byDefault }) => [name, byDefault]))).toEqual(CONTROLLERS);
    const named = [SERVICE_CONTROLLER, ROUTE_CONTROLLER, TAGGING_CONTROLLER];
    expect(Object.keys(CONTROLLERS)).toEqual(expect.arrayContaining(named));
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

  const GOLDENS: Record<string, Partial<AwsCloudControllerManagerInstallationProps>> = {
    'aws-cloud-controller-manager': { cloudConfig: { disableSecurityGroupIngress: true, nlbSecurityGroups: true } },
    'aws-cloud-controller-manager-without-services': { features: [], replicas: 2 },
  };

  test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
    const chart = new Chart(new App(), 'system');
    new AwsCloudControllerManagerInstallation(chart, 'CloudController', { clusterName: 'prod', ...props });
    const { yaml, said } = writtenBy(() => chart);
    expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
    expect(said).toBe('');
  });
});
