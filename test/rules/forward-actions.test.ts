import { ApiObject, App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  LoadBalancedService,
  LoadBalancers,
  type NlbForwardTarget,
  NlbTargetType,
  PortProtocol,
} from '../../src';
import { errorsOf, stderrOf } from '../support/apps';

const GREEN = { spec: { type: 'ClusterIP', ports: [{ name: 'tls', port: 443 }] } };
const NODES = { spec: { type: 'NodePort', ports: [{ name: 'tls', port: 443 }] } };

interface Beside {
  readonly spec?: object;
  readonly namespace?: string;
  /** In a chart of its own. */
  readonly apart?: boolean;
}

function told(targetType: NlbTargetType, target: NlbForwardTarget, beside: readonly Beside[]): string[] {
  const app = new App();
  const chart = new Chart(app, 'echo', { namespace: 'echo' });
  new LoadBalancedService(chart, 'Blue', {
    name: 'blue',
    controller: AwsLoadBalancerController.nlb({
      targetType,
      actions: [
        { port: 443, protocol: 'TCP' as never, baseServiceWeight: 80, targetGroups: [{ weight: 20, ...target }] },
      ],
    }),
    ports: [{ port: 443, protocol: PortProtocol.TCP }],
    selector: { app: 'blue' },
  });
  for (const [i, { spec, namespace = 'echo', apart }] of beside.entries()) {
    const within = apart ? new Chart(app, `apart-${i}`, { namespace }) : chart;
    const selector = { app: 'green' };
    new ApiObject(within, `Green${i}`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'green', namespace },
      spec: { selector, ...spec },
    });
  }
  let errors: string[] = [];
  stderrOf(() => {
    errors = errorsOf(chart);
  });
  const warnings = LoadBalancers.of(app).warnings.map(({ finding: { ruleId, what } }) => `${what} (${ruleId})`);
  return [...errors, ...warnings].filter((text) => text.includes('action-target'));
}

const green = (servicePort: string): NlbForwardTarget => ({ serviceName: 'green', servicePort });
const ARN = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/green/0123456789abcdef';

test.each<[string, NlbTargetType, NlbForwardTarget, Beside[], string[]]>([
  ['a port by number', NlbTargetType.IP, green('443'), [GREEN], []],
  ['a port by name', NlbTargetType.IP, green('tls'), [GREEN], []],
  ['a target group of somebody else', NlbTargetType.INSTANCE, { targetGroupArn: ARN }, [], []],
  ['its own Service', NlbTargetType.IP, { serviceName: 'blue', servicePort: '443' }, [], []],
  ['node ports', NlbTargetType.INSTANCE, green('443'), [NODES], []],
  ['a Service of another chart of the app', NlbTargetType.IP, green('443'), [{ ...GREEN, apart: true }], []],
  [
    'two Services of other charts',
    NlbTargetType.IP,
    green('81'),
    [
      { ...GREEN, apart: true },
      { ...GREEN, apart: true },
    ],
    [],
  ],
  ['no node ports', NlbTargetType.INSTANCE, green('443'), [GREEN], ['Service green, which is of type ClusterIP']],
  ['a port that is missing', NlbTargetType.IP, green('81'), [GREEN], ["port '81' of Service green, which has 443"]],
  ['a name that is missing', NlbTargetType.IP, green('http'), [GREEN], ["port 'http' of Service green"]],
  ['a Service that is missing', NlbTargetType.IP, green('443'), [], ['no balancer is made (action-target-elsewhere)']],
  [
    'one of another namespace',
    NlbTargetType.IP,
    green('443'),
    [{ ...GREEN, namespace: 'other' }],
    ['no balancer is made (action-target-elsewhere)'],
  ],
])('a listener forwards to %s', (_, targetType, target, beside, expected) => {
  expect(told(targetType, target, beside)).toEqual(expected.map((text) => expect.stringContaining(text)));
});
