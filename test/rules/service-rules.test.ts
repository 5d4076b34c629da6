import '../../src/controllers/shared/definition';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  KubernetesVersion,
  LoadBalancedService,
  LoadBalancers,
  type LoadBalancerWishes,
  type NlbForwardTarget,
  type NlbTargetType,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { AWS_CLOUD } from '../../src/controllers/aws-cloud-provider/annotations';
import { definitionOf } from '../../src/rules/controller-definition';
import type { Rule } from '../../src/rules/rule';
import { OWNERSHIP_RULES, UNOWNED_RULES } from '../../src/rules/service-rule-set';
import { SERVICE_RULES } from '../../src/rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../../src/rules/workload-rules';
import { errorsOf, stderrOf } from '../support/apps';
import { service } from '../support/cases';
import { checkByRules } from '../support/checks';
import { casesIn, revived, table, tablesOf } from '../support/yaml-cases';

function said(rules: readonly Rule[], object: Json, kubernetes = KubernetesVersion.V1_36, workload?: Json): string[] {
  const { errors, warnings } = checkByRules(object, rules, { kubernetes, workload }, 'kubernetes');
  return [...errors, ...warnings].map(({ ruleId }) => ruleId);
}

test.each(['kubernetes', 'orphan'])('finalizer %s of Kubernetes itself needs no domain', (finalizer) => {
  expect(said(SERVICE_RULES, service({}, {}, { finalizers: [finalizer] }))).toEqual([]);
});

const DEFAULTS: Json[] = casesIn(__dirname, 'service-rules.yaml').defaults;

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
  const { errors } = UNOWNED_RULES.check(object, { kubernetes: KubernetesVersion.V1_36 }, 'kubernetes');
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
  const { errors, warnings } = checkByRules(
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

test.each<[KubernetesVersion | undefined, Record<string, string>, string]>(
  table('rules/service-rules.yaml', 'version and'),
)('version %p and %j: %s', (version, annotations, says) => {
  expect(sentencesOf(annotations, version)).toEqual([expect.stringContaining(says)]);
});

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

test.each<[string, NlbTargetType, NlbForwardTarget, Beside[], string[]]>(
  revived(table('rules/service-rules.yaml', 'a listener forwards to'), { green }),
)('a listener forwards to %s', (_, targetType, target, beside, expected) => {
  expect(told(targetType, target, beside)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

describe('ownership', () => {
  const KEP_980 = 'service.kubernetes.io/load-balancer-cleanup';
  const NLB = { loadBalancerClass: 'service.k8s.aws/nlb' };
  const EXTERNAL = {
    annotations: {
      'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
      'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
    },
  };
  const aws = AwsLoadBalancerController.nlb();
  const gke = Gke.passthrough();

  /** A Service of an owner, and the rules that it breaks, each with what its message tells. */
  interface Row {
    readonly title: string;
    readonly owner: ILoadBalancerController;
    readonly spec?: object;
    readonly annotations?: Record<string, string>;
    readonly finalizers?: string[];
    /** What runs in the cluster, where that is known. */
    readonly runs?: ILoadBalancerController[];
    readonly keepsForeignFinalizers?: boolean;
    readonly errors?: [string, string][];
    readonly warnings?: [string, string][];
  }

  const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
  const AZURE = 'service.beta.kubernetes.io/azure-';
  const HCLOUD = 'load-balancer.hetzner.cloud/';
  const azure = AzureCloudProvider.standard();
  const hcloud = HetznerCloud.loadBalancer({ location: 'fsn1' });

  type Beside = Readonly<Record<string, string>>;

  /** Values that nobody reads, and the same beside what has them read. */
  const UNREAD: readonly (readonly [ILoadBalancerController, string, string, Beside, boolean])[] = [
    [aws, `${AWS}healthcheck-path`, 'healthz', {}, false],
    [aws, `${AWS}healthcheck-path`, 'healthz', { [`${AWS}healthcheck-protocol`]: 'http' }, true],
    [aws, `${AWS}healthcheck-success-codes`, 'abc', {}, false],
    [aws, `${AWS}healthcheck-success-codes`, 'abc', { [`${AWS}healthcheck-protocol`]: 'http' }, true],
    [aws, `${AWS}alpn-policy`, 'http2preferred', {}, false],
    [
      aws,
      `${AWS}alpn-policy`,
      'http2preferred',
      { [`${AWS}ssl-cert`]: 'arn:aws:acm:eu-west-1:111122223333:certificate/a' },
      true,
    ],
    [azure, `${AZURE}load-balancer-health-probe-request-path`, 'healthz', {}, false],
    [
      azure,
      `${AZURE}load-balancer-health-probe-request-path`,
      'healthz',
      { [`${AZURE}load-balancer-health-probe-protocol`]: 'http' },
      true,
    ],
    [azure, `${AZURE}dns-label-name`, 'Edge_1', { [`${AZURE}load-balancer-internal`]: 'true' }, false],
    [azure, `${AZURE}dns-label-name`, 'Edge_1', {}, true],
    [hcloud, `${HCLOUD}health-check-http-validate-certificate`, 'yes', {}, false],
    [
      hcloud,
      `${HCLOUD}health-check-http-validate-certificate`,
      'yes',
      { [`${HCLOUD}health-check-protocol`]: 'https' },
      true,
    ],
  ];

  const rows: Row[] = [
    ...tablesOf(join(__dirname, 'service-rules.yaml'), { aws, gke, azure }).findings,
    ...[{ spec: NLB }, EXTERNAL].map((claimed) => ({
      title: `both finalizers stand side by side where the service controller runs too, with ${Object.keys(claimed)}`,
      owner: aws,
      ...claimed,
      finalizers: [KEP_980, 'service.k8s.aws/resources'],
      runs: [AwsCloudProvider.nlb(), aws],
    })),
    ...UNREAD.map(([owner, key, value, beside, isRead]): Row => {
      const annotations = { [key]: value, ...beside };
      return {
        title: `${key} with a value that cannot be read is ${isRead ? 'refused' : 'not looked at'} beside ${JSON.stringify(beside)}`,
        owner,
        ...(owner === aws && { spec: NLB }),
        annotations,
        errors: isRead ? [['annotation-value-invalid', `annotation ${key}`]] : [],
      };
    }),
  ];

  test.each(rows)('$title', ({ owner, spec, annotations, finalizers, runs, errors = [], warnings = [], ...row }) => {
    const { keepsForeignFinalizers } = row;
    const known = { kind: definitionOf(owner), controller: owner, kubernetes: KubernetesVersion.V1_36 };
    const context = { ...known, controllers: runs, keepsForeignFinalizers };
    const result = checkByRules(service(spec, annotations, { finalizers }), OWNERSHIP_RULES, context, owner.name);
    const told = (findings: typeof result.errors) =>
      findings.map(({ ruleId, what, remedy }) => [ruleId, `${what}; ${remedy}`]);
    const expected = (said: [string, string][]) =>
      said.map(([ruleId, text]) => [ruleId, expect.stringContaining(text)]);
    expect(told(result.errors)).toEqual(expected(errors));
    expect(told(result.warnings)).toEqual(expected(warnings));
  });
});
