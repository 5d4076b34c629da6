import { ApiObject, App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  type AwsLoadBalancerControllerNlbOptions,
  LoadBalancedService,
} from '../../../src';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { SERVED_SERVICE_RULES } from '../../../src/installations/aws-load-balancer-controller/service-rules';
import { errorsOf, stderrOf, written } from '../../support/apps';
import { installed } from './installations';

type Props = Partial<AwsLoadBalancerControllerInstallationProps>;
type Annotations = Record<string, string>;

const CLASS = 'service.k8s.aws/nlb';
const ECHO = { selector: { app: 'echo' }, ports: [{ port: 443 }] };
const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
const off = (gate: string): Props => ({ featureGates: { [gate]: false } });
const FORWARD = JSON.stringify({
  type: 'forward',
  forwardConfig: { baseServiceWeight: 1, targetGroups: [{ serviceName: 'blue', servicePort: 443, weight: 1 }] },
});

/** What is said where an app has an installation and a Service as somebody wrote it. */
function said(props: Props, annotations: Annotations, spec: object = {}, others: Props[] = []) {
  const app = new App();
  const { chart } = installed(props, app);
  for (const [i, other] of others.entries()) {
    installed(other, app, `other-${i}`);
  }
  new ApiObject(new Chart(app, 'echo', { namespace: 'echo' }), 'Echo', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'echo',
      annotations: Object.fromEntries(Object.entries(annotations).map(([name, text]) => [key(name), text])),
    },
    spec: { type: 'LoadBalancer', loadBalancerClass: CLASS, ports: [{ port: 443, protocol: 'TCP' }], ...spec },
  });
  let errors: string[] = [];
  const warnings = stderrOf(() => {
    errors = errorsOf(chart);
  });
  return { errors, warnings };
}

/** What an installation does not do, what a Service wants of it, the rule that says so, and a part of what it says. */
const UNSERVED: [string, Props, Annotations, string, string][] = [
  ['a Service', off('enableServiceController'), {}, 'service-controller-off', 'serves no Services'],
  ['pods as targets', off('enableIpTargetType'), { 'nlb-target-type': 'ip' }, 'ip-targets-off', 'no ip targets'],
  [
    'pods as targets by flag',
    { ...off('enableIpTargetType'), additionalFlags: { 'default-target-type': 'ip' } },
    {},
    'ip-targets-off',
    'no ip targets',
  ],
  [
    'groups',
    off('nlbSecurityGroup'),
    { 'security-groups': 'sg-1' },
    'security-groups-off',
    `${key('security-groups')} is void`,
  ],
  [
    'prefix lists',
    off('nlbSecurityGroup'),
    { 'security-group-prefix-lists': 'pl-1' },
    'security-groups-off',
    'NLBSecurityGroup is off',
  ],
  [
    'capacity',
    off('lbCapacityReservation'),
    { 'minimum-load-balancer-capacity': 'CapacityUnits=2750' },
    'capacity-off',
    "'CapacityUnits=2750'",
  ],
  [
    'capacity that its role may not reserve',
    { nlbOnly: true },
    { 'minimum-load-balancer-capacity': 'CapacityUnits=2750' },
    'capacity-not-permitted',
    'may not reserve capacity',
  ],
  [
    'success codes',
    off('nlbHealthCheckAdvancedConfig'),
    { 'healthcheck-success-codes': '200' },
    'health-check-settings-off',
    'does not read',
  ],
  [
    'a timeout',
    off('nlbHealthCheckAdvancedConfig'),
    { 'healthcheck-timeout': '6' },
    'health-check-settings-off',
    'does not read',
  ],
  [
    'a tag of others',
    { additionalFlags: { 'external-managed-tags': 'stage,team' } },
    { 'additional-resource-tags': 'team=edge' },
    'tag-of-others',
    "tag 'team'",
  ],
];

test.each(UNSERVED)(
  '%s that it does not serve is refused, or told where it is not read',
  (_, props, annotations, rule, part) => {
    const { errors, warnings } = said(props, annotations);
    if (['capacity-off', 'health-check-settings-off'].includes(rule)) {
      expect(errors).toEqual([]);
      expect(warnings).toContain(part);
      expect(warnings).toContain(`(${rule})`);
      return;
    }
    const found = errors.filter((error) => error.endsWith(`(${rule})`));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^\[system\/Controller\] aws-load-balancer-controller: .* \(Service echo\/echo\); /);
    expect(found[0]).toContain(part);
  },
);

test.each(UNSERVED)('%s of another class is not refused', (_, ...[props, annotations]) => {
  expect(said(props, annotations, { loadBalancerClass: 'eks.amazonaws.com/nlb' })).toEqual({
    errors: [],
    warnings: '',
  });
});

test.each(UNSERVED)('%s is not refused where nobody knows which of two serves it', (_, ...[props, annotations]) => {
  expect(said(props, annotations, {}, [{ clusterName: 'dev' }]).errors).toEqual([]);
});

test.each<[string, Props, Annotations]>([
  ['everything that is on', {}, Object.assign({}, ...UNSERVED.slice(1, -1).map(([, , annotations]) => annotations))],
  ['no capacity', off('lbCapacityReservation'), {}],
  ['a path for health checks', off('nlbHealthCheckAdvancedConfig'), { 'healthcheck-path': '/healthz' }],
  ['instances', off('enableIpTargetType'), { 'nlb-target-type': 'instance' }],
])('%s is served', (_, props, annotations) => {
  expect(said(props, annotations).errors).toEqual([]);
});

test('several target groups of a listener need their gate', () => {
  const annotations = { 'service.beta.kubernetes.io/actions.TCP-443': FORWARD };
  const rule = SERVED_SERVICE_RULES.find(({ id }) => id === 'weighted-target-groups-off');
  const serving = { gates: { WeightedTargetGroups: 'false' }, flags: {}, reservesCapacity: true };
  expect(rule?.concerns?.([], serving)).toBe(true);
  expect(rule?.concerns?.([], { ...serving, gates: {} })).toBe(false);
  expect(rule?.judge({ metadata: { annotations } }, serving)).toEqual([
    expect.objectContaining({ what: expect.stringContaining('actions.TCP-443 names several') }),
  ]);
  expect(rule?.judge({ metadata: {} }, serving)).toEqual([]);
});

test('source ranges keep nobody out where the gate for security groups is off', () => {
  const ranges = { loadBalancerSourceRanges: ['10.0.0.0/8'] };
  const { errors } = said(off('nlbSecurityGroup'), { 'nlb-target-type': 'ip' }, ranges);
  expect(errors.join()).toMatch(/keep no client out .* \(security-groups-off\)$/);
  expect(said({}, { 'nlb-target-type': 'ip' }, ranges).errors).toEqual([]);
});

test.each<[string, Props, string]>([
  ['is told about', { defaultTags: { team: 'platform' } }, "'team' with 'platform' over the 'edge'"],
  ['of the same value is right', { defaultTags: { team: 'edge' } }, ''],
  [
    'that wins by its gate is right',
    { defaultTags: { team: 'platform' }, featureGates: { enableDefaultTagsLowPriority: true } },
    '',
  ],
])('a tag of a Service that is a default tag %s', (_, props, part) => {
  const { errors, warnings } = said(props, { 'additional-resource-tags': 'team=edge' });
  expect(errors).toEqual([]);
  expect(warnings).toContain(part);
  expect(warnings.includes('(tag-overridden)')).toBe(part !== '');
});

test.each<[string, Props, AwsLoadBalancerControllerNlbOptions, string]>([
  ['groups', off('nlbSecurityGroup'), { securityGroups: ['sg-1'] }, 'makes balancers without security groups'],
])('a controller with %s that the installation does not serve is refused', (_, props, options, part) => {
  const { installation } = installed(props);
  expect(() => installation.nlb(options)).toThrow(part);
  expect(() => installation.nlb(options)).toThrow(/^\[system\/Controller\] .*; .* \(controller-of-installation\)$/);
  expect(() => installed().installation.nlb(options)).not.toThrow();
});

test('listeners of TCP and UDP are for every Service where their gate is on', () => {
  const app = new App();
  const { installation } = installed({ featureGates: { enableTcpUdpListener: true } }, app);
  const chart = new Chart(app, 'echo', { namespace: 'echo' });
  new LoadBalancedService(chart, 'Echo', { ...ECHO, controller: installation.nlb() });
  expect(written(chart, 'Service').metadata.annotations[key('enable-tcp-udp-listener')]).toBe('true');
});

describe('a class that the only installation does not serve', () => {
  test.each<[string, Props, object]>([
    ['a misprint', {}, { loadBalancerClass: 'service.k8s.aws/nbl' }],
    ['that of another installation', { loadBalancerClass: 'example.com/nlb' }, {}],
  ])('is told about: %s', (_, props, spec) => {
    expect(said(props, {}, spec).warnings).toMatch(
      /Service echo\/echo has '.*', for which no controller makes a balancer[\s\S]*\(class-not-served\)/,
    );
  });

  test('is told about where a controller object has it', () => {
    const app = new App();
    installed({}, app);
    const controller = AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/nlb' });
    new LoadBalancedService(new Chart(app, 'echo', { namespace: 'echo' }), 'Echo', {
      ...ECHO,
      name: 'echo',
      controller,
    });
    expect(stderrOf(() => app.synthYaml())).toContain("Service echo/echo has 'example.com/nlb'");
  });

  test.each<[string, object, Props[]?]>([
    ['the one that is served', {}],
    ['that of somebody else', { loadBalancerClass: 'eks.amazonaws.com/nlb' }],
    ['none', { loadBalancerClass: undefined }],
    ['no balancer', { type: 'ClusterIP', loadBalancerClass: 'service.k8s.aws/nbl' }],
    ['two installations', { loadBalancerClass: 'service.k8s.aws/nbl' }, [{ clusterName: 'dev' }]],
  ])('is none of its business: %s', (_, ...[spec, others]) => {
    expect(said({}, {}, spec, others)).toEqual({ errors: [], warnings: '' });
  });
});

describe('the webhook for Services', () => {
  function errors(props: Props, namespace = 'echo'): string[] {
    const app = new App();
    const { chart } = installed(props, app);
    const controller = AwsCloudProvider.nlb();
    new LoadBalancedService(new Chart(app, 'echo', { namespace }), 'Echo', { ...ECHO, name: 'echo', controller });
    return errorsOf(chart);
  }

  test('takes no Service of the cloud controller manager', () => {
    expect(errors({ serviceMutatorWebhook: true })).toEqual([
      expect.stringMatching(
        /takes Service echo\/echo, which is for .*; otherwise leave serviceMutatorWebhook out.* \(webhook-takes-service\)$/,
      ),
    ]);
  });

  test.each<[string, Props, string?]>([
    ['where it is off', {}],
    ['in the namespace of the system', { serviceMutatorWebhook: true }, 'kube-system'],
    ['in the namespace of the controller', { serviceMutatorWebhook: true, namespace: 'balancers' }, 'balancers'],
  ])('leaves it alone %s', (_, ...[props, namespace]) => {
    expect(errors(props, namespace)).toEqual([]);
  });

  test('gives the class to Services without one, which are served then', () => {
    const props: Props = { serviceMutatorWebhook: true, ...off('enableServiceController') };
    const none = { loadBalancerClass: undefined };
    expect(said(props, {}, none).errors.join()).toContain('(service-controller-off)');
    expect(said(off('enableServiceController'), {}, none).errors).toEqual([]);
  });
});
