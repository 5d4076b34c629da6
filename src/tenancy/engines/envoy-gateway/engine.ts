import { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { ClientAddress } from '../../../contract/client-address';
import type { Json } from '../../../contract/json';
import { RenderStage, renderBy, renderingOf } from '../../../contract/late-rendering';
import { LoadBalancerRequest } from '../../../contract/load-balancer-request';
import { ownValue } from '../../../contract/own-value';
import { BalancedObject } from '../../../rules/balanced-object';
import { ServiceJudge } from '../../../services/service-judge';
import { renderedAnnotations } from '../../../services/service-spec';
import { ENVOY_DANGEROUS_KINDS, kindsOfFront } from '../../guard/dangerous-kinds.facts';
import { LAST_PORT } from '../../ports/ports.facts';
import type { Attachment } from '../contract/attachment';
import {
  type BalancerAsk,
  type EngineChecks,
  type EngineIsolation,
  type EngineWatching,
  ISOLATED,
  NO_CHECKS,
  type ProtectBalancer,
  type SharedEngine,
} from '../contract/engine';
import { gatewayClassOf, makeGateway } from '../gateway/gateway';
import { drainFaults, drainOf, type FrontBalancer, usualSeconds } from '../proxies/drain';
import { findingsBehind, frontOf, wishFaults } from '../proxies/front';
import { oneProxy, resourceFaults } from '../proxies/pods';
import { envoyDocuments, gatewayClientPolicy } from './documents';
import {
  ENVOY_GATEWAY_CLASS,
  ENVOY_GATEWAY_CONTROLLER,
  ENVOY_GATEWAY_NAMESPACE,
  ENVOY_OWN_PORTS,
  ENVOY_SELECTOR,
  FRONT_PORTS,
  OWNING_GATEWAY_LABELS,
} from './facts';
import type { EnvoyGatewayEngineOptions } from './options';
import { envoyParametersRef, envoyProxy } from './proxies';
import { ENGINE_REPLICAS, envoyFaults, heardBeforeDenied, portsBeside } from './rules';

const DEFAULT_REPLICAS = 2;

const INSTEAD = {
  sourceRanges:
    'set clientAddress PRESERVE or proxyProtocol, since its proxies compare ranges with the address that they see',
  bandwidth: 'use haproxy() or maxConnections, since it limits bandwidth of HTTP alone',
};

/** Proxies of Envoy Gateway behind one balancer: source ranges of each Service, and limits of connections. */
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
    this.isolation = { ...ISOLATED, dangerous: [...ENVOY_DANGEROUS_KINDS, ...kindsOfFront(controller)] };
    this.options = { ...options, clientAddress: seen };
    this.limits = {
      powers: { hostnames: true, sourceRanges, connections: true, bandwidth: false },
      instead: INSTEAD,
      replicas,
      perPort: true,
    };
    this.ports = {
      // the Service has a port for the Gateway's own listener, too
      perBalancer: (maxPorts ?? ownValue(FRONT_PORTS, controller?.name) ?? LAST_PORT) - 1,
      reserved: Object.keys(ENVOY_OWN_PORTS).map(Number),
      beside: portsBeside,
    };
    this.publishing = {
      throughGateway: true,
      publish: (attachment: Attachment) => envoyDocuments(attachment, settings),
      atRunTime: { publisher: 'envoy-gateway', settings },
    };
    const { serviceNamespace = ENVOY_GATEWAY_NAMESPACE } = options;
    this.watching = {
      proxies: {
        reader: 'envoy-gateway',
        podsOf: ({ name, namespace }) => ({
          namespace: serviceNamespace,
          labels: { [OWNING_GATEWAY_LABELS.name]: name, [OWNING_GATEWAY_LABELS.namespace]: namespace },
        }),
      },
    };
    // replicas that are no number would divide limits by nothing
    const isCount = Number.isInteger(replicas) && replicas > 0;
    const noCount = { rule: ENGINE_REPLICAS, what: `replicas is ${replicas}`, remedy: 'have one proxy or more' };
    this.checks = {
      ...NO_CHECKS,
      faults: [
        ...(isCount ? [] : [noCount]),
        ...drainFaults(proxies),
        ...resourceFaults(proxies),
        ...wishFaults(options),
      ],
      warnings: oneProxy(replicas, proxies),
      faultsAt: envoyFaults,
      warningsAt: heardBeforeDenied,
    };
  }

  public makeBalancer(scope: Construct, ask: BalancerAsk): ProtectBalancer {
    const { options } = this;
    const { settings } = this.publishing.atRunTime;
    const { name, namespace } = ask;
    const serviceNamespace = options.serviceNamespace ?? ENVOY_GATEWAY_NAMESPACE;
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
    const className = options.gatewayClassName ?? ENVOY_GATEWAY_CLASS;
    makeGateway(scope, {
      ask,
      className:
        options.makesGatewayClass === false ? className : gatewayClassOf(scope, className, ENVOY_GATEWAY_CONTROLLER),
      parameters: envoyParametersRef(name),
      // envoyproxy/gateway v1.9.1: internal/provider/kubernetes/predicates.go, hasSelectorAllowedRoutesListener
      watchesLabelsOfRoutes: true,
    });
    return protect;
  }
}

/** The proxies of one Gateway, and where their Service is made. */
interface EnvoyProxies {
  /** The engine, for messages. */
  readonly who: string;
  readonly ask: BalancerAsk;
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
  const front = frontOf(controller, scope, wished, where.nodePool, drains);
  const { bound, request } = front;
  const plan = { ...bound.plan, annotations: renderedAnnotations(bound.plan, request) };
  const serviceName = `envoy-${ask.namespace}-${ask.name}`;
  const { name, namespace } = ask;
  const drain = drains(front.balancer);
  const how = { replicas, plan, serviceName, proxies: where, drain, front: front.balancer };
  const proxy = new ApiObject(scope, 'Proxies', envoyProxy({ name, namespace, ...how }) as never);
  const found = findingsBehind(where, drain, front, who, options.proxyProtocol === true);
  const render = renderingOf(proxy, RenderStage.WRITE);
  const service = new BalancedObject(
    scope,
    { chart: Chart.of(scope), kind: 'Service', name: serviceName, metadata: { namespace: serviceNamespace } },
    { rendered: () => serviceOf(render(), ports, { name: serviceName, namespace: serviceNamespace }) },
    bound.plan,
    [...bound.problems, ...found.errors],
    found.warnings,
    new ServiceJudge(controller, request.kubernetes, bound.plan.finalizers),
  );
  renderBy(proxy, RenderStage.WRITE, () => {
    service.write();
    return render();
  });
  return () => service.protect(proxy);
}

/** The Service that Envoy Gateway makes. */
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
      selector: ENVOY_SELECTOR,
    },
  };
}
