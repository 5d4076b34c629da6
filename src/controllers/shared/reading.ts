import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import type { SchemeReading } from '../../rules/controller-definition';
import { annotationsOf, isLocal, portsOf } from '../../rules/service-json';

/** The scheme that one of some annotations decides; without any of them it is the default of the controller. */
export function schemeBy(service: Json, entries: readonly AnyAnnotation[], isInternal: boolean): SchemeReading {
  const annotations = annotationsOf(service);
  const found = entries.find((entry) => annotations[entry.key()] !== undefined);
  const because = found
    ? `${nameOf(found)} is '${annotations[found.key()]}'`
    : `the default, since ${nameOf(entries[0])} is not written`;
  return {
    isSaid: found !== undefined,
    scheme: isInternal ? LoadBalancerScheme.INTERNAL : LoadBalancerScheme.INTERNET_FACING,
    because,
  };
}

/** The key without its prefix. */
function nameOf(entry: AnyAnnotation): string {
  const key = entry.key();
  return key.slice(key.lastIndexOf('/') + 1);
}

// What targets of a Network Load Balancer see of clients. AWS Elastic Load Balancing User Guide, 2026-11-21,
// network/edit-target-group-attributes.html

const HEADER = 'written before the first byte by the PROXY protocol, which every pod must understand';

/** How a Network Load Balancer is told to show clients to its targets. */
export interface NlbClients {
  /** Whether pods are the targets. */
  readonly toPods: boolean;
  /** Whether it sends the header of the PROXY protocol. */
  readonly header?: boolean;
  /** What is said of a port, where something is. */
  preserves(port: Json): boolean | undefined;
}

/** What pods see of the clients of a Network Load Balancer. */
export function clientsOfNlb(service: Json, { toPods, header, preserves }: NlbClients): string {
  if (header) {
    return HEADER;
  }
  const ports = portsOf(service);
  const kept = ports.filter((port) => port.protocol === 'UDP' || (preserves(port) ?? !toPods));
  if (kept.length === 0) {
    return 'replaced by that of the balancer';
  }
  const isLost = !toPods && !isLocal(service);
  const fate = isLost ? 'kept by the balancer, and replaced by that of a node with policy Cluster' : 'kept';
  return kept.length === ports.length
    ? fate
    : `${fate} for port ${kept.map(({ port }) => port).join(', ')}; replaced by that of the balancer for others`;
}

/** What pods see of the clients of a balancer that ends connections and makes new ones. */
export function clientsOfProxy(header: boolean): string {
  return header ? HEADER : 'replaced by that of the balancer, which makes connections of its own';
}
