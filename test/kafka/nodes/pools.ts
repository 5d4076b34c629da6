import type { Json } from '../../../src/contract/json';

/** A KafkaNodePool of the cluster `events` that is right, with more in its spec and its metadata. */
export function pool(spec: Json = {}, metadata: Json = {}, document: Json = {}): Json {
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'KafkaNodePool',
    metadata: { name: 'brokers', labels: { 'strimzi.io/cluster': 'events' }, ...metadata },
    spec: { replicas: 3, roles: ['broker'], storage: { type: 'persistent-claim', size: '100Gi' }, ...spec },
    ...document,
  };
}

/** Annotations of ids. */
export function ids(next: unknown, more: Json = {}): Json {
  return { annotations: { 'strimzi.io/next-node-ids': next, ...more } };
}

const GARBAGE: readonly unknown[] = [null, true, 0, -1.5, '', '{nodeId}', 'a b', [], [null], {}, { a: null }];

/** A copy of a manifest for each place in it and each piece of garbage. */
export function* spoilt(tree: unknown, isRoot = true): Generator<unknown> {
  if (!isRoot) {
    yield* GARBAGE;
  }
  if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      for (const other of spoilt(value, false)) {
        yield Array.isArray(tree) ? Object.assign([...tree], { [key]: other }) : { ...tree, [key]: other };
      }
    }
  }
}
