import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Json, list } from '../../contract/json';
import { type BalancerHealthCheck, type BalancerLimit, ClientAddressMeans } from '../../contract/load-balancer-model';
import { LoadBalancerScheme } from '../../contract/options';
import type { Found } from '../../contract/rule';
import { annotationsOf, isLocal, portAt, portsOf, type SchemeReading } from '../../rules/service-json';
import { KUBE_PROXY_HEALTH } from './model.facts';

// Models of finished Services that several controllers share.

export const ON_TRAFFIC_PORT = 'traffic port';

const ON_HEALTH_CHECK_NODE_PORT = 'health check node port';

/** The port of a Service by which kube-proxy tells whether its node has a pod, once it is given out. */
export function healthCheckNodePortOf(service: Json): string {
  return textOf(service.spec?.healthCheckNodePort) ?? ON_HEALTH_CHECK_NODE_PORT;
}

export function nodePortOf(port: Json | undefined): string {
  return textOf(port?.nodePort) ?? ON_TRAFFIC_PORT;
}

function textOf(port: unknown): string | undefined {
  return typeof port === 'number' ? String(port) : undefined;
}

export function answererOnNode(service: Json, port: string): BalancerHealthCheck['answeredBy'] {
  if (port === ON_TRAFFIC_PORT || portsOf(service).some((each) => textOf(each.nodePort) === port)) {
    return 'pod';
  }
  if (port === healthCheckNodePortOf(service) && isLocal(service)) {
    return 'kube-proxy-of-service';
  }
  return port === String(KUBE_PROXY_HEALTH.port) ? 'kube-proxy' : 'other';
}

const LEAST_LAST = [ClientAddressMeans.SOURCE, ClientAddressMeans.PROXY_PROTOCOL, ClientAddressMeans.NONE];

export function clientAddressByPorts(
  service: Json,
  meansOf: (port: Json) => ClientAddressMeans,
): {
  readonly clientAddress: ClientAddressMeans;
  readonly clientAddressOfPorts?: Readonly<Record<string, ClientAddressMeans>>;
} {
  const ports = portsOf(service).length > 0 ? portsOf(service) : [{}];
  const means = ports.map(meansOf);
  const clientAddress = LEAST_LAST[Math.max(...means.map((each) => LEAST_LAST.indexOf(each)))];
  return means.every((each) => each === clientAddress)
    ? { clientAddress }
    : { clientAddress, clientAddressOfPorts: Object.fromEntries(ports.map(({ port }, i) => [String(port), means[i]])) };
}

export function familiesOf(service: Json): readonly string[] {
  const families = list<unknown>(service.spec?.ipFamilies).map(String);
  return families.length > 0 ? families : ['IPv4'];
}

export function oneAddress(service: Json, isPublic: boolean): { readonly count: number; readonly perZone: false } {
  return { count: isPublic && familiesOf(service).includes('IPv4') ? 1 : 0, perZone: false };
}

export function labelsUnlessNone(
  labels: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  return labels && Object.keys(labels).length > 0 ? labels : undefined;
}

export function annotated(service: Json, key: string, value: string): Json {
  return { ...service, metadata: { ...service.metadata, annotations: { ...annotationsOf(service), [key]: value } } };
}

export interface LimitRow extends BalancerLimit {
  readonly listeners?: 'used' | 'each';
}

export function limitsBy(rows: readonly LimitRow[], count: number): BalancerLimit[] {
  return rows.map(({ listeners, ...limit }) => ({
    ...limit,
    ...(listeners === 'used' && { used: count }),
    ...(listeners === 'each' && { each: Math.max(count, 1) }),
  }));
}

export function schemeBy(service: Json, entries: readonly AnyAnnotation[], isInternal: boolean): SchemeReading {
  const annotations = annotationsOf(service);
  const found = entries.find((entry) => annotations[entry.key()] !== undefined);
  const because = found
    ? `${nameOf(found)} is '${annotations[found.key()]}'`
    : `the default, since ${nameOf(entries[0])} is not written`;
  if (found?.fact.badValue === 'refused' && 'fault' in found.decode(String(annotations[found.key()]))) {
    return { isSet: true, because: `${because}, which is refused` };
  }
  return {
    isSet: found !== undefined,
    scheme: isInternal ? LoadBalancerScheme.INTERNAL : LoadBalancerScheme.INTERNET_FACING,
    because,
  };
}

export function annotationsAmong(
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

export function unsupportedProtocol(_: unknown, service: Json): Found | undefined {
  const odd = portsOf(service).find((port) => !['TCP', 'UDP'].includes(port.protocol ?? 'TCP'));
  return (
    odd && {
      port: odd.port,
      value: String(odd.protocol),
      at: portAt(service, 'protocol', (port) => port === odd),
    }
  );
}
