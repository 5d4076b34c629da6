import { isMap, type Json } from '../../contract/json';
import { KafkaDocument } from '../document/kafka-document';
import { listAt, listenersOf, textAt } from '../document/kafka-json';
import { LISTENER_TYPES } from '../strimzi/operator-services.facts';
import type { IKafkaCluster } from './i-kafka-cluster';
import type { KafkaListenerLoadBalancers, KafkaLoadBalancers } from './kafka-load-balancers';
import { serviceNamesOf } from './operator-services';

/** The load balancers that the listeners of a finished document make. */
export function loadBalancersOf(cluster: IKafkaCluster, kafka: Json): KafkaLoadBalancers {
  const listeners = listenersOf(kafka).map((listener) => balancersOf(cluster, listener));
  const own = listeners.filter(({ gateways }) => gateways === undefined);
  const shared = new Set(listeners.flatMap(({ gateways = [] }) => gateways));
  return { count: own.reduce((sum, { count }) => sum + count, shared.size), listeners };
}

function balancersOf(cluster: IKafkaCluster, listener: Json): KafkaListenerLoadBalancers {
  const type = textAt(listener, 'type') ?? '';
  const named = { listener: textAt(listener, 'name') ?? '', type };
  if (type === LISTENER_TYPES.internal) {
    return { ...named, count: 0, serviceNames: [] };
  }
  const serviceNames = serviceNamesOf(cluster, listener);
  if (type === LISTENER_TYPES.tlsRoute) {
    const gateways = gatewaysOf(cluster, listener);
    return { ...named, gateways, count: gateways.length, serviceNames };
  }
  const each =
    type === LISTENER_TYPES.loadBalancer ? KafkaDocument.of(cluster.kafka).balancersPerService(named.listener) : 0;
  return { ...named, count: each * serviceNames.length, serviceNames };
}

function gatewaysOf(cluster: IKafkaCluster, listener: Json): string[] {
  const parents = listAt<Json>(listener, 'configuration.parentRefs').filter(isMap);
  const names = parents.map(({ namespace = cluster.namespace, name }) => [namespace, name].filter(Boolean).join('/'));
  return [...new Set(names)];
}
