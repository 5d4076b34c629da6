import { defined, type Json } from '../../contract/json';
import type { KafkaContainerTemplate } from './kafka-container-template';

/** `template.kafkaContainer` of a Kafka resource. */
export function containerTemplateJson({ env, envFrom, ...alike }: KafkaContainerTemplate): Json {
  const named = Object.entries(env ?? {}).map(([name, value]) => ({ name, value }));
  const all = [...named, ...(envFrom ?? [])];
  return defined({ env: all.length > 0 ? all : undefined, ...alike });
}
