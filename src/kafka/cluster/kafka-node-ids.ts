import { isNodeId, MOST_IDS } from '../operator/node-pool-ids';
import { HIGHEST_NODE_ID } from '../strimzi/node-pool.facts';

/**
 * Which ids the nodes of a pool get. All pools of a cluster draw from one set of ids: without ids of its own, a pool gets
 * the lowest ones that happen to be free, and names of pods, Services and DNS records change with the order of creation.
 *
 * Give each pool a range of its own, and wide enough to grow. It decides about new nodes only: nodes that live keep the
 * ids that they have.
 */
export class KafkaNodeIds {
  /**
   * All ids from one to another. New nodes take the lowest free one.
   *
   * @param first the lowest id
   * @param last the highest id, itself one of them
   * @throws when one of them is no id, or the last one is lower than the first
   */
  public static between(first: number, last: number): KafkaNodeIds {
    if (last < first) {
      throw new Error(`strimzi: node ids cannot go from ${first} to ${last}; write the lower one first`);
    }
    return new KafkaNodeIds([[first, last]]);
  }

  /**
   * Some ids. New nodes take the first free one in this order.
   *
   * @param ids at least one, none of them twice
   * @throws when there is none, one is no id, or one is listed twice
   */
  public static of(ids: number[]): KafkaNodeIds {
    if (ids.length === 0) {
      throw new Error('strimzi: node ids cannot be an empty list; name at least one, or leave them out');
    }
    return new KafkaNodeIds(ids.map((id): [number, number] => [id, id]));
  }

  /** The ids, in the order in which new nodes take them. */
  public readonly ids: number[];

  private constructor(private readonly parts: readonly (readonly [first: number, last: number])[]) {
    const ids = new Set<number>();
    for (const [first, last] of parts) {
      for (const end of [first, last]) {
        if (!isNodeId(end) || end > HIGHEST_NODE_ID) {
          throw new Error(`strimzi: ${end} cannot be a node id; write a whole number from 0 to ${HIGHEST_NODE_ID}`);
        }
      }
      if (last - first >= MOST_IDS) {
        throw new Error(
          `strimzi: node ids ${first} to ${last} are ${last - first + 1}; write a range of at most ${MOST_IDS}`,
        );
      }
      for (let id = first; id <= last; id++) {
        if (ids.has(id)) {
          throw new Error(`strimzi: node id ${id} is listed twice; remove one`);
        }
        ids.add(id);
      }
    }
    this.ids = [...ids];
  }

  /**
   * These ids, and when they are taken, others.
   *
   * @param others none of which is one of these
   * @throws when they share an id
   */
  public plus(others: KafkaNodeIds): KafkaNodeIds {
    return new KafkaNodeIds([...this.parts, ...others.parts]);
  }

  /**
   * The text of the annotation: `[0-99]`, `[0, 1, 5]`.
   *
   * @internal
   */
  public _annotation(): string {
    return `[${this.parts.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ')}]`;
  }
}
