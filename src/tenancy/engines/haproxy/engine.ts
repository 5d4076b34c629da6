import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { ClientAddress } from '../../../contract/client-address';
import { DEFAULT_KUBERNETES } from '../../../contract/default-kubernetes';
import { IpFamily } from '../../../contract/ip-family';
import { LoadBalancedService } from '../../../services/load-balanced-service';
import { HAPROXY_DANGEROUS_KINDS } from '../../guard/dangerous-kinds.facts';
import { refuse } from '../../guard/refuse';
import type { Attachment } from '../contract/attachment';
import type { BalancerAsk, EngineFault, SharedEngine } from '../contract/engine';
import { type HaproxySettings, haproxyDocuments, haproxyTable } from './documents';
import { CHART_NAME_LABEL, CHART_RELEASE_LABEL, HAPROXY_OWN_PORTS, USUAL_PORTS } from './facts';
import { HaproxyIngress } from './ingress';
import type { HaproxyEngineOptions } from './options';
import { makeFences, readByHaproxy } from './policies';

/** HAProxy's own objects of kind TCP, behind one balancer: the only engine that limits the bandwidth of a tenant. */
export class HaproxyEngine implements SharedEngine {
  public readonly name = 'the HAProxy Kubernetes Ingress Controller';
  public readonly powers: SharedEngine['powers'];
  public readonly instead = {
    hostnames: 'publish a port for each Service, or use an engine that routes by SNI',
    sourceRanges:
      'HAProxy would see addresses of nodes: say proxyProtocol in the engine where the balancer speaks it, or clientAddress PRESERVE',
  };
  public readonly portsPerBalancer: number;
  public readonly balancers = 1;
  public readonly replicas: number;
  public readonly limitsPorts = false;
  public readonly gateways = false;
  public readonly isolates = false;
  public readonly dangerous = HAPROXY_DANGEROUS_KINDS;
  public readonly readsFromServices = readByHaproxy;
  public readonly reservedPorts = Object.keys(HAPROXY_OWN_PORTS).map(Number);
  public readonly remarks: readonly EngineFault[] = [];

  public readonly platform?: HaproxyEngineOptions['platform'];
  private readonly installation: HaproxyIngress;
  private readonly how: HaproxySettings;

  public constructor(private readonly options: HaproxyEngineOptions) {
    const { installation, proxyProtocol, clientAddress, ipFamilies, maxPorts } = options;
    this.installation = installation ?? new HaproxyIngress();
    this.platform = options.platform;
    this.replicas = this.installation.replicas;
    this.portsPerBalancer = maxPorts ?? USUAL_PORTS;
    const seesClients = proxyProtocol === true || clientAddress === ClientAddress.PRESERVE;
    this.powers = { hostnames: false, sourceRanges: seesClients, connections: true, bandwidth: true };
    this.how = {
      ingressClass: this.installation.ingressClass,
      proxyProtocol,
      families: ipFamilies && {
        ipv4: ipFamilies.includes(IpFamily.IPV4),
        ipv6: ipFamilies.includes(IpFamily.IPV6),
      },
    };
  }

  public readonly publish = (attachment: Attachment) => haproxyDocuments(attachment, this.how);

  public get faults(): readonly EngineFault[] {
    const undone = this.installation._undone;
    return [
      ...(undone.length > 0
        ? [
            {
              ruleId: 'haproxy-values',
              what: `values of the chart undo what tenants or their limits need: ${undone.join(', ')}`,
              remedy: 'leave them out of values; the number of pods and the class are props of HaproxyIngress',
            },
          ]
        : []),
    ];
  }

  public makeBalancer(scope: Construct, ask: BalancerAsk): void {
    const { name, namespace, ports, ownPort, namespaceLabels } = ask;
    serveOne(scope, this.installation, namespace);
    // a Service must have a port, be nothing published yet
    const published = ports.length > 0 ? ports : [ownPort];
    const { controller, installation: _, platform: own, maxPorts: __, ...wishes } = this.options;
    new LoadBalancedService(scope, 'Service', {
      ...wishes,
      dnsName: ask.hostname ?? wishes.dnsName,
      controller,
      name,
      namespace,
      ports: published.map((port) => ({ port, name: `tcp-${port}` })),
      selector: { ...CHART_NAME_LABEL, [CHART_RELEASE_LABEL]: this.installation.release },
    });
    for (const { apiVersion, kind, metadata, spec } of haproxyTable({ name, namespace }, this.how)) {
      new ApiObject(scope, `Tenants${kind}`, { apiVersion, kind, metadata, spec });
    }
    makeFences(scope, {
      name,
      namespaceLabels,
      ingressClass: this.installation.ingressClass,
      kubernetes: this.options.kubernetes ?? DEFAULT_KUBERNETES,
      platform: own?.length ? own : ask.platform,
    });
  }
}

/** By app, what an installation is known by, and the shared load balancer that it serves. */
const SERVED = new WeakMap<IConstruct, Map<string, Construct>>();

/**
 * An installation serves one shared load balancer. It binds whatever is published under its class, so that two lock files
 * would give one port of its pods to two tenants, and each balancer would lead to both.
 *
 * @param host the shared load balancer, or a further balancer of it
 */
function serveOne(host: Construct, { release, ingressClass }: HaproxyIngress, namespace = 'default'): void {
  const served = SERVED.get(host.node.root) ?? new Map<string, Construct>();
  SERVED.set(host.node.root, served);
  for (const one of [`ingress class ${ingressClass}`, `release ${namespace}/${release}`]) {
    const first = served.get(one);
    if (first && !host.node.scopes.includes(first)) {
      refuse(host, {
        ruleId: 'haproxy-twice',
        what: `HAProxy with ${one} serves ${first.node.path} already, and a port that both publish would lead to tenants of either`,
        remedy:
          'give one of the two an installation of its own: new HaproxyIngress({ release }) with another release and class',
      });
    }
    served.set(one, first ?? host);
  }
}
