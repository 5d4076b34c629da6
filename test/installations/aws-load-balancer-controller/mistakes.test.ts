import { App, Chart, Include, JsonPatch, Testing } from 'cdk8s';
import type { Json } from '../../../src/contract/json';
import { AwsIdentity } from '../../../src/identity/aws/aws-identity';
import { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { INSTALLATION_RULES } from '../../../src/installations/aws-load-balancer-controller/rules';
import { AwsLoadBalancerControllerVersion } from '../../../src/installations/aws-load-balancer-controller/version';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { casesIn, revived } from '../../support/yaml-cases';
import { installed, RIGHT } from './installations';

describe('mistakes', () => {
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
      'feature-gate-unknown',
      "EnableRGTAPI is 'yes'",
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
      'cluster-name-duplicate',
      'controller-duplicate-in-chart',
      'service-namespace-not-watched',
      'webhook-on-foreign-service',
    ]);
  });

  test('labels that the selector does not match are refused', () => {
    const { chart, installation } = installed();
    patched(JsonPatch.replace('/spec/template/metadata/labels', { app: 'x' }))(installation);
    expect(errorsOf(chart).join()).toMatch(/selector app\.kubernetes\.io\/instance=.* \(workload-selector-mismatch\)/);
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
          /^\[second\/Controller\] .* deletes the balancers of system\/Controller\/Deployment, .* for cluster 'prod', .* \(cluster-name-duplicate\)$/,
        ),
      ]);
    });

    test.each<[string, Props]>([
      ['for another cluster', { clusterName: 'dev' }],
      ['for a cluster of that name in another region', { region: 'eu-central-1' }],
      ['for a cluster of that name in another VPC', { vpcId: 'vpc-0fedcba9876543210' }],
      ['in another region, its VPC not known yet', { region: 'eu-central-1', vpcId: token('Vpc') }],
    ])('%s is accepted', (_, second) => expect(both(second)).toEqual([]));

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
        expect(errors).toMatch(
          /deletes the balancers of system\/Controller\/Deployment, .* \(cluster-name-duplicate\)$/,
        );
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
      expect(errorsOf(chart).join()).toContain('(cluster-name-duplicate)');
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
      expect(errorsOf(installed({ name: 'other' }, app, 'second').chart).join()).toContain('(cluster-name-duplicate)');
    });

    test('that somebody else wrote is found', () => {
      const app = new App();
      const { chart } = installed({}, app);
      new Include(new Chart(app, 'vendor'), 'Chart', { url: `${__dirname}/manifests/vendor.yaml` });
      expect(errorsOf(chart).join()).toContain('deletes the balancers of vendor/Chart/');
    });
  });

  test('a newer version with the kinds of this one is told about', () => {
    const warnings = stderrOf(() => errorsOf(installed({ version: NEWER }).chart));
    expect(warnings).toContain('(crds-version-mismatch)');
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
    ['a gate', { featureGates: { Faster: true } }, 'with the gate Faster, which 3.5.0 does not have'],
    ['a flag', { flags: { faster: 'true' } }, 'with the flag --faster, which 3.5.0 does not have'],
  ])('%s of a newer version is told about', (_, props, part) => {
    const { chart } = installed({ version: NEWER, crds: false, ...props });
    const warnings = stderrOf(() => errorsOf(chart));
    expect(warnings).toContain(part);
    expect(warnings).toContain('(flag-newer-than-facts)');
  });

  test.each([
    ['3.2.2', 'older than 3.3.0'],
    ['2.17.1', 'older than 3.3.0'],
    ['3.5', 'is not a version'],
    ['latest', 'is not a version'],
  ])('version %s is refused', (version, part) => {
    expect(() => AwsLoadBalancerControllerVersion.of(version)).toThrow(part);
  });
});

const CASES = casesIn(__dirname, 'mistakes.yaml');

// What JavaScript can pass and TypeScript cannot.

const PROPS: [prop: string, value: unknown, part: string][] = [
  ...CASES.props,
  ['identity', undefined, 'identity is missing'],
  ['certificate', undefined, 'certificate is missing'],
];

test.each(PROPS)('%s as %j is refused by name', (prop, value, part) => {
  const make = () => installed({ [prop]: value } as Partial<AwsLoadBalancerControllerInstallationProps>);
  expect(make).toThrow(part);
  expect(make).toThrow(/^system\/Controller: .*; .* \(prop-invalid\)$/m);
});

test.each([undefined, null, 'prod'])('%j instead of props is refused', (props) => {
  const make = () =>
    new AwsLoadBalancerControllerInstallation(
      new Chart(Testing.app(), 'system'),
      'Controller',
      props as unknown as AwsLoadBalancerControllerInstallationProps,
    );
  expect(make).toThrow('pass an object with clusterName, region, vpcId, identity, certificate');
});

test('props that are undefined are left out', () => {
  const nothing = Object.fromEntries(PROPS.map(([prop]) => [prop, undefined]));
  const props = { ...nothing, ...RIGHT, resources: { requests: { memory: '200Mi' } } };
  expect(synth(installed(props).chart)).toEqual(synth(installed().chart));
});

describe('webhooks', () => {
  const CASES = casesIn(__dirname, 'mistakes.yaml');

  // What the API server does with a request while the controller is away, as kubernetes/apiserver v0.36
  // (pkg/admission/plugin/webhook) decides it: rules, selectors, match conditions, then the failure policy.

  type Labels = Record<string, string>;

  interface Request {
    readonly operation: 'CREATE' | 'UPDATE';
    /** Group, version and resource as rules name them. */
    readonly resource: readonly [group: string, version: string, resource: string];
    readonly namespace?: string;
    readonly namespaceLabels?: Labels;
    readonly labels?: Labels;
    readonly spec?: Json;
    readonly deleted?: boolean;
  }

  function selected(selector: Json | undefined, labels: Labels): boolean {
    return ((selector?.matchExpressions ?? []) as Json[]).every(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'In':
          return key in labels && values.includes(labels[key]);
        case 'NotIn':
          return !(key in labels) || !values.includes(labels[key]);
        case 'DoesNotExist':
          return !(key in labels);
        default:
          throw new Error(`${operator} is not modelled`);
      }
    });
  }

  const CONDITIONS: Record<string, (request: Request) => boolean> = {
    '!has(object.metadata.deletionTimestamp)': ({ deleted }) => !deleted,
    "object.spec.type == 'LoadBalancer' && !has(object.spec.loadBalancerClass)": ({ spec }) =>
      spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined,
  };

  function asks(webhook: Json, request: Request): boolean {
    const [group, version, resource] = request.resource;
    const { namespace } = request;
    const namespaceLabels = { ...request.namespaceLabels, 'kubernetes.io/metadata.name': namespace ?? '' };
    const [rule] = webhook.rules;
    return (
      rule.apiGroups.includes(group) &&
      rule.apiVersions.includes(version) &&
      rule.resources.includes(resource) &&
      rule.operations.includes(request.operation) &&
      // objects of the whole cluster pass every selector of namespaces
      (namespace === undefined || selected(webhook.namespaceSelector, namespaceLabels)) &&
      selected(webhook.objectSelector, request.labels ?? {}) &&
      ((webhook.matchConditions ?? []) as Json[]).every(({ expression }) => CONDITIONS[expression](request))
    );
  }

  function refusers(webhooks: readonly Json[], request: Request): string[] {
    return webhooks
      .filter(({ failurePolicy }) => failurePolicy === 'Fail')
      .filter((webhook) => asks(webhook, request))
      .map(({ name }) => name);
  }

  const webhooks = synth(
    installed({
      namespace: 'balancers',
      serviceMutatorWebhook: true,
      featureGates: { ALBTargetControlAgent: true, GlobalAcceleratorController: true },
    }).chart,
  ).flatMap(({ kind, webhooks: its }) => (/WebhookConfiguration$/.test(kind) ? (its as Json[]) : []));

  const PODS = ['', 'v1', 'pods'] as const;
  const SERVICES = ['', 'v1', 'services'] as const;
  const PARAMS = ['elbv2.k8s.aws', 'v1beta1', 'ingressclassparams'] as const;
  const READINESS = { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' };

  const created = (resource: Request['resource'], request: Partial<Request> = {}): Request => ({
    operation: 'CREATE',
    resource,
    namespace: 'shop',
    ...request,
  });
  const updated = (resource: Request['resource'], request: Partial<Request> = {}): Request => ({
    ...created(resource, request),
    operation: 'UPDATE',
  });

  const balancer = (loadBalancerClass?: string) => ({ spec: { type: 'LoadBalancer', loadBalancerClass } });

  test.each<[string, Request]>([
    ...CASES.whileControllerAway,
    ['a Service without a class in the system', created(SERVICES, { namespace: 'kube-system', ...balancer() })],
    ['a Service that is edited', updated(SERVICES, balancer())],
    ['parameters whose finalizer is removed', updated(PARAMS, { namespace: undefined, deleted: true })],
  ])('while the controller is away, nobody refuses %s', (_, request) => {
    expect(refusers(webhooks, request)).toEqual([]);
  });

  test.each<[string, Request, string[]]>([
    ...CASES.webhooks,
    ['a Service that wants a class', created(SERVICES, balancer()), ['mservice.elbv2.k8s.aws']],
    ['parameters', created(PARAMS, { namespace: undefined }), ['vingressclassparams.elbv2.k8s.aws']],
  ])('while the controller is away, %s waits for it', (_, request, expected) => {
    expect(refusers(webhooks, request)).toEqual(expected);
  });

  test.each<[string, boolean | undefined, string[]]>([
    ['goes ahead without its gate by default', undefined, []],
    ['goes ahead where that is said', false, []],
    ['is refused where that is said', true, ['mpod.elbv2.k8s.aws']],
  ])('while the controller is away, a pod that waits for its target %s', (_, requirePodMutator, expected) => {
    const its = synth(installed({ requirePodMutator }).chart).flatMap(({ webhooks: all = [] }) => all as Json[]);
    expect(refusers(its, created(PODS, { namespaceLabels: READINESS }))).toEqual(expected);
    expect(refusers(its, created(PODS))).toEqual([]);
    expect(refusers(its, created(PODS, { namespace: 'kube-system', namespaceLabels: READINESS }))).toEqual([]);
  });

  test('by default no webhook is asked about Services, nor on paths that the controller has not got', () => {
    const names = synth(installed().chart).flatMap(({ webhooks: its = [] }) => (its as Json[]).map(({ name }) => name));
    expect(names).toEqual([
      'mpod.elbv2.k8s.aws',
      'quicid.elbv2.k8s.aws',
      'mtargetgroupbinding.elbv2.k8s.aws',
      'vingressclassparams.elbv2.k8s.aws',
      'vtargetgroupbinding.elbv2.k8s.aws',
      'vingress.elbv2.k8s.aws',
    ]);
  });

  test.each<[string, Parameters<typeof installed>[0], string[]]>(CASES.webhooksIngressesInstallation)(
    'webhooks for Ingresses of an installation %s',
    (_, props, expected) => {
      const all = synth(installed(props).chart).flatMap(({ webhooks: its = [] }) =>
        (its as Json[]).map(({ name }) => name),
      );
      expect(all.filter((name) => name.startsWith('vingress'))).toEqual(expected);
      expect(all).toContain('vtargetgroupbinding.elbv2.k8s.aws');
    },
  );

  test('a request waits some seconds for an answer, and longer only where the controller asks AWS first', () => {
    const waits = webhooks.map(({ name, timeoutSeconds }) => [name, timeoutSeconds]);
    expect(waits.filter(([, seconds]) => seconds !== 5)).toEqual([
      ['mtargetgroupbinding.elbv2.k8s.aws', 10],
      ['vtargetgroupbinding.elbv2.k8s.aws', 10],
    ]);
  });

  test('the API server trusts what the certificate is signed by', () => {
    const trusted = synth(installed().chart).filter(({ kind }) => /WebhookConfiguration$/.test(kind));
    expect(trusted.map(({ metadata }) => metadata.annotations)).toEqual([
      { 'cert-manager.io/inject-ca-from': 'kube-system/aws-load-balancer-serving-cert' },
      { 'cert-manager.io/inject-ca-from': 'kube-system/aws-load-balancer-serving-cert' },
    ]);
  });
});
