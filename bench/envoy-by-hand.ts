import type { Engine } from '../test/envoy/harness/engine';
import type { Envoy } from '../test/envoy/harness/envoy';
import { until } from '../test/real/program';

/**
 * What Envoy Gateway lets a connection buffer where nobody says more, in bytes; Envoy alone lets it have 1 MiB.
 *
 * @see envoyproxy/gateway v1.9.1, internal/xds/translator/listener.go
 */
export const GATEWAY_BUFFER = 32_768;

export interface ByHand {
  readonly name: string;
  readonly backend: { readonly address: string; readonly port: number };
  /** How much a connection buffers, in bytes. @default - as Envoy has it */
  readonly buffer?: number;
}

const TYPES = 'type.googleapis.com/envoy.extensions.filters.network';

/** What somebody writes who wants nothing but the port led to the pod, with readiness as the harness asks for it. */
function byHand({ backend, buffer }: ByHand) {
  const at = (address: string, port_value: number) => ({ socket_address: { address, port_value } });
  const routes = [{ match: { prefix: '/' }, direct_response: { status: 200 } }];
  const manager = {
    '@type': `${TYPES}.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'ready',
    route_config: { virtual_hosts: [{ name: 'ready', domains: ['*'], routes }] },
    http_filters: [
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
      },
    ],
  };
  const proxy = { '@type': `${TYPES}.tcp_proxy.v3.TcpProxy`, stat_prefix: 'db', cluster: 'db' };
  const listener = (port: number, name: string, typed_config: object) => ({
    name,
    address: at('0.0.0.0', port),
    per_connection_buffer_limit_bytes: buffer,
    filter_chains: [{ filters: [{ name, typed_config }] }],
  });
  const endpoints = [{ lb_endpoints: [{ endpoint: { address: at(backend.address, backend.port) } }] }];
  return {
    admin: { address: at('127.0.0.1', 19_000) },
    static_resources: {
      listeners: [
        listener(19_003, 'envoy.filters.network.http_connection_manager', manager),
        listener(backend.port, 'envoy.filters.network.tcp_proxy', proxy),
      ],
      clusters: [
        {
          ...{ name: 'db', type: 'STATIC', connect_timeout: '10s', per_connection_buffer_limit_bytes: buffer },
          load_assignment: { cluster_name: 'db', endpoints },
        },
      ],
    },
  };
}

/** A Deployment of one Envoy that has its configuration in its arguments. */
export async function envoyByHand(engine: Engine, props: ByHand): Promise<Envoy> {
  const labels = { app: props.name };
  const container = {
    ...{ name: 'envoy', image: 'example.com/envoy', command: ['envoy'] },
    args: ['--config-yaml', JSON.stringify(byHand(props)), '--log-level', 'warn', '--cpuset-threads'],
  };
  await engine.api.create({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: props.name, namespace: 'default' } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  });
  return until('the proxy by hand', async () => {
    const found = [...engine.kubelet.envoys.values()].find(({ pod }) => pod.metadata.labels.app === props.name);
    return found && (await found.isReady()) && found;
  });
}
