import { stringify } from 'yaml';
import {
  AwsLoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodeIds,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancerDiff,
  LoadBalancerOutcome,
  NodePool,
  NodeTaint,
  StrimziVersion,
} from '../../src';
import { AWS_LBC } from '../../src/controllers/aws-load-balancer-controller/annotations';
import type { BalancerChange } from '../../src/diff/effect';
import { casesIn, table } from '../support/yaml-cases';
import { appWith } from './apps-to-compare';
import { changesOf, type SideOptions, sideOf } from './sides';

// Brokers that come and go: by which field, under which ids, and what can be done about it.

interface Pool {
  readonly name?: string;
  readonly replicas?: number;
  readonly roles?: readonly string[];
  /** Nothing where the operator hands out the ids. */
  readonly ids?: string;
  readonly removed?: string;
  /** The ids of its nodes, on a live cluster. */
  readonly living?: readonly number[];
  /** The value of label `pool` of the nodes that its pods demand. */
  readonly on?: string;
}

interface Cluster {
  readonly pools?: readonly Pool[];
  /** The ids of brokers whose Services have annotations of their own. */
  readonly entries?: readonly number[];
  readonly config?: object;
  readonly paused?: string;
  /** The value of label `pool` of the nodes that are the backend of all balancers. */
  readonly backend?: string;
}

function textOf({ pools = [{}], entries = [], config, paused, backend }: Cluster): string {
  const brokers = entries.map((broker) => ({ broker, annotations: { [AWS_LBC.scheme.key()]: 'internal' } }));
  const annotations = { [AWS_LBC.targetNodeLabels.key()]: `pool=${backend}`, [AWS_LBC.targetType.key()]: 'instance' };
  const configuration = {
    ...(backend && {
      externalTrafficPolicy: 'Local',
      bootstrap: { annotations },
      brokers: [0, 1, 2].map((broker) => ({ broker, annotations })),
    }),
    class: 'service.k8s.aws/nlb',
    finalizers: ['service.k8s.aws/resources'],
    ...(brokers.length > 0 && { brokers }),
  };
  const listener = { name: 'external', port: 9094, type: 'loadbalancer', tls: true, configuration };
  const kafka = {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: {
      name: 'orders',
      namespace: 'kafka',
      ...(paused && { annotations: { 'strimzi.io/pause-reconciliation': paused } }),
    },
    spec: { kafka: { listeners: [listener], ...(config && { config }) } },
  };
  return [kafka, ...pools.map(poolOf)].map((object) => stringify(object)).join('---\n');
}

function poolOf({ name = 'brokers', replicas = 3, roles = ['broker'], ids, removed, living, on }: Pool) {
  const terms = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: [on] }] }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const annotations = {
    ...(ids && { 'strimzi.io/next-node-ids': ids }),
    ...(removed && { 'strimzi.io/remove-node-ids': removed }),
  };
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name, namespace: 'kafka', labels: { 'strimzi.io/cluster': 'orders' }, annotations },
    spec: {
      replicas,
      roles,
      storage: { type: 'ephemeral' },
      ...(on && { template: { pod: { affinity: { nodeAffinity } } } }),
    },
    ...(living && { status: { nodeIds: living } }),
  };
}

const RANGE = '[0-99]';
const options: SideOptions = { installed: [AwsLoadBalancerController.nlb()] };

const changes = (from: Cluster, to: Cluster): BalancerChange[] => {
  const before = sideOf(textOf(from), options);
  return changesOf(before, sideOf(textOf(to), { ...options, older: before.manifests }));
};

const worst = (from: Cluster, to: Cluster) =>
  changes(from, to)
    .filter(({ outcome }) => outcome !== 'kept')
    .map(({ outcome, before, after, effects: [{ field, from: old, to: now }] }) => ({
      ...{ outcome, id: (after ?? before)?.id.replace('kafka/orders-', ''), field },
      ...{ values: [old, now] },
    }));

test('a broker goes by the replicas of its pool, and not by its entry in the listener, which goes with it', () => {
  const pools = (replicas: number) => [{ ids: RANGE, replicas }];
  expect(worst({ pools: pools(3), entries: [0, 1, 2] }, { pools: pools(2), entries: [0, 1] })).toEqual([
    { outcome: 'deleted', id: 'brokers-2', field: 'KafkaNodePool brokers, spec.replicas', values: ['3', '2'] },
  ]);
});

test('a whole pool is called by its name in all causes', () => {
  const pool = (name: string) => ({ pools: [{ name, roles: ['controller', 'broker'] }] });
  const all = changes(pool('brokers'), pool('others')).flatMap(({ effects: causes }) => causes);
  const named = all.filter(({ field }) => field.startsWith('KafkaNodePool'));
  expect(named.map(({ outcome }) => outcome)).toContain('interrupted');
  expect(new Set(named.map(({ from, to }) => `${from} -> ${to}`))).toEqual(new Set(['brokers -> undefined']));
});

test('the brokers of a pool go by its name', () => {
  const [few, big] = [
    { ids: '[0-9]', replicas: 1 },
    { name: 'big', ids: '[10-19]', replicas: 1 },
  ];
  expect(worst({ pools: [few, big], entries: [0, 10] }, { pools: [few], entries: [0] })).toEqual([
    { outcome: 'deleted', id: 'big-10', field: 'KafkaNodePool big, metadata.name', values: ['big', undefined] },
  ]);
});

const IDS: readonly (readonly [string, readonly Pool[], readonly Pool[], readonly string[]])[] = casesIn(
  __dirname,
  'brokers.yaml',
).ids;

test.each(IDS)('ids of nodes: %s', (_, before, after, said) => {
  expect(worst({ pools: before }, { pools: after }).map(({ outcome, id }) => `${outcome} ${id}`)).toEqual(said);
});

const remedies = (from: Cluster, to: Cluster) =>
  Object.fromEntries(
    changes(from, to)
      .filter(({ outcome }) => outcome !== 'kept')
      .map(({ before, after, effects: causes }) => [
        (after ?? before)?.id.replace('kafka/orders-', ''),
        causes.map(({ outcome, remedy }) => `${outcome}: ${remedy}`),
      ]),
  );

const MOVE_FIRST =
  'move the partitions of the brokers that go first (remove-brokers in spec.cruiseControl.autoRebalance, or in a KafkaRebalance), and leave the controller of the balancers running until they are gone';
const BOOTSTRAP = 'kafka-external-bootstrap';

test('before a broker goes its partitions are moved, for nobody can keep its Service', () => {
  const pools = (replicas: number) => [{ ids: RANGE, replicas }];
  expect(remedies({ pools: pools(3) }, { pools: pools(2) })).toEqual({ 'brokers-2': [`deleted: ${MOVE_FIRST}`] });
});

test('a setting of Kafka is changed when clients can reconnect, and on no second Service', () => {
  const pools = [{ ids: RANGE, replicas: 1 }];
  const remedy = 'interrupted: make the change when clients can reconnect';
  expect(remedies({ pools }, { pools, config: { 'num.io.threads': 4 } })).toEqual({
    [BOOTSTRAP]: [remedy],
    'brokers-0': [remedy],
  });
});

test.each<[string | undefined, string | undefined, readonly string[]]>([
  ['true', undefined, ['unknown', 'unknown']],
  ['true', 'false', ['unknown', 'unknown']],
  [undefined, 'true', []],
  ['false', undefined, []],
])('what was changed while a Kafka was paused is unknown: from %s to %s', (old, now, outcomes) => {
  const pools = [{ ids: RANGE, replicas: 1 }];
  const [before, after] = [old, now].map((paused) => ({ pools, ...(paused && { paused }) }));
  expect(worst(before, after).map(({ outcome }) => outcome)).toEqual(outcomes);
});

describe('a Kafka that is paused', () => {
  const pools = [{ ids: RANGE, replicas: 2 }];
  const whys = (from: Cluster, to: Cluster) =>
    changes({ ...from, paused: 'true' }, { ...to, paused: 'true' }).flatMap(({ effects: causes }) =>
      causes
        .filter(({ outcome }) => outcome !== 'kept')
        .map(({ why }) => /^when Kafka kafka\/orders is unpaused: /.test(why)),
    );

  test.each<[string, Cluster, Cluster]>([
    ['an edit of it waits', { pools }, { pools, config: { a: 1 } }],
    ['brokers that go wait', { pools }, { pools: [{ ids: RANGE, replicas: 1 }] }],
  ])('%s', (_, from, to) => {
    const all = whys(from, to);
    expect(all.length).toBeGreaterThan(0);
    expect(all).not.toContain(false);
  });

  test('what belongs to a pool that is gone goes at once', () => {
    const two = [...pools, { name: 'more', ids: '[200-299]', replicas: 1 }];
    expect(whys({ pools: two }, { pools })).toEqual([false]);
  });
});

test('controllers stay as they are', () => {
  const pools = (replicas: number) => [{ ids: RANGE, replicas, roles: ['broker', 'controller'] }];
  const remedy =
    'leave the controllers as they are; for fewer or other brokers give brokers a pool of their own, and move the partitions to it';
  const kept = [`interrupted: ${remedy}`];
  expect(remedies({ pools: pools(3) }, { pools: pools(2) })).toEqual({
    [BOOTSTRAP]: kept,
    'brokers-0': kept,
    'brokers-1': kept,
    'brokers-2': [`deleted: ${remedy}`, ...kept],
  });
});

test('more controllers of a pool without brokers concern the whole cluster', () => {
  const pools = (replicas: number) => [
    { ids: RANGE, replicas: 1 },
    { name: 'controllers', ids: '[900-909]', replicas, roles: ['controller'] },
  ];
  expect(worst({ pools: pools(1) }, { pools: pools(3) }).map(({ outcome, field }) => `${outcome} ${field}`)).toEqual([
    'interrupted KafkaNodePool controllers, spec.replicas',
    'interrupted KafkaNodePool controllers, spec.replicas',
  ]);
});

test('without its Kafka nothing else keeps a balancer', () => {
  const text = textOf({ pools: [{ ids: RANGE, replicas: 1 }] });
  const gone = changesOf(sideOf(text, options), sideOf('', options), { prune: true });
  expect(new Set(gone.map(({ effects: [{ remedy }] }) => remedy))).toEqual(
    new Set([
      'keep Kafka kafka/orders until no client uses its balancers, and leave their controller running until they are gone',
    ]),
  );
});

test('without a broker the operator reconciles nothing, and what it has made stays', () => {
  const none = worst({ pools: [{ ids: RANGE }] }, { pools: [{ ids: RANGE, replicas: 0 }] });
  const cause = { outcome: 'refused', field: 'KafkaNodePool brokers, spec.replicas', values: ['3', '0'] };
  expect(none).toEqual(['brokers-0', 'brokers-1', 'brokers-2', BOOTSTRAP].map((id) => ({ ...cause, id })));
});

test('the brokers of one pool go, while another pool has some', () => {
  const big = { name: 'big', ids: '[100-109]', replicas: 1 };
  const found = worst({ pools: [{ ids: RANGE, replicas: 1 }, big] }, { pools: [{ ids: RANGE, replicas: 0 }, big] });
  expect(found.map(({ outcome, id }) => `${outcome} ${id}`)).toEqual(['deleted brokers-0']);
});

const NO_POD = /^no pod receives connections: /;
const idle = (from: Cluster, to: Cluster, more: SideOptions = {}) => {
  const before = sideOf(textOf(from), { ...options, ...more });
  const after = sideOf(textOf(to), { ...options, ...more, older: before.manifests });
  return changesOf(before, after).flatMap(({ after: now, effects: causes }) =>
    causes
      .filter(({ why }) => NO_POD.test(why))
      .map(
        ({ outcome, field }) =>
          `${outcome} ${now?.id.replace('kafka/orders-', '')}: ${field.replace(/\.affinity.*/, '')}`,
      ),
  );
};
const AFFINITY = 'KafkaNodePool kafka/brokers, spec.template.pod';

test.each<[string, Cluster, Cluster, readonly string[]]>(table('diff/brokers.yaml', 'cases'))(
  '%s',
  (_, from, to, found) => expect(idle(from, to)).toEqual(found),
);

test('brokers that demand nodes whose taint they do not tolerate get no connection', () => {
  const tainted = NodePool.labeled({ pool: 'gpu' }, { taints: [NodeTaint.noSchedule('dedicated', 'gpu')] });
  const pools = (on: string) => ({ pools: [{ replicas: 1, on }] });
  const nodePools = [tainted, NodePool.labeled({ pool: 'kafka' })];
  expect(idle(pools('kafka'), pools('gpu'), { nodePools })).toEqual([
    `interrupted brokers-0: ${AFFINITY}`,
    `interrupted ${BOOTSTRAP}: ${AFFINITY}`,
  ]);
  expect(idle(pools('kafka'), pools('gpu'))).toEqual([]);
});

// Brokers of an app, whose ids and entries in listeners are written by the library.

const appWithBrokers = (replicas: number, first = 0, strimzi = StrimziVersion.V0_49) =>
  appWith((chart) => {
    const kafka = new KafkaCluster(chart, 'Kafka', { name: 'orders', strimzi });
    new KafkaNodePool(chart, 'Controllers', {
      kafka,
      ...{ name: 'controllers', replicas: 3, roles: [KafkaNodeRole.CONTROLLER] },
      ...{ nodeIds: KafkaNodeIds.between(900, 909), storage: { type: 'persistent-claim', size: '10Gi' } },
    });
    new KafkaNodePool(chart, 'Brokers', {
      kafka,
      ...{ name: 'brokers', replicas, roles: [KafkaNodeRole.BROKER] },
      ...{ nodeIds: KafkaNodeIds.between(first, 99), storage: { type: 'persistent-claim', size: '100Gi' } },
    });
    new KafkaLoadBalancedListener(chart, 'External', {
      kafka,
      ...{ name: 'external', port: 9094, authentication: { type: 'scram-sha-512' } },
      controller: AwsLoadBalancerController.nlb(),
    });
  });

test('a broker goes by its pool, although its entry in the listener goes too', () => {
  const deleted = LoadBalancerDiff.between(appWithBrokers(3), appWithBrokers(2)).of(LoadBalancerOutcome.DELETED);
  expect(deleted.map(({ service, causes: [{ field, before, after }] }) => [service, field, before, after])).toEqual([
    ['default/orders-brokers-2', 'KafkaNodePool brokers, spec.replicas', '3', '2'],
  ]);
});

test('other ids for nodes to come leave those that live', () => {
  const { V1_2 } = StrimziVersion;
  const { changes } = LoadBalancerDiff.between(appWithBrokers(3, 0, V1_2), appWithBrokers(3, 10, V1_2));
  expect(changes.map(({ outcome, service }) => `${outcome} ${service}`).sort()).toEqual([
    'kept default/orders-brokers-0',
    'kept default/orders-brokers-1',
    'kept default/orders-brokers-2',
    'kept default/orders-kafka-external-bootstrap',
  ]);
});
