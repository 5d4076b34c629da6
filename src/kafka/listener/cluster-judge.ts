import type { Json } from '../../contract/json';
import { lookAt } from '../../rules/judge-object';
import type { ObjectJudge } from '../../rules/judged-object';
import type { Judgement } from '../../rules/judgement';
import { KafkaDocument } from '../document/kafka-document';
import { listenerNamed, listenersOf } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { nodePoolsOf } from '../operator/node-pool-ids';
import { judgePools } from '../rules/cluster-rules';
import { judgeDocument, judgeListener } from './judge-listeners';
import { listenerContextOf } from './listener-context';
import { judgeUnplanned } from './unplanned-balancers';

/** Validates a finished Kafka resource, but for the listeners that are validated by themselves. */
export class ClusterJudge implements ObjectJudge {
  public constructor(private readonly cluster: IKafkaCluster) {}

  public judge(kafka: Json): Judgement {
    return judgeBesideListeners(kafka, this.cluster, KafkaDocument.of(this.cluster.kafka));
  }
}

/** Validates a Kafka resource without its planned listeners, together with what is known of its pools. */
export function judgeBesideListeners(kafka: Json, cluster: IKafkaCluster, document: KafkaDocument): Judgement {
  const context = listenerContextOf(cluster);
  const planned = document.names.map((name) => listenerNamed(kafka, name));
  const others = listenersOf(kafka).filter((listener) => !planned.includes(listener));
  const known = nodePoolsOf(cluster);
  const pools = known.map(({ object }) => lookAt(object));
  const beside = {
    strimzi: context.strimzi,
    pools,
    counted: known.map(({ counted }) => counted),
  };
  return others.reduce<Judgement>(
    (sum, listener) => sum.and(judgeListener(kafka, listener, context)).and(judgeUnplanned(cluster, kafka, listener)),
    judgeDocument(kafka, context).and(judgePools(kafka, beside)),
  );
}
