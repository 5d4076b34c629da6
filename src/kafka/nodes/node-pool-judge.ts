import type { Json } from '../../contract/json';
import type { NodePool } from '../../contract/node-pool';
import { shutsOut } from '../../contract/placed-pod';
import type { ObjectJudge } from '../../rules/judged-object';
import { Judgement } from '../../rules/rule';
import { mapAt } from '../document/kafka-json';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { judgeNodePool } from './node-pool-rules';
import { type NodePoolSaid, patchedFindings } from './node-pool-said';

/** Judges a finished KafkaNodePool: by itself, against its props, and whether its pods can run where they are pinned. */
export class NodePoolJudge implements ObjectJudge {
  public constructor(
    private readonly strimzi: StrimziVersion,
    private readonly nodePool: NodePool | undefined,
    private readonly said: NodePoolSaid,
  ) {}

  public judge(pool: Json): Judgement {
    const { nodePool, strimzi } = this;
    const shut = nodePool ? shutsOut(mapAt(pool, 'spec.template.pod'), nodePool) : [];
    const contradictions = shut.map((what) => ({
      ruleId: 'pin-contradicted',
      who: 'kubernetes',
      what: `the pods are pinned to node pool '${nodePool?.name}', but ${what} of their template shuts that pool out, so no pod can ever run`,
      remedy: 'drop one of the two',
      value: nodePool?.name,
    }));
    const own = judgeNodePool(pool, { strimzi });
    return own.and(Judgement.of([...patchedFindings(this.said, pool), ...contradictions]));
  }
}
