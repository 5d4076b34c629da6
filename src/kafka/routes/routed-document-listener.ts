import { type Json, list } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { parentRefJson } from '../../gateway/parent-ref';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import type { KafkaDocument } from '../document/kafka-document';
import { configurationOf, shown } from '../document/kafka-json';
import type { PlannedListener } from '../listener/listener-plan';
import { PlannedDocumentListener } from '../listener/planned-document-listener';
import { GatewayFit, portToAdvertise } from './gateway-fit';
import type { KafkaTlsRouteGateway } from './kafka-tls-route-gateway';
import { parentIn, referencesTo } from './route-parents';

interface Routed {
  readonly json: Json;
  readonly contradictions: readonly LoadBalancerFinding[];
}

/** A listener with its plan, and with what the operator makes routes of. */
export class RoutedDocumentListener extends PlannedDocumentListener {
  private routedApart: readonly LoadBalancerFinding[] = [];

  public constructor(
    private readonly kafka: IKafkaCluster,
    private readonly kafkaDocument: KafkaDocument,
    plan: PlannedListener,
    isAdopted: boolean,
    write: () => Json,
    private readonly parents: readonly KafkaTlsRouteGateway[],
  ) {
    super(kafka, kafkaDocument, plan, isAdopted, write);
  }

  public override merged(raw: Json): Json {
    return this.routed(super.merged(raw)).json;
  }

  public override rendered(): Json {
    const { json, contradictions } = this.routed(super.rendered());
    this.routedApart = contradictions;
    this.kafkaDocument.keep(json, this.kafkaDocument.raw());
    return json;
  }

  public override contradictions(): LoadBalancerFinding[] {
    return [...super.contradictions(), ...this.routedApart];
  }

  private routed(listener: Json): Routed {
    const contradictions: LoadBalancerFinding[] = [];
    const configuration = { ...configurationOf(listener) };
    const { namespace } = this.kafka;
    const wished = this.parents.map(({ gateway, sectionName }) => inOrder(parentRefJson(gateway, sectionName)));
    if (list(configuration.parentRefs).length === 0) {
      configuration.parentRefs = wished;
    }
    const json = { ...listener, configuration };
    for (const [i, parent] of this.parents.entries()) {
      if (referencesTo(json, parent, namespace).length === 0) {
        contradictions.push(this.otherParents(configuration.parentRefs, wished[i]));
      }
    }
    const fits = this.parents.map((parent) => new GatewayFit(this.kafka, json, parentIn(json, parent, namespace)));
    const port = portToAdvertise(this.kafka, json, fits);
    if (port !== undefined) {
      configuration.advertisedPortTemplate = String(port);
    }
    return { json: inOrder({ ...json, configuration: inOrder(configuration) }), contradictions };
  }

  private otherParents(present: unknown, said: unknown): LoadBalancerFinding {
    return {
      ruleId: 'manifest-contradicts-plan',
      who: 'strimzi',
      what: `the manifest says configuration.parentRefs ${shown(present)} in listener '${this.name}', but the props say ${shown(said)}`,
      remedy: 'take it out of the manifest, or wish for the same',
      value: shown(present),
    };
  }
}

/** Keys in the order in which cdk8s writes them. */
function inOrder(map: Json): Json {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}
