import { listenersOf } from '../kafka/document/kafka-json';
import { KAFKA_KIND, LISTENER_TYPES } from '../kafka/operator/operator-services.facts';
import { STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import type { Manifest } from './manifests';

/** What to know of Services that are no manifests yet, since an operator makes them later: a sentence for each resource. */
export function laterServices(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ object }) => object.kind === KAFKA_KIND && String(object.apiVersion).startsWith(`${STRIMZI_GROUP}/`))
    .flatMap(({ file, object }) => {
      const names = listenersOf(object)
        .filter(({ type }) => type === LISTENER_TYPES.loadBalancer)
        .map(({ name }) => `'${name}'`);
      const { name, namespace } = object.metadata ?? {};
      const what = names.length === 1 ? `listener ${names[0]}` : `listeners ${names.join(', ')}`;
      return names.length === 0
        ? []
        : [
            `${file}: Kafka ${[namespace, name].filter(Boolean).join('/')}: the operator makes the load balanced Services of its ${what} later; they are not listed`,
          ];
    });
}
