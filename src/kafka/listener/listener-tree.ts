import { defined, definedOrNothing, isMap, type Json } from '../../contract/json';

// Where the props of all kinds of listeners are written in the Kafka resource.

const CONFIGURATION_PLACES = {
  advertisedHostTemplate: 'advertisedHostTemplate',
  advertisedPortTemplate: 'advertisedPortTemplate',
  brokerCertificate: 'brokerCertChainAndKey',
  createBootstrapService: 'createBootstrapService',
  hostTemplate: 'hostTemplate',
  maxConnectionCreationRate: 'maxConnectionCreationRate',
  maxConnections: 'maxConnections',
  perBrokerAnnotationsTemplate: 'perBrokerAnnotationsTemplate',
  perBrokerLabelsTemplate: 'perBrokerLabelsTemplate',
  publishNotReadyAddresses: 'publishNotReadyAddresses',
};

const BOOTSTRAP_PLACES = {
  bootstrapAlternativeNames: 'alternativeNames',
  bootstrapAnnotations: 'annotations',
  bootstrapHost: 'host',
  bootstrapLabels: 'labels',
  bootstrapLoadBalancerIp: 'loadBalancerIP',
  bootstrapNodePort: 'nodePort',
};

const BROKER_PLACES = {
  brokerId: 'broker',
  advertisedHost: 'advertisedHost',
  advertisedPort: 'advertisedPort',
  annotations: 'annotations',
  labels: 'labels',
  loadBalancerIp: 'loadBalancerIP',
  nodePort: 'nodePort',
};

/** Props of any listener. */
export interface ListenerProps {
  readonly name: string;
  readonly port?: number;
  readonly tls?: boolean;
  readonly authentication?: Json;
  readonly networkPolicyPeers?: readonly unknown[];
  readonly brokers?: readonly object[];
}

/**
 * A listener as its props set it, in the fields of the Kafka resource.
 *
 * @throws when `networkPolicyPeers` is empty
 */
export function listenerTree(who: string, type: string, props: ListenerProps): Json {
  const { name, port, tls, authentication, networkPolicyPeers, brokers } = props;
  if (networkPolicyPeers?.length === 0) {
    throw new Error(
      `${who}: listener '${name}' cannot have an empty list of networkPolicyPeers, which opens it to every client; ` +
        'name the peers, or leave it out',
    );
  }
  return defined({
    name,
    port,
    type,
    tls,
    networkPolicyPeers,
    authentication: plain(authentication),
    configuration: definedOrNothing({
      ...placed(props, CONFIGURATION_PLACES),
      bootstrap: definedOrNothing(placed(props, BOOTSTRAP_PLACES)),
      brokers: brokers?.map((broker) => placed(broker, BROKER_PLACES)),
    }),
  });
}

function placed(props: object, places: Readonly<Record<string, string>>): Json {
  const values = Object.entries(places).map(([prop, field]) => [field, plain((props as Json)[prop])]);
  return defined(Object.fromEntries(values));
}

/** Values of other languages may be instances of structs, with unset members. */
function plain(value: unknown): unknown {
  return isMap(value) ? defined(value) : value;
}
