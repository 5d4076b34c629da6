import { Construct } from 'constructs';
import { type BoundPlan, bindTo } from '../../contract/bound-plan';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import { LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { LoadBalancerWishes } from '../../contract/load-balancer-wishes';
import { BalancedObject } from '../../rules/balanced-object';
import { kindOf } from '../../rules/controller-kind';
import type { PlannedLoadBalancer } from '../../rules/load-balancers';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { KafkaDocument } from '../document/kafka-document';
import { at, isSaid, listenerNamed } from '../document/kafka-json';
import { portNameOf, serviceNamesOf } from '../operator/operator-services';
import type { KafkaAuthentication } from './kafka-authentication';
import type { KafkaBrokerCertificate } from './kafka-broker-certificate';
import { liveFindings, nameFaults } from './listener-faults';
import { ListenerJudge } from './listener-judge';
import { nodeFaults } from './listener-node-faults';
import { notCarried, plannedListener, wishesIn } from './listener-plan';
import { PlannedDocumentListener } from './planned-document-listener';

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
   * How clients prove who they are.
   *
   * @default - as the Kafka resource says of this listener; not at all for a new one
   */
  readonly authentication?: KafkaAuthentication;

  /**
   * The host under which each broker tells clients to reach it, with `{nodeId}` and `{nodePodName}` as placeholders. It
   * stands in the certificate of the broker.
   *
   * @default - the address of the broker's balancer
   */
  readonly advertisedHostTemplate?: string;

  /**
   * The port under which each broker tells clients to reach it, as a text that may reckon with `{nodeId}` (`9000 + {nodeId}`).
   * The balancer still listens on `port`. Strimzi 1.0 or newer.
   *
   * @default - `port`
   */
  readonly advertisedPortTemplate?: string;

  /**
   * Names of the bootstrap Service that stand in the certificates of all brokers. `dnsName` is always one of them.
   *
   * @default - those of the listener that the Kafka resource has already
   */
  readonly bootstrapAlternativeNames?: string[];

  /**
   * Whether there is a Service with a balancer of its own for bootstrap; without it clients need the addresses of brokers.
   *
   * @default - as the Kafka resource says of this listener, which is true where it says nothing
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
   * Whether external-dns keeps the host that each broker advertises, as it keeps `dnsName` for bootstrap.
   *
   * @default false
   */
  readonly externalDns?: boolean;
}

/**
 * A listener of type `loadbalancer`, rendered from a plan into a Kafka resource: class, finalizers, traffic policy, source
 * ranges, and the annotations and labels of each Service that the Strimzi operator will make of it. Each broker gets a
 * balancer, and bootstrap one more.
 *
 * Where the Kafka resource has no listener of this name, it is appended. Where it has one, that is adopted: what it says
 * stays, and what it wishes counts unless the props say otherwise; where the two contradict each other, the synth fails.
 * Everything else of the resource stays as it is.
 *
 * Once declared, the finalizer must stay declared as long as the balancers live: an operator that wrote it removes it from
 * the live Services when the listener no longer says it, or when the Kafka resource is made anew without it, and the next
 * deletion leaves the balancers behind.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#proc-accessing-kafka-using-loadbalancers-str
 */
export class KafkaLoadBalancedListener extends Construct {
  private readonly balanced: BalancedObject;
  private readonly bound: BoundPlan;
  private readonly listener: PlannedDocumentListener;
  private readonly cluster: IKafkaCluster;

  /**
   * Puts a listener behind load balancers.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   * @throws when a new listener has no port
   */
  public constructor(scope: Construct, id: string, props: KafkaLoadBalancedListenerProps) {
    super(scope, id);

    const { kafka: cluster, controller, name, authentication, bootstrapAlternativeNames, ...others } = props;
    const { port: _, tls, advertisedHostTemplate, advertisedPortTemplate, externalDns, ...more } = others;
    const { createBootstrapService, brokerCertificate, networkPolicyPeers, ...rest } = more;
    const { maxConnections, maxConnectionCreationRate, ...wished } = rest;
    const document = KafkaDocument.of(cluster.kafka);
    const raw = document.raw();
    const present = listenerNamed(raw, name);
    const port = props.port ?? present?.port;
    if (port === undefined) {
      const where = `${this.node.path}: ${cluster.kafka.kind} ${cluster.clusterName}`;
      const listeners = at(raw, 'spec.kafka.listeners');
      throw new Error(
        isSaid(listeners) && !Array.isArray(listeners)
          ? `${where} has something else than a list in spec.kafka.listeners, so nobody can see listener '${name}' in it; write a list of listeners`
          : `${where} has no listener '${name}' yet, and a new one needs a port; say port`,
      );
    }
    const portName = portNameOf({ name });
    const request = new LoadBalancerRequest({
      ...(present ? wishesIn(present) : {}),
      ports: [{ port, name: portName, targetPortName: portName }],
    }).with(wished);
    const bound = bindTo(controller, this, request);
    const planned = plannedListener(
      {
        name,
        port: props.port,
        tls,
        authentication: authentication?._toJson(),
        advertisedHostTemplate,
        advertisedPortTemplate,
        alternativeNames: bootstrapAlternativeNames,
        createBootstrapService,
        externalDns,
        brokerCertificate,
        networkPolicyPeers,
        maxConnections,
        maxConnectionCreationRate,
      },
      bound.plan,
      request,
    );
    this.bound = bound;
    this.cluster = cluster;
    const live = liveFindings(present, bound.plan, request, {
      kafka: raw,
      catalogue: kindOf(controller)?.catalogue,
    });
    this.listener = new PlannedDocumentListener(cluster, document, planned, present !== undefined, () =>
      this.balanced.write(),
    );
    document.add(this.listener);
    this.balanced = new BalancedObject(
      this,
      {
        chart: cluster.kafka.chart,
        kind: cluster.kafka.kind,
        name: `${cluster.clusterName} listener ${name}`,
        metadata: { namespace: cluster.namespace },
      },
      this.listener,
      bound.plan,
      [
        ...bound.problems,
        ...(bound.answered ? notCarried(bound.plan, request, cluster.strimzi) : []),
        ...live.problems,
      ],
      live.warnings,
      new ListenerJudge({
        cluster,
        document,
        listener: this.listener,
        controller,
        kubernetes: request.kubernetes,
        faults: (json) => [...nameFaults(cluster, json, planned, request), ...nodeFaults(cluster, bound.plan, request)],
        finalizers: bound.answered
          ? {
              strimzi: cluster.strimzi,
              owner: bound.plan.owner,
              kind: kindOf(controller),
              planned: bound.plan.finalizers ?? [],
              policy: request.finalizerPolicy,
            }
          : undefined,
      }),
      () => this.count,
    );
  }

  /** What the controller decided; it is the same for all Services of the listener. */
  public get plan(): LoadBalancerPlan {
    return { ...this.bound.plan, loadBalancers: this.count };
  }

  /**
   * The names of the Services that the operator will make of the listener as it is now: bootstrap first, then each broker by
   * its id.
   */
  public get serviceNames(): string[] {
    return serviceNamesOf(this.cluster, this.listener.now());
  }

  /** How many load balancers this makes, and for which listener. */
  public get loadBalancers(): PlannedLoadBalancer {
    return this.balanced.planned;
  }

  /** One plan for each Service of the listener. */
  private get count(): number {
    return (this.bound.plan.loadBalancers ?? 1) * this.serviceNames.length;
  }
}
