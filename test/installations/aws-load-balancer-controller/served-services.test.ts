import { ApiObject, App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  type AwsLoadBalancerControllerNlbOptions,
  LoadBalancedService,
} from '../../../src';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { errorsOf, stderrOf, written } from '../../support/apps';
import { casesIn } from '../../support/yaml-cases';
import { installed } from './installations';

const CASES = casesIn(__dirname, 'served-services.yaml');

type Props = Partial<AwsLoadBalancerControllerInstallationProps>;
type Annotations = Record<string, string>;

const CLASS = 'service.k8s.aws/nlb';
const ECHO = { selector: { app: 'echo' }, ports: [{ port: 443 }] };
const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
const off = (gate: string): Props => ({ featureGates: { [gate]: false } });

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

const UNSERVED: [string, Props, Annotations, string, string][] = CASES.unserved;

test.each(UNSERVED)(
  '%s that it does not serve is refused, or told where it is not read',
  (_, props, annotations, rule, part) => {
    const { errors, warnings } = said(props, annotations);
    if (rule === 'capacity-off') {
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
  ['no capacity', off('LBCapacityReservation'), {}],
  ['instances', off('EnableIPTargetType'), { 'nlb-target-type': 'instance' }],
])('%s is served', (_, props, annotations) => {
  expect(said(props, annotations).errors).toEqual([]);
});

test('source ranges keep nobody out where the gate for security groups is off', () => {
  const ranges = { loadBalancerSourceRanges: ['10.0.0.0/8'] };
  const { errors } = said(off('NLBSecurityGroup'), { 'nlb-target-type': 'ip' }, ranges);
  expect(errors.join()).toMatch(/keep no client out .* \(security-groups-off\)$/);
  expect(said({}, { 'nlb-target-type': 'ip' }, ranges).errors).toEqual([]);
});

test.each<[string, Props, AwsLoadBalancerControllerNlbOptions, string]>([
  ['groups', off('NLBSecurityGroup'), { securityGroups: ['sg-1'] }, 'makes balancers without security groups'],
])('a controller with %s that the installation does not serve is refused', (_, props, options, part) => {
  const { installation } = installed(props);
  expect(() => installation.nlb(options)).toThrow(part);
  expect(() => installation.nlb(options)).toThrow(/^\[system\/Controller\] .*; .* \(controller-of-installation\)$/);
  expect(() => installed().installation.nlb(options)).not.toThrow();
});

test('listeners of TCP and UDP are for every Service where their gate is on', () => {
  const app = new App();
  const { installation } = installed({ featureGates: { EnableTCPUDPListener: true } }, app);
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
    const props: Props = { serviceMutatorWebhook: true, ...off('EnableServiceController') };
    const none = { loadBalancerClass: undefined };
    expect(said(props, {}, none).errors.join()).toContain('(service-controller-off)');
    expect(said(off('EnableServiceController'), {}, none).errors).toEqual([]);
  });
});
