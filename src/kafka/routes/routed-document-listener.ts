import type { Json } from '../../contract/late-rendering';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { IGateway } from '../../gateway/i-gateway';
import { parentRefJson } from '../../gateway/parent-ref';
import { isMap, list } from '../../rules/service-json';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import type { KafkaDocument } from '../document/kafka-document';
import { configurationOf, shown } from '../document/kafka-json';
import type { PlannedListener } from '../listener/listener-plan';
import { PlannedDocumentListener } from '../listener/planned-document-listener';
import { GatewayFit } from './gateway-fit';

/** Where the routes of a listener attach. */
export interface ListenerRoutes {
  readonly gateway: IGateway;
  readonly sectionName?: string;
}

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
    private readonly routes: ListenerRoutes,
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
    const { gateway, sectionName } = this.routes;
    const contradictions: LoadBalancerFinding[] = [];
    const configuration = { ...configurationOf(listener) };
    const parent = inOrder(parentRefJson(gateway, sectionName));
    const parents = list<unknown>(configuration.parentRefs);
    if (parents.length === 0) {
      configuration.parentRefs = [parent];
    } else if (!parents.some((present) => isMap(present) && this.isSameParent(present, parent))) {
      contradictions.push(this.otherParents(parents, parent));
    }
    const json = { ...listener, configuration };
    const port = new GatewayFit(this.kafka, json, gateway, sectionName).portToAdvertise;
    if (port !== undefined) {
      configuration.advertisedPortTemplate = String(port);
    }
    return { json: inOrder({ ...json, configuration: inOrder(configuration) }), contradictions };
  }

  /** Whether two references mean the same: group and kind are those of a Gateway unless they are said. */
  private isSameParent(present: Json, parent: Json): boolean {
    const meant = { group: parent.group, kind: parent.kind, namespace: this.kafka.namespace };
    const fields = ['group', 'kind', 'namespace', 'name', 'sectionName'];
    const textOf = (reference: Json) => fields.map((field) => reference[field] ?? meant[field as keyof typeof meant]);
    return textOf(present).join('\n') === textOf(parent).join('\n');
  }

  private otherParents(present: unknown, said: unknown): LoadBalancerFinding {
    return {
      ruleId: 'manifest-contradicts-plan',
      who: 'strimzi',
      what: `the manifest says configuration.parentRefs ${shown(present)} in listener '${this.name}', but the props say ${shown(said)}`,
      wayOut: 'take it out of the manifest, or wish for the same',
      value: shown(present),
    };
  }
}

/** Keys in the order in which cdk8s writes them. */
function inOrder(map: Json): Json {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}
