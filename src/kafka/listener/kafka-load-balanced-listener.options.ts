import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerWishes } from '../../contract/load-balancer-wishes';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import type { KafkaBrokerCertificate } from './kafka-broker-certificate';
import type { KafkaLoadBalancedListenerBroker } from './kafka-listener-broker';

/**
 * A listener of a Kafka cluster behind load balancers.
 */
export interface KafkaLoadBalancedListenerProps extends LoadBalancerWishes {
  /** The cluster. */
  readonly kafka: IKafkaCluster;

  /** The component that will own the balancers. */
  readonly controller: ILoadBalancerController;

  /** The name of the listener: 1 to 11 lower-case letters and digits. A listener that is renamed gets new balancers. */
  readonly name: string;

  /**
   * The port of brokers and balancers, from 9092.
   *
   * @default - the one of the listener that the Kafka resource has already; a new listener needs one
   */
  readonly port?: number;

  /**
   * Whether clients speak TLS.
   *
   * @default - as the Kafka resource says of this listener; true for a new one
   */
  readonly tls?: boolean;

  /**
   * How clients authenticate, in the fields of Strimzi: `{ type: 'scram-sha-512' }`.
   *
   * @default - as the Kafka resource says of this listener; not at all for a new one
   * @see https://strimzi.io/docs/operators/latest/configuring.html#type-GenericKafkaListener-reference
   */
  // biome-ignore lint/suspicious/noExplicitAny: the fields of Strimzi, of any version
  readonly authentication?: { [field: string]: any };

  /**
   * The host that each broker advertises, with `{nodeId}` and `{nodePodName}` as placeholders. It
   * is in the certificate of the broker.
   *
   * @default - the address of the broker's balancer
   */
  readonly advertisedHostTemplate?: string;

  /**
   * The port that each broker advertises, as a text that may reckon with `{nodeId}` (`9000 + {nodeId}`).
   * The balancer still listens on `port`. Strimzi 1.0 or newer.
   *
   * @default - `port`
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  readonly advertisedPortTemplate?: string;

  /**
   * Names of the bootstrap Service that are in the certificates of all brokers. `dnsName` is always one of them.
   *
   * @default - those of the listener that the Kafka resource has already
   */
  readonly bootstrapAlternativeNames?: string[];

  /**
   * Whether there is a Service with a balancer of its own for bootstrap; without it clients need the addresses of brokers.
   *
   * @default - as the Kafka resource says of this listener, which is true where it does not set it
   */
  readonly createBootstrapService?: boolean;

  /**
   * The certificate with which all brokers show themselves on this listener: it must be valid for every host that they
   * advertise, and for the names of bootstrap. TLS only.
   *
   * @default - the operator makes one for each broker
   */
  readonly brokerCertificate?: KafkaBrokerCertificate;

  /**
   * From where connections are let in, as peers of a NetworkPolicy. What the brokers see counts: where the address of the
   * client does not survive, that of the balancer or of a node.
   *
   * @default - as the Kafka resource says of this listener; everywhere for a new one
   */
  readonly networkPolicyPeers?: unknown[];

  /**
   * How many connections a broker holds on this listener.
   *
   * @default - no limit
   */
  readonly maxConnections?: number;

  /**
   * How many connections a broker takes on this listener in a second.
   *
   * @default - no limit
   */
  readonly maxConnectionCreationRate?: number;

  /**
   * Whether external-dns keeps the host that each broker advertises, as it keeps `dnsName` for bootstrap. Without `dnsName`
   * bootstrap gets all host names of `bootstrapAlternativeNames` that no broker advertises.
   *
   * @default false
   */
  readonly externalDns?: boolean;

  /**
   * What single brokers say beside the plan: fixed addresses by annotations, a host, a port of the nodes.
   *
   * @default - those of the listener that the Kafka resource has already
   */
  readonly brokers?: KafkaLoadBalancedListenerBroker[];

  /**
   * Annotations of the bootstrap Service beside those of the plan, such as fixed addresses of its balancer.
   *
   * @default - those of the listener that the Kafka resource has already
   */
  readonly bootstrapAnnotations?: { [key: string]: string };

  /**
   * Labels of the bootstrap Service beside those of the plan.
   *
   * @default - those of the listener that the Kafka resource has already
   */
  readonly bootstrapLabels?: { [key: string]: string };

  /**
   * The port of all nodes through which the balancer of bootstrap reaches the brokers, where it goes through nodes.
   *
   * @default - Kubernetes chooses one that is free
   */
  readonly bootstrapNodePort?: number;

  /**
   * The address of the balancer of bootstrap, in a field that Kubernetes has deprecated: controllers that do not read it give
   * the balancer another address silently. Where the controller has an annotation for it, use that.
   *
   * @default - the controller chooses one
   */
  readonly bootstrapLoadBalancerIp?: string;

  /**
   * Annotations of the Service of each broker beside those of the plan, with `{nodeId}` and `{nodePodName}` as placeholders
   * in the values. Below Strimzi 1.1, which has no such template, they are written for each broker.
   *
   * @default - those of the listener that the Kafka resource has already
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  readonly perBrokerAnnotationsTemplate?: { [key: string]: string };

  /**
   * Labels of the Service of each broker beside those of the plan, with the same placeholders.
   *
   * @default - those of the listener that the Kafka resource has already
   */
  readonly perBrokerLabelsTemplate?: { [key: string]: string };
}
