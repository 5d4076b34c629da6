import { KubernetesVersion } from '../../src';
import '../../src/controllers/shared/definition';
import type { Json } from '../../src/contract/json';
import type { Rule } from '../../src/rules/rule';
import { UNOWNED_RULES } from '../../src/rules/service-rule-set';
import { SERVICE_RULES } from '../../src/rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../../src/rules/workload-rules';
import { service } from '../support/cases';
import { judge } from '../support/judge';

function said(rules: readonly Rule[], object: Json, kubernetes = KubernetesVersion.V1_36, workload?: Json): string[] {
  const { errors, warnings } = judge(object, rules, { kubernetes, workload }, 'kubernetes');
  return [...errors, ...warnings].map(({ ruleId }) => ruleId);
}

test.each(['kubernetes', 'orphan', 'foregroundDeletion'])(
  'finalizer %s of Kubernetes itself needs no domain',
  (finalizer) => {
    expect(said(SERVICE_RULES, service({}, {}, { finalizers: [finalizer] }))).toEqual([]);
  },
);

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

test('the case of the domain of an annotation is all one', () => {
  expect(said(SERVICE_RULES, service({}, { 'Example.com/a': 'b' }))).toEqual([]);
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
  expect(said(ENDPOINT_RULES, other, undefined, deployment())).toEqual(['selects-its-pods']);
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
