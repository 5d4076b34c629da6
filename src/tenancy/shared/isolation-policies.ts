import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { SharedEngine } from '../engines/contract/engine';
import { makeLabelPolicy } from '../guard/label-policy';
import { namespaceSelector } from '../guard/namespaces';
import { deleters } from '../guard/reserved-kinds';
import { SharedListenerPolicy } from '../guard/shared-listener-policy';
import type { GuardedKind, SharedGatewayReference } from '../guard/shared-listener-policy.options';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { TenantPorts } from '../guard/tenant-ports';
import { makeTlsRoutePolicies } from '../guard/tls-route-policies';
import type { PortRange } from '../ports/ports.options';
import { GATEWAY_API } from '../tenancy.facts';
import type { SharedLoadBalancerProps } from './shared-load-balancer.options';

/** The policies that keep tenants to their own ports and names; none without a Gateway, or if they are off. */
export function makeIsolationPolicies(
  host: Construct,
  props: SharedLoadBalancerProps,
  engine: SharedEngine,
  namespaceLabels: { [key: string]: string },
  gateways: readonly { readonly name: string; readonly namespace?: string }[],
): SharedListenerPolicy | undefined {
  if (props.isolationPolicies === false) {
    return undefined;
  }
  const name = props.name ?? 'shared';
  const kubernetes = props.kubernetes ?? DEFAULT_KUBERNETES;
  makeLabelPolicy(host, { name, namespaceLabels, kubernetes });
  if (!engine.publishing.throughGateway) {
    return undefined;
  }
  engine.isolation.makePolicies(host, { name, namespaceLabels, kubernetes });
  const exempt = [...(props.platform ?? []), ...TenancyIdentity.knownControllers()];
  if (engine.limits.powers.hostnames) {
    makeTlsRoutePolicies(host, {
      name: `${name}-listeners`,
      namespaceSelector: namespaceSelector(host, namespaceLabels),
      exempt: [...exempt, ...deleters()],
      reserved: props.platform !== undefined,
    });
  }
  return new SharedListenerPolicy(host, 'IsolationPolicies', {
    name: `${name}-listeners`,
    namespaceLabels,
    gateways: gateways.map(({ name, namespace }) => ({ name, namespace: namespace ?? 'default' })),
    ports: TenantPorts.perNamespace(),
    sharedTlsPorts: engine.limits.powers.hostnames ? [props.tlsPort ?? TLS_PORT] : undefined,
    hostnames: engine.limits.powers.hostnames ? {} : undefined,
    protocols: engine.limits.powers.hostnames ? ['TCP', 'TLS'] : ['TCP'],
    httpRoutes: engine.isolation.httpRoutes,
    // kinds of the platform are reserved if it is known who that is
    guardedKinds: props.platform ? [...engine.isolation.dangerous, ...attachmentKinds(engine)] : [],
    exempt,
    kubernetes: props.kubernetes,
  });
}

/**
 * Kinds of attachments: by a ListenerSet of its own a tenant would escape the limits of the one that it was given. TLSRoutes
 * have policies of their own with an engine that routes by SNI, since operators make them.
 */
function attachmentKinds({ limits: { powers } }: SharedEngine): GuardedKind[] {
  const resources = ['listenersets', 'tcproutes', 'udproutes', ...(powers.hostnames ? [] : ['tlsroutes'])];
  return resources.map((resource) => ({ group: GATEWAY_API.group, resource }));
}

/** The default port of tenants that share one by host name. */
export const TLS_PORT = 443;

/** Grants a tenant its own ports and names. */
export function grantOwn(
  policies: SharedListenerPolicy | undefined,
  tenant: string,
  own: { domain?: string; ports?: PortRange[]; gateway?: { name: string; namespace?: string } },
): void {
  const { domain, ports, gateway } = own;
  if (ports && ports.length > 0) {
    policies?.grantPorts(tenant, ports, gateway && [asReference(gateway)]);
  }
  if (domain !== undefined) {
    policies?.grantHostnames(tenant, [`*.${domain}`]);
  }
}

function asReference({ name, namespace }: { name: string; namespace?: string }): SharedGatewayReference {
  return { name, namespace: namespace ?? 'default' };
}
