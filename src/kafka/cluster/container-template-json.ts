import type { Json } from '../../contract/late-rendering';
import type { KafkaContainerTemplate } from './kafka-container-template';
import { said } from './said-json';

/** `template.kafkaContainer` of a Kafka resource. */
export function containerTemplateJson({ env, envFrom, ...alike }: KafkaContainerTemplate): Json {
  const named = Object.entries(env ?? {}).map(([name, value]) => ({ name, value }));
  const all = [...named, ...(envFrom ?? [])];
  return said({ env: all.length > 0 ? all : undefined, ...alike });
}
