import { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { defined, type Json, ownValue } from '../../../contract/json';
import { RenderStage, renderBy, renderingOf } from '../../../contract/late-rendering';
import { BalancerTarget } from '../../../contract/load-balancer-model';
import { LoadBalancerRequest } from '../../../contract/load-balancer-request';
import { ClientAddress, type LoadBalancerPlan } from '../../../contract/options';
import { BalancedObject, validateByRules } from '../../../rules/synth-object';
import { ServiceValidator } from '../../../services/balance-service';
import { renderedAnnotations } from '../../../services/service-spec';
import { faultsIn } from '../../fault';
import { ENVOY_DANGEROUS_KINDS, ENVOY_GATEWAY_GROUP, KINDS_OF_FRONTS } from '../../guard/guard.facts';
import { LAST_PORT } from '../../ports/rules';
import {
  type BalancerOptions,
  type EngineChecks,
  type EngineIsolation,
  type EngineWatching,
  ISOLATED,
  NO_CHECKS,
  type ProtectBalancer,
  type SharedEngine,
} from '../contract/engine';
import type { Attachment, Document } from '../contract/publishing';
import { gatewayClassOf, makeGateway, OWN_GATEWAY_RULE_SET } from '../gateway/gateway';
import { frontBalancer, proxyFindings, wishFaults } from '../proxies/front';
import type { SharedProxyOptions } from '../proxies/options';
import {
  type Drain,
  disruptionBudget,
  drainFaults,
  drainOf,
  type FrontBalancer,
  oneProxy,
  placedProxies,
  ROLLING_UPDATE,
  resourceFaults,
  resourcesOf,
  usualSeconds,
} from '../proxies/pods';
import { envoyDocuments, gatewayClientPolicy } from './documents';
import * as facts from './facts';
import type { EnvoyGatewayEngineOptions } from './options';
import { ENVOY, envoyFaults, firstBytesWarnings, neighbourPorts } from './rules';

export interface EnvoyProxyOptions {
  /** Its name, and that of the Gateway, whose `parametersRef` names it. */
  readonly name: string;
  readonly namespace?: string;
  readonly replicas: number;
  readonly plan: LoadBalancerPlan;
  /** The name of the Service; without it Envoy Gateway makes one with a hash in it. */
  readonly serviceName?: string;
  readonly proxies: SharedProxyOptions;
  readonly drain: Drain;
  readonly front: FrontBalancer;
}

export function envoyParametersRef(name: string): Document {
  return { group: ENVOY_GATEWAY_GROUP, kind: 'EnvoyProxy', name };
}

export function envoyProxy(ask: EnvoyProxyOptions): Document {
  const { name, namespace, replicas, plan, proxies } = ask;
  return {
    apiVersion: facts.ENVOY_GATEWAY_VERSION,
    kind: 'EnvoyProxy',
    metadata: { name, namespace },
    spec: defined({
      ...ipFamily(plan),
      provider: {
        type: 'Kubernetes',
        kubernetes: defined({
          envoyDeployment: envoyDeployment(ask),
          envoyPDB: disruptionBudget(proxies, replicas),
          envoyService: envoyService(ask),
        }),
      },
      shutdown: shutdown(ask),
    }),
  };
}

function ipFamily({ ipFamilies = [] }: LoadBalancerPlan): Document {
  return ipFamilies.length === 0 ? {} : { ipFamily: ipFamilies.length > 1 ? 'DualStack' : ipFamilies[0] };
}

function envoyDeployment({ name, namespace = 'default', replicas, proxies, drain }: EnvoyProxyOptions): Document {
  const labels = { [facts.OWNING_GATEWAY_LABELS.name]: name, [facts.OWNING_GATEWAY_LABELS.namespace]: namespace };
  const pod = placedProxies(proxies, labels);
  return {
    container: { resources: resourcesOf(proxies.resources) },
    // its type has no field for it
    patch: { type: 'StrategicMerge', value: { spec: { minReadySeconds: drain.ready } } },
    ...(Object.keys(pod).length > 0 ? { pod } : {}),
    replicas,
    strategy: ROLLING_UPDATE,
  };
}

/**
 * Envoy takes connections for as long as it drains, and goes when it has none left. Its pod stays ready until the balancer has
 * noticed: with policy Local kube-proxy sends what still comes to a node to a pod that is to go, as long as that is ready. Where
 * the balancer asks pods by HTTP it may be told at once.
 */
function shutdown({ drain: { least, whole }, front: { made } }: EnvoyProxyOptions): Document {
  const { protocol = '' } = made?.healthCheck ?? {};
  const asksPods = made?.target === BalancerTarget.POD && protocol.startsWith('HTTP');
  return {
    drainTimeout: `${whole}s`,
    ...(asksPods ? {} : { healthCheckFailureDelay: `${least}s` }),
    minDrainDuration: `${least}s`,
  };
}

function envoyService({ plan, serviceName }: EnvoyProxyOptions): Document {
  const { annotations, labels, loadBalancerClass, allocateLoadBalancerNodePorts, sourceRanges, loadBalancerIp } = plan;
  const isIpv4 = loadBalancerIp?.includes('.');
  return defined({
    type: 'LoadBalancer',
    name: serviceName,
    annotations,
    labels,
    loadBalancerClass,
    allocateLoadBalancerNodePorts,
    // Local by default, unlike Services that Kubernetes makes
    externalTrafficPolicy: plan.externalTrafficPolicy ?? 'Cluster',
    loadBalancerSourceRanges: sourceRanges,
    loadBalancerIP: isIpv4 ? loadBalancerIp : undefined,
    patch: servicePatch(plan, isIpv4 ? undefined : loadBalancerIp),
  });
}

/**
 * Fields without a typed prop are merged into the Service. The Service is applied, not replaced: finalizers that its
 * owner adds stay, whether they are declared here or not.
 */
function servicePatch(
  { finalizers, sessionAffinity }: LoadBalancerPlan,
  loadBalancerIP?: string,
): Document | undefined {
  const timeoutSeconds = sessionAffinity?.timeout?.toSeconds();
  const spec = defined({
    loadBalancerIP,
    sessionAffinity: sessionAffinity && 'ClientIP',
    sessionAffinityConfig: timeoutSeconds === undefined ? undefined : { clientIP: { timeoutSeconds } },
  });
  const value = defined({
    metadata: finalizers && finalizers.length > 0 ? { finalizers } : undefined,
    spec: Object.keys(spec).length > 0 ? spec : undefined,
  });
  return Object.keys(value).length > 0 ? { type: 'StrategicMerge', value } : undefined;
}

const DEFAULT_REPLICAS = 2;

export class EnvoyGatewayEngine implements SharedEngine {
  public readonly name = 'Envoy Gateway';
  public readonly limits;
  public readonly ports;
  public readonly publishing;
  public readonly isolation: EngineIsolation;
  public readonly checks: EngineChecks;
  public readonly watching: EngineWatching;
  private readonly options: EnvoyGatewayEngineOptions;

  public constructor(options: EnvoyGatewayEngineOptions) {
    const { clientAddress, proxyProtocol, replicas = DEFAULT_REPLICAS, maxPorts, controller, proxies = {} } = options;
    const seen = clientAddress ?? (proxyProtocol ? undefined : ClientAddress.PRESERVE);
    const sourceRanges = proxyProtocol === true || seen === ClientAddress.PRESERVE;
    const settings = { proxyProtocol: proxyProtocol === true };
    this.isolation = {
      ...ISOLATED,
      dangerous: [...ENVOY_DANGEROUS_KINDS, ...(ownValue(KINDS_OF_FRONTS, controller.name) ?? [])],
    };
    this.options = { ...options, clientAddress: seen };
    this.limits = {
      powers: { hostnames: true, sourceRanges, connections: true, bandwidth: false },
      instead: facts.INSTEAD,
      replicas,
      perPort: true,
    };
    this.ports = {
      // the Service has a port for the Gateway's own listener, too
      perBalancer: (maxPorts ?? ownValue(facts.FRONT_PORTS, controller?.name) ?? LAST_PORT) - 1,
      reserved: Object.keys(facts.ENVOY_OWN_PORTS).map(Number),
      beside: neighbourPorts,
    };
    this.publishing = {
      throughGateway: true,
      publish: (attachment: Attachment) => envoyDocuments(attachment, settings),
      atRunTime: { publisher: 'envoy-gateway', settings },
    };
    const { serviceNamespace = facts.ENVOY_GATEWAY_NAMESPACE } = options;
    this.watching = {
      proxies: {
        reader: 'envoy-gateway',
        podsOf: ({ name, namespace }) => ({
          namespace: serviceNamespace,
          labels: { [facts.OWNING_GATEWAY_LABELS.name]: name, [facts.OWNING_GATEWAY_LABELS.namespace]: namespace },
        }),
      },
    };
    // replicas that are no number would divide limits by nothing
    const isCount = Number.isInteger(replicas) && replicas > 0;
    this.checks = {
      ...NO_CHECKS,
      faults: [
        ...faultsIn(ENVOY, { 'engine-replicas-invalid': !isCount && { replicas } }),
        ...drainFaults(proxies),
        ...resourceFaults(proxies),
        ...wishFaults(options),
      ],
      warnings: oneProxy(replicas, proxies),
      faultsAt: envoyFaults,
      warningsAt: firstBytesWarnings,
    };
  }

  public makeBalancer(scope: Construct, ask: BalancerOptions): ProtectBalancer {
    const { options } = this;
    const { settings } = this.publishing.atRunTime;
    const { name, namespace } = ask;
    const serviceNamespace = options.serviceNamespace ?? facts.ENVOY_GATEWAY_NAMESPACE;
    const protect = balancedEnvoyProxy(scope, {
      who: this.name,
      ask,
      options,
      replicas: this.limits.replicas,
      serviceNamespace,
    });
    for (const document of gatewayClientPolicy({ name, namespace }, settings)) {
      new ApiObject(scope, 'Clients', document as never);
    }
    const className = options.gatewayClassName ?? facts.ENVOY_GATEWAY_CLASS;
    const gateway = makeGateway(scope, {
      ask,
      className:
        options.makesGatewayClass === false
          ? className
          : gatewayClassOf(scope, className, facts.ENVOY_GATEWAY_CONTROLLER),
      parameters: envoyParametersRef(name),
      // envoyproxy/gateway v1.9.1: internal/provider/kubernetes/predicates.go, hasSelectorAllowedRoutesListener
      watchesLabelsOfRoutes: true,
    });
    validateByRules(gateway, OWN_GATEWAY_RULE_SET);
    return protect;
  }
}

interface EnvoyProxies {
  readonly who: string;
  readonly ask: BalancerOptions;
  readonly options: EnvoyGatewayEngineOptions;
  readonly replicas: number;
  readonly serviceNamespace: string;
}

/**
 * Makes the EnvoyProxy. The Service that Envoy Gateway will make of it is planned like every other, and checked as it will
 * be, patches of the EnvoyProxy included.
 */
function balancedEnvoyProxy(scope: Construct, proxies: EnvoyProxies): ProtectBalancer {
  const { who, ask, options, replicas, serviceNamespace } = proxies;
  const { controller, proxies: where = {}, rollout: _, ...wishes } = options;
  const ports = [ask.ownPort, ...ask.ports].map((port) => ({ port, name: `port-${port}` }));
  const wished = new LoadBalancerRequest({ ...wishes, dnsName: ask.hostname ?? wishes.dnsName, ports });
  const drains = (balancer: FrontBalancer) => drainOf(where, usualSeconds(balancer));
  const front = frontBalancer(controller, scope, wished, where.nodePool, drains);
  const { bound, request } = front;
  const plan = { ...bound.plan, annotations: renderedAnnotations(bound.plan, request) };
  const serviceName = `envoy-${ask.namespace}-${ask.name}`;
  const { name, namespace } = ask;
  const drain = drains(front.balancer);
  const how = { replicas, plan, serviceName, proxies: where, drain, front: front.balancer };
  const proxy = new ApiObject(scope, 'Proxies', envoyProxy({ name, namespace, ...how }) as never);
  const found = proxyFindings(where, drain, front, who, options.proxyProtocol === true);
  const render = renderingOf(proxy, RenderStage.WRITE);
  const service = new BalancedObject(
    scope,
    { chart: Chart.of(scope), kind: 'Service', name: serviceName, metadata: { namespace: serviceNamespace } },
    { rendered: () => serviceOf(render(), ports, { name: serviceName, namespace: serviceNamespace }) },
    bound.plan,
    [...bound.problems, ...found.errors],
    found.warnings,
    new ServiceValidator(controller, request.kubernetes, bound.plan.finalizers),
  );
  renderBy(proxy, RenderStage.WRITE, () => {
    service.write();
    return render();
  });
  return () => service.protect(proxy);
}

function serviceOf(proxy: Json, ports: readonly { port: number; name: string }[], place: Json): Json {
  const asked: Json = proxy.spec?.provider?.kubernetes?.envoyService ?? {};
  const { annotations, labels, name: _, patch, ...spec } = asked;
  const merged: Json = patch?.value ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...place, annotations, labels, ...merged.metadata },
    spec: {
      ...spec,
      ...merged.spec,
      ports: ports.map((port) => ({ ...port, protocol: 'TCP', targetPort: port.port })),
      selector: facts.ENVOY_SELECTOR,
    },
  };
}
