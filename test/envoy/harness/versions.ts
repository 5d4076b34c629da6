import type { Api } from '../../cluster/harness/api';

/** The kinds that tenants, Envoy Gateway and the controllers of Kubernetes write here. */
const KINDS = [
  ...['Gateway', 'GatewayClass', 'ListenerSet', 'TCPRoute', 'TLSRoute'].map((kind) => [
    'gateway.networking.k8s.io/v1',
    kind,
  ]),
  ...['EnvoyProxy', 'ClientTrafficPolicy', 'SecurityPolicy', 'BackendTrafficPolicy'].map((kind) => [
    'gateway.envoyproxy.io/v1alpha1',
    kind,
  ]),
  ...['Service', 'ConfigMap', 'Secret', 'Pod', 'ServiceAccount'].map((kind) => ['v1', kind]),
  ...['Deployment', 'ReplicaSet'].map((kind) => ['apps/v1', kind]),
  ['discovery.k8s.io/v1', 'EndpointSlice'],
] as const;

/** The version of every object that could be written, by its name. */
export async function resourceVersions(api: Api): Promise<Record<string, string>> {
  const all = await Promise.all(
    KINDS.map(async ([apiVersion, kind]) => {
      const found = await api.listAll({ apiVersion, kind });
      return found.map(({ metadata }) => [`${kind} ${metadata.namespace}/${metadata.name}`, metadata.resourceVersion]);
    }),
  );
  return Object.fromEntries(all.flat());
}
