import { App, Chart, Include, JsonPatch } from 'cdk8s';
import { AwsIdentity } from '../../../src/identity/aws/aws-identity';
import type { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { INSTALLATION_RULES } from '../../../src/installations/aws-load-balancer-controller/rules';
import { AwsLoadBalancerControllerVersion } from '../../../src/installations/aws-load-balancer-controller/version';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { casesIn, revived } from '../../support/yaml-cases';
import { installed } from './installations';

const CASES = casesIn(__dirname, 'mistakes.yaml');

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
  ...revived(CASES.mistakesOfVersions),
  ...revived(CASES.mistakes),
  [
    'a gate that is neither on nor off',
    {},
    'unknown-feature-gate',
    "with 'yes'",
    patched(JsonPatch.add(`${ARGS}/-`, '--feature-gates=EnableRGTAPI=yes')),
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
  ...revived(CASES.right),
  ['a role of China in China', { region: 'cn-northwest-1', identity: role('aws-cn') }],
  ['a gate of a newer version', { version: NEWER, crds: false, featureGates: { Faster: true } }],
  ['a flag of a newer version', { version: NEWER, crds: false, flags: { faster: 'true' } }],
  [
    'a boolean flag without a value, in front of another word',
    {},
    patched(JsonPatch.add(`${ARGS}/-`, '--enable-shield'), JsonPatch.add(`${ARGS}/-`, '$(MORE)')),
  ],
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
