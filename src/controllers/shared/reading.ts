import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import { LoadBalancerScheme } from '../../contract/options';
import type { Found } from '../../contract/rule';
import { annotationsOf, portsOf, type SchemeReading } from '../../rules/service-json';

export function schemeBy(service: Json, entries: readonly AnyAnnotation[], isInternal: boolean): SchemeReading {
  const annotations = annotationsOf(service);
  const found = entries.find((entry) => annotations[entry.key()] !== undefined);
  const because = found
    ? `${nameOf(found)} is '${annotations[found.key()]}'`
    : `the default, since ${nameOf(entries[0])} is not written`;
  return {
    isSet: found !== undefined,
    scheme: isInternal ? LoadBalancerScheme.INTERNAL : LoadBalancerScheme.INTERNET_FACING,
    because,
  };
}

export function writtenAmong(
  annotations: Readonly<Record<string, string>>,
  entries: readonly AnyAnnotation[],
): { key: string; value: string }[] {
  return entries
    .map((entry) => ({ key: entry.key(), value: annotations[entry.key()] }))
    .filter(({ value }) => value !== undefined);
}

function nameOf(entry: AnyAnnotation): string {
  const key = entry.key();
  return key.slice(key.lastIndexOf('/') + 1);
}

export const CLIENT_IN_HEADER = 'written before the first byte by the PROXY protocol, which every pod must understand';

export function clientsOfProxy(header: boolean): string {
  return header ? CLIENT_IN_HEADER : 'replaced by the balancer, which makes connections of its own';
}

export function oddProtocol(_: unknown, service: Json): Found | undefined {
  const odd = portsOf(service).find((port) => !['TCP', 'UDP'].includes(port.protocol ?? 'TCP'));
  return odd && { port: odd.port, value: String(odd.protocol) };
}
