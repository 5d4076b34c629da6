import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { LoadBalancerFinding } from '../../contract/options';
import { lookAt } from '../../rules/judge-object';
import type { EngineIsolation, SharedEngine } from '../engines/contract/engine';
import type { Attachment } from '../engines/contract/publishing';
import { type Fault, faultOf, reported } from '../fault';
import { changeOf, isolatingObjectsIn, isWritten, namespaceSelector } from '../guard/app-state';
import type { GuardedKind, SharedGatewayReference } from '../guard/options';
import { deleters, makeLabelPolicy, makeTlsRoutePolicies } from '../guard/platform-policies';
import { SharedListenerPolicy, TenantPorts } from '../guard/shared-listener-policy';
import { TenancyIdentity } from '../guard/tenancy-identity';
import type { PortRange } from '../ports/options';
import { GATEWAY_API } from '../tenancy.facts';
import type { AttachedTenant, PublishedObject } from './attached-tenant';
import type { SharedLoadBalancerProps } from './options';
import { SHARED } from './rules';
import type { TenancyFindings, TenancyRegistry } from './tenancy-registry';

export function makeIsolationPolicies(
  host: Construct,
  props: SharedLoadBalancerProps,
  engine: SharedEngine,
  namespaceLabels: { [key: string]: string },
  gateways: readonly Attachment['balancer'][],
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
    gateways: gateways.map(asReference),
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

export const TLS_PORT = 443;

export function grantOwn(
  policies: SharedListenerPolicy | undefined,
  tenant: string,
  { domain, ports, gateway }: { domain?: string; ports?: PortRange[]; gateway?: Attachment['balancer'] },
): void {
  if (ports && ports.length > 0) {
    policies?.grantPorts(tenant, ports, gateway && [asReference(gateway)]);
  }
  if (domain !== undefined) {
    policies?.grantHostnames(tenant, [`*.${domain}`]);
  }
}

function asReference({ name, namespace = 'default' }: Attachment['balancer']): SharedGatewayReference {
  return { name, namespace };
}

export function findingsOfWritten(host: Construct, registry: TenancyRegistry): TenancyFindings {
  const { errors, warnings } = registry.findings();
  return { errors: [...errors, ...faultsOfIsolation(host, registry)], warnings };
}

/**
 * Isolating objects that were removed or patched: policies with their bindings, the balancers, and what tenants have at
 * them. Of the latter there may be thousands, so only patched ones are rendered.
 */
function faultsOfIsolation(host: IConstruct, { settings, tenants }: TenancyRegistry): LoadBalancerFinding[] {
  const { oneTeam, engine } = settings;
  if (oneTeam) {
    return [];
  }
  const isolating = isolatingObjectsIn(host).flatMap(({ object, weaknessOf }) => {
    const title = `${object.kind} ${object.name} (${object.node.path})`;
    const weakness = () => weaknessOf(lookAt(object));
    return changed(object, isPatched(object), title, 'which keeps tenants apart', weakness);
  });
  const published = [...tenants.values()].flatMap((tenant) =>
    tenant.objects.flatMap((object) => {
      const title = `${object.kind} ${tenant.name}/${object.name} (${object.node.path})`;
      const weakness = () => weaknessOf(object, tenant, engine.isolation.weaknessOf);
      return changed(object, object.isPatched, title, `with which tenant ${tenant.name} is published`, weakness);
    }),
  );
  return reported([...isolating, ...published], engine.name);
}

function changed(
  object: ApiObject,
  isPatchedNow: boolean,
  title: string,
  which: string,
  weaknessNow: () => string | undefined,
): Fault[] {
  if (!isWritten(object)) {
    return [faultOf(SHARED['isolation-removed'], { title: `${title}, ${which},` })];
  }
  const weakness = isPatchedNow ? weaknessNow() : undefined;
  return weakness === undefined ? [] : [faultOf(SHARED['isolation-weakened'], { title, weakness })];
}

/** By what cdk8s keeps of patches. Policies name every tenant: unpatched ones are not rendered again. */
function isPatched(object: ApiObject): boolean {
  const { patches } = object as unknown as { readonly patches?: readonly unknown[] };
  return patches?.length !== 0;
}

/** A published object holds what its tenant has; it may hold more if that reaches no other tenant. */
function weaknessOf(
  object: PublishedObject,
  tenant: AttachedTenant,
  weakness: EngineIsolation['weaknessOf'],
): string | undefined {
  const found = lookAt(object);
  const { metadata, ...content } = object.content();
  const made = { ...content, metadata: { name: metadata.name, namespace: tenant.name } };
  return changeOf(made, found, true) ?? weakness(found);
}
