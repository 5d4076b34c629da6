import type { Json } from '../../contract/json';
import { HealthCheckProtocol } from '../../contract/options';
import { isLocal, portsOf } from '../../rules/service-json';
import { CLIENT_IN_HEADER } from '../shared/reading';

/** Whether a health check asks for a page. */
export const isHttp = (protocol: HealthCheckProtocol | undefined) =>
  protocol === HealthCheckProtocol.HTTP || protocol === HealthCheckProtocol.HTTPS;

// What targets of a Network Load Balancer see of clients. AWS Elastic Load Balancing User Guide, 2026-11-21,
// network/edit-target-group-attributes.html

/** How a Network Load Balancer is set to show clients to its targets. */
export interface NlbClients {
  /** Whether pods are the targets. */
  readonly toPods: boolean;
  /** Whether it sends the header of the PROXY protocol. */
  readonly header?: boolean;
  /** What is set for a port; undefined where nothing is. */
  preserves(port: Json): boolean | undefined;
}

/** Whether targets see the client of a port: that of UDP always, and that of TCP by default where they are nodes. */
export function keepsClient(port: Json, { toPods, preserves }: NlbClients): boolean {
  return port.protocol === 'UDP' || (preserves(port) ?? !toPods);
}

/** What pods see of the clients of a Network Load Balancer. */
export function clientsOfNlb(service: Json, clients: NlbClients): string {
  const { toPods, header } = clients;
  if (header) {
    return CLIENT_IN_HEADER;
  }
  const ports = portsOf(service);
  const kept = ports.filter((port) => keepsClient(port, clients));
  if (kept.length === 0) {
    return 'replaced by the balancer';
  }
  const isLost = !toPods && !isLocal(service);
  const fate = isLost ? 'kept by the balancer, and replaced by a node with policy Cluster' : 'kept';
  return kept.length === ports.length
    ? fate
    : `${fate} for port ${kept.map(({ port }) => port).join(', ')}; replaced by the balancer for others`;
}
