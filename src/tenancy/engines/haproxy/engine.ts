import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../../contract/default-kubernetes';
import { ownValue } from '../../../contract/json';
import type { KubernetesVersion } from '../../../contract/kubernetes-version';
import { LoadBalancerRequest } from '../../../contract/load-balancer-request';
import { ClientAddress, IpFamily } from '../../../contract/options';
import { perApp } from '../../../contract/synth-run';
import { IGNORE_ANNOTATION } from '../../../rules/ignored-findings';
import { CheckResult } from '../../../rules/rule-set';
import { validateObject } from '../../../rules/synth-object';
import { LoadBalancedService } from '../../../services/load-balanced-service';
import { type Fault, faultOf, faultsIn, refusal, refuse, refuseFirst } from '../../fault';
import { HAPROXY_DANGEROUS_KINDS, KINDS_OF_FRONTS } from '../../guard/guard.facts';
import type { GuardedKind } from '../../guard/options';
import { reserveKinds } from '../../guard/platform-policies';
import { celText, celTexts, denyPolicy, requirePolicySupport } from '../../guard/policy';
import { paramPolicy, policyOf } from '../../guard/policy-template';
import { namespaceSelector, portRangeFault, tenantsAmong } from '../../guard/rules';
import { TenancyIdentity } from '../../guard/tenancy-identity';
import type { PortRange } from '../../ports/options';
import {
  type BalancerOptions,
  type EngineChecks,
  type EngineIsolation,
  type EnginePublishing,
  type EngineWatching,
  ISOLATED,
  NO_CHECKS,
  NO_RESERVED_PORTS,
  type ProtectBalancer,
  type SharedEngine,
  type TenantRange,
} from '../contract/engine';
import { type Attachment, sortedUnique } from '../contract/publishing';
import { frontBalancer, proxyFindings, wishFaults } from '../proxies/front';
import { oneProxy } from '../proxies/pods';
import { type HaproxySettings, haproxyDocuments, haproxyTable, suspendedTenantsIn } from './documents';
import * as facts from './facts';
import { CHART_NAME_LABEL } from './facts';
import { HaproxyIngress } from './ingress';
import type { HaproxyEngineOptions } from './options';
import { INGRESS_CLASS, PUBLISHED_SERVICES, SERVICE_ANNOTATIONS } from './policies.facts';
import { HAPROXY } from './rules';

function portsOf(range: PortRange | undefined): number[] {
  return range ? Array.from({ length: Math.max(0, range.last - range.first + 1) }, (_, i) => range.first + i) : [];
}

function refuseOpenPorts({ runtimePorts: open }: HaproxyEngineOptions): void {
  const fault = open && (portRangeFault('runtimePorts', open) ?? ownPortsIn(open));
  if (fault) {
    throw refusal('SharedLoadBalancerEngine.haproxy', fault);
  }
}

function ownPortsIn({ first, last }: PortRange): Fault | undefined {
  const own = Object.entries(facts.HAPROXY_OWN_PORTS).filter(([port]) => Number(port) >= first && Number(port) <= last);
  const use = own.map(([port, what]) => `${port} (${what})`).join(', ');
  return own.length === 0 ? undefined : faultOf(HAPROXY['haproxy-runtime-ports-closed'], { first, last, use });
}

function runTimeFaults(
  { runtimePorts: open }: HaproxyEngineOptions,
  most: number,
  attachments: readonly Attachment[],
  ranges: readonly TenantRange[],
): Fault[] {
  const shut = ranges.filter(({ first, last }) => !open || first < open.first || last > open.last);
  const own = attachments.flatMap(({ services }) => services.flatMap(({ ports }) => ports.map(({ port }) => port)));
  const all = sortedUnique([...own, ...portsOf(open)]).length;
  return faultsIn(HAPROXY, {
    runtimePortsToOfTenant: shut.map(({ tenant, first, last }) => ({
      first,
      last,
      tenant,
      open: open ? `which has ${open.first} to ${open.last} for run time` : 'which has none for run time',
      first2: Math.min(first, open?.first ?? first),
      last2: Math.max(last, open?.last ?? last),
      value: `${first}-${last}`,
    })),
    runtimePortsToOfIts: open && all > most && { first: open.first, last: open.last, all, most, value: all },
  });
}

export class HaproxyEngine implements SharedEngine {
  public readonly name = 'the HAProxy Kubernetes Ingress Controller';
  public readonly limits;
  public readonly ports;
  public readonly publishing: EnginePublishing;
  public readonly isolation: EngineIsolation;
  public readonly checks: EngineChecks;
  public readonly watching: EngineWatching;
  private readonly installation: HaproxyIngress;
  private readonly settings: HaproxySettings;

  public constructor(private readonly options: HaproxyEngineOptions) {
    refuseOpenPorts(options);
    const { installation = new HaproxyIngress(), proxyProtocol, clientAddress, ipFamilies, maxPorts } = options;
    const seesClients = proxyProtocol === true || clientAddress === ClientAddress.PRESERVE;
    this.installation = installation;
    this.settings = {
      ingressClass: installation.ingressClass,
      proxyProtocol,
      families: ipFamilies && {
        ipv4: ipFamilies.includes(IpFamily.IPV4),
        ipv6: ipFamilies.includes(IpFamily.IPV6),
      },
    };
    this.limits = {
      powers: { hostnames: false, sourceRanges: seesClients, connections: true, bandwidth: true },
      instead: facts.INSTEAD,
      replicas: installation.replicas,
      perPort: false,
    };
    this.ports = {
      ...NO_RESERVED_PORTS,
      perBalancer: maxPorts ?? facts.USUAL_PORTS,
      balancers: 1,
      reserved: Object.keys(facts.HAPROXY_OWN_PORTS).map(Number),
    };
    this.publishing = {
      throughGateway: false,
      publish: (attachment: Attachment) => haproxyDocuments(attachment, this.settings),
      atRunTime: { publisher: 'haproxy', settings: { ...this.settings } },
    };
    this.isolation = {
      ...ISOLATED,
      isByItself: false,
      dangerous: [...HAPROXY_DANGEROUS_KINDS, ...(ownValue(KINDS_OF_FRONTS, options.controller.name) ?? [])],
      readsFromServices: readByHaproxy,
    };
    this.watching = {
      proxies: {
        reader: 'haproxy',
        podsOf: ({ namespace }) => ({
          namespace,
          labels: { ...CHART_NAME_LABEL, [facts.CHART_RELEASE_LABEL]: installation.release },
        }),
      },
      list: { name: suspendedTenantsIn(installation), key: facts.SUSPENDED_TENANTS.key },
    };
    this.checks = {
      ...NO_CHECKS,
      faults: wishFaults(options),
      warnings: oneProxy(installation.replicas, installation._proxies),
      faultsAt: (attachments, ranges) => runTimeFaults(options, this.ports.perBalancer, attachments, ranges),
    };
  }

  public makeBalancer(scope: Construct, ask: BalancerOptions): ProtectBalancer {
    const { name, namespace, ports, ownPort, namespaceLabels } = ask;
    serveOne(scope, this.installation, namespace);
    // a Service must have a port, be nothing published yet
    const { controller, installation: _, maxPorts: __, runtimePorts, rollout: ___, ...wishes } = this.options;
    const open = sortedUnique([...ports, ...portsOf(runtimePorts)]);
    const published = open.length > 0 ? open : [ownPort];
    const wished = new LoadBalancerRequest({
      ...wishes,
      dnsName: ask.hostname ?? wishes.dnsName,
      ports: published.map((port) => ({ port, name: `tcp-${port}` })),
    });
    const proxies = this.installation._proxies;
    const drain = this.installation._drain;
    const front = frontBalancer(controller, scope, wished, proxies.nodePool, () => drain);
    const service = new LoadBalancedService(scope, 'Service', {
      ...wishes,
      backendNodes: front.request.backendNodes,
      dnsName: wished.dnsName,
      controller: front.controller,
      name,
      namespace,
      ports: wished.ports,
      selector: { ...CHART_NAME_LABEL, [facts.CHART_RELEASE_LABEL]: this.installation.release },
    });
    const { errors, warnings } = proxyFindings(proxies, drain, front, this.name, this.settings.proxyProtocol === true);
    for (const { apiVersion, kind, metadata, spec } of haproxyTable({ name, namespace }, this.settings)) {
      const object = new ApiObject(scope, `Tenants${kind}`, { apiVersion, kind, metadata, spec });
      if (apiVersion === facts.HAPROXY_VERSION) {
        validateObject(scope, object, { check: () => CheckResult.of(errors, warnings) });
      } else {
        object.metadata.addAnnotation(IGNORE_ANNOTATION, facts.TABLE_WITHOUT_PODS);
      }
    }
    makePolicies(scope, {
      name,
      namespaceLabels,
      ingressClass: this.installation.ingressClass,
      dangerous: this.isolation.dangerous,
      kubernetes: this.options.kubernetes ?? DEFAULT_KUBERNETES,
      platform: ask.platform,
      publishers: runtimePorts ? TenancyIdentity.knownControllers() : [],
    });
    return () => service.protect();
  }
}

const servedIn = perApp(() => new Map<string, Construct>());

/**
 * An installation serves one shared load balancer. It binds whatever is published under its class, so that two lock files
 * would give one port of its pods to two tenants, and each balancer would lead to both.
 *
 * @param host the shared load balancer, or a further balancer of it
 */
function serveOne(host: Construct, { release, ingressClass }: HaproxyIngress, namespace = 'default'): void {
  const served = servedIn(host);
  for (const one of [`ingress class ${ingressClass}`, `release ${namespace}/${release}`]) {
    const first = served.get(one);
    if (first && !host.node.scopes.includes(first)) {
      refuse(host, faultOf(HAPROXY['haproxy-installation-duplicate'], { one, path: first.node.path }));
    }
    served.set(one, first ?? host);
  }
}

/** The prefixes that are HAProxy's alone; behind the others only names that it knows are its own. */
const OWN_PREFIXES = facts.HAPROXY_ANNOTATION_PREFIXES.filter((prefix) => prefix !== facts.HAPROXY_COMMON_PREFIX);

export function readByHaproxy(key: string): boolean {
  const bare = key.startsWith(facts.HAPROXY_COMMON_PREFIX) ? key.slice(facts.HAPROXY_COMMON_PREFIX.length) : key;
  return (
    OWN_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
    (!bare.includes('/') &&
      facts.HAPROXY_SERVICE_ANNOTATIONS.some((name) => bare === name || bare.startsWith(`${name}-`)))
  );
}

interface HaproxyPolicyScope {
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly ingressClass: string;
  readonly kubernetes: KubernetesVersion;
  /** The identities that alone may write HAProxy's kinds; without any, these are not checked. */
  readonly platform?: readonly TenancyIdentity[];
  readonly publishers: readonly TenancyIdentity[];
  readonly dangerous: readonly GuardedKind[];
}

/**
 * Tenants write no annotations that HAProxy's controller reads from their Services, no Ingress of its class, and none of its
 * kinds.
 */
export function makePolicies(scope: Construct, scopes: HaproxyPolicyScope): void {
  const { name, kubernetes, platform, publishers, dangerous, ingressClass } = scopes;
  requirePolicySupport(scope, kubernetes, undefined);
  refuseFirst(scope, [tenantsAmong(platform ?? [])]);
  const selector = namespaceSelector(scope, scopes.namespaceLabels);
  const policy = { namespaceSelector: selector, exempt: [] };
  const annotations = policyOf(SERVICE_ANNOTATIONS, { names: celTexts(facts.HAPROXY_SERVICE_ANNOTATIONS) });
  denyPolicy(scope, 'ServiceAnnotations', { ...policy, ...annotations, name: `${name}-service-annotations` });
  const params = { class: celText(ingressClass), className: ingressClass };
  denyPolicy(scope, 'IngressClass', { ...policy, ...policyOf(INGRESS_CLASS, params), name: `${name}-ingress-class` });
  paramPolicy(scope, 'Published', { ...policy, name: `${name}-published-services` }, PUBLISHED_SERVICES, params);
  if (platform && platform.length > 0) {
    reserveKinds(scope, {
      name: `${name}-kinds`,
      namespaceSelector: selector,
      kinds: dangerous,
      exempt: [...platform, ...publishers],
    });
  }
}
