import { refuseWrongProps } from '../../contract/declared-types';
import type { IpFamily } from '../../contract/ip-family';
import { defined, definedOrNothing, type Json } from '../../contract/json';
import type {
  KafkaClusterIpListenerOptions,
  KafkaIngressListenerOptions,
  KafkaInternalListenerOptions,
  KafkaListenerOptions,
  KafkaNodePortListenerOptions,
  KafkaRouteListenerOptions,
  KafkaServiceListenerOptions,
} from './kafka-listener.options';
import type {
  KafkaHostListenerBroker,
  KafkaListenerBroker,
  KafkaNodePortListenerBroker,
  KafkaServiceListenerBroker,
} from './kafka-listener-broker';

/**
 * A listener of a Kafka cluster that needs no load balancer of its own. Those that do are a `KafkaLoadBalancedListener`.
 */
export class KafkaListener {
  /**
   * For clients in the same Kubernetes cluster: brokers tell them the names of their pods.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static internal(options: KafkaInternalListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.internal', 'KafkaInternalListenerOptions', options);
    const { useServiceDnsDomain, brokers } = options;
    return new KafkaListener('internal', options, { useServiceDnsDomain }, {}, brokers?.map(brokerJson));
  }

  /**
   * A Service of type ClusterIP for bootstrap and for each broker: for a proxy or routes of one's own in front of Kafka.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static clusterIp(options: KafkaClusterIpListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.clusterIp', 'KafkaClusterIpListenerOptions', options);
    const { useServiceDnsDomain, brokers } = options;
    const configuration = { ...serviceJson(options), useServiceDnsDomain };
    return new KafkaListener(
      'cluster-ip',
      options,
      configuration,
      bootstrapJson(options),
      brokers?.map(serviceBrokerJson),
    );
  }

  /**
   * A port of every node for bootstrap and for each broker. The operator needs its cluster-wide rights to read the
   * addresses of the nodes.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static nodePort(options: KafkaNodePortListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.nodePort', 'KafkaNodePortListenerOptions', options);
    const { preferredNodeAddress, externalTrafficPolicy, bootstrapNodePort, bootstrapExternalIps, brokers } = options;
    return new KafkaListener(
      'nodeport',
      options,
      { ...serviceJson(options), preferredNodePortAddressType: preferredNodeAddress, externalTrafficPolicy },
      { ...bootstrapJson(options), nodePort: bootstrapNodePort, externalIPs: bootstrapExternalIps },
      brokers?.map(nodePortBrokerJson),
    );
  }

  /**
   * An Ingress for bootstrap and for each broker, through a controller that passes TLS on unopened, told apart by host.
   * Deprecated by Strimzi from 0.51 on, where a warning says so: the controller that it was made for, ingress-nginx, is
   * archived. New clusters are better off with load balancers, or with TLSRoutes from Strimzi 1.1 on.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static ingress(options: KafkaIngressListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.ingress', 'KafkaIngressListenerOptions', options);
    return KafkaListener.hosted('ingress', options, { class: options.ingressClassName });
  }

  /**
   * An OpenShift Route for bootstrap and for each broker, told apart by host. Clients connect to port 443.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static route(options: KafkaRouteListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.route', 'KafkaRouteListenerOptions', options);
    return KafkaListener.hosted('route', options, {});
  }

  private static hosted(type: string, options: KafkaRouteListenerOptions, configuration: Json): KafkaListener {
    const { hostTemplate, bootstrapHost, brokers } = options;
    return new KafkaListener(
      type,
      options,
      { ...serviceJson(options), ...configuration, hostTemplate },
      { ...bootstrapJson(options), host: bootstrapHost },
      brokers?.map(hostBrokerJson),
    );
  }

  /** The name of the listener. */
  public readonly name: string;

  /** The port on which the brokers listen. */
  public readonly port: number;

  private constructor(
    /** The type as the manifest has it, such as `cluster-ip`. */
    public readonly type: string,
    private readonly options: KafkaListenerOptions,
    private readonly configuration: Json,
    private readonly bootstrap: Json,
    private readonly brokers?: readonly Json[],
  ) {
    const { name, port, networkPolicyPeers } = options;
    if (networkPolicyPeers?.length === 0) {
      throw new Error(
        `strimzi: listener '${name}' cannot have an empty list of networkPolicyPeers, which opens it to everybody; ` +
          'name the peers, or leave it out',
      );
    }
    this.name = name;
    this.port = port;
  }

  /**
   * The listener as the Kafka resource has it.
   *
   * @internal
   */
  public _toJson(): Json {
    const { authentication, networkPolicyPeers, tls = true, brokerCertificate, ...others } = this.options;
    const { bootstrapAlternativeNames, maxConnections, maxConnectionCreationRate } = others;
    const { advertisedHostTemplate, advertisedPortTemplate } = others;
    return defined({
      name: this.name,
      port: this.port,
      type: this.type,
      tls,
      authentication: authentication?._toJson(),
      networkPolicyPeers,
      configuration: definedOrNothing({
        ...this.configuration,
        brokerCertChainAndKey: brokerCertificate && { ...brokerCertificate },
        maxConnections,
        maxConnectionCreationRate,
        advertisedHostTemplate,
        advertisedPortTemplate,
        bootstrap: definedOrNothing({ ...this.bootstrap, alternativeNames: bootstrapAlternativeNames }),
        brokers: this.brokers,
      }),
    });
  }
}

function serviceJson(options: KafkaServiceListenerOptions): Json {
  const { publishNotReadyAddresses, ipFamilies, perBrokerAnnotationsTemplate, perBrokerLabelsTemplate } = options;
  return {
    publishNotReadyAddresses,
    ipFamilies,
    ipFamilyPolicy: ipFamilies && policyOf(ipFamilies),
    perBrokerAnnotationsTemplate,
    perBrokerLabelsTemplate,
  };
}

function policyOf(ipFamilies: readonly IpFamily[]): string {
  return ipFamilies.length > 1 ? 'RequireDualStack' : 'SingleStack';
}

function bootstrapJson({ bootstrapAnnotations, bootstrapLabels }: KafkaServiceListenerOptions): Json {
  return { annotations: bootstrapAnnotations, labels: bootstrapLabels };
}

function brokerJson({ brokerId, advertisedHost, advertisedPort }: KafkaListenerBroker): Json {
  return defined({ broker: brokerId, advertisedHost, advertisedPort });
}

function serviceBrokerJson(broker: KafkaServiceListenerBroker): Json {
  const { annotations, labels } = broker;
  return defined({ ...brokerJson(broker), annotations, labels });
}

function nodePortBrokerJson(broker: KafkaNodePortListenerBroker): Json {
  const { nodePort, externalIps: externalIPs } = broker;
  return defined({ ...serviceBrokerJson(broker), nodePort, externalIPs });
}

function hostBrokerJson(broker: KafkaHostListenerBroker): Json {
  return defined({ ...serviceBrokerJson(broker), host: broker.host });
}
