import type { Json } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { KafkaRule } from '../document/kafka-rule';
import type { StrimziVersion } from '../strimzi/strimzi-version';

/** What is known beside a KafkaNodePool document. */
export interface NodePoolContext {
  /** The operator that will read it. */
  readonly strimzi: StrimziVersion;
}

/** Judges a finished KafkaNodePool document. */
export type NodePoolRule = KafkaRule<[pool: Json, context: NodePoolContext]>;

type Look = NodePoolRule['judge'];

const UPSTREAM = { repository: 'strimzi/strimzi-kafka-operator', version: '0.45.0 to 1.2.0' };
const MODEL = 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model';

/** Where it was read what may stand in a node pool. */
export const POOL_SCHEMA: Citation = {
  ...UPSTREAM,
  file: 'packaging/install/cluster-operator/045-Crd-kafkanodepool.yaml',
};

/** Where it was read what the operator makes of a node pool. */
export const POOL_MODEL: Citation = { ...UPSTREAM, file: `${MODEL}/KafkaPool.java` };

/** Where it was read what the operator makes of all node pools of a cluster. */
export const POOLS_MODEL: Citation = { ...UPSTREAM, file: `${MODEL}/nodepools/NodePoolUtils.java` };

/** What nobody refuses but the operator in its status, or nobody at all, and is wrong. */
export function poolError(id: string, says: string, judge: Look, source = POOL_MODEL): NodePoolRule {
  return { id, severity: 'error', says, source, judge };
}

/** What works and surprises. */
export function poolWarning(id: string, says: string, judge: Look, source = POOL_MODEL): NodePoolRule {
  return { id, severity: 'warning', says, source, judge };
}

/** What the API server refuses of the objects that the operator makes: in the middle of a reconciliation. */
export function refusedLater(id: string, says: string, judge: Look): NodePoolRule {
  const source = {
    repository: 'kubernetes/kubernetes',
    version: 'v1.36.3',
    file: 'pkg/apis/core/validation/validation.go',
  };
  return { id, who: 'kubernetes', severity: 'error', says, source, judge };
}
