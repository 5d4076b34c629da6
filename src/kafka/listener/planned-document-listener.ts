import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import type { DocumentListener, KafkaDocument } from '../document/kafka-document';
import { listenerNamed } from '../document/kafka-json';
import { ListenerMerge } from './listener-merge';
import type { PlannedListener } from './listener-plan';

/** A listener as the Kafka resource says it at the moment, with its plan. */
export class PlannedDocumentListener implements DocumentListener {
  public readonly name: string;
  private contradicted: LoadBalancerFinding[] = [];

  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly document: KafkaDocument,
    private readonly planned: PlannedListener,
    private readonly isAdopted: boolean,
    public readonly write: () => Json,
    public readonly balancersPerService = 1,
  ) {
    this.name = planned.name;
  }

  /** The listener as it is now. */
  public now(): Json {
    return this.merged(this.document.raw());
  }

  public merged(raw: Json): Json {
    return this.merge(raw).json;
  }

  public rendered(): Json {
    const raw = this.document.raw();
    const { json, contradictions } = this.merge(raw);
    const isGone = this.isAdopted && listenerNamed(raw, this.name) === undefined;
    this.contradicted = isGone ? [this.gone()] : contradictions;
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
      remedy: 'leave it in the resource, or make this listener after it was taken out',
      value: this.name,
    };
  }

  private merge(raw: Json): ListenerMerge {
    return new ListenerMerge(this.cluster, this.planned, listenerNamed(raw, this.name));
  }
}
