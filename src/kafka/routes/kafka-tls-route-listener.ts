import { Construct } from 'constructs';
import { reaches } from '../../contract/compare-versions';
import { type Json, list, shown, sorted } from '../../contract/json';
import { findingOf, refuse } from '../../contract/rule';
import { gatewayTitle, parentRefJson } from '../../gateway/gateway-json';
import type { GatewayParentRef } from '../../gateway/options';
import { CheckResult, NOTHING_FOUND } from '../../rules/rule-set';
import { type ObjectCheck, SynthObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { GatewayFit, portToAdvertise, ROUTE_RULES, routeNamesOf } from '../listener/gateway-fit';
import { checkedDocument } from '../listener/kafka-check';
import type { MergedListener, RequestedListener } from '../listener/listener-merge';
import { listenerTree, PlannedDocumentListener, portOf } from '../listener/planned-listener';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import {
  configurationOf,
  type DocumentListener,
  findListener,
  type KafkaDocument,
  listenersOf,
  listenerTitleOf,
  loadBalancersOf,
} from '../operator/kafka-document';
import { serviceNamesOf } from '../operator/operator-services';
import type { KafkaListenerLoadBalancers, KafkaTlsRouteListenerProps } from '../options';
import { OPERATOR } from '../rules/document-rules';
import { advertisedPortOf } from '../rules/listener-rule';
import { listenerContextOf } from '../rules/listener-rules';
import { namedTwice, referencesTo } from '../rules/tls-route-rules';
import { MANIFEST_CONTRADICTS_PLAN, REFUSALS, ROUTE_STRIMZI_VERSION } from '../rules.facts';
import { LISTENER_TYPES, TLS_ROUTE_SINCE } from '../strimzi/strimzi.facts';

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
 * A listener of a new name is appended to the Kafka resource. If it has one of this type, that is adopted:
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
   * @param props what is wished for
   * @throws when a new listener has no port, when `networkPolicyPeers` is empty, when a Gateway is named twice, or when both `advertisedPort` and
   * `advertisedPortTemplate` are given
   */
  public constructor(scope: Construct, id: string, props: KafkaTlsRouteListenerProps) {
    validateProps(scope, id, 'KafkaTlsRouteListenerProps', props);
    super(scope, id);

    const { kafka: cluster, gateway, sectionName, name } = props;
    const document = checkedDocument(cluster);
    const present = findListener(document.raw(), name);
    portOf(this.node.path, cluster, document.raw(), props);
    const parents = [{ gateway, sectionName }, ...(props.additionalGateways ?? [])];
    const twice = namedTwice(parents, cluster.namespace);
    if (twice) {
      refuse(REFUSALS.gatewayTwice, { path: this.node.path, gateway: gatewayTitle(twice.gateway) });
    }
    const wanted = wantedRouteListener(this.node.path, props);
    const isAdopted = present !== undefined;
    this.cluster = cluster;
    this.listener = new PlannedDocumentListener(
      cluster,
      document,
      wanted,
      isAdopted,
      () => checked.write(),
      1,
      (listener) => routedListener(cluster, parents, listener),
    );
    document.add(this.listener);
    const checked = new SynthObject(
      this,
      {
        chart: cluster.kafka.chart,
        kind: cluster.kafka.kind,
        name: `${cluster.clusterName} listener ${name}`,
        metadata: { namespace: cluster.namespace },
        whole: () => document.raw(),
      },
      this.listener,
      tlsRouteCheck(cluster, document, this.listener, parents),
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
    const ports = new Set(this.cluster.brokerIds.map((id) => advertisedPortOf(now, id)));
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

function wantedRouteListener(path: string, props: KafkaTlsRouteListenerProps): RequestedListener {
  const { advertisedPort, advertisedPortTemplate, routeAnnotations = {}, routeLabels = {} } = props;
  if (advertisedPort !== undefined && advertisedPortTemplate !== undefined) {
    throw new Error(`${path}: advertisedPort and advertisedPortTemplate are both given; keep one`);
  }
  const template = advertisedPort === undefined ? advertisedPortTemplate : String(advertisedPort);
  const tree = { ...props, advertisedPortTemplate: template };
  const metadata = { annotations: routeAnnotations, labels: routeLabels };
  return {
    name: props.name,
    owner: 'strimzi',
    planner: 'routeAnnotations or routeLabels',
    props: listenerTree(path, LISTENER_TYPES.tlsRoute, tree),
    plan: { configuration: { bootstrap: metadata } },
    everyBroker: metadata,
    namesBrokers: false,
  };
}

function routedListener(
  cluster: IKafkaCluster,
  parents: readonly GatewayParentRef[],
  { json: listener, contradictions }: MergedListener,
): MergedListener {
  const configuration = { ...configurationOf(listener) };
  const { namespace } = cluster;
  const wanted = parents.map(({ gateway, sectionName }) => sorted(parentRefJson(gateway, sectionName)));
  if (list(configuration.parentRefs).length === 0) {
    configuration.parentRefs = wanted;
  }
  const json = { ...listener, configuration };
  const present = shown(configuration.parentRefs);
  const lost = wanted.filter((_, i) => referencesTo(json, parents[i], namespace).length === 0);
  const findings = lost.map((one) => ({
    case: 'value',
    listener: listener.name,
    where: 'configuration.parentRefs',
    by: 'the props set',
    wanted: shown(one),
    value: present,
  }));
  const fits = parents.map((parent) => new GatewayFit(cluster, json, parent));
  const port = portToAdvertise(cluster, json, fits);
  if (port !== undefined) {
    configuration.advertisedPortTemplate = String(port);
  }
  return {
    json: sorted({ ...json, configuration: sorted(configuration) }),
    contradictions: [
      ...contradictions,
      ...findings.map((finding) => findingOf(MANIFEST_CONTRADICTS_PLAN, finding, 'strimzi')),
    ],
  };
}

/** Validates a finished listener behind routes, also against the Gateways that its routes attach to. */
function tlsRouteCheck(
  cluster: IKafkaCluster,
  document: KafkaDocument,
  own: DocumentListener,
  parents: readonly GatewayParentRef[],
): ObjectCheck {
  return {
    check(listener) {
      const kafka = document.with(own, listener);
      if (!reaches(cluster.strimzi, TLS_ROUTE_SINCE)) {
        const found = { listener: listenerTitleOf(listener), since: TLS_ROUTE_SINCE, value: cluster.strimzi.version };
        return CheckResult.of([findingOf(ROUTE_STRIMZI_VERSION, found, OPERATOR)]);
      }
      // a document that has no place for listeners is validated without them
      if (!listenersOf(kafka).includes(listener)) {
        return NOTHING_FOUND;
      }
      const gateways = parents.map((parent) => new GatewayFit(cluster, listener, parent));
      return ROUTE_RULES.check(listener, { ...listenerContextOf(cluster), kafka, gateways });
    },
  };
}
