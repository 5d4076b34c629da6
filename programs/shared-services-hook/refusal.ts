import { SOURCE_RANGES_ANNOTATION } from '../../src/contract/kubernetes.facts';
import { AT_MOST } from '../../src/gateway/gateway.facts';
import type { Document, RuntimePublisher } from '../../src/tenancy/engines/contract/publishing';
import type { HookConfig, HookTenant } from '../../src/tenancy/runtime/program-config';
import type { Finding } from './cluster-state';
import { few } from './few';
import { hostNamesOf } from './host-names';

/** What a balancer can do. */
interface RefusalAsk {
  readonly canRestrictClients: boolean;
  readonly isIpv4Alone: boolean;
}

/** Why nothing of a Service is published, whatever else is there; nothing where it may be. */
export function refusalOf(
  service: Document,
  tenant: HookTenant | undefined,
  { canRestrictClients, isIpv4Alone }: RefusalAsk,
  isByName = false,
): Finding | undefined {
  const ports: Document[] = service.spec.ports ?? [];
  const others = [...new Set(ports.map(protocolOf).filter((protocol) => protocol !== 'TCP'))].sort();
  const ranges = sourceRangesOf(service);
  if (!tenant) {
    return refused('NotATenant', 'this namespace has no ports at the shared load balancer: ask the platform to add it');
  }
  if (tenant.suspended) {
    return refused('Suspended', 'the platform has withdrawn what this namespace publishes; its ports stay reserved');
  }
  if (others.length > 0) {
    return refused(
      'ProtocolNotServed',
      `the shared load balancer serves TCP and not ${others.join(', ')}: give these ports a Service of their own`,
    );
  }
  if (ports.length > AT_MOST.listeners) {
    return refused(
      'TooManyPorts',
      `${ports.length} ports are more than the ${AT_MOST.listeners} of one Service: split it`,
    );
  }
  if (isIpv4Alone && ((service.spec.ipFamilies ?? []) as string[]).includes('IPv6')) {
    return refused(
      'IpFamilyNotServed',
      'the shared load balancer has IPv4 alone: set spec.ipFamilyPolicy to SingleStack and spec.ipFamilies to IPv4',
    );
  }
  if (ranges && !canRestrictClients) {
    return refused(
      'SourceRangesNotKept',
      `the shared load balancer cannot keep other clients than ${few(ranges)} away: remove loadBalancerSourceRanges, or use a load balancer of your own`,
    );
  }
  if (ranges && isByName) {
    return refused(
      'SourceRangesNotKept',
      'clients of a port that is shared by host name cannot be told apart: remove loadBalancerSourceRanges, or the host names',
    );
  }
  return undefined;
}

/** Whether a Service gets a port of its own among those of its namespace. */
export function mayBePublished(service: Document, config: HookConfig, publisher: RuntimePublisher): boolean {
  const { name, namespace, deletionTimestamp, labels } = service.metadata;
  const { type, loadBalancerClass } = service.spec;
  const tenant = tenantOf(config, namespace);
  return (
    deletionTimestamp === undefined &&
    type === 'LoadBalancer' &&
    loadBalancerClass === config.loadBalancerClass &&
    Object.entries(config.serviceLabels).every(([key, value]) => labels?.[key] === value) &&
    tenant?.ports !== undefined &&
    !tenant.published?.includes(name) &&
    hostNamesOf(service, config) === undefined &&
    refusalOf(service, tenant, powersOf(config, publisher)) === undefined
  );
}

/** The tenant that a namespace is. */
export function tenantOf({ tenants }: HookConfig, namespace: string): HookTenant | undefined {
  return Object.hasOwn(tenants, namespace) ? tenants[namespace] : undefined;
}

/** What a balancer can do for Services. */
export function powersOf({ sourceRanges }: HookConfig, { isIpv4Alone }: RuntimePublisher): RefusalAsk {
  return { canRestrictClients: sourceRanges, isIpv4Alone: isIpv4Alone === true };
}

/** Why a namespace gets no port for a Service that the platform does not publish itself. */
export function withoutRange({ ports }: HookTenant): Finding | undefined {
  return ports
    ? undefined
    : refused(
        'NoRuntimePorts',
        'this namespace has no ports for Services that are created at run time: ask the platform for some',
      );
}

function refused(reason: string, message: string): Finding {
  return { status: 'False', reason, message };
}

function protocolOf({ protocol = 'TCP' }: Document): string {
  return protocol;
}

const ALL_CLIENTS = ['0.0.0.0/0', '::/0'];

/** The clients that may connect to a Service; nothing where all may. */
export function sourceRangesOf({ metadata, spec }: Document): string[] | undefined {
  const text: string = metadata.annotations?.[SOURCE_RANGES_ANNOTATION] ?? '';
  const written: string[] = spec.loadBalancerSourceRanges?.length ? spec.loadBalancerSourceRanges : text.split(',');
  const ranges = written.map((range) => range.trim()).filter((range) => range !== '');
  return ranges.every((range) => ALL_CLIENTS.includes(range)) ? undefined : [...new Set(ranges)].sort();
}
