import type { Json } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import { shutsOut } from '../../contract/placed-pod';
import type { ObjectJudge } from '../../rules/judged-object';
import type { Judgement } from '../../rules/rule';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { mapAt } from '../document/kafka-json';
import { judgeNodePool } from './node-pool-rules';
import { type NodePoolSaid, patchedFindings } from './node-pool-said';

/** Judges a finished KafkaNodePool, whether it says what its props say, and whether its pods can run where they are pinned. */
export class NodePoolJudge implements ObjectJudge {
  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly nodePool: NodePool | undefined,
    private readonly said: NodePoolSaid,
  ) {}

  public judge(pool: Json): Judgement {
    const judgement = judgeNodePool(pool, { strimzi: this.cluster.strimzi });
    judgement.errors = [...judgement.errors, ...patchedFindings(this.said, pool)];
    const { nodePool } = this;
    if (nodePool) {
      const contradictions = shutsOut(mapAt(pool, 'spec.template.pod'), nodePool).map((what) => ({
        ruleId: 'pin-contradicted',
        who: 'kubernetes',
        what: `the pods are pinned to node pool '${nodePool.name}', but ${what} of their template shuts that pool out, so no pod can ever run`,
        remedy: 'drop one of the two',
        value: nodePool.name,
      }));
      judgement.errors = [...judgement.errors, ...contradictions];
    }
    return judgement;
  }
}
