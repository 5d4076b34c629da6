import { NodePool, NodeTaint } from '../../src';
import { saidBy } from '../support/checked';
import { casesIn, titled } from '../support/yaml-cases';
import { fileOf, type Row } from './pieces';

const { pieces, rows, known, brokers, targets } = casesIn(__dirname, 'pool-taints.yaml');

const NOT_TOLERATED = 'pool-taint-tolerated';

test('pods that are pinned to tainted nodes are not scheduled', () => {
  const pod = '      nodeSelector: {eks.amazonaws.com/nodegroup: ingest}\n';
  const taints = '{key: dedicated, value: ingest, effect: NoSchedule}';
  expect(saidBy(NOT_TOLERATED, fileOf(pieces, [{ workload: { pod } }, { node: { taints } }]))).toEqual([
    "warning 10: the pods demand nodes of pool 'ingest', whose taint dedicated=ingest:NoSchedule they do not tolerate: none is scheduled, and a balancer in front has no pod to send to; tolerate dedicated=ingest:NoSchedule in the pod template, or choose other nodes",
  ]);
});

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
