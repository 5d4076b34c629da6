import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type DescribedRule, findingOf } from '../../contract/rule';
import { KeptInPass } from '../../rules/kept-in-pass';
import type { DocumentListener, KafkaDocument } from '../document/kafka-document';
import { listenerNamed } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { type MergedListener, mergedListener, type WantedListener } from './listener-merge';

/** A listener that was adopted. */
export const LISTENER_GONE: DescribedRule = {
  id: 'listener-gone',
  severity: 'error',
  says: 'a listener that was adopted stays in its resource',
  source: 'ours',
};

/** A listener as the Kafka resource has it now, with what props and plan set. */
export class PlannedDocumentListener implements DocumentListener {
  public readonly name: string;
  private contradicted: readonly LoadBalancerFinding[] = [];
  /** By what they were merged from. */
  private readonly merges: KeptInPass<WeakMap<Json, MergedListener>>;

  /**
   * @param finish adds what follows from the merged listener
   */
  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly document: KafkaDocument,
    private wanted: WantedListener,
    private readonly isAdopted: boolean,
    public readonly write: () => Json,
    public readonly balancersPerService = 1,
    private readonly finish = (listener: MergedListener) => listener,
  ) {
    this.name = wanted.name;
    this.merges = new KeptInPass(cluster.kafka, () => new WeakMap());
  }

  /** Adds an annotation to each Service. */
  public annotate(key: string, value: string): void {
    const { everyBroker } = this.wanted;
    const annotations = { ...everyBroker.annotations, [key]: value };
    this.wanted = { ...this.wanted, everyBroker: { ...everyBroker, annotations } };
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
    return [...this.contradicted];
  }

  private gone(): LoadBalancerFinding {
    const { kafka, clusterName } = this.cluster;
    const what = `${kafka.kind} ${clusterName} no longer has the listener '${this.name}' that was adopted, so a new one would lack its authentication and configuration`;
    const remedy = 'leave it in the resource, or make this listener after it was taken out';
    return findingOf(LISTENER_GONE, { what, remedy, value: this.name }, this.wanted.owner);
  }

  private merge(raw: Json): MergedListener {
    const merges = this.merges.now;
    const merged =
      merges.get(raw) ?? this.finish(mergedListener(this.cluster, this.wanted, listenerNamed(raw, this.name)));
    merges.set(raw, merged);
    return merged;
  }
}
