import { ApiObject, App, Chart, type IResolver, Lazy, type ResolutionContext, Testing } from 'cdk8s';
import * as plus from 'cdk8s-plus-27';
import {
  HetznerCloud,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  NodePool,
  NodeTaint,
  PodSpread,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, newChart, written } from '../support/apps';

const edge = NodePool.labeled({ pool: 'edge' }, { taints: [NodeTaint.noSchedule('dedicated', 'edge')] });
const inEdge = { key: 'pool', operator: 'In', values: ['edge'] };
const onSsd = { key: 'disk', operator: 'In', values: ['ssd'] };

function deployment(terms?: Json[], pod: Json = {}): ApiObject {
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  return new ApiObject(newChart(), 'Echo', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      selector: { matchLabels: { app: 'echo' } },
      template: {
        metadata: { labels: { app: 'echo' } },
        spec: { containers: [{ name: 'echo' }], ...(terms ? { affinity: { nodeAffinity: required } } : {}), ...pod },
      },
    },
  });
}

const podOf = (workload: ApiObject): Json => written(workload.chart, 'Deployment').spec.template.spec;
const termsOf = (workload: ApiObject): Json[] =>
  podOf(workload).affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;

test.each<[string, Json[] | undefined, Json[]]>([
  ['without an affinity the pool is the only term', undefined, [{ matchExpressions: [inEdge] }]],
  ['the pool joins the one term of the user', [{ matchExpressions: [onSsd] }], [{ matchExpressions: [onSsd, inEdge] }]],
])('%s', (_, before, after) => {
  const workload = deployment(before);
  edge.pin(workload);
  expect(termsOf(workload)).toEqual(after);
});

test('preferred affinity and pod affinity of the user stay', () => {
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }] };
  const workload = deployment(undefined, { affinity: { podAntiAffinity: { a: 1 }, nodeAffinity: preferred } });
  edge.pin(workload);
  expect(podOf(workload).affinity).toMatchObject({ podAntiAffinity: { a: 1 }, nodeAffinity: preferred });
});

test('the pods tolerate the taints of the pool, each once, and no soft one', () => {
  const taints = [
    NodeTaint.noSchedule('dedicated', 'edge'),
    NodeTaint.noExecute('gpu'),
    NodeTaint.preferNoSchedule('soft'),
  ];
  const workload = deployment(undefined, { tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'edge' }] });
  NodePool.labeled({ pool: 'edge' }, { taints }).pin(workload);
  expect(podOf(workload).tolerations).toEqual([
    { key: 'dedicated', operator: 'Equal', value: 'edge' },
    { key: 'gpu', operator: 'Exists', effect: 'NoExecute' },
  ]);
});

test('a toleration that ends does not keep pods on their pool', () => {
  const brief = { key: 'gpu', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
  const workload = deployment(undefined, { tolerations: [brief] });
  NodePool.labeled({ pool: 'edge' }, { taints: [NodeTaint.noExecute('gpu')] }).pin(workload);
  expect(podOf(workload).tolerations).toEqual([brief, { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }]);
});

test('a toleration of another effect does not count', () => {
  const other = { key: 'dedicated', operator: 'Exists', effect: 'NoExecute' };
  const workload = deployment(undefined, { tolerations: [other] });
  edge.pin(workload);
  expect(podOf(workload).tolerations).toHaveLength(2);
});

test('a term of the user that matches nothing does not become one that matches the pool', () => {
  const workload = deployment([{}, { matchExpressions: [onSsd] }]);
  edge.pin(workload);
  expect(termsOf(workload)).toEqual([{ matchExpressions: [onSsd, inEdge] }]);
});

test('a DaemonSet and a Pod are not spread', () => {
  const chart = newChart();
  const template = { metadata: { labels: { app: 'echo' } }, spec: {} };
  edge.pin(new ApiObject(chart, 'Set', { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: { template } }));
  expect(written(chart, 'DaemonSet').spec.template.spec).not.toHaveProperty('topologySpreadConstraints');
});

test.each<[string, PodSpread | undefined, string[]]>([
  ['required unless somebody says otherwise', undefined, ['kubernetes.io/hostname DoNotSchedule']],
  ['preferred on request', PodSpread.PREFERRED, ['kubernetes.io/hostname ScheduleAnyway']],
  ['left out on request', PodSpread.NONE, []],
])('the spread over the nodes is %s', (_, spread, expected) => {
  const workload = deployment();
  edge.pin(workload, spread);
  const constraints: Json[] = podOf(workload).topologySpreadConstraints ?? [];
  expect(constraints.map(({ topologyKey, whenUnsatisfiable }) => `${topologyKey} ${whenUnsatisfiable}`)).toEqual(
    expected,
  );
});

test('a pool in several zones spreads over them as well, where the scheduler can', () => {
  const workload = deployment();
  NodePool.labeled({ pool: 'edge' }, { zones: ['a', 'b'] }).pin(workload);
  expect(podOf(workload).topologySpreadConstraints).toMatchObject([
    { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', nodeTaintsPolicy: 'Honor' },
    { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
  ]);
});

test('a spread of the user over the nodes stays alone', () => {
  const own = { topologyKey: 'kubernetes.io/hostname', maxSkew: 5, whenUnsatisfiable: 'ScheduleAnyway' };
  const workload = deployment(undefined, { topologySpreadConstraints: [own] });
  edge.pin(workload);
  expect(podOf(workload).topologySpreadConstraints).toEqual([own]);
});

test('the same pool again changes nothing', () => {
  const once = deployment();
  edge.pin(once);
  const twice = deployment();
  edge.pin(twice);
  NodePool.labeled({ pool: 'edge' }, { taints: [NodeTaint.noSchedule('dedicated', 'edge')] }).pin(twice);
  expect(podOf(twice)).toEqual(podOf(once));
});

const core = NodePool.labeled({ pool: 'core' });
test.each<[string, (workload: ApiObject) => void, string]>([
  [
    'another pool',
    (workload) =>
      [edge, core].forEach((pool) => {
        pool.pin(workload);
      }),
    'pinned-pool-conflict',
  ],
  [
    'pinned and excluded',
    (workload) => {
      edge.pin(workload);
      edge.exclude(workload);
    },
    'pinned-pool-excluded',
  ],
])('%s is an error', (_, place, rule) => {
  const workload = deployment();
  place(workload);
  expect(errorsOf(workload.chart)).toEqual([expect.stringMatching(`^\\[echo/Echo\\] kubernetes: .*\\(${rule}\\)$`)]);
});

test.each<[string, ApiObject]>([
  ['node selector', deployment(undefined, { nodeSelector: { pool: 'core' } })],
  ['affinity', deployment([{ matchExpressions: [{ key: 'pool', operator: 'NotIn', values: ['edge'] }] }])],
])('a %s of the user that shuts the pool out is an error', (_, workload) => {
  edge.pin(workload);
  expect(errorsOf(workload.chart)).toEqual([expect.stringContaining('pinned-pods-selector-conflict')]);
});

test('a workload is kept off pools, each in every term', () => {
  const workload = deployment([{ matchExpressions: [onSsd] }]);
  edge.exclude(workload);
  core.exclude(workload);
  const notIn = (pool: string) => ({ key: 'pool', operator: 'NotIn', values: [pool] });
  expect(termsOf(workload)).toEqual([{ matchExpressions: [onSsd, notIn('edge'), notIn('core')] }]);
});

test('off a pool of two labels is off one of them', () => {
  const workload = deployment();
  NodePool.labeled({ a: '1', b: '2' }).exclude(workload);
  expect(termsOf(workload)).toEqual([
    { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] },
    { matchExpressions: [{ key: 'b', operator: 'NotIn', values: ['2'] }] },
  ]);
});

test.each(['StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'])('a %s is pinned in its pod template', (kind) => {
  const chart = newChart();
  const group = kind === 'Job' ? 'batch/v1' : 'apps/v1';
  edge.pin(new ApiObject(chart, 'Echo', { apiVersion: group, kind, spec: { template: { spec: {} } } }));
  expect(JSON.stringify(written(chart, kind).spec.template.spec.affinity)).toContain('"pool"');
});

test('a CronJob is pinned in the template of its Jobs, a Pod in itself', () => {
  const chart = newChart();
  const template = { spec: { template: { spec: {} } } };
  edge.pin(new ApiObject(chart, 'Cron', { apiVersion: 'batch/v1', kind: 'CronJob', spec: { jobTemplate: template } }));
  edge.pin(new ApiObject(chart, 'Pod', { apiVersion: 'v1', kind: 'Pod', spec: {} }));
  expect(JSON.stringify(written(chart, 'CronJob').spec.jobTemplate.spec.template.spec)).toContain('"pool"');
  expect(JSON.stringify(written(chart, 'Pod').spec.affinity)).toContain('"pool"');
});

test.each<[string, () => unknown, string]>([
  ['no workload', () => edge.pin(newChart()), 'there is no workload'],
  [
    'several workloads',
    () => {
      const { chart } = deployment();
      new plus.Deployment(chart, 'Second', { containers: [{ image: 'echo' }] });
      edge.pin(chart);
    },
    'several workloads: echo/Echo, echo/Second/Resource',
  ],
  ['a pool without labels', () => NodePool.labeled({}), 'which would match every node'],
  ['a label that is no text', () => NodePool.labeled({ pool: 1 as never }), 'is 1, which is not a string'],
  ['a label that no node can carry', () => NodePool.labeled({ pool: 'a b' }), "'a b' is not a valid label value"],
  ['a taint that no node can carry', () => NodeTaint.noSchedule('a/b/c'), 'more than one slash'],
])('%s is refused at once', (_, act, message) => expect(act).toThrow(message));

const props = { controller: HetznerCloud.loadBalancer(), selector: { app: 'echo' }, ports: [{ port: 443 }] };

function service(app: App, more: Partial<LoadBalancedServiceProps> = {}): LoadBalancedService {
  return new LoadBalancedService(new Chart(app, 'echo'), 'Echo', { ...props, ...more });
}

const byCdk8s = (object: LoadBalancedService): Json => ApiObject.prototype.toJson.call(object);

class Shouting implements IResolver {
  public resolve(context: ResolutionContext): void {
    if (context.value === 'echo') context.replaceValue('ECHO');
  }
}

test('plain data is written as cdk8s would write it, to the byte', () => {
  const object = service(new App(), {
    publishNotReadyAddresses: true,
    ports: [{ port: 443, targetPortName: 'a', nodePort: 30443 }],
  });
  expect(JSON.stringify(object.toJson())).toBe(JSON.stringify(byCdk8s(object)));
});

test("a resolver of the app is asked, as for every other object's values", () => {
  const object = service(new App({ resolvers: [new Shouting()] }));
  expect(object.toJson().spec.selector).toEqual({ app: 'ECHO' });
});

test('keys stay in their order where the environment says so', () => {
  process.env.CDK8S_DISABLE_SORT = 'yes';
  try {
    const object = service(new App());
    expect(JSON.stringify(object.toJson())).toBe(JSON.stringify(byCdk8s(object)));
  } finally {
    delete process.env.CDK8S_DISABLE_SORT;
  }
});

test('lazy values are resolved, in maps and in lists', () => {
  const lazy = Lazy.any({ produce: () => 'echo' }) as never;
  expect(service(new App(), { selector: { app: lazy } }).toJson().spec.selector).toEqual({ app: 'echo' });
  const object = service(new App(), {
    ports: [{ port: 443, appProtocol: Lazy.any({ produce: () => 'https' }) as never }],
  });
  expect(Testing.synth(object.chart)[0].spec.ports[0].appProtocol).toBe('https');
});
