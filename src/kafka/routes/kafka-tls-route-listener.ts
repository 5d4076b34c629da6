import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import type { IGateway } from '../../gateway/i-gateway';
import { gatewayTitle } from '../../gateway/parent-ref';
import { judgeProps } from '../../rules/judge-props';
import { JudgedObject } from '../../rules/judged-object';
import { KafkaDocument } from '../document/kafka-document';
import { listenerNamed } from '../document/kafka-json';
import type { KafkaBrokerCertificate } from '../listener/kafka-broker-certificate';
import type { KafkaTlsRouteGateway } from '../listener/kafka-tls-route-gateway';
import { PlannedDocumentListener } from '../listener/planned-document-listener';
import { namedTwice } from '../listener/route-parents';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import type { KafkaListenerLoadBalancers } from '../operator/kafka-load-balancers';
import { loadBalancersOf } from '../operator/listener-balancers';
import { serviceNamesOf } from '../operator/operator-services';
import { routedListener, wantedRouteListener } from './route-listener-plan';
import { routeNamesOf } from './route-names';
import { routePortOf } from './route-port';
import { tlsRouteJudge } from './tls-route-judge';

/**
 * A listener of a Kafka cluster behind a Gateway.
 */
export interface KafkaTlsRouteListenerProps {
  /** The cluster. */
  readonly kafka: IKafkaCluster;

  /** The Gateway that the routes attach to: a `Gateway`, or `Gateway.fromName` or `fromManifest` for one that exists. */
  readonly gateway: IGateway;

  /**
   * The name of the listener of the Gateway.
   *
   * @default - every listener of the Gateway that takes the routes
   */
  readonly sectionName?: string;

  /**
   * More Gateways that the routes attach to, such as an internal one beside a public one: clients of each come by the same
   * hosts.
   *
   * @default - none
   */
  readonly additionalGateways?: KafkaTlsRouteGateway[];

  /** The name of the Kafka listener: 1 to 11 lower-case letters and digits. */
  readonly name: string;

  /**
   * The port on which the brokers listen, from 9092. Clients do not see it.
   *
   * @default - the one of the listener that the Kafka resource has already; a new listener needs one
   */
  readonly port?: number;

  /**
   * Whether brokers speak TLS. Clients do in either case, since the Gateway routes by the name in it: without it, the
   * Gateway has to terminate TLS.
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
   * The host under which clients find the brokers at first, in a DNS zone that leads to the Gateway. It is in the
   * certificates of all brokers.
   *
   * @default - the one of the listener that the Kafka resource has already; a new listener needs one
   */
  readonly bootstrapHost?: string;

  /**
   * The host of each broker, with `{nodeId}` and `{nodePodName}` as placeholders. Brokers advertise it, and it
   * is in their certificates.
   *
   * @default - the hosts of the listener that the Kafka resource has already; a new listener needs one
   */
  readonly hostTemplate?: string;

  /**
   * The port that every broker advertises. Not together with `advertisedPortTemplate`.
   *
   * @default - the port of the Gateway listener where it is known, otherwise 443
   */
  readonly advertisedPort?: number;

  /**
   * The same as a text that may reckon with `{nodeId}` (`9000 + {nodeId}`), where the Gateway has a port for each broker.
   *
   * @default - `advertisedPort`
   */
  readonly advertisedPortTemplate?: string;

  /**
   * More names that are in the certificates of all brokers.
   *
   * @default - those of the listener that the Kafka resource has already
   */
  readonly bootstrapAlternativeNames?: string[];

  /**
   * A certificate of one's own instead of one that the cluster's CA has signed.
   *
   * @default - as the Kafka resource says of this listener; one of the cluster's CA for a new one
   */
  readonly brokerCertificate?: KafkaBrokerCertificate;

  /**
   * Who may connect, as peers of a NetworkPolicy (`from` of an ingress rule): connections come from the pods of the Gateway.
   *
   * @default - as the Kafka resource says of this listener; every client for a new one
   */
  // biome-ignore lint/suspicious/noExplicitAny: peers are free JSON of Kubernetes
  readonly networkPolicyPeers?: any[];

  /**
   * How many connections a broker accepts at the same time on this listener.
   *
   * @default - as the Kafka resource says of this listener; no limit for a new one
   */
  readonly maxConnections?: number;

  /**
   * Labels of all routes, and of the Services behind them.
   *
   * @default - none but those of the cluster and its node pools
   */
  readonly routeLabels?: { [key: string]: string };

  /**
   * Annotations of all routes, and of the Services behind them.
   *
   * @default - none
   */
  readonly routeAnnotations?: { [key: string]: string };
}

/**
 * A listener of type `tlsroute`: one load balancer, that of a Gateway, for bootstrap and all brokers. The Strimzi operator
 * makes a Service of type ClusterIP and a TLSRoute of each, and the Gateway distinguishes them by the name of the server that
 * TLS clients ask for. Strimzi 1.1 or newer.
 *
 * The CRD of TLSRoute in version `v1` (Gateway API 1.5 or newer) must be there when the operator starts, which looks once:
 * where it came later, restart the operator, or the whole Kafka resource is not reconciled. The operator then waits until
 * the Gateway has taken notice of each route, whether it accepts it or not.
 *
 * DNS must lead all hosts to the Gateway; a wildcard record does, or external-dns with its source for TLSRoutes.
 *
 * Where the Kafka resource has no listener of this name, it is appended. Where it has one of this type, that is adopted:
 * what it says stays, and where the props contradict it, the synth fails.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#proc-accessing-kafka-using-tlsroutes-str
 */
export class KafkaTlsRouteListener extends Construct {
  private readonly cluster: IKafkaCluster;
  private readonly listener: PlannedDocumentListener;

  /**
   * Puts a listener behind a Gateway.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   * @throws when a new listener has no port, when `networkPolicyPeers` is empty, when a Gateway is named twice, or when both `advertisedPort` and
   * `advertisedPortTemplate` are given
   */
  public constructor(scope: Construct, id: string, props: KafkaTlsRouteListenerProps) {
    judgeProps(scope, id, 'KafkaTlsRouteListenerProps', props);
    super(scope, id);

    const { kafka: cluster, gateway, sectionName, name } = props;
    const document = KafkaDocument.of(cluster.kafka);
    const present = listenerNamed(document.raw(), name);
    const port = props.port ?? present?.port;
    if (port === undefined) {
      const where = `${cluster.kafka.kind} ${cluster.clusterName}`;
      throw new Error(
        `${this.node.path}: ${where} has no listener '${name}' yet, and a new one needs a port; set port`,
      );
    }
    const parents = [{ gateway, sectionName }, ...(props.additionalGateways ?? [])];
    const twice = namedTwice(parents, cluster.namespace);
    if (twice) {
      throw new Error(
        `${this.node.path}: gateway and additionalGateways name ${gatewayTitle(twice.gateway)} twice; name it once, or set different values of sectionName`,
      );
    }
    const wanted = wantedRouteListener(this.node.path, props);
    const isAdopted = present !== undefined;
    this.cluster = cluster;
    this.listener = new PlannedDocumentListener(
      cluster,
      document,
      wanted,
      isAdopted,
      () => judged.write(),
      1,
      (listener) => routedListener(cluster, parents, listener),
    );
    document.add(this.listener);
    const judged = new JudgedObject(
      this,
      {
        chart: cluster.kafka.chart,
        kind: cluster.kafka.kind,
        name: `${cluster.clusterName} listener ${name}`,
        metadata: { namespace: cluster.namespace },
      },
      this.listener,
      tlsRouteJudge(cluster, document, this.listener, parents),
    );
  }

  /** The names of the TLSRoutes that the operator will make: bootstrap first, then each broker by its id. */
  public get routeNames(): string[] {
    return routeNamesOf(this.cluster, this.now());
  }

  /** The names of the Services that the operator will make: bootstrap first, then each broker by its id. */
  public get serviceNames(): string[] {
    return serviceNamesOf(this.cluster, this.now());
  }

  /** The port that brokers advertise; nothing where it differs from broker to broker. */
  public get advertisedPort(): number | undefined {
    const now = this.now();
    const ports = new Set(this.cluster.brokerIds.map((id) => routePortOf(now, id)));
    return ports.size === 1 ? [...ports][0] : undefined;
  }

  /** The load balancers that this uses: the one of each Gateway, however many brokers there are. */
  public get loadBalancers(): KafkaListenerLoadBalancers {
    const kafka = { spec: { kafka: { listeners: [this.now()] } } };
    return loadBalancersOf(this.cluster, kafka).listeners[0];
  }

  private now(): Json {
    return this.listener.now();
  }
}
