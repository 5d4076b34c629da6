import type { Json } from '../../contract/json';
import type { KafkaPodTemplate } from './kafka-pod-template';

/** The `template.pod` of a node pool or a Kafka resource. */
export function podTemplateJson(template: KafkaPodTemplate): Json {
  const { labels, annotations, imagePullSecrets, terminationGracePeriod, tmpDirSizeLimit, ...alike } = template;
  const metadata = {
    ...(labels && { labels: { ...labels } }),
    ...(annotations && { annotations: { ...annotations } }),
  };
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...said(alike),
    ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(terminationGracePeriod && { terminationGracePeriodSeconds: terminationGracePeriod.toSeconds() }),
    ...(tmpDirSizeLimit && { tmpDirSizeLimit: tmpDirSizeLimit.asString() }),
  };
}

/** What is said: an option may be there and undefined. */
function said(options: Json): Json {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
