import type { Construct } from 'constructs';
import type { SharedEngine } from '../engines/shared-engine';
import { SharedListenerPolicy } from '../guard/shared-listener-policy';
import type { SharedGatewayReference } from '../guard/shared-listener-policy.options';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { TenantPorts } from '../guard/tenant-ports';
import type { PortRange } from '../ports/port-range';
import type { SharedLoadBalancerProps } from './shared-load-balancer.options';

/** The policies that keep tenants to what is theirs; none where the balancer is no Gateway, or nobody wants them. */
export function fencesAround(
  host: Construct,
  props: SharedLoadBalancerProps,
  engine: SharedEngine,
  namespaceLabels: { [key: string]: string },
  gateways: readonly { readonly name: string; readonly namespace?: string }[],
): SharedListenerPolicy | undefined {
  if (!engine.gateways || props.fences === false) {
    return undefined;
  }
  return new SharedListenerPolicy(host, 'Fences', {
    name: `${props.name ?? 'shared'}-listeners`,
    namespaceLabels,
    gateways: gateways.map(({ name, namespace }) => ({ name, namespace: namespace ?? 'default' })),
    ports: TenantPorts.perNamespace(),
    sharedTlsPorts: engine.powers.hostnames ? [props.tlsPort ?? TLS_PORT] : undefined,
    hostnames: engine.powers.hostnames ? {} : undefined,
    protocols: engine.powers.hostnames ? ['TCP', 'TLS'] : ['TCP'],
    // kinds that are nobody's but the platform's are judged where it is known who that is
    guardedKinds: props.platform ? [...engine.dangerous] : [],
    exempt: [...(props.platform ?? []), ...TenancyIdentity.knownControllers()],
    kubernetes: props.kubernetes,
  });
}

/** The port of tenants that are told apart by host name, unless somebody says another. */
export const TLS_PORT = 443;

/** Opens the fences for what is a tenant's own. */
export function letThrough(
  fences: SharedListenerPolicy | undefined,
  tenant: string,
  own: { domain?: string; ports?: PortRange[]; gateway?: { name: string; namespace?: string } },
): void {
  const { domain, ports, gateway } = own;
  if (ports && ports.length > 0) {
    fences?.grantPorts(tenant, ports, gateway && asReference(gateway));
  }
  if (domain !== undefined) {
    fences?.grantHostnames(tenant, [`*.${domain}`]);
  }
}

function asReference({ name, namespace }: { name: string; namespace?: string }): SharedGatewayReference {
  return { name, namespace: namespace ?? 'default' };
}
