import type { Json } from '../../contract/json';
import type { KafkaPodTemplate } from '../nodes/kafka-pod-template';
import { podTemplateJson } from '../nodes/pod-template-json';
import { resourcesJson } from '../nodes/resources-json';
import type { KafkaComponentOptions } from './kafka-component-options';
import { probeJson } from './probe-json';

/** What every component beside the brokers says; fields of which nothing is said are undefined. */
export function componentJson({ image, resources, livenessProbe, readinessProbe }: KafkaComponentOptions): Json {
  return {
    image,
    resources: resources && resourcesJson(resources),
    livenessProbe: livenessProbe && probeJson(livenessProbe),
    readinessProbe: readinessProbe && probeJson(readinessProbe),
  };
}

/** A `template` of which the pod alone is said. */
export function podOnlyTemplate(pod: KafkaPodTemplate | undefined): Json | undefined {
  return pod && { pod: podTemplateJson(pod) };
}
