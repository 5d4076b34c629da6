import { isInPlace } from '../../contract/edit';
import { isMap, type Json, mapIn, mapsIn } from '../../contract/json';
import { type BalancerOfObject, type ConcernedBalancers, rowOf } from '../../contract/object-edits';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { type ObjectEdit, objectEdits } from '../../rules/edits-of-values';
import { textAt } from '../operator/kafka-document';
import { idsThatGo } from '../operator/node-pools';
import { KAFKA_KIND, KAFKA_NODE_POOL_KIND, SELECTOR_LABELS } from '../strimzi/strimzi.facts';
import { EDITED_KAFKA, EDITED_NODE_POOL, LISTENERS_PATH } from './kafka-edits.facts';

export interface KafkaSide {
  readonly kafka?: Json;
  readonly pools: readonly Json[];
}

export interface KafkaEdit extends ObjectEdit {
  readonly object: { readonly kind: string; readonly name: string };
}

/**
 * Effects of edits of a cluster on the balancers of its listeners; `isConcerned` says to which of them.
 *
 * @param before the cluster as it is
 * @param after the cluster as it will be
 * @param owner who makes the balancers of its Services, where that is known
 */
export function kafkaEdits(before: KafkaSide, after: KafkaSide, owner?: ControllerDefinition): KafkaEdit[] {
  const ofKafka = objectEdits(EDITED_KAFKA, before.kafka, after.kafka, owner).filter(isOfType);
  const names = new Set([...before.pools, ...after.pools].map(nameOf));
  return [
    ...ofKafka.map((edit) => ({ ...edit, object: { kind: KAFKA_KIND, name: nameOf(after.kafka ?? before.kafka) } })),
    ...[...names].flatMap((name) => {
      const [old, now] = [before, after].map(({ pools }) => pools.find((pool) => nameOf(pool) === name));
      const concerned = concernedBy(name, old, now);
      const ofPool = objectEdits(EDITED_NODE_POOL, old, now, owner).filter((edit) => !leavesCluster(edit));
      return ofPool.map((edit) => ({
        ...edit,
        object: { kind: KAFKA_NODE_POOL_KIND, name },
        concerns: isOfCluster(edit) ? edit.concerns : { ...edit.concerns, ...concerned(edit) },
      }));
    }),
  ];
}

function isOfCluster({ concerns }: ObjectEdit): boolean {
  return concerns.bootstrap !== 'not';
}

/** If it does nothing to them, only the effect on its own brokers is reported. */
function leavesCluster(edit: ObjectEdit): boolean {
  return isOfCluster(edit) && isInPlace(edit.edit);
}

export function balancerOfService(service: Json): BalancerOfObject {
  const selector = mapIn(mapIn(service, 'spec'), 'selector');
  const [port] = mapsIn(mapIn(service, 'spec'), 'ports');
  const pod = textAt({ pod: selector[SELECTOR_LABELS.pod] }, 'pod');
  const node = pod === undefined ? Number.NaN : Number(pod.slice(pod.lastIndexOf('-') + 1));
  const pool: unknown = selector[SELECTOR_LABELS.pool];
  return {
    listener: textAt(port, 'name')?.replace(/^tcp-/, ''),
    ...(typeof pool === 'string' && { pool }),
    ...(Number.isInteger(node) && { node }),
  };
}

export function rowOfListenerField(path: string): string | undefined {
  return rowOf(EDITED_KAFKA.edits, `${LISTENERS_PATH.replace(/\[.*/, '')}.${path}`);
}

function isOfType({ types, field: { entries } }: ObjectEdit): boolean {
  const listener = entries?.listeners;
  return !types || !listener || [listener.before, listener.after].some(({ type }) => types.includes(type));
}

function concernedBy(pool: string, old?: Json, now?: Json): (edit: ObjectEdit) => ConcernedBalancers {
  return ({ field: { row }, edit: { outcome } }) => {
    const nodes = row === 'spec.replicas' && outcome === 'deleted' && old && now ? idsThatGo(old, now) : undefined;
    return { pool, ...(nodes && { nodes }) };
  };
}

function nameOf(object: unknown): string {
  return (isMap(object) && textAt(object, 'metadata.name')) || '';
}
