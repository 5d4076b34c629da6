import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { lookAt } from '../../rules/judge-object';
import type { ObjectJudge } from '../../rules/judged-object';
import type { Judgement } from '../../rules/rule';
import { KafkaDocument } from '../document/kafka-document';
import { listenerNamed, listenersOf } from '../document/kafka-json';
import { judgeDocument, judgeListener } from '../listener/judge-listeners';
import { listenerContextOf } from '../listener/listener-context';
import { judgeUnplanned } from '../listener/unplanned-balancers';
import { changedPools } from '../nodes/changed-pools';
import { judgePools } from '../nodes/cluster-rules';
import { nodePoolsOf } from '../operator/node-pool-ids';
import { neighbourFindings } from './cluster-neighbours';
import type { IKafkaCluster } from './i-kafka-cluster';

/** What the operator ignores is a remark about somebody's manifest, and a request that is dropped where a prop said it. */
const IGNORED_CONFIG = 'kafka-config-forbidden';

/** Judges a finished Kafka resource beside the listeners that are judged by themselves. */
export class ClusterJudge implements ObjectJudge {
  public constructor(private readonly cluster: IKafkaCluster) {}

  public judge(kafka: Json): Judgement {
    const judgement = judgeBesideListeners(kafka, this.cluster, KafkaDocument.of(this.cluster.kafka), true);
    const isIgnored = ({ ruleId }: LoadBalancerFinding) => ruleId === IGNORED_CONFIG;
    judgement.errors = [...judgement.errors, ...judgement.warnings.filter(isIgnored)];
    judgement.warnings = judgement.warnings.filter((finding) => !isIgnored(finding));
    return judgement;
  }
}

/**
 * Judges what a Kafka resource says beside its planned listeners, together with what is known of its pools.
 *
 * @param hasAllPools whether there are no other pools than those that are known
 */
export function judgeBesideListeners(
  kafka: Json,
  cluster: IKafkaCluster,
  document: KafkaDocument,
  hasAllPools = false,
): Judgement {
  const context = listenerContextOf(cluster);
  const planned = document.names.map((name) => listenerNamed(kafka, name));
  const others = listenersOf(kafka).filter((listener) => !planned.includes(listener));
  const known = nodePoolsOf(cluster);
  const pools = known.map(({ object }) => lookAt(object));
  const judgement = others.reduce<Judgement>(
    (sum, listener) => sum.and(judgeListener(kafka, listener, context)).and(judgeUnplanned(cluster, kafka, listener)),
    judgeDocument(kafka, context).and(judgePools(kafka, pools, { ...context, hasAllPools })),
  );
  judgement.errors = [...judgement.errors, ...changedPools(known)];
  judgement.warnings = [...judgement.warnings, ...neighbourFindings(cluster)];
  return judgement;
}
