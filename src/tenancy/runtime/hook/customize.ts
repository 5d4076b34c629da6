import type { Document } from '../../attachment/attachment';
import { PUBLISHERS } from '../../engines/publishers';
import { GATEWAY_API } from '../../tenancy.facts';
import type { HookConfig } from './hook-config';

/** Objects that the hook wants to be told of. */
export interface RelatedRule {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly names?: readonly string[];
}

const { version } = GATEWAY_API;

/**
 * What has a say in a Service beside its own objects: the Gateways, and in its namespace everything of the kinds that are
 * made. It depends on nothing that can change in a Service: answers are kept for as long as its generation, and a Service
 * has none.
 */
export function customize(service: Document, config: HookConfig): { readonly relatedResources: RelatedRule[] } {
  const { namespace } = service.metadata;
  const { kinds, tellsConflicts } = PUBLISHERS[config.publisher];
  const resources = [...new Set(kinds.map(({ apiVersion, resource }) => `${apiVersion} ${resource}`))];
  const near = [...new Set([...resources, `${version} tlsroutes`])]
    .sort()
    .map((one) => one.split(' '))
    .map(([apiVersion, resource]) =>
      resource === 'listenersets' && !tellsConflicts ? { apiVersion, resource } : { apiVersion, resource, namespace },
    );
  const gateways = [...new Set(config.balancers.map((balancer) => balancer.namespace))].map((home) => ({
    apiVersion: version,
    resource: 'gateways',
    namespace: home,
    names: config.balancers.filter((balancer) => balancer.namespace === home).map(({ name }) => name),
  }));
  return { relatedResources: [...gateways, ...near] };
}
