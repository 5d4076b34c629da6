import { Construct } from 'constructs';
import { bindTo } from '../../contract/bound-plan';
import type { Json } from '../../contract/late-rendering';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import { LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { LoadBalancerWishes } from '../../contract/load-balancer-wishes';
import { BalancedObject } from '../../rules/balanced-object';
import { kindOf } from '../../rules/controller-kind';
import type { PlannedLoadBalancer } from '../../rules/load-balancers';
import type { IKafkaCluster } from '../cluster/kafka-cluster';
import { type DocumentListener, KafkaDocument } from '../document/kafka-document';
import { listenerNamed } from '../document/kafka-json';
import { portNameOf, serviceNamesOf } from '../operator/operator-services';
import type { KafkaAuthentication } from './kafka-authentication';
import { liveFindings, nameFaults } from './listener-faults';
import { ListenerJudge } from './listener-judge';
import { ListenerMerge } from './listener-merge';
import { notCarried, type PlannedListener, plannedListener, wishesIn } from './listener-plan';

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
  /** What the controller decided; it is the same for all Services of the listener. */
  public readonly plan: LoadBalancerPlan;

  /** The names of the Services that the operator will make: bootstrap first, then each broker by its id. */
  public readonly serviceNames: string[];

  private readonly balanced: BalancedObject;

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
    const { port: _, tls, advertisedHostTemplate, advertisedPortTemplate, externalDns, ...wishes } = others;
    const { createBootstrapService, ...wished } = wishes;
    const document = KafkaDocument.of(cluster.kafka);
    const present = listenerNamed(document.raw(), name);
    const port = props.port ?? present?.port;
    if (port === undefined) {
      const where = `${cluster.kafka.kind} ${cluster.clusterName}`;
      throw new Error(
        `${this.node.path}: ${where} has no listener '${name}' yet, and a new one needs a port; say port`,
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
        port,
        tls,
        authentication: authentication?._toJson(),
        advertisedHostTemplate,
        advertisedPortTemplate,
        alternativeNames: bootstrapAlternativeNames,
        createBootstrapService,
        externalDns,
      },
      bound.plan,
      request,
    );
    const atFirst = new ListenerMerge(cluster, planned, present).json;

    this.serviceNames = serviceNamesOf(cluster, atFirst);
    // one plan for each Service of the listener
    this.plan = { ...bound.plan, loadBalancers: (bound.plan.loadBalancers ?? 1) * this.serviceNames.length };

    const listener = new PlannedDocumentListener(cluster, document, planned, present !== undefined, () =>
      this.balanced.write(),
    );
    document.add(listener);
    const live = liveFindings(present, this.plan, request);
    this.balanced = new BalancedObject(
      this,
      {
        chart: cluster.kafka.chart,
        kind: cluster.kafka.kind,
        name: `${cluster.clusterName} listener ${name}`,
        metadata: { namespace: cluster.namespace },
      },
      listener,
      this.plan,
      [
        ...bound.problems,
        ...(bound.answered ? notCarried(bound.plan, request, cluster.strimzi) : []),
        ...nameFaults(cluster, atFirst, planned, request),
        ...live.problems,
      ],
      live.warnings,
      new ListenerJudge({
        cluster,
        document,
        listener,
        controller,
        kubernetes: request.kubernetes,
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
    );
  }

  /** How many load balancers this makes, and for which listener. */
  public get loadBalancers(): PlannedLoadBalancer {
    return this.balanced.planned;
  }
}

/** A listener as the Kafka resource says it at the moment, with its plan. */
class PlannedDocumentListener implements DocumentListener {
  public readonly name: string;
  private contradicted: LoadBalancerFinding[] = [];

  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly document: KafkaDocument,
    private readonly planned: PlannedListener,
    private readonly isAdopted: boolean,
    public readonly write: () => Json,
  ) {
    this.name = planned.name;
  }

  public merged(raw: Json): Json {
    return this.merge(raw).json;
  }

  public rendered(): Json {
    const raw = this.document.raw();
    const { json, contradictions } = this.merge(raw);
    const isGone = this.isAdopted && listenerNamed(raw, this.name) === undefined;
    this.contradicted = isGone ? [this.gone(), ...contradictions] : contradictions;
    this.document.keep(json, raw);
    return json;
  }

  public contradictions(): LoadBalancerFinding[] {
    return this.contradicted;
  }

  private gone(): LoadBalancerFinding {
    const { kafka, clusterName } = this.cluster;
    return {
      ruleId: 'listener-gone',
      who: this.planned.owner,
      what: `${kafka.kind} ${clusterName} has no listener '${this.name}' any more, which it had when it was adopted: a new one would have none of its authentication and configuration`,
      wayOut: 'leave it in the resource, or make this listener after it was taken out',
      value: this.name,
    };
  }

  private merge(raw: Json): ListenerMerge {
    return new ListenerMerge(this.cluster, this.planned, listenerNamed(raw, this.name));
  }
}
