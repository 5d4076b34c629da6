import { reaches } from '../../contract/compare-versions';
import type { Json } from '../../contract/json';
import { type DescribedRule, findingOf } from '../../contract/rule';
import type { ObjectJudge } from '../../rules/judged-object';
import { Judgement } from '../../rules/judgement';
import { RuleSet } from '../../rules/rule-set';
import type { DocumentListener, KafkaDocument } from '../document/kafka-document';
import { listenersOf, titleOf } from '../document/kafka-json';
import { judgeBesideListeners } from '../listener/cluster-judge';
import type { KafkaTlsRouteGateway } from '../listener/kafka-tls-route-gateway';
import { listenerContextOf } from '../listener/listener-context';
import { LISTENER_RULES } from '../listener/listener-rules';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { OPERATOR } from '../rules/kafka-context';
import { GatewayFit } from './gateway-fit';
import { GATEWAY_FIT_RULES, type RouteContext } from './gateway-fit-rules';
import { TLS_ROUTE_SINCE } from './tls-route.facts';

const RULES = new RuleSet<RouteContext>([...LISTENER_RULES, ...GATEWAY_FIT_RULES], OPERATOR);

/** All that an older version refuses of such a listener has this one cause. */
export const ROUTE_STRIMZI_VERSION: DescribedRule = {
  id: 'route-strimzi-version',
  severity: 'error',
  says: 'Strimzi is of a version that has listeners of type tlsroute',
  source: 'ours',
};

/**
 * Validates a finished listener behind routes, also against the Gateways that its routes attach to. The first listener of a
 * document reports what is wrong with the rest of it.
 */
export function tlsRouteJudge(
  cluster: IKafkaCluster,
  document: KafkaDocument,
  own: DocumentListener,
  parents: readonly KafkaTlsRouteGateway[],
): ObjectJudge {
  return {
    judge(listener) {
      const kafka = document.with(own, listener);
      const beside = document.isReportedBy(own) ? judgeBesideListeners(kafka, cluster, document) : new Judgement();
      if (!reaches(cluster.strimzi, TLS_ROUTE_SINCE)) {
        return tooOld(cluster, listener).and(beside);
      }
      // a document that has no place for listeners is validated without them
      if (!listenersOf(kafka).includes(listener)) {
        return beside;
      }
      const gateways = parents.map((parent) => new GatewayFit(cluster, listener, parent));
      return RULES.judge(listener, { ...listenerContextOf(cluster), kafka, gateways }).and(beside);
    },
  };
}

function tooOld({ strimzi }: IKafkaCluster, listener: Json): Judgement {
  const finding = {
    what: `${titleOf(listener)}: Strimzi ${strimzi.version} has no listeners of type tlsroute`,
    remedy: `run Strimzi ${TLS_ROUTE_SINCE} or newer; or make a listener of type cluster-ip, with TlsRoutes of your own to its Services; or KafkaLoadBalancedListener, with a balancer for each broker`,
    value: strimzi.version,
  };
  return Judgement.of([findingOf(ROUTE_STRIMZI_VERSION, finding, OPERATOR)]);
}
