import { Construct } from 'constructs';
import { type BoundPlan, bindTo } from '../../contract/bound-plan';
import type { Json } from '../../contract/json';
import { LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { LoadBalancerPlan, LoadBalancerScheme } from '../../contract/options';
import { refuse } from '../../contract/rule';
import { PassCache } from '../../rules/app-objects';
import { type ControllerDefinition, definitionOf, schemeIn, unwrapped } from '../../rules/controller-definition';
import type { PlannedLoadBalancer } from '../../rules/options';
import { BalancedObject } from '../../rules/synth-object';
import { protectionKey, validateProps } from '../../rules/warnings';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { findListener } from '../operator/kafka-document';
import { portNameOf, serviceNamesOf, servicesOf } from '../operator/operator-services';
import type { KafkaLoadBalancedListenerProps } from '../options';
import { REFUSALS } from '../rules.facts';
import { kubernetesTooOld } from '../strimzi/releases';
import { LISTENER_TYPES } from '../strimzi/strimzi.facts';
import { checkedDocument } from './kafka-check';
import { liveFindings, nameFaults, nodeFaults, nodeWarnings } from './listener-faults';
import { ListenerValidator } from './listener-validator';
import { PlannedDocumentListener, portOf, unsupportedFaults, wantedListener, wishesIn } from './planned-listener';

/**
 * A listener of type `loadbalancer`, rendered from a plan into a Kafka resource: class, finalizers, traffic policy, source
 * ranges, and the annotations and labels of each Service that the Strimzi operator will make of it. Each broker gets a
 * balancer, and bootstrap one more.
 *
 * A new listener is appended to the Kafka resource. An existing listener of that name is adopted: its fields stay, its
 * settings apply unless props override them, and a contradiction fails the synth. The rest of the resource stays as it is.
 *
 * Keep a declared finalizer declared while the load balancers exist. If it is removed from the listener, or the Kafka
 * resource is created again without it, the operator removes it from the live Services, and the next deletion leaves the load
 * balancers behind.
 *
 * @see https://strimzi.io/docs/operators/latest/deploying#proc-accessing-kafka-using-loadbalancers-str
 * @example
 * const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
 * new KafkaLoadBalancedListener(chart, 'External', {
 *   kafka,
 *   name: 'external',
 *   port: 9094,
 *   authentication: { type: 'scram-sha-512' },
 *   controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
 *   advertisedHostTemplate: 'broker-{nodeId}.kafka.example.com',
 * });
 */
export class KafkaLoadBalancedListener extends Construct {
  private readonly balanced: BalancedObject;
  private readonly bound: BoundPlan;
  private readonly listener: PlannedDocumentListener;
  private readonly cluster: IKafkaCluster;

  /**
   * Puts a listener behind load balancers.
   *
   * @param props the requested listener
   * @throws when a new listener has no port, when `networkPolicyPeers` is empty, or when a broker is listed twice in `brokers`
   */
  public constructor(scope: Construct, id: string, props: KafkaLoadBalancedListenerProps) {
    validateProps(scope, id, 'KafkaLoadBalancedListenerProps', props);
    super(scope, id);

    refuseRepeatedBrokers(this.node.path, props);
    const { kafka: cluster, controller, name } = props;
    const document = checkedDocument(cluster);
    const raw = document.raw();
    const present = findListener(raw, name);
    const port = portOf(this.node.path, cluster, raw, props);
    const portName = portNameOf({ name });
    const kind = definitionOf(controller);
    const services = present?.type === LISTENER_TYPES.loadBalancer ? servicesOf(cluster, raw, present).originals : [];
    const request = new LoadBalancerRequest({
      ...(present ? { ...wishesIn(present), scheme: kind && schemeOfAll(services, kind) } : {}),
      ports: [{ port, name: portName, targetPortName: portName }],
    }).with(props);
    const bound = bindTo(controller, this, request);
    const wanted = wantedListener(this.node.path, props, bound.plan, request);
    this.bound = bound;
    this.cluster = cluster;
    const live = liveFindings(present, bound.plan, request, {
      kafka: raw,
      catalogue: kind?.catalogue,
      claim: services[0] && kind?.claim(services[0], unwrapped(controller)),
    });
    this.listener = new PlannedDocumentListener(
      cluster,
      document,
      wanted,
      present !== undefined,
      () => this.balanced.write(),
      bound.plan.loadBalancers,
    );
    document.add(this.listener);
    const made = new PassCache(cluster.kafka, () => servicesOf(cluster, document.raw(), this.listener.now()).services);
    this.balanced = new BalancedObject(
      this,
      {
        chart: cluster.kafka.chart,
        kind: cluster.kafka.kind,
        name: `${cluster.clusterName} listener ${name}`,
        metadata: { namespace: cluster.namespace },
        whole: () => document.raw(),
      },
      this.listener,
      bound.plan,
      [
        ...bound.problems,
        ...(bound.answered ? unsupportedFaults(bound.plan, request, cluster.strimzi) : []),
        ...live.problems,
        ...kubernetesTooOld(cluster.strimzi, request.kubernetes),
      ],
      live.warnings,
      new ListenerValidator({
        cluster,
        document,
        listener: this.listener,
        controller,
        kubernetes: request.kubernetes,
        planned: bound.plan.annotations,
        faults: (json) => [...nameFaults(cluster, json, wanted, request), ...nodeFaults(cluster, bound.plan, request)],
        warnings: (json) => nodeWarnings(cluster, bound.plan, request, json),
        backendNodes: request.backendNodes,
        isAdopted: present?.type === LISTENER_TYPES.loadBalancer,
        asksForProxyProtocol: request.proxyProtocol === true,
        finalizers: bound.answered
          ? {
              strimzi: cluster.strimzi,
              owner: bound.plan.owner,
              kind,
              planned: bound.plan.finalizers ?? [],
              policy: request.finalizerPolicy,
            }
          : undefined,
      }),
      () => this.count,
      () => made.now,
    );
  }

  /** Plan of the controller; it is the same for all Services of the listener. */
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

  /** The planned load balancers: their number, and this listener. */
  public get loadBalancers(): PlannedLoadBalancer {
    return this.balanced.planned;
  }

  /**
   * Fails every later synth in which one of the balancers or its address would be lost: by a changed field, a broker that goes,
   * another name or namespace, or because this construct is gone. Writes an annotation into the Kafka resource and into each Service, where
   * a `LoadBalancerLock` reads it. The app needs a `LoadBalancerProtection`, which knows what is applied and which losses are accepted.
   */
  public protect(): void {
    this.listener.annotate(protectionKey(), this.plan.owner);
    this.balanced.protect(this.cluster.kafka, this.listener.name);
  }

  /** Load balancers of the plan, times Services of the listener. */
  private get count(): number {
    return (this.bound.plan.loadBalancers ?? 1) * this.serviceNames.length;
  }
}

function refuseRepeatedBrokers(path: string, { name, brokers = [] }: KafkaLoadBalancedListenerProps): void {
  const ids = brokers.map(({ brokerId }) => brokerId);
  const repeated = ids.find((id, i) => ids.indexOf(id) !== i);
  if (repeated !== undefined) {
    refuse(REFUSALS.brokerTwice, { path, name, id: repeated });
  }
}

function schemeOfAll(services: readonly Json[], kind: ControllerDefinition): LoadBalancerScheme | undefined {
  const schemes = new Set(services.map((service) => schemeIn(service, kind)));
  return schemes.size === 1 ? [...schemes][0] : undefined;
}
