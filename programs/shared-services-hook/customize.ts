import type { Document } from '../../src/tenancy/engines/contract/publishing';
import { PUBLISHERS } from '../../src/tenancy/engines/publishers';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';
import { GATEWAY_API } from '../../src/tenancy/tenancy.facts';
import { hasTable } from './seats';
import { namespaceOf } from './suspension';

/** Objects that the hook needs. */
export interface RelatedRule {
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
 * What has a say in a Service beside its own objects: the Gateways, its namespace, and there everything of the kinds that are
 * made. It depends on nothing that can change in a Service: answers are kept for some time as long as its generation is the
 * same, and a Service has none.
 */
export function customize(service: Document, config: HookConfig): { readonly relatedResources: RelatedRule[] } {
  const { namespace } = service.metadata;
  const { kinds, tellsConflicts, balancer, holder } = PUBLISHERS[config.publisher];
  const holders = kinds.find(({ kind }) => kind === holder.kind)?.resource;
  const resources = [...new Set(kinds.map(({ apiVersion, resource }) => `${apiVersion} ${resource}`))];
  const near = [...new Set([...resources, ...(balancer.kind === 'Gateway' ? [`${version} tlsroutes`] : [])])]
    .sort()
    .map((one) => one.split(' '))
    .flatMap(([apiVersion, resource]) => [
      { apiVersion, resource, namespace },
      ...(resource === holders && (!tellsConflicts || config.capacity)
        ? ofTenants({ apiVersion, resource }, config, namespace)
        : []),
    ]);
  const balancers = [...new Set(config.balancers.map((one) => one.namespace))].map((home) => ({
    apiVersion: balancer.apiVersion,
    resource: balancer.resource,
    namespace: home,
    names: config.balancers.filter((one) => one.namespace === home).map(({ name }) => name),
  }));
  const { seats } = config;
  const table = seats
    ? [{ apiVersion: 'v1', resource: 'services', namespace: seats.namespace, names: [seats.name] }]
    : [];
  return { relatedResources: [...balancers, ...table, namespaceOf(service), ...near] };
}

/** What decides which ports are set aside: all Services of tenants, and all that holds ports; nothing for any other Service. */
export function customizeSeats(service: Document, config: HookConfig): { readonly relatedResources: RelatedRule[] } {
  if (!hasTable(service, config)) {
    return { relatedResources: [] };
  }
  const { kinds, balancer, holder } = PUBLISHERS[config.publisher];
  const [{ name, namespace }] = config.balancers;
  const holders = kinds.filter(({ kind }) => kind === holder.kind);
  const services = ofTenants(
    { apiVersion: 'v1', resource: 'services', labelSelector: { matchLabels: config.serviceLabels } },
    config,
  );
  return {
    relatedResources: [
      { apiVersion: balancer.apiVersion, resource: balancer.resource, namespace, names: [name] },
      ...services,
      ...holders.flatMap(({ apiVersion, resource }) => ofTenants({ apiVersion, resource }, config)),
    ],
  };
}

/**
 * The objects of all tenants, and not those of third parties, who could fill a request until it is too big. The controller
 * looks up labels of namespaces each time; names are as old as the answer.
 */
function ofTenants(
  { apiVersion, resource, labelSelector }: RelatedRule,
  { namespaceLabels, tenants }: HookConfig,
  but?: string,
): RelatedRule[] {
  if (namespaceLabels) {
    // without a selector of objects the controller warns each time
    const namespaceSelector = { matchLabels: namespaceLabels };
    return [{ apiVersion, resource, labelSelector: labelSelector ?? {}, namespaceSelector }];
  }
  return Object.keys(tenants)
    .filter((namespace) => namespace !== but)
    .sort()
    .map((namespace) => ({ apiVersion, resource, namespace, ...(labelSelector ? { labelSelector } : {}) }));
}
