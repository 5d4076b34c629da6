import { StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import {
  Gateway,
  GatewayAllowedRoutes,
  type GatewayListener,
  GatewayProtocol,
  GatewayTlsMode,
  type IGateway,
} from '../../../src/gateway';
import type { KafkaTlsRouteListenerProps } from '../../../src/kafka/options';
import { KafkaTlsRouteListener } from '../../../src/kafka/routes/kafka-tls-route-listener';
import { clusterWith } from '../clusters';

export type Props = Partial<KafkaTlsRouteListenerProps>;

/** The listener of a Gateway that takes the routes of namespace `kafka`. */
export const passed: GatewayListener = {
  name: 'kafka',
  port: 443,
  protocol: GatewayProtocol.TLS,
  tlsMode: GatewayTlsMode.PASSTHROUGH,
  hostname: '*.kafka.example.com',
  allowedRoutes: GatewayAllowedRoutes.namespaces(['kafka'], ['TLSRoute']),
};

/** A Gateway in another namespace, with one listener or more. */
export function edge(...changes: Partial<GatewayListener>[]): IGateway {
  const listeners = changes.map((change) => ({ ...passed, ...change }));
  return Gateway.fromName('edge', { namespace: 'infra', listeners });
}

export const HOSTS = {
  bootstrapHost: 'bootstrap.kafka.example.com',
  hostTemplate: 'broker-{nodeId}.kafka.example.com',
};

/** A listener in a cluster of three brokers, new unless `present` is there already. */
export function routed(props: Props = {}, strimzi = StrimziVersion.V1_2, present: Json[] = [], more: Json = {}) {
  const { chart, cluster } = clusterWith(present, strimzi, more);
  const base = { kafka: cluster, gateway: edge({}), name: 'routed', port: 9095, ...HOSTS };
  const listener = new KafkaTlsRouteListener(chart, 'Routed', { ...base, ...props });
  return { chart, cluster, listener };
}
