import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { SharedEngine } from '../engines/contract/engine';
import { SharedListenerPolicy } from '../guard/shared-listener-policy';
import type { GuardedKind, SharedGatewayReference } from '../guard/shared-listener-policy.options';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { TenantPorts } from '../guard/tenant-ports';
import type { PortRange } from '../ports/ports.options';
import { GATEWAY_API } from '../tenancy.facts';
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
  const name = props.name ?? 'shared';
  engine.makeFences?.(host, { name, namespaceLabels, kubernetes: props.kubernetes ?? DEFAULT_KUBERNETES });
  return new SharedListenerPolicy(host, 'Fences', {
    name: `${name}-listeners`,
    namespaceLabels,
    gateways: gateways.map(({ name, namespace }) => ({ name, namespace: namespace ?? 'default' })),
    ports: TenantPorts.perNamespace(),
    sharedTlsPorts: engine.powers.hostnames ? [props.tlsPort ?? TLS_PORT] : undefined,
    hostnames: engine.powers.hostnames ? {} : undefined,
    protocols: engine.powers.hostnames ? ['TCP', 'TLS'] : ['TCP'],
    // kinds that are nobody's but the platform's are judged where it is known who that is
    guardedKinds: props.platform ? [...engine.dangerous, ...attachmentKinds(engine)] : [],
    exempt: [...(props.platform ?? []), ...TenancyIdentity.knownControllers()],
    kubernetes: props.kubernetes,
  });
}

/**
 * What is attached: by a ListenerSet of its own a tenant would leave the limits of the one that it was given. Routes of TLS
 * stay open where names of servers are routed: operators make them, and they reach listeners of their namespace alone.
 */
function attachmentKinds({ powers }: SharedEngine): GuardedKind[] {
  const resources = ['listenersets', 'tcproutes', 'udproutes', ...(powers.hostnames ? [] : ['tlsroutes'])];
  return resources.map((resource) => ({ group: GATEWAY_API.group, resource }));
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
