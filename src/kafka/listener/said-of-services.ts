import { defined, type Json } from '../../contract/json';
import type { KafkaLoadBalancedListenerBroker } from './kafka-listener-broker';
import type { Texts } from './listener-values';

// What somebody says of single Services of a listener, beside the plan for all of them.

/** Annotations and labels. */
export interface SaidMetadata {
  readonly annotations: Texts;
  readonly labels: Texts;
}

/** What somebody says of one broker. */
export interface SaidOfBroker extends SaidMetadata {
  readonly id: number;
  /** Its entry, without metadata. */
  readonly fields: Json;
}

/** What somebody says of single Services. */
export interface SaidOfServices {
  readonly bootstrap: SaidMetadata;
  /** Of every broker, with placeholders. */
  readonly everyBroker: SaidMetadata;
  readonly brokers: readonly SaidOfBroker[];
}

/** What nobody says. */
export const NOTHING_SAID: SaidOfServices = {
  bootstrap: { annotations: {}, labels: {} },
  everyBroker: { annotations: {}, labels: {} },
  brokers: [],
};

/** The words of the props. */
export interface ServiceProps {
  readonly bootstrapAnnotations?: Texts;
  readonly bootstrapLabels?: Texts;
  readonly perBrokerAnnotationsTemplate?: Texts;
  readonly perBrokerLabelsTemplate?: Texts;
  readonly brokers?: readonly KafkaLoadBalancedListenerBroker[];
}

/** What props say of single Services. */
export function saidOfServices(props: ServiceProps): SaidOfServices {
  return {
    bootstrap: metadataOf(props.bootstrapAnnotations, props.bootstrapLabels),
    everyBroker: metadataOf(props.perBrokerAnnotationsTemplate, props.perBrokerLabelsTemplate),
    brokers: (props.brokers ?? []).map(({ brokerId, annotations, labels, loadBalancerIp, ...fields }) => ({
      id: brokerId,
      // other languages hand over every unset member as undefined
      fields: defined({ ...fields, loadBalancerIP: loadBalancerIp }),
      ...metadataOf(annotations, labels),
    })),
  };
}

function metadataOf(annotations: Texts = {}, labels: Texts = {}): SaidMetadata {
  return { annotations, labels };
}

/** The annotations or labels of single brokers, by their ids. */
export function ownOf({ brokers }: SaidOfServices, field: keyof SaidMetadata): Map<number, Texts> {
  const own = brokers.filter((broker) => Object.keys(broker[field]).length > 0);
  return new Map(own.map((broker) => [broker.id, broker[field]]));
}
