import type { PlannedListener } from '../listener/listener-plan';
import { LISTENER_TYPES } from '../operator/operator-services.facts';
import type { KafkaTlsRouteListenerProps } from './kafka-tls-route-listener';

/** What somebody says of a listener behind a Gateway, in the words of the Kafka resource. */
export function plannedRouteListener(path: string, props: KafkaTlsRouteListenerProps, port: number): PlannedListener {
  const { name, tls, authentication, networkPolicyPeers, advertisedPort, advertisedPortTemplate } = props;
  if (networkPolicyPeers?.length === 0) {
    throw new Error(
      `${path}: listener '${name}' cannot have an empty list of networkPolicyPeers, which opens it to everybody; ` +
        'name the peers, or leave it out',
    );
  }
  if (advertisedPort !== undefined && advertisedPortTemplate !== undefined) {
    throw new Error(`${path}: advertisedPort and advertisedPortTemplate are both given; keep one`);
  }
  return {
    name,
    owner: 'strimzi',
    said: {
      type: LISTENER_TYPES.tlsRoute,
      port,
      tls,
      authentication: authentication?._toJson(),
      networkPolicyPeers,
    },
    saidConfiguration: {
      hostTemplate: props.hostTemplate,
      advertisedPortTemplate: advertisedPort === undefined ? advertisedPortTemplate : String(advertisedPort),
      brokerCertChainAndKey: props.brokerCertificate && { ...props.brokerCertificate },
      maxConnections: props.maxConnections,
    },
    saidBootstrap: { host: props.bootstrapHost },
    configuration: {},
    annotations: props.routeAnnotations ?? {},
    labels: props.routeLabels ?? {},
    bootstrapAnnotations: {},
    namesBrokers: false,
    alternativeNames: props.bootstrapAlternativeNames ?? [],
    finalizers: [],
  };
}
