import type { Document } from '../../engines/contract/attachment';
import { PUBLISHERS } from '../../engines/publishers';
import { GATEWAY_API } from '../../tenancy.facts';
import type { HookConfig } from './hook-config';

/** Objects that the hook needs. */
interface RelatedRule {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly names?: readonly string[];
  readonly labelSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
}

const { version } = GATEWAY_API;

/**
 * What has a say in a Service beside its own objects: the Gateways, and in its namespace everything of the kinds that are
 * made. It depends on nothing that can change in a Service: answers are kept for some time as long as its generation is the
 * same, and a Service has none.
 */
export function customize(service: Document, config: HookConfig): { readonly relatedResources: RelatedRule[] } {
  const { namespace } = service.metadata;
  const { kinds, tellsConflicts } = PUBLISHERS[config.publisher];
  const resources = [...new Set(kinds.map(({ apiVersion, resource }) => `${apiVersion} ${resource}`))];
  const near = [...new Set([...resources, `${version} tlsroutes`])]
    .sort()
    .map((one) => one.split(' '))
    .flatMap(([apiVersion, resource]) => [
      { apiVersion, resource, namespace },
      ...(resource === 'listenersets' && (!tellsConflicts || config.capacity)
        ? ofTenants({ apiVersion, resource }, service, config)
        : []),
    ]);
  const gateways = [...new Set(config.balancers.map((balancer) => balancer.namespace))].map((home) => ({
    apiVersion: version,
    resource: 'gateways',
    namespace: home,
    names: config.balancers.filter((balancer) => balancer.namespace === home).map(({ name }) => name),
  }));
  return { relatedResources: [...gateways, ...near] };
}

/**
 * The objects of all tenants, and not those of third parties, who could fill a request until it is too big. The controller
 * looks up labels of namespaces each time; names are as old as the answer.
 */
function ofTenants(
  { apiVersion, resource }: RelatedRule,
  { metadata }: Document,
  { namespaceLabels, tenants }: HookConfig,
): RelatedRule[] {
  if (namespaceLabels) {
    // without a selector of objects the controller warns each time
    return [{ apiVersion, resource, labelSelector: {}, namespaceSelector: { matchLabels: namespaceLabels } }];
  }
  return Object.keys(tenants)
    .filter((namespace) => namespace !== metadata.namespace)
    .sort()
    .map((namespace) => ({ apiVersion, resource, namespace }));
}
