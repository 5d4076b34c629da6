import { NodePool, NodeTaint } from '../../src';
import { saidBy } from '../support/checked';

// Pods that demand a pool of nodes, and do not tolerate what keeps pods off it.

const NOT_TOLERATED = 'pool-taint-tolerated';

interface Pod {
  readonly selector?: string;
  readonly affinity?: string;
  readonly tolerations?: string;
}

const pod = ({ selector, affinity, tolerations }: Pod) =>
  [
    selector && `nodeSelector: {${selector}}`,
    affinity &&
      `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${affinity}]}}}`,
    tolerations && `tolerations: [${tolerations}]`,
  ]
    .filter(Boolean)
    .map((line) => `      ${line}`)
    .join('\n');

const workload = (wanted: Pod, kind = 'Deployment') => `apiVersion: apps/v1
kind: ${kind}
metadata: {name: web, namespace: edge}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: web}]
${pod(wanted)}
`;

const GROUP = 'eks.amazonaws.com/nodegroup';
const INGEST = { selector: `${GROUP}: ingest` };

const node = (pool: string, taints = '', name = 'a') => `
---
apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {${GROUP}: ${pool}}}
spec: {taints: [${taints}]}`;

const DEDICATED = '{key: dedicated, value: ingest, effect: NoSchedule}';
const TAINTED = node('ingest', DEDICATED);

test('pods that are pinned to tainted nodes are not scheduled', () => {
  expect(saidBy(NOT_TOLERATED, workload(INGEST) + TAINTED)).toEqual([
    "warning 10: the pods demand nodes of pool 'ingest', whose taint dedicated=ingest:NoSchedule they do not tolerate: none is scheduled, and a balancer in front has no pod to send to; tolerate dedicated=ingest:NoSchedule in the pod template, or choose other nodes",
  ]);
});

const term = (operator: string, ...values: string[]) =>
  `{matchExpressions: [{key: ${GROUP}, operator: ${operator}, values: [${values.join(', ')}]}]}`;
const tolerating = (toleration: string): Pod => ({ ...INGEST, tolerations: `{${toleration}}` });

test.each<[string, Pod, string, number]>([
  ['tolerate it', tolerating('key: dedicated, value: ingest, effect: NoSchedule'), TAINTED, 0],
  ['tolerate any effect of it', tolerating('key: dedicated, operator: Equal, value: ingest'), TAINTED, 0],
  ['tolerate any value of it', tolerating('key: dedicated, operator: Exists'), TAINTED, 0],
  ['tolerate everything', tolerating('operator: Exists'), TAINTED, 0],
  ['tolerate it for a while', tolerating('key: dedicated, operator: Exists, tolerationSeconds: 9'), TAINTED, 0],
  ['tolerate another value', tolerating('key: dedicated, value: web'), TAINTED, 1],
  ['tolerate another key', tolerating('key: team, operator: Exists'), TAINTED, 1],
  ['tolerate another effect', tolerating('key: dedicated, operator: Exists, effect: NoExecute'), TAINTED, 1],
  ['demand nothing', {}, TAINTED, 0],
  ['demand another pool', { selector: `${GROUP}: web` }, TAINTED, 0],
  ['demand nodes by another label', { selector: 'disk: fast' }, TAINTED, 0],
  ['demand it by affinity', { affinity: term('In', 'ingest') }, TAINTED, 1],
  ['demand it and another that is not known', { affinity: term('In', 'ingest', 'web') }, TAINTED, 0],
  ['demand it or another that is not known', { affinity: `${term('In', 'ingest')}, ${term('In', 'web')}` }, TAINTED, 0],
  ['demand it or one without taints', { affinity: term('In', 'ingest', 'web') }, TAINTED + node('web'), 0],
  ['demand it or one with taints', { affinity: term('In', 'ingest', 'web') }, TAINTED + node('web', DEDICATED), 1],
  ['keep off it', { affinity: term('NotIn', 'ingest') }, TAINTED, 0],
  ['meet a taint that the scheduler avoids', INGEST, node('ingest', DEDICATED.replace('No', 'PreferNo')), 0],
  [
    'meet a node that is not ready',
    INGEST,
    node('ingest', '{key: node.kubernetes.io/not-ready, effect: NoExecute}'),
    0,
  ],
  ['meet a node of the pool without taints', INGEST, TAINTED + node('ingest', '', 'b'), 0],
])('pods %s', (_, wanted, nodes, count) => {
  expect(saidBy(NOT_TOLERATED, workload(wanted) + nodes)).toHaveLength(count);
});

const GPU = node('ingest', '{key: nvidia.com/gpu, value: present, effect: NoSchedule}');

test.each<[string, string, string, number]>([
  ['its RuntimeClass may add', `${workload(INGEST)}      runtimeClassName: gvisor`, TAINTED, 0],
  [
    'its extended resource adds',
    workload(INGEST).replace('image: web', 'image: web, resources: {limits: {nvidia.com/gpu: 1}}'),
    GPU,
    0,
  ],
  [
    'another extended resource adds',
    workload(INGEST).replace('image: web', 'image: web, resources: {limits: {acme.example/gpu: 1}}'),
    GPU,
    1,
  ],
  [
    'its architecture may add',
    workload(INGEST),
    node('ingest', '{key: kubernetes.io/arch, value: arm64, effect: NoSchedule}'),
    0,
  ],
])('a toleration that %s', (_, content, nodes, count) => {
  expect(saidBy(NOT_TOLERATED, content + nodes)).toHaveLength(count);
});

const KNOWN = {
  nodePools: {
    ingest: NodePool.labeled({ disk: 'fast', team: 'a' }, { name: 'ingest', taints: [NodeTaint.noExecute('gpu')] }),
  },
};

test.each<[string, Pod, string, number]>([
  ['of the context', { selector: 'disk: fast, team: a' }, 'StatefulSet', 1],
  ['of the context, by one of its labels', { selector: 'disk: fast' }, 'StatefulSet', 0],
  [
    'of the context, tolerated',
    { selector: 'disk: fast, team: a', tolerations: '{key: gpu, operator: Exists}' },
    'DaemonSet',
    0,
  ],
])('a pool %s', (_, wanted, kind, count) => {
  expect(saidBy(NOT_TOLERATED, workload(wanted, kind), KNOWN)).toHaveLength(count);
});

describe('brokers', () => {
  const kafka = (template = '') => `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: events, namespace: kafka}
spec:
  kafka:
    listeners: [{name: plain, port: 9092, type: internal, tls: false}]
${template}
---
`;
  const pool = (template = '') => `apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: nodes, namespace: kafka, labels: {strimzi.io/cluster: events}}
spec:
  replicas: 3
  roles: [broker, controller]
  storage: {type: ephemeral}
${template}`;
  const PINNED = `  template:
    pod:
${pod({ affinity: term('In', 'ingest') })}`;
  const OF_KAFKA = PINNED.replace(/^/gm, '  ');

  test.each<[string, string, string[]]>([
    ['are pinned in their node pool', kafka() + pool(PINNED), ['warning 18']],
    ['are pinned in their Kafka', kafka(OF_KAFKA) + pool(), ['warning 13']],
    ['are pinned in a template that their node pool replaces', kafka(OF_KAFKA) + pool('  template: {pod: {}}'), []],
    ['tolerate the taint', kafka() + pool(`${PINNED}\n      tolerations: [{operator: Exists}]`), []],
  ])('that %s', (_, content, expected) => {
    expect(saidBy(NOT_TOLERATED, content + TAINTED).map((text) => text.split(':')[0])).toEqual(expected);
  });
});

const TARGETS = `---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: edge
  annotations: {service.beta.kubernetes.io/aws-load-balancer-target-node-labels: ${GROUP}=ingest}
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  externalTrafficPolicy: Local
  selector: {app: web}
  ports: [{port: 443}]
`;

test.each<[string, Pod, string, string[]]>([
  [
    'pods without a nodeSelector that do not tolerate it',
    {},
    TAINTED,
    [
      `error 17: the targets are nodes with ${GROUP}=ingest, with policy Local, and no pod of the Service can run on them: its missing toleration of taint dedicated=ingest:NoSchedule rules these nodes out; tolerate the taint in the pod template, or choose other nodes as targets`,
    ],
  ],
  ['pods that tolerate it', { tolerations: '{key: dedicated, operator: Exists}' }, TAINTED, []],
  ['nodes without a taint', {}, node('ingest'), []],
  ['nodes that no file has', {}, node('other', DEDICATED), []],
])('the targets of a Service are tainted nodes: %s', (_, wanted, nodes, said) => {
  expect(saidBy('backend-without-pods', workload(wanted) + TARGETS + nodes.trimStart())).toEqual(said);
});

test('a pool of the same labels without the taint takes the pods', () => {
  const labels = { [GROUP]: 'ingest' };
  const tainted = NodePool.labeled(labels, { name: 'a', taints: [NodeTaint.noSchedule('gpu')] });
  const said = (nodePools: Record<string, NodePool>) =>
    saidBy('backend-without-pods', workload({}) + TARGETS, { nodePools }).length;
  expect(said({ tainted })).toBe(1);
  expect(said({ tainted, open: NodePool.labeled(labels, { name: 'b' }) })).toBe(0);
});
