import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  KubernetesVersion,
  LoadBalancedService,
  LoadBalancers,
  type LoadBalancerWishes,
  type NlbForwardTarget,
  NlbTargetType,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import '../../src/controllers/shared/definition';
import { ApiObject, App, Chart } from 'cdk8s';
import type { Json } from '../../src/contract/json';
import { AWS_CLOUD } from '../../src/controllers/aws-cloud-provider/annotations';
import type { Rule } from '../../src/rules/rule';
import { UNOWNED_RULES } from '../../src/rules/service-rule-set';
import { SERVICE_RULES } from '../../src/rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../../src/rules/workload-rules';
import { errorsOf, stderrOf } from '../support/apps';
import { service } from '../support/cases';
import { judge } from '../support/judge';

function said(rules: readonly Rule[], object: Json, kubernetes = KubernetesVersion.V1_36, workload?: Json): string[] {
  const { errors, warnings } = judge(object, rules, { kubernetes, workload }, 'kubernetes');
  return [...errors, ...warnings].map(({ ruleId }) => ruleId);
}

test.each(['kubernetes', 'orphan'])('finalizer %s of Kubernetes itself needs no domain', (finalizer) => {
  expect(said(SERVICE_RULES, service({}, {}, { finalizers: [finalizer] }))).toEqual([]);
});

const DEFAULTS: Json[] = [
  {
    type: '',
    externalTrafficPolicy: '',
    sessionAffinity: '',
    ports: [{ port: 80, name: '', protocol: '', targetPort: 0 }],
  },
  { ports: [{ port: 80, targetPort: '', nodePort: 0 }] },
  { sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
  { type: 'ClusterIP', loadBalancerSourceRanges: [] },
  { loadBalancerSourceRanges: ['0.0.0.0/0', '::/0'] },
  { loadBalancerSourceRanges: ['10.0.0.0/8', '::/0'] },
  { type: 'ClusterIP', clusterIP: 'None', ports: [] },
  { type: 'ExternalName', externalName: 'db.example.com.', ports: undefined },
];

test.each(DEFAULTS)('%j is taken by the API server, and by the rules', (spec) => {
  expect(said(SERVICE_RULES, service(spec))).toEqual([]);
});

/** A Deployment with one container and something wrong with its pods. */
function deployment(pod: Json = {}): Json {
  const containers = [{ name: 'echo', ports: [{ name: 'http', containerPort: 80 }] }];
  const template = { metadata: { labels: { app: 'echo' } }, spec: { containers, ...pod } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'echo' },
    spec: { selector: { matchLabels: { app: 'echo' } }, template },
  };
}

const required = (term: Json) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
});

test('a good workload and its Service have nothing said of them', () => {
  expect(said(WORKLOAD_RULES, deployment(required({ matchExpressions: [{ key: 'a', operator: 'Exists' }] })))).toEqual(
    [],
  );
  const good = service({ ports: [{ port: 80, targetPort: 'http' }] });
  expect(said([...SERVICE_RULES, ...ENDPOINT_RULES], good, undefined, deployment())).toEqual([]);
});

test('a Service that selects other pods than those of its workload is wrong', () => {
  const other = service({ selector: { app: 'other' }, ports: [{ port: 80 }] });
  expect(said(ENDPOINT_RULES, other, undefined, deployment())).toEqual(['selector-mismatch']);
});

test('containers that declare no port leave the target of a Service alone', () => {
  const silent = deployment({ containers: [{ name: 'echo' }] });
  expect(said(ENDPOINT_RULES, service({ ports: [{ port: 80, targetPort: 9999 }] }), undefined, silent)).toEqual([]);
});

test.each([{}, { spec: null }, { spec: { ports: [null, 1, 'a'] } }])('no rule throws on %j', (garbage) => {
  expect(() =>
    said([...SERVICE_RULES, ...WORKLOAD_RULES, ...ENDPOINT_RULES], garbage, undefined, garbage),
  ).not.toThrow();
});

test.each<[string, Json, readonly string[]]>([
  ['a name that is a number is not missing', service({}, {}, { name: 5 }), ['field-wrong-type']],
  ['ports that are a text are not missing', service({ ports: '80' }), ['field-wrong-type']],
  [
    'what is wrong with a namespace hides nothing of a name',
    service({}, {}, { name: 'Upper', namespace: 5 }),
    ['field-wrong-type', 'service-name-invalid'],
  ],
])('%s', (_, object, expected) => {
  const { errors } = UNOWNED_RULES.judge(object, { kubernetes: KubernetesVersion.V1_36 }, 'kubernetes');
  expect(errors.map(({ ruleId }) => ruleId)).toEqual(expected);
});

const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
const NLB = { [key('type')]: 'nlb' };

function warningsOf(wishes: LoadBalancerWishes): string[] {
  const chart = new Chart(new App(), 'dns');
  new LoadBalancedService(chart, 'Dns', {
    controller: AwsCloudProvider.nlb(),
    selector: { app: 'dns' },
    ports: [{ port: 53, protocol: PortProtocol.UDP }],
    ...wishes,
  });
  return LoadBalancers.of(chart).warnings.map(({ finding }) => `${finding.what}; ${finding.remedy}`);
}

test('UDP that would be checked by TCP is warned of once, with both ways out', () => {
  expect(warningsOf({})).toEqual([
    'port 53 is UDP, and its health check uses TCP at the same node port, where usually nothing listens; set externalTrafficPolicy to Local, or set service.beta.kubernetes.io/aws-load-balancer-healthcheck-port to a port that answers TCP on every node, such as 10256 of kube-proxy',
  ]);
});

test.each<[string, LoadBalancerWishes]>([
  ['policy Local', { trafficPolicy: TrafficPolicy.LOCAL }],
  ["kube-proxy's own port", { healthCheck: { port: 10256 } }],
])('the way out by %s ends the warning', (_, wishes) => {
  expect(warningsOf(wishes).filter((warning) => warning.includes('UDP'))).toEqual([]);
});

function sentencesOf(annotations: Record<string, string>, version?: KubernetesVersion): string[] {
  const controller = version ? AwsCloudProvider.nlb({ version }) : AwsCloudProvider.classic();
  const context = { kind: AwsCloudProvider._kind.definition, controller, kubernetes: KubernetesVersion.V1_36 };
  const { errors, warnings } = judge(
    service({}, annotations),
    AwsCloudProvider._kind.definition.rules,
    context,
    controller.name,
  );
  return [...errors, ...warnings].map(({ what, remedy }) => `${what}; ${remedy}`);
}

test('the remark on the type says when a balancer is orphaned, and what prevents it', () => {
  expect(AWS_CLOUD.type.fact.remark).toContain(
    'a Service that is deleted with any of them in it loses its finalizer, and its balancer stays as an orphan: put the old type back first',
  );
});

test('the way out of too few addresses names the order in which they are given out', () => {
  const annotations = { ...NLB, [key('eip-allocations')]: 'eipalloc-1', [key('subnets')]: 'edge-a,subnet-1' };
  expect(sentencesOf(annotations)).toEqual([
    `${key('eip-allocations')} must name one for each of the 2 subnets, and names 1; name one for each subnet, in the order that AWS lists them: subnets given by id first, then by name`,
  ]);
});

test.each<[KubernetesVersion | undefined, Record<string, string>, string]>([
  [
    undefined,
    { ...NLB, [key('extra-security-groups')]: 'sg-1' },
    'is refused for a Network Load Balancer from version 1.35 on, and not read before',
  ],
  [
    KubernetesVersion.V1_34,
    { ...NLB, [key('extra-security-groups')]: 'sg-1' },
    'has no effect on a Network Load Balancer;',
  ],
  [
    KubernetesVersion.V1_34,
    { [key('target-group-attributes')]: 'preserve_client_ip.enabled=true' },
    'is refused for a Classic Load Balancer;',
  ],
  [
    KubernetesVersion.V1_33,
    { [key('target-group-attributes')]: 'preserve_client_ip.enabled=true' },
    'has no effect on a Classic Load Balancer;',
  ],
])('version %p and %j: %s', (version, annotations, says) => {
  expect(sentencesOf(annotations, version)).toEqual([expect.stringContaining(says)]);
});

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
  ['a target group of somebody else', NlbTargetType.INSTANCE, { targetGroupArn: ARN }, [], []],
  ['its own Service', NlbTargetType.IP, { serviceName: 'blue', servicePort: '443' }, [], []],
  ['node ports', NlbTargetType.INSTANCE, green('443'), [NODES], []],
  ['no node ports', NlbTargetType.INSTANCE, green('443'), [GREEN], ['node ports, and type ClusterIP has none']],
  [
    'a port that is missing',
    NlbTargetType.IP,
    green('81'),
    [GREEN],
    ["port '81' of Service green, which only has 443"],
  ],
  ['a name that is missing', NlbTargetType.IP, green('http'), [GREEN], ["port 'http' of Service green"]],
  ['a Service that is missing', NlbTargetType.IP, green('443'), [], ['does not have it (action-target-unknown)']],
])('a listener forwards to %s', (_, targetType, target, beside, expected) => {
  expect(told(targetType, target, beside)).toEqual(expected.map((text) => expect.stringContaining(text)));
});
