import { KubernetesVersion } from '../../src';
import '../../src/controllers/shared/definition';
import type { Json } from '../../src/contract/json';
import type { Rule } from '../../src/rules/rule';
import { UNOWNED_RULES } from '../../src/rules/service-rule-set';
import { SERVICE_RULES } from '../../src/rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../../src/rules/workload-rules';
import { service } from '../support/cases';
import { judge } from '../support/judge';

/** The ids of what some rules say of an object. */
function said(rules: readonly Rule[], object: Json, kubernetes = KubernetesVersion.V1_36, workload?: Json): string[] {
  const { errors, warnings } = judge(object, rules, { kubernetes, workload }, 'kubernetes');
  return [...errors, ...warnings].map(({ ruleId }) => ruleId);
}

/** One Service for each rule that the API server would refuse, and what it is refused for. */
const refused: [string, Json][] = [
  ['service-name', service({}, {}, { name: 'Upper' })],
  ['service-name', service({}, {}, { name: undefined })],
  ['namespace-name', service({}, {}, { namespace: 'a.b' })],
  ['label-syntax', service({}, {}, { labels: { 'a b': 'c' } })],
  ['field-type', service({}, {}, { labels: { a: true } })],
  ['annotation-syntax', service({}, { 'a b': 'c' })],
  ['field-type', service({}, { a: false as never })],
  ['field-type', service({ selector: { app: 1 } })],
  ['field-type', service({ publishNotReadyAddresses: 'yes' })],
  ['generated-name', service({}, {}, { name: undefined, generateName: 'web-' })],
  ['finalizer-syntax', service({}, {}, { finalizers: ['cleanup'] })],
  ['finalizer-syntax', service({}, {}, { finalizers: ['example.com/a b'] })],
  ['service-ports', service({ ports: [] })],
  ['service-ports', service({ ports: [{ port: 99999 }] })],
  ['target-port', service({ ports: [{ port: 80, targetPort: 0 }] })],
  ['target-port', service({ ports: [{ port: 80, targetPort: 'a-name-that-is-too-long' }] })],
  ['port-name', service({ ports: [{ port: 80 }, { port: 81, name: 'b' }] })],
  ['port-name', service({ ports: [{ port: 80, name: 'A' }] })],
  [
    'port-duplicate',
    service({
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b', protocol: 'TCP' },
      ],
    }),
  ],
  ['port-protocol', service({ ports: [{ port: 80, protocol: 'tcp' }] })],
  ['app-protocol', service({ ports: [{ port: 80, appProtocol: 'a/b/c' }] })],
  ['node-port', service({ ports: [{ port: 80, nodePort: 70000 }] })],
  ['service-type', service({ type: 'Loadbalancer' })],
  ['traffic-policy', service({ externalTrafficPolicy: 'Locall' })],
  ['internal-traffic-policy', service({ internalTrafficPolicy: 'local' })],
  ['session-affinity', service({ sessionAffinity: 'Cookie' })],
  ['ip-family-policy', service({ ipFamilyPolicy: 'Dual' })],
  ['class-on-type', service({ type: 'ClusterIP', loadBalancerClass: 'example.com/lb' })],
  ['allocate-node-ports-on-type', service({ type: 'NodePort', allocateLoadBalancerNodePorts: false })],
  ['source-ranges-on-type', service({ type: 'ClusterIP', loadBalancerSourceRanges: ['10.0.0.0/8'] })],
  ['traffic-policy-on-type', service({ type: 'ClusterIP', externalTrafficPolicy: 'Local' })],
  ['headless-load-balancer', service({ clusterIP: 'None' })],
  ['class-syntax', service({ loadBalancerClass: 'example.com/a/b' })],
  ['health-check-node-port', service({ healthCheckNodePort: 30000 })],
  ['source-range', service({ loadBalancerSourceRanges: ['10.0.0.0'] })],
  ['selects-nothing', service({ selector: {} })],
  ['selects-nothing', service({ selector: undefined })],
  ['selector', service({ selector: { app: 'a b' } })],
  ['ip-families', service({ ipFamilies: ['ipv4'] })],
  ['ip-families', service({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'SingleStack' })],
  ['session-affinity-timeout', service({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } })],
  ['external-ips-deprecated', service({ externalIPs: ['192.0.2.1'] })],
  [
    'balancer-annotation-on-type',
    service({ type: 'NodePort' }, { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' }),
  ],
  ['not-ready-with-local', service({ publishNotReadyAddresses: true, externalTrafficPolicy: 'Local' })],
];

test.each(refused)('%s is the one thing said of %j', (rule, object) => {
  expect(said(SERVICE_RULES, object)).toEqual([rule]);
});

const tooNew: [string, Json, string][] = [
  ['a class', { loadBalancerClass: 'example.com/lb' }, 'since-1-22-loadbalancerclass'],
  ['node ports on request', { allocateLoadBalancerNodePorts: false }, 'since-1-22-allocateloadbalancernodeports'],
  ['an internal policy', { internalTrafficPolicy: 'Local' }, 'since-1-22-internaltrafficpolicy'],
  ['families', { ipFamilies: ['IPv4'] }, 'since-1-20-ipfamilies'],
  ['a distribution', { trafficDistribution: 'PreferClose' }, 'since-1-31-trafficdistribution'],
];

test.each(tooNew)('%s is too new for Kubernetes 1.19, and fine for 1.36', (_, spec, rule) => {
  expect(said(SERVICE_RULES, service(spec), KubernetesVersion.of('1.19'))).toEqual([rule]);
  expect(said(SERVICE_RULES, service(spec))).toEqual([]);
});

test('every rule for Services is shown by a row', () => {
  const shown = new Set([...refused.map(([rule]) => rule), ...tooNew.map(([, , rule]) => rule)]);
  expect([...shown].sort()).toEqual([...new Set(SERVICE_RULES.map(({ id }) => id))].sort());
});

/** A Deployment with one container and something wrong with its pods. */
function deployment(pod: Json = {}, selector: Json = { app: 'echo' }): Json {
  const containers = [{ name: 'echo', ports: [{ name: 'http', containerPort: 80 }] }];
  const template = { metadata: { labels: { app: 'echo' } }, spec: { containers, ...pod } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'echo' },
    spec: { selector: { matchLabels: selector }, template },
  };
}

const required = (term: Json) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
});

const workloads: [string, Json][] = [
  ['workload-selector', deployment({}, { app: 'other' })],
  ['container-port', deployment({ containers: [{ ports: [{ containerPort: 0 }] }] })],
  ['container-port', deployment({ containers: [{ ports: [{ containerPort: 80, name: 'Http' }] }] })],
  ['toleration', deployment({ tolerations: [{ key: 'a', operator: 'Is' }] })],
  ['toleration', deployment({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] })],
  ['toleration', deployment({ tolerations: [{ operator: 'Equal' }] })],
  ['toleration', deployment({ tolerations: [{ key: 'a', effect: 'NoStart' }] })],
  ['node-affinity', deployment(required({ matchExpressions: [{ key: 'a', operator: 'Equals' }] }))],
  ['node-affinity', deployment(required({ matchExpressions: [{ key: 'a', operator: 'In', values: [] }] }))],
];

test.each(workloads)('%s is the one thing said of the workload', (rule, workload) => {
  expect(said(WORKLOAD_RULES, workload)).toEqual([rule]);
});

test('a good workload and its Service have nothing said of them', () => {
  expect(said(WORKLOAD_RULES, deployment(required({ matchExpressions: [{ key: 'a', operator: 'Exists' }] })))).toEqual(
    [],
  );
  const good = service({ ports: [{ port: 80, targetPort: 'http' }] });
  expect(said([...SERVICE_RULES, ...ENDPOINT_RULES], good, undefined, deployment())).toEqual([]);
});

test.each<[string, Json]>([
  ['selects-its-pods', service({ selector: { app: 'other' }, ports: [{ port: 80 }] })],
  ['target-port-exists', service({ ports: [{ port: 80, targetPort: 'grpc' }] })],
  ['target-port-undeclared', service({ ports: [{ port: 80, targetPort: 9999 }] })],
  ['target-port-undeclared', service({ ports: [{ port: 8080 }] })],
])('%s is said of a Service beside its workload', (rule, object) => {
  expect(said(ENDPOINT_RULES, object, undefined, deployment())).toEqual([rule]);
});

test('containers that declare no port leave the target of a Service alone', () => {
  const silent = deployment({ containers: [{ name: 'echo' }] });
  expect(said(ENDPOINT_RULES, service({ ports: [{ port: 80, targetPort: 9999 }] }), undefined, silent)).toEqual([]);
});

test.each([
  {},
  { spec: null },
  { metadata: null, spec: { ports: 'a', selector: [] } },
  { spec: { ports: [null, 1, 'a'] } },
])('no rule throws on %j', (garbage) => {
  expect(() =>
    said([...SERVICE_RULES, ...WORKLOAD_RULES, ...ENDPOINT_RULES], garbage, undefined, garbage),
  ).not.toThrow();
});

test.each<[string, Json, readonly string[]]>([
  ['a name that is a number is not missing', service({}, {}, { name: 5 }), ['field-type']],
  ['ports that are a text are not missing', service({ ports: '80' }), ['field-type']],
  [
    'what is wrong with a namespace hides nothing of a name',
    service({}, {}, { name: 'Upper', namespace: 5 }),
    ['field-type', 'service-name'],
  ],
])('%s', (_, object, expected) => {
  const { errors } = UNOWNED_RULES.judge(object, { kubernetes: KubernetesVersion.V1_36 }, 'kubernetes');
  expect(errors.map(({ ruleId }) => ruleId)).toEqual(expected);
});
