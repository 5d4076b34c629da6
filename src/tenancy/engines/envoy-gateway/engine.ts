import { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { bindTo } from '../../../contract/bound-plan';
import { ClientAddress } from '../../../contract/client-address';
import type { Json } from '../../../contract/json';
import { RenderStage, renderBy, renderingOf } from '../../../contract/late-rendering';
import { LoadBalancerRequest } from '../../../contract/load-balancer-request';
import { BalancedObject } from '../../../rules/balanced-object';
import { ServiceJudge } from '../../../services/service-judge';
import { renderedAnnotations } from '../../../services/service-spec';
import { ENVOY_DANGEROUS_KINDS } from '../../guard/dangerous-kinds.facts';
import { LAST_PORT } from '../../ports/ports.facts';
import type { Attachment } from '../contract/attachment';
import {
  type BalancerAsk,
  type EngineChecks,
  type EngineIsolation,
  ISOLATED,
  NO_CHECKS,
  type SharedEngine,
} from '../contract/engine';
import { gatewayClassOf, makeGateway } from '../gateway/gateway';
import { envoyDocuments, envoyParametersRef, envoyProxy, gatewayClientPolicy } from './documents';
import {
  ENVOY_GATEWAY_CLASS,
  ENVOY_GATEWAY_CONTROLLER,
  ENVOY_GATEWAY_NAMESPACE,
  ENVOY_OWN_PORTS,
  ENVOY_SELECTOR,
  FRONT_PORTS,
} from './facts';
import type { EnvoyGatewayEngineOptions } from './options';
import { ENGINE_REPLICAS, envoyFaults, portsBeside } from './rules';

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
  public readonly isolation: EngineIsolation = { ...ISOLATED, dangerous: ENVOY_DANGEROUS_KINDS };
  public readonly checks: EngineChecks;
  private readonly options: EnvoyGatewayEngineOptions;

  public constructor(options: EnvoyGatewayEngineOptions) {
    const { clientAddress, proxyProtocol, replicas = DEFAULT_REPLICAS, maxPorts, controller } = options;
    const seen = clientAddress ?? (proxyProtocol ? undefined : ClientAddress.PRESERVE);
    const sourceRanges = proxyProtocol === true || seen === ClientAddress.PRESERVE;
    const settings = { proxyProtocol: proxyProtocol === true };
    this.options = { ...options, clientAddress: seen };
    this.limits = {
      powers: { hostnames: true, sourceRanges, connections: true, bandwidth: false },
      instead: INSTEAD,
      replicas,
      perPort: true,
    };
    this.ports = {
      // the Service has a port for the Gateway's own listener, too
      perBalancer: (maxPorts ?? FRONT_PORTS[controller?.name] ?? LAST_PORT) - 1,
      reserved: Object.keys(ENVOY_OWN_PORTS).map(Number),
      beside: portsBeside,
    };
    this.publishing = {
      throughGateway: true,
      publish: (attachment: Attachment) => envoyDocuments(attachment, settings),
      atRunTime: { publisher: 'envoy-gateway', settings },
    };
    // replicas that are no number would divide limits by nothing
    const isCount = Number.isInteger(replicas) && replicas > 0;
    this.checks = {
      ...NO_CHECKS,
      faults: isCount
        ? []
        : [{ rule: ENGINE_REPLICAS, what: `replicas is ${replicas}`, remedy: 'have one proxy or more' }],
      faultsAt: envoyFaults,
    };
  }

  public makeBalancer(scope: Construct, ask: BalancerAsk): void {
    const { options } = this;
    const { settings } = this.publishing.atRunTime;
    const { name, namespace } = ask;
    const serviceNamespace = options.serviceNamespace ?? ENVOY_GATEWAY_NAMESPACE;
    balancedEnvoyProxy(scope, { ask, options, replicas: this.limits.replicas, serviceNamespace });
    for (const document of gatewayClientPolicy({ name, namespace }, settings)) {
      new ApiObject(scope, 'Clients', document as never);
    }
    const className = options.gatewayClassName ?? ENVOY_GATEWAY_CLASS;
    makeGateway(scope, {
      ask,
      className:
        options.makesGatewayClass === false ? className : gatewayClassOf(scope, className, ENVOY_GATEWAY_CONTROLLER),
      parameters: envoyParametersRef(name),
    });
  }
}

/** The proxies of one Gateway, and where their Service is made. */
interface EnvoyProxies {
  readonly ask: BalancerAsk;
  readonly options: EnvoyGatewayEngineOptions;
  readonly replicas: number;
  readonly serviceNamespace: string;
}

/**
 * Makes the EnvoyProxy. The Service that Envoy Gateway will make of it is planned like every other, and judged as it will
 * be, patches of the EnvoyProxy included.
 */
function balancedEnvoyProxy(scope: Construct, proxies: EnvoyProxies): void {
  const { ask, options, replicas, serviceNamespace } = proxies;
  const { controller, ...wishes } = options;
  const ports = [ask.ownPort, ...ask.ports].map((port) => ({ port, name: `port-${port}` }));
  const request = new LoadBalancerRequest({ ...wishes, dnsName: ask.hostname ?? wishes.dnsName, ports });
  const bound = bindTo(controller, scope, request);
  const plan = { ...bound.plan, annotations: renderedAnnotations(bound.plan, request) };
  const serviceName = `envoy-${ask.namespace}-${ask.name}`;
  const { name, namespace } = ask;
  const proxy = new ApiObject(scope, 'Proxies', envoyProxy({ name, namespace, replicas, plan, serviceName }) as never);
  const render = renderingOf(proxy, RenderStage.WRITE);
  const service = new BalancedObject(
    scope,
    { chart: Chart.of(scope), kind: 'Service', name: serviceName, metadata: { namespace: serviceNamespace } },
    { rendered: () => serviceOf(render(), ports, { name: serviceName, namespace: serviceNamespace }) },
    bound.plan,
    bound.problems,
    [],
    new ServiceJudge(controller, request.kubernetes, bound.plan.finalizers),
  );
  renderBy(proxy, RenderStage.WRITE, () => {
    service.write();
    return render();
  });
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
