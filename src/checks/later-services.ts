import { listenersOf } from '../kafka/document/kafka-json';
import { KAFKA_KIND, LISTENER_TYPES } from '../kafka/operator/operator-services.facts';
import { STRIMZI_GROUP } from '../kafka/strimzi/strimzi.facts';
import { ENVOY_GATEWAY_GROUP } from '../tenancy/engines/envoy-gateway.facts';
import type { Manifest } from './manifests';

/** What to know of Services that are no manifests yet, since an operator makes them later: a sentence for each resource. */
export function laterServices(manifests: readonly Manifest[]): string[] {
  return [...servicesOfOperators(manifests), ...servicesOfProxies(manifests)];
}

function servicesOfProxies(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(
      ({ object }) => object.kind === 'EnvoyProxy' && String(object.apiVersion).startsWith(`${ENVOY_GATEWAY_GROUP}/`),
    )
    .filter(({ object }) => object.spec?.provider?.kubernetes?.envoyService?.type === 'LoadBalancer')
    .map(
      ({ file, object }) =>
        `${file}: EnvoyProxy ${named(object)}: Envoy Gateway makes its load balanced Service later; it is not listed`,
    );
}

function servicesOfOperators(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ object }) => object.kind === KAFKA_KIND && String(object.apiVersion).startsWith(`${STRIMZI_GROUP}/`))
    .flatMap(({ file, object }) => {
      const names = listenersOf(object)
        .filter(({ type }) => type === LISTENER_TYPES.loadBalancer)
        .map(({ name }) => `'${name}'`);
      const what = names.length === 1 ? `listener ${names[0]}` : `listeners ${names.join(', ')}`;
      return names.length === 0
        ? []
        : [
            `${file}: Kafka ${named(object)}: the operator makes the load balanced Services of its ${what} later; they are not listed`,
          ];
    });
}

function named({ metadata }: Manifest['object']): string {
  return [metadata?.namespace, metadata?.name].filter(Boolean).join('/');
}
