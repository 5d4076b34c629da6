import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { ObjectJudge } from '../../rules/judged-object';
import { Judgement } from '../../rules/rule';
import { judgeBesideListeners } from '../cluster/cluster-judge';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import type { DocumentListener, KafkaDocument } from '../document/kafka-document';
import { listenersOf, titleOf } from '../document/kafka-json';
import { judgeListener } from '../document/kafka-judgement';
import { listenerContextOf } from '../listener/listener-context';
import { areApart, GatewayFit } from './gateway-fit';
import type { KafkaTlsRouteGateway } from './kafka-tls-route-gateway';
import { parentIn } from './route-parents';
import { TLS_ROUTE_SINCE } from './tls-route.facts';

/**
 * Judges a finished listener behind routes: by the rules of the operator, and against the Gateway that its routes attach
 * to. The first listener of a document tells what is wrong with the rest of it.
 */
export class TlsRouteJudge implements ObjectJudge {
  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly document: KafkaDocument,
    private readonly listener: DocumentListener,
    private readonly parents: readonly KafkaTlsRouteGateway[],
  ) {}

  public judge(listener: Json): Judgement {
    const { cluster, document, parents } = this;
    const kafka = document.with(this.listener, listener);
    const beside = document.isToldBy(this.listener) ? judgeBesideListeners(kafka, cluster, document) : new Judgement();
    if (!reaches(cluster.strimzi, TLS_ROUTE_SINCE)) {
      return tooOld(cluster, listener).and(beside);
    }
    // a document that has no place for listeners is judged without them
    if (!listenersOf(kafka).includes(listener)) {
      return beside;
    }
    const context = listenerContextOf(cluster);
    const fits = parents.map(
      (parent) => new GatewayFit(cluster, listener, parentIn(listener, parent, cluster.namespace)),
    );
    const isApart = areApart(fits);
    return fits
      .reduce((judgement, fit) => judgement.and(fit.judge(isApart)), judgeListener(kafka, listener, context))
      .and(beside);
  }
}

/** All that an older version refuses of such a listener comes from one thing. */
function tooOld({ strimzi }: IKafkaCluster, listener: Json): Judgement {
  const finding: LoadBalancerFinding = {
    ruleId: 'route-strimzi-version',
    who: 'strimzi',
    what: `${titleOf(listener)}: Strimzi ${strimzi.version} has no listeners of type tlsroute`,
    remedy: `run Strimzi ${TLS_ROUTE_SINCE} or newer; or make a listener of type cluster-ip, with TlsRoutes of your own to its Services; or KafkaLoadBalancedListener, with a balancer for each broker`,
    value: strimzi.version,
  };
  const judgement = new Judgement();
  judgement.errors = [finding];
  return judgement;
}
