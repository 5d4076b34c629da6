import type { Json } from '../../contract/json';
import type { Finding } from '../../rules/rule';
import { isSaid, mapAt, shown } from '../document/kafka-json';
import { JVM_FIELDS } from './node-pool.facts';
import { type NodePoolRule, POOL_SCHEMA, poolError, poolWarning } from './node-pool-rule';
import { heapOf, quantityOf } from './quantity';

const OPERATOR = {
  ...POOL_SCHEMA,
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/ModelUtils.java',
};

/** The resources of which the operator demands more than nothing. */
const COMPUTED = ['cpu', 'memory'];

/** The amounts of requests and limits: where, the resource, and the amount. */
function amountsOf(pool: Json): [where: string, resource: string, amount: unknown][] {
  return ['requests', 'limits'].flatMap((which) =>
    Object.entries(mapAt(pool, `spec.resources.${which}`))
      .filter(([, amount]) => isSaid(amount))
      .map(([resource, amount]): [string, string, unknown] => [
        `spec.resources.${which}.${resource}`,
        resource,
        amount,
      ]),
  );
}

/** Requests that are above their limits. */
function aboveLimits(pool: Json): Finding[] {
  const limits = mapAt(pool, 'spec.resources.limits');
  return Object.entries(mapAt(pool, 'spec.resources.requests'))
    .filter(([resource, amount]) => Number(quantityOf(amount)) > Number(quantityOf(limits[resource])))
    .map(([resource, amount]) => ({
      what: `spec.resources.requests.${resource} is ${shown(amount)}, above its limit of ${shown(limits[resource])}, with which the operator does not reconcile the cluster`,
      remedy: 'raise the limit or lower the request',
      value: shown(amount),
    }));
}

/** What the operator and Java say of the resources of a node pool. */
export const NODE_POOL_RESOURCE_RULES: readonly NodePoolRule[] = [
  poolError(
    'node-pool-resource-quantity',
    'a resource has an amount',
    (pool) =>
      amountsOf(pool)
        .filter(([, , amount]) => quantityOf(amount) === undefined)
        .map(([where, , amount]) => ({
          what: `${where} is ${shown(amount)}, no amount, so the API server refuses the resource`,
          remedy: 'write one like 500m or 4Gi',
          value: shown(amount),
        })),
    POOL_SCHEMA,
  ),
  poolError(
    'node-pool-resource-zero',
    'processors and memory are more than nothing',
    (pool) =>
      amountsOf(pool)
        .filter(([, resource, amount]) => COMPUTED.includes(resource) && Number(quantityOf(amount)) <= 0)
        .map(([where, , amount]) => ({
          what: `${where} is ${shown(amount)}, with which the operator does not reconcile the cluster`,
          remedy: 'write more, or remove it',
          value: shown(amount),
        })),
    OPERATOR,
  ),
  poolError('node-pool-resource-limit', 'no request is above its limit', aboveLimits, OPERATOR),
  poolError('node-pool-heap-order', 'the heap is at the start no larger than at most', (pool) => {
    const jvm = mapAt(pool, 'spec.jvmOptions');
    const [initial, maximum] = [jvm[JVM_FIELDS.initialHeap], jvm[JVM_FIELDS.maximumHeap]];
    return Number(heapOf(initial)) > Number(heapOf(maximum))
      ? {
          what: `spec.jvmOptions has ${JVM_FIELDS.initialHeap} ${shown(initial)} above ${JVM_FIELDS.maximumHeap} ${shown(maximum)}, with which Java does not start`,
          remedy: 'write the same for both',
          value: shown(initial),
        }
      : undefined;
  }),
  poolWarning('node-pool-heap-limit', 'the heap leaves memory for all else', (pool) => {
    const maximum = mapAt(pool, 'spec.jvmOptions')[JVM_FIELDS.maximumHeap];
    const limit = mapAt(pool, 'spec.resources.limits').memory;
    return Number(heapOf(maximum)) >= Number(quantityOf(limit))
      ? {
          what: `spec.jvmOptions has ${JVM_FIELDS.maximumHeap} ${shown(maximum)}, and the memory limit is ${shown(limit)}: the container is killed before its heap is full`,
          remedy: 'give the heap half of the limit or less: Kafka lives on the page cache',
          value: shown(maximum),
        }
      : undefined;
  }),
];
