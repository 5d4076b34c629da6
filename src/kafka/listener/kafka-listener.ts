import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import type {
  KafkaClusterIpListenerOptions,
  KafkaIngressListenerOptions,
  KafkaInternalListenerOptions,
  KafkaListenerOptions,
  KafkaNodePortListenerOptions,
  KafkaRouteListenerOptions,
  KafkaServiceListenerOptions,
} from './kafka-listener.options';
import { listenerTree } from './listener-tree';

/**
 * A listener of a Kafka cluster that needs no load balancer of its own. Those that do are a `KafkaLoadBalancedListener`.
 */
export class KafkaListener {
  /**
   * For clients in the same Kubernetes cluster: brokers advertise the names of their pods.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static internal(options: KafkaInternalListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.internal', 'KafkaInternalListenerOptions', options);
    return new KafkaListener('internal', options);
  }

  /**
   * A Service of type ClusterIP for bootstrap and for each broker: for a proxy or routes of one's own in front of Kafka.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static clusterIp(options: KafkaClusterIpListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.clusterIp', 'KafkaClusterIpListenerOptions', options);
    return new KafkaListener('cluster-ip', options);
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
    return new KafkaListener('nodeport', options);
  }

  /**
   * An Ingress for bootstrap and for each broker, through a controller that passes TLS on unopened, told apart by host.
   * Deprecated by Strimzi from 0.51 on, where a warning says so: the controller that it was made for, ingress-nginx, is
   * archived. New clusters are better off with load balancers, or with TLSRoutes from Strimzi 1.1 on.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  public static ingress(options: KafkaIngressListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.ingress', 'KafkaIngressListenerOptions', options);
    return new KafkaListener('ingress', options);
  }

  /**
   * An OpenShift Route for bootstrap and for each broker, told apart by host. Clients connect to port 443.
   *
   * @param options the listener
   * @throws when `networkPolicyPeers` is empty
   */
  public static route(options: KafkaRouteListenerOptions): KafkaListener {
    refuseWrongProps('KafkaListener.route', 'KafkaRouteListenerOptions', options);
    return new KafkaListener('route', options);
  }

  /** The name of the listener. */
  public readonly name: string;

  /** The port on which the brokers listen. */
  public readonly port: number;

  private constructor(
    /** The type as the manifest has it, such as `cluster-ip`. */
    public readonly type: string,
    private readonly options: KafkaListenerOptions & Pick<KafkaServiceListenerOptions, 'ipFamilies'>,
  ) {
    this.name = options.name;
    this.port = options.port;
    this._toJson();
  }

  /**
   * The listener as the Kafka resource has it.
   *
   * @internal
   */
  public _toJson(): Json {
    const { tls = true, ipFamilies } = this.options;
    const { configuration, ...tree } = listenerTree('strimzi', this.type, { ...this.options, tls });
    const ipFamilyPolicy = ipFamilies && (ipFamilies.length > 1 ? 'RequireDualStack' : 'SingleStack');
    return {
      ...tree,
      configuration: ipFamilies ? { ...configuration, ipFamilies, ipFamilyPolicy } : configuration,
    };
  }
}
