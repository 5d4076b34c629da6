import { MetalLb, NodePool, NodeTaint } from '../../src';
import type { CheckContext } from '../../src/cli/context/check-context';
import { Workloads } from '../../src/rules/workload-rules';
import { checkedText, foundIn, saidBy } from '../support/checks';
import { casesIn, table, titled } from '../support/yaml-cases';
import { checkedFiles, fileOf, linesOf, type Part, type Row } from './checked';

const { pieces, rows, known, brokers, targets } = casesIn(__dirname, 'pool-taints.yaml');

const NOT_TOLERATED = 'pool-taint-not-tolerated';

test.each(titled<Row>(rows))('%s', (_, { of, count, says = '' }) => {
  const found = saidBy(NOT_TOLERATED, fileOf(pieces, of));
  expect(found).toHaveLength(count);
  expect(found.join()).toContain(says);
});

const INGEST = NodePool.labeled({ disk: 'fast', team: 'a' }, { name: 'ingest', taints: [NodeTaint.noExecute('gpu')] });

test.each(titled<Row>(known))('%s', (_, { of, count }) => {
  expect(saidBy(NOT_TOLERATED, fileOf(pieces, of), { nodePools: { ingest: INGEST } })).toHaveLength(count);
});

test.each(titled<Row>(brokers))('%s', (_, { of, expected }) => {
  expect(saidBy(NOT_TOLERATED, fileOf(pieces, of)).map((text) => text.split(':')[0])).toEqual(expected);
});

test.each(titled<Row>(targets))('the targets of a Service are tainted nodes: %s', (_, { of, said }) => {
  expect(saidBy('backend-without-pods', fileOf(pieces, of))).toEqual(said);
});

test('a pool of the same labels without the taint takes the pods', () => {
  const labels = { 'eks.amazonaws.com/nodegroup': 'ingest' };
  const tainted = NodePool.labeled(labels, { name: 'a', taints: [NodeTaint.noSchedule('gpu')] });
  const said = (nodePools: Record<string, NodePool>) =>
    saidBy('backend-without-pods', fileOf(pieces, ['workload', 'targets']), { nodePools }).length;
  expect(said({ tainted })).toBe(1);
  expect(said({ tainted, open: NodePool.labeled(labels, { name: 'b' }) })).toBe(0);
});

const service = { spec: { selector: { team: 'shop', app: 'a7' } } };

test('a label that all pods have is not what a workload is looked for by', () => {
  let looks = 0;
  const workload = (i: number) => ({
    kind: 'Deployment',
    metadata: { name: `d${i}` },
    get spec() {
      looks++;
      return { template: { metadata: { labels: { team: 'shop', app: `a${i}` } } } };
    },
  });
  const workloads = new Workloads(Array.from({ length: 500 }, (_, i) => workload(i)));
  looks = 0;
  expect(workloads.of(service).map(({ metadata }) => metadata.name)).toEqual(['d7']);
  expect(looks).toBeLessThan(10);
});

const CASES = casesIn(__dirname, 'pools.yaml');

test.each<[string, string, string]>(table('cli/pools.yaml', 'places'))(
  '%s is reported at its own place',
  (_, text, at) => {
    const { findings } = checkedText(fileOf(CASES.pieces, [{ containers: { pod: text } }]));
    expect(findings.map(({ place, ruleId }) => `${place.line}:${place.column} ${ruleId}`)).toEqual([at]);
  },
);

test('a Service of one pod of a StatefulSet selects it by the label that its controller writes', () => {
  const pod = '      containers: [{name: a, ports: [{containerPort: 80}]}]';
  const file = fileOf(CASES.pieces, [{ containers: { kind: 'StatefulSet', pod } }, 'onePod']);
  expect(checkedText(file).findings).toEqual([]);
});

describe.each(Object.entries<[string, Part[], string?][]>(CASES['found by rule']))('%s', (rule, rows) => {
  test.each(rows)('%s', (...[, of, found]) => {
    const lines = foundIn(fileOf(CASES.pieces, of)).filter((one) => one.includes(rule));
    expect(lines).toEqual(found ? [`${found} ${rule}`] : []);
  });
});

test.each<[string, CheckContext['controllers'], Part[], string, string[]]>(table('cli/pools.yaml', 'said'))(
  '%s',
  (_, controllers, of, rule, sentences) => {
    expect(saidBy(rule, fileOf(CASES.pieces, of), { controllers })).toEqual(sentences);
  },
);

test('a container that a patch of a kustomization adds has the port that a Service names', () => {
  const patch = (port: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: echo, namespace: edge}
spec: {template: {spec: {containers: [{name: proxy, ports: [{name: ${port}, containerPort: 8443}]}]}}}
`;
  const base = `${fileOf(CASES.pieces, [{ containers: { pod: '      containers: [{name: echo, image: echo}]' } }])}---
apiVersion: v1
kind: Service
metadata: {name: echo, namespace: edge}
spec: {selector: {app: echo}, ports: [{port: 8443, targetPort: https}]}
`;
  const of = (port: string) =>
    linesOf(
      checkedFiles({
        'base/echo.yaml': base,
        'default/proxy.yaml': patch(port),
        'default/kustomization.yaml': 'resources: [../base]\npatches: [{path: proxy.yaml}]\n',
      }),
    );
  expect([of('https'), of('other')]).toEqual([[], ['14 target-port-unknown']]);
});

test.each<[string, string, Parameters<typeof saidBy>[2], number]>(table('cli/pools.yaml', 'a pool'))(
  'a pool %s',
  (_, content, context, count) => expect(saidBy('metallb-namespace-mismatch', content, context)).toHaveLength(count),
);

test.each<[string, string, string, string]>(table('cli/pools.yaml', 'Services that share a port and an address'))(
  'two Services of one port and one address of MetalLB %s',
  (_, key, policy, why) => {
    const one = (name: string, more = '') =>
      `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: x, annotations: { ${key}metallb.io/loadBalancerIPs: 10.0.0.5 } }\nspec: { type: LoadBalancer, selector: { a: b }, ports: [{ port: 80 }]${more} }\n`;
    const [found] = saidBy('exclusive-resource-conflict', `${one('a')}---\n${one('b', policy)}`, {
      controllers: [MetalLb.layer2()],
    });
    expect(found).toContain(`${why}, so the later one gets no address`);
  },
);
