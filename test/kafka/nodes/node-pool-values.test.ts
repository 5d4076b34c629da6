import { KafkaNodeIds } from '../../../src/kafka/cluster/kafka-node-pool';
import { nodeIdsIn } from '../../../src/kafka/operator/node-pools';

test.each<[string, KafkaNodeIds, number[]]>([
  ['[0-3]', KafkaNodeIds.between(0, 3), [0, 1, 2, 3]],
  ['[7]', KafkaNodeIds.between(7, 7), [7]],
  ['[2, 0, 1]', KafkaNodeIds.of([2, 0, 1]), [2, 0, 1]],
  ['[10-12, 4]', KafkaNodeIds.between(10, 12).plus(KafkaNodeIds.of([4])), [10, 11, 12, 4]],
  ['[2147483646-2147483647]', KafkaNodeIds.between(2147483646, 2147483647), [2147483646, 2147483647]],
])('ids are written as %s, and the operator reads the same', (text, nodeIds, expected) => {
  expect(nodeIds.ids).toEqual(expected);
  expect(nodeIds._annotation()).toBe(text);
  expect(nodeIdsIn(text)).toEqual(expected);
});

test.each<[() => unknown, string]>([
  [() => KafkaNodeIds.between(3, 0), 'strimzi: node ids cannot go from 3 to 0; write the lower one first'],
  [() => KafkaNodeIds.between(-1, 3), 'strimzi: -1 cannot be a node id; write a whole number from 0 to 2147483647'],
  [() => KafkaNodeIds.between(0, 2.5), 'strimzi: 2.5 cannot be a node id; write a whole number from 0 to 2147483647'],
  [
    () => KafkaNodeIds.between(Number.NaN, 2),
    'strimzi: NaN cannot be a node id; write a whole number from 0 to 2147483647',
  ],
  [
    () => KafkaNodeIds.of([2147483648]),
    'strimzi: 2147483648 cannot be a node id; write a whole number from 0 to 2147483647',
  ],
  [() => KafkaNodeIds.between(0, 10_000), 'strimzi: node ids 0 to 10000 are 10001; write a range of at most 10000'],
  [() => KafkaNodeIds.of([]), 'strimzi: node ids cannot be an empty list; name at least one, or leave them out'],
  [() => KafkaNodeIds.of([1, 2, 1]), 'strimzi: node id 1 is listed twice; remove one'],
  [() => KafkaNodeIds.between(0, 9).plus(KafkaNodeIds.of([9])), 'strimzi: node id 9 is listed twice; remove one'],
])('%s is refused: %s', (make, message) => {
  expect(make).toThrow(new Error(message));
});
