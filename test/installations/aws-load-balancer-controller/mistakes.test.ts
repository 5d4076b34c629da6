import { App, Chart, Include, JsonPatch } from 'cdk8s';
import { AwsIdentity } from '../../../src/identity/aws/aws-identity';
import type { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { INSTALLATION_RULES } from '../../../src/installations/aws-load-balancer-controller/rules';
import { AwsLoadBalancerControllerVersion } from '../../../src/installations/aws-load-balancer-controller/version';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { installed } from './installations';

type Props = Partial<AwsLoadBalancerControllerInstallationProps>;
type Change = (installation: AwsLoadBalancerControllerInstallation) => void;

const patched =
  (...patches: JsonPatch[]): Change =>
  ({ deployment }) =>
    deployment.addJsonPatch(...patches);

const token = (name: string) => ['$', `{Token[${name}]}`].join('');

const ARGS = '/spec/template/spec/containers/0/args';
const NEWER = AwsLoadBalancerControllerVersion.of('3.6.0');
const OLDER = AwsLoadBalancerControllerVersion.V3_4_3;
const role = (partition: string) => AwsIdentity.irsa(`arn:${partition}:iam::123456789012:role/balancers`);

const MISTAKES: [string, Props, string, string, Change?][] = [
  ['no cluster name', { clusterName: '' }, 'cluster-name', 'has no cluster name'],
  [
    'a cluster name that is too long',
    { clusterName: 'x'.repeat(101) },
    'cluster-name',
    '101 characters, more than 100',
  ],
  ['a cluster name with a blank', { clusterName: 'my prod' }, 'cluster-name', "'my prod'"],
  ['a cluster name that begins with a dash', { clusterName: '-prod' }, 'cluster-name', "'-prod'"],
  ['no region', { region: '' }, 'aws-region', 'has no region'],
  ['a zone for a region', { region: 'eu-west-1a' }, 'aws-region', "'eu-west-1a'"],
  ['no VPC id', { vpcId: '' }, 'vpc-id', 'has no VPC id'],
  ['the id of a subnet', { vpcId: 'subnet-0123456789abcdef0' }, 'vpc-id', "'subnet-0123456789abcdef0'"],
  ['a VPC id that is cut off', { vpcId: 'vpc-0123456789abcdef' }, 'vpc-id', "'vpc-0123456789abcdef'"],
  ['no replica', { replicas: 0 }, 'controller-replicas', '0 replicas'],
  ['half a replica', { replicas: 1.5 }, 'controller-replicas', '1.5 replicas'],
  ['an image of another version', { image: 'registry.example.com/lbc:v3.4.0' }, 'image-of-another-version', 'v3.4.0'],
  [
    'a flag that it does not know',
    { flags: { 'enable-service-controller': 'false' } },
    'unknown-flag',
    '--enable-service-controller',
  ],
  ['a flag that is a prop', { flags: { 'cluster-name': 'dev' } }, 'flag-twice', 'by the prop clusterName'],
  ['a flag that others depend on', { flags: { 'webhook-bind-port': '8443' } }, 'fixed-flag', '--webhook-bind-port'],
  ['a gate that it does not know', { featureGates: { Faster: true } }, 'unknown-feature-gate', 'feature gate Faster'],
  [
    'a gate as the documentation has it',
    { featureGates: { EnableTCPUDPListenerType: true } },
    'unknown-feature-gate',
    'write EnableTCPUDPListener',
  ],
  [
    'a gate that is neither on nor off',
    {},
    'unknown-feature-gate',
    "with 'yes'",
    patched(JsonPatch.add(`${ARGS}/-`, '--feature-gates=EnableRGTAPI=yes')),
  ],
  [
    'a gate in other capitals of a newer version',
    { version: NEWER, crds: false, featureGates: { enableRGTapi: true } },
    'unknown-feature-gate',
    'write EnableRGTAPI',
  ],
  [
    'a gate as the documentation has it of a newer version',
    { version: NEWER, crds: false, featureGates: { EnableTCPUDPListenerType: true } },
    'unknown-feature-gate',
    'write EnableTCPUDPListener',
  ],
  [
    'a flag with underscores of a newer version',
    { version: NEWER, crds: false, flags: { sync_period: '1h' } },
    'unknown-flag',
    'write --sync-period',
  ],
  ['a flag in capitals', { flags: { 'Sync-Period': '1h' } }, 'unknown-flag', 'write --sync-period'],
  ['a flag with its dashes', { flags: { '--sync-period': '1h' } }, 'unknown-flag', 'does not start'],
  ['a duration in words', { flags: { 'sync-period': '1 hour' } }, 'flag-value', "with '1 hour', which is not"],
  ['a duration without a unit', { flags: { 'sync-period': '3600' } }, 'flag-value', 'like 1h30m'],
  ['a number in words', { flags: { 'aws-max-retries': 'ten' } }, 'flag-value', 'a whole number'],
  ['a negative number', { flags: { 'max-targets-per-target-group': '-1' } }, 'flag-value', 'a whole number'],
  ['yes for true', { flags: { 'enable-endpoint-slices': 'yes' } }, 'flag-value', 'true or false'],
  ['targets that it has not', { flags: { 'default-target-type': 'pod' } }, 'flag-value', 'instance or ip'],
  ['a public scheme', { flags: { 'default-load-balancer-scheme': 'public' } }, 'flag-value', 'internet-facing'],
  ['a tag without a value', { flags: { 'aws-vpc-tags': 'team' } }, 'flag-value', 'keys with values'],
  ['a label without a value', { flags: { 'required-secrets-label': 'team=' } }, 'flag-value', 'one key'],
  ['a group by name', { flags: { 'backend-security-group': 'nodes' } }, 'flag-value', "'nodes'"],
  ['a throttle without a burst', { flags: { 'aws-api-throttle': 'EC2:.*=4' } }, 'flag-value', 'a burst'],
  [
    'the NLB gate without kinds',
    { featureGates: { NLBGatewayAPI: true } },
    'gateway-api-crds',
    'tcproutes.gateway.networking.k8s.io',
  ],
  [
    'the ALB gate without kinds',
    { featureGates: { ALBGatewayAPI: true } },
    'gateway-api-crds',
    'httproutes.gateway.networking.k8s.io',
  ],
  [
    'an old Gateway API',
    { gatewayApiCrds: 'v1.5.1', featureGates: { NLBGatewayAPI: true } },
    'gateway-api-crds',
    'wants 1.6.0',
  ],
  [
    'an old Gateway API beside an old version',
    { version: OLDER, gatewayApiCrds: '1.4.1', featureGates: { ALBGatewayAPI: true } },
    'gateway-api-crds',
    'wants 1.5.0',
  ],
  [
    'a gate that came later',
    { version: AwsLoadBalancerControllerVersion.V3_3_0, featureGates: { IngressPlanAnnotation: true } },
    'unknown-feature-gate',
    'IngressPlanAnnotation, which version 3.3.0 does not know: it does not start; leave it out, or install 3.4.0 or newer',
  ],
  [
    'a flag that came later',
    { version: OLDER, flags: { 'required-secrets-label': 'team=edge' } },
    'unknown-flag',
    '--required-secrets-label, which version 3.4.3 does not know: it does not start; leave it out, or install 3.5.0',
  ],
  [
    'an image of a newer version than the one that is rolled back to',
    { version: OLDER, image: 'registry.example.com/lbc:v3.5.0' },
    'image-of-another-version',
    'version 3.4.3',
  ],
  [
    'a Gateway API of no version',
    { gatewayApiCrds: 'standard', featureGates: { NLBGatewayAPI: true } },
    'gateway-api-crds',
    "'standard'",
  ],
  [
    'ALBs of Gateways and NLBs only',
    { nlbOnly: true, gatewayApiCrds: '1.6.0', featureGates: { ALBGatewayAPI: true } },
    'nlb-only',
    'ALBGatewayAPI',
  ],
];

test.each(MISTAKES)('%s is refused', (_, ...[props, rule, part, change]) => {
  const { chart, installation } = installed(props);
  change?.(installation);
  const errors = errorsOf(chart).filter((error) => error.endsWith(`(${rule})`));
  expect(errors).not.toEqual([]);
  expect(errors[0]).toContain('[system/Controller] aws-load-balancer-controller: ');
  expect(errors.join('\n')).toContain(part);
});

const RIGHT: [string, Props, Change?][] = [
  ['a cluster name with dots', { clusterName: 'prod.example.com' }],
  ['a cluster name of 100 characters', { clusterName: 'x'.repeat(100) }],
  [
    'names that AWS CDK fills in',
    { clusterName: token('Cluster.12'), region: token('AWS.Region.4'), vpcId: token('Vpc.3') },
  ],
  ['permissions for its network', { vpcArn: 'arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0' }],
  ['permissions for a network that is not known yet', { vpcArn: token('VpcArn') }],
  ['a class of Ingresses with a dot', { ingressClassName: 'edge.alb' }],
  ['an old VPC id', { vpcId: 'vpc-01234567' }],
  ['a role of China in China', { region: 'cn-northwest-1', identity: role('aws-cn') }],
  ['one replica', { replicas: 1 }],
  ['an image by digest', { image: `registry.example.com:5000/lbc@sha256:${'0'.repeat(64)}` }],
  ['an image of the version', { image: 'registry.example.com:5000/lbc:v3.5.0' }],
  ['a gate of an older version', { version: OLDER, featureGates: { IngressPlanAnnotation: true } }],
  [
    'ALBs of Gateways of an older version',
    { version: OLDER, gatewayApiCrds: '1.5.1', featureGates: { ALBGatewayAPI: true } },
  ],
  ['another flag', { flags: { 'sync-period': '1h' } }],
  ['a gate of a newer version', { version: NEWER, crds: false, featureGates: { Faster: true } }],
  ['a flag of a newer version', { version: NEWER, crds: false, flags: { faster: 'true' } }],
  [
    'flags of every kind',
    {
      flags: {
        'aws-max-retries': '10',
        'lb-stabilization-monitor-interval': '1h30m0.5s',
        'enable-endpoint-slices': 'True',
        'enable-backend-security-group': 'false',
        'default-target-type': 'ip',
        'aws-vpc-tags': 'team=edge,stage=',
        'required-secrets-label': 'team=edge',
        'backend-security-group': token('Group'),
        'aws-api-throttle': 'Elastic Load Balancing v2:RegisterTargets|DeregisterTargets=4:20,EC2:.*=0.5:1',
        'external-managed-tags': 'stage',
      },
    },
  ],
  ['ListenerSets that nobody looks at', { featureGates: { GatewayListenerSet: true } }],
  ['an image that AWS CDK fills in', { image: token('Image') }],
  ['a long name', { name: `${'x'.repeat(40)}-controller` }],
  [
    'a boolean flag without a value, in front of another word',
    {},
    patched(JsonPatch.add(`${ARGS}/-`, '--enable-shield'), JsonPatch.add(`${ARGS}/-`, '$(MORE)')),
  ],
  ['the Gateway API', { gatewayApiCrds: '1.6.0', featureGates: { NLBGatewayAPI: true, ALBGatewayAPI: true } }],
];

test.each(RIGHT)('%s is accepted', (_, ...[props, change]) => {
  const { chart, installation } = installed(props);
  change?.(installation);
  expect(errorsOf(chart)).toEqual([]);
});

test('every rule that refuses has a row', () => {
  const tried = new Set(MISTAKES.map(([, , rule]) => rule));
  const refusing = INSTALLATION_RULES.filter(({ severity }) => severity === 'error').map(({ id }) => id);
  expect(refusing.filter((id) => !tried.has(id))).toEqual([
    'second-installation',
    'controllers-of-one-chart',
    'service-unwatched',
    'webhook-takes-service',
  ]);
});

test('labels that the selector does not match are refused', () => {
  const { chart, installation } = installed();
  patched(JsonPatch.replace('/spec/template/metadata/labels', { app: 'x' }))(installation);
  expect(errorsOf(chart).join()).toMatch(/selector app\.kubernetes\.io\/instance=.* \(workload-selector\)/);
});

describe('a second installation', () => {
  const both = (second: Props) => {
    const app = new App();
    installed({}, app);
    return errorsOf(installed({ name: 'other', ...second }, app, 'second').chart);
  };

  test.each<[string, Props]>([
    ['of the same class', {}],
    ['of another class', { loadBalancerClass: 'example.com/nlb' }],
    ['in another namespace', { namespace: 'balancers' }],
  ])('%s for one cluster is refused', (_, second) => {
    expect(both(second)).toEqual([
      expect.stringMatching(
        /^\[second\/Controller\] .* for cluster 'prod' by system\/Controller\/Deployment already, .* \(second-installation\)$/,
      ),
    ]);
  });

  test.each<[string, Props]>([
    ['for another cluster', { clusterName: 'dev' }],
    ['for a cluster of that name in another region', { region: 'eu-central-1' }],
    ['for a cluster of that name in another VPC', { vpcId: 'vpc-0fedcba9876543210' }],
    ['in another region, its VPC not known yet', { region: 'eu-central-1', vpcId: token('Vpc') }],
  ])('%s is accepted', (_, second) => {
    expect(both(second)).toEqual([]);
  });

  describe('of that name in another VPC', () => {
    const elsewhere = { vpcId: 'vpc-0fedcba9876543210' };
    const of = (account: string) => AwsIdentity.irsa(`arn:aws:iam::${account}:role/balancers`);
    const byTag = { featureGates: { EnableRGTAPI: true } };

    const told = (first: Props, second: Props) => {
      const app = new App();
      installed(first, app);
      const { chart } = installed({ name: 'other', ...elsewhere, ...second }, app, 'second');
      let errors: string[] = [];
      const warnings = stderrOf(() => {
        errors = errorsOf(chart);
      });
      return { errors: errors.join(), warnings };
    };

    test.each<[string, Props, Props]>([
      ['the first', byTag, {}],
      ['the second', {}, byTag],
    ])('is refused where %s finds balancers by one call for tags', (_, first, second) => {
      const { errors, warnings } = told(first, second);
      expect(errors).toMatch(/by system\/Controller\/Deployment already, .* \(second-installation\)$/);
      expect(warnings).toBe('');
    });

    test('is right where they are of two accounts', () => {
      const first = { identity: of('123456789012'), ...byTag };
      expect(told(first, { identity: of('210987654321') })).toEqual({ errors: '', warnings: '' });
    });
  });

  const asItIs: Change = () => undefined;

  test.each<[string, Props, Change]>([
    ['in a region that is not known yet', { region: token('Region') }, asItIs],
    ['in a VPC that is not known yet', { vpcId: token('Vpc') }, asItIs],
    [
      'whose Deployment does not say the VPC',
      {},
      ({ deployment }) => deployment.addJsonPatch(JsonPatch.replace(ARGS, ['--cluster-name=prod'])),
    ],
  ])('%s is refused', (_, second, change) => {
    const app = new App();
    installed({}, app);
    const { chart, installation } = installed({ name: 'other', ...second }, app, 'second');
    change(installation);
    expect(errorsOf(chart).join()).toContain('(second-installation)');
  });

  test('beside another sample with the same placeholder as cluster is accepted', () => {
    const app = new App();
    const sample = { clusterName: 'your-cluster-name' };
    installed(sample, app);
    expect(errorsOf(installed({ name: 'other', ...sample }, app, 'second').chart)).toEqual([]);
  });

  test('beside one whose region is not known yet is refused', () => {
    const app = new App();
    installed({ region: token('Region') }, app);
    expect(errorsOf(installed({ name: 'other' }, app, 'second').chart).join()).toContain('(second-installation)');
  });

  test('that somebody else wrote is found', () => {
    const app = new App();
    const { chart } = installed({}, app);
    new Include(new Chart(app, 'vendor'), 'Chart', { url: `${__dirname}/manifests/vendor.yaml` });
    expect(errorsOf(chart).join()).toContain('by vendor/Chart/');
  });
});

test('a newer version with the kinds of this one is told about', () => {
  const warnings = stderrOf(() => errorsOf(installed({ version: NEWER }).chart));
  expect(warnings).toContain('(crds-of-another-version)');
  expect(stderrOf(() => errorsOf(installed({ version: NEWER, crds: false }).chart))).toBe('');
  expect(stderrOf(() => errorsOf(installed().chart))).toBe('');
});

describe('a rollback', () => {
  const gateways = { gatewayApiCrds: '1.6.0', featureGates: { NLBGatewayAPI: true } };

  test.each([AwsLoadBalancerControllerVersion.V3_3_0, OLDER])(
    'to $version changes nothing but version and image',
    (version) => {
      const texts = (props: Props) =>
        JSON.stringify(synth(installed(props).chart)).replaceAll(version.version, '3.5.0');
      expect(stderrOf(() => expect(texts({ version })).toBe(texts({})))).toBe('');
      expect(texts({ version, ...gateways })).toBe(texts(gateways));
    },
  );
});

test.each<[string, Props, string]>([
  ['a gate', { featureGates: { Faster: true } }, 'with the gate Faster, which 3.5.0 has not'],
  ['a flag', { flags: { faster: 'true' } }, 'with the flag --faster, which 3.5.0 has not'],
])('%s of a newer version is told about', (_, props, part) => {
  const { chart } = installed({ version: NEWER, crds: false, ...props });
  const warnings = stderrOf(() => errorsOf(chart));
  expect(warnings).toContain(part);
  expect(warnings).toContain('(newer-than-facts)');
});

test.each([
  ['3.2.2', 'older than 3.3.0'],
  ['2.17.1', 'older than 3.3.0'],
  ['3.5', 'is not a version'],
  ['latest', 'is not a version'],
])('version %s is refused', (version, part) => {
  expect(() => AwsLoadBalancerControllerVersion.of(version)).toThrow(part);
});
