import type { IpFamily } from '../../contract/ip-family';
import type { TrafficPolicy } from '../../contract/traffic-policy';
import type { KafkaAuthentication } from './kafka-authentication';
import type { KafkaBrokerCertificate } from './kafka-broker-certificate';
import type {
  KafkaHostListenerBroker,
  KafkaListenerBroker,
  KafkaNodePortListenerBroker,
  KafkaServiceListenerBroker,
} from './kafka-listener-broker';
import type { KafkaListenerNodeAddress } from './kafka-listener-node-address';

/**
 * What every listener of a Kafka cluster has.
 */
export interface KafkaListenerOptions {
  /** The name of the listener: 1 to 11 lower-case letters and digits, once in a cluster. */
  readonly name: string;

  /** The port on which the brokers listen: from 9092, not 9404 nor 9999, once in a cluster. */
  readonly port: number;

  /**
   * Whether clients speak TLS. Routes and ingresses need it, and so does authentication by certificates.
   *
   * @default true
   */
  readonly tls?: boolean;

  /**
   * How clients prove who they are.
   *
   * @default - not at all: to the rest of Kafka every client is ANONYMOUS
   */
  readonly authentication?: KafkaAuthentication;

  /**
   * Who may connect, as peers of a NetworkPolicy (`from` of an ingress rule). They count only where the network of the
   * cluster enforces network policies.
   *
   * @default - every client
   */
  // biome-ignore lint/suspicious/noExplicitAny: peers are free JSON of Kubernetes
  readonly networkPolicyPeers?: any[];

  /**
   * A certificate of one's own instead of one that the cluster's CA has signed.
   *
   * @default - each broker has a certificate of the cluster's CA
   */
  readonly brokerCertificate?: KafkaBrokerCertificate;

  /**
   * How many connections a broker accepts at the same time.
   *
   * @default - no limit
   */
  readonly maxConnections?: number;

  /**
   * How many new connections a broker accepts in a second.
   *
   * @default - no limit
   */
  readonly maxConnectionCreationRate?: number;

  /**
   * The host that each broker advertises, with `{nodeId}` and `{nodePodName}` as placeholders. It
   * is in the certificate of the broker.
   *
   * @default - the address that the type of the listener gives each broker
   */
  readonly advertisedHostTemplate?: string;

  /**
   * The port that each broker advertises, as a text that may reckon with `{nodeId}`
   * (`9000 + {nodeId}`). It does not change any Service. Strimzi 1.0 or newer.
   *
   * @default - the port that the type of the listener gives each broker
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  readonly advertisedPortTemplate?: string;

  /**
   * Names for the first contact that are in the certificates of all brokers, beside those that the operator knows.
   *
   * @default - none
   */
  readonly bootstrapAlternativeNames?: string[];
}

/**
 * What listeners have that are for clients in the same Kubernetes cluster.
 */
export interface KafkaInClusterListenerOptions {
  /**
   * Whether brokers advertise their full names, with the domain of the cluster (`.cluster.local`): for clients whose
   * resolver adds nothing.
   *
   * @default false
   */
  readonly useServiceDnsDomain?: boolean;
}

/**
 * A listener of type `internal`.
 */
export interface KafkaInternalListenerOptions extends KafkaListenerOptions, KafkaInClusterListenerOptions {
  /**
   * What single brokers say.
   *
   * @default - nothing
   */
  readonly brokers?: KafkaListenerBroker[];
}

/**
 * What every listener has that makes Services of its own: one for bootstrap, and one for each broker.
 */
export interface KafkaServiceListenerOptions extends KafkaListenerOptions {
  /**
   * Whether the Services lead to brokers that are not ready.
   *
   * @default - as Kubernetes has it, which is false
   */
  readonly publishNotReadyAddresses?: boolean;

  /**
   * The address families of the Services: one, or both, of which the first one is the main one.
   *
   * @default - the one of the cluster
   */
  readonly ipFamilies?: IpFamily[];

  /**
   * Annotations of what leads to bootstrap: its Service, Route or Ingress.
   *
   * @default - none
   */
  readonly bootstrapAnnotations?: { [key: string]: string };

  /**
   * Labels of what leads to bootstrap.
   *
   * @default - none
   */
  readonly bootstrapLabels?: { [key: string]: string };

  /**
   * Annotations of what leads to each broker, with `{nodeId}` and `{nodePodName}` as placeholders in the values. Strimzi
   * 1.1 or newer; before, write an entry for each broker.
   *
   * @default - none
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  readonly perBrokerAnnotationsTemplate?: { [key: string]: string };

  /**
   * Labels of what leads to each broker, with the same placeholders. Strimzi 1.1 or newer.
   *
   * @default - none
   * @see https://github.com/strimzi/strimzi-kafka-operator/blob/1.2.0/CHANGELOG.md
   */
  readonly perBrokerLabelsTemplate?: { [key: string]: string };
}

/**
 * A listener of type `cluster-ip`.
 */
export interface KafkaClusterIpListenerOptions extends KafkaServiceListenerOptions, KafkaInClusterListenerOptions {
  /**
   * What single brokers say.
   *
   * @default - nothing
   */
  readonly brokers?: KafkaServiceListenerBroker[];
}

/**
 * A listener of type `nodeport`.
 */
export interface KafkaNodePortListenerOptions extends KafkaServiceListenerOptions {
  /**
   * Which address of its node a broker advertises.
   *
   * @default - the first one that the node has, of external name, external address, internal name, internal address, host
   * name
   */
  readonly preferredNodeAddress?: KafkaListenerNodeAddress;

  /**
   * The port of all nodes that leads to bootstrap.
   *
   * @default - Kubernetes chooses one that is free
   */
  readonly bootstrapNodePort?: number;

  /**
   * Addresses beside those of the nodes that lead to bootstrap.
   *
   * @default - none
   */
  readonly bootstrapExternalIps?: string[];

  /**
   * Which endpoints a node forwards to. Brokers advertise the node on which they run, so `LOCAL` costs the brokers
   * nothing, while bootstrap answers on nodes with a broker only.
   *
   * @default TrafficPolicy.CLUSTER
   */
  readonly externalTrafficPolicy?: TrafficPolicy;

  /**
   * What single brokers say.
   *
   * @default - nothing
   */
  readonly brokers?: KafkaNodePortListenerBroker[];
}

/**
 * What listeners have whose brokers are told apart by host names.
 */
export interface KafkaHostListenerOptions extends KafkaServiceListenerOptions {
  /**
   * The host of each broker, with `{nodeId}` and `{nodePodName}` as placeholders. Brokers advertise this host, unless
   * an advertised host is set.
   *
   * @default - an ingress needs it or a host for each broker; OpenShift gives a route its own
   */
  readonly hostTemplate?: string;

  /**
   * What single brokers say.
   *
   * @default - nothing
   */
  readonly brokers?: KafkaHostListenerBroker[];
}

/**
 * A listener of type `ingress`.
 */
export interface KafkaIngressListenerOptions extends KafkaHostListenerOptions {
  /** The host of the first contact. */
  readonly bootstrapHost: string;

  /**
   * The class of the ingress controller. It has to pass TLS through unopened.
   *
   * @default - the default class of the cluster
   */
  readonly ingressClassName?: string;
}

/**
 * A listener of type `route`.
 */
export interface KafkaRouteListenerOptions extends KafkaHostListenerOptions {
  /**
   * The host of the first contact.
   *
   * @default - OpenShift gives the route its own
   */
  readonly bootstrapHost?: string;
}
