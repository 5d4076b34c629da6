import { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { bindTo } from '../../../contract/bound-plan';
import { ClientAddress } from '../../../contract/client-address';
import type { Json } from '../../../contract/json';
import { renderBy, renderingOf } from '../../../contract/late-rendering';
import { LoadBalancerRequest } from '../../../contract/load-balancer-request';
import { BalancedObject } from '../../../rules/balanced-object';
import { ServiceJudge } from '../../../services/service-judge';
import { renderedAnnotations } from '../../../services/service-spec';
import { ENVOY_DANGEROUS_KINDS } from '../../guard/dangerous-kinds.facts';
import { LAST_PORT } from '../../ports/ports.facts';
import type { Attachment } from '../contract/attachment';
import type { BalancerAsk, EngineFault, SharedEngine } from '../contract/engine';
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
import { envoyFaults, portsBeside } from './rules';

const DEFAULT_REPLICAS = 2;

/** Proxies of Envoy Gateway behind one balancer: source ranges of each Service, and limits of connections. */
export class EnvoyGatewayEngine implements SharedEngine {
  public readonly name = 'Envoy Gateway';
  public readonly powers: SharedEngine['powers'];
  public readonly instead = {
    sourceRanges:
      'its proxies compare ranges with the address that they see: let clientAddress be preserved, or speak the PROXY protocol',
    bandwidth: 'it limits bandwidth of HTTP alone: use haproxy(), or maxConnections',
  };
  public readonly portsPerBalancer: number;
  public readonly replicas: number;
  public readonly limitsPorts = true;
  public readonly gateways = true;
  public readonly isolates = true;
  public readonly publisher = 'envoy-gateway';
  public readonly settings: Readonly<Record<string, unknown>>;
  public readonly dangerous = ENVOY_DANGEROUS_KINDS;
  public readonly reservedPorts = Object.keys(ENVOY_OWN_PORTS).map(Number);
  public readonly remarks: readonly EngineFault[] = [];
  private readonly options: EnvoyGatewayEngineOptions;

  public constructor(options: EnvoyGatewayEngineOptions) {
    const { clientAddress, proxyProtocol, replicas, maxPorts, controller } = options;
    const seen = clientAddress ?? (proxyProtocol ? undefined : ClientAddress.PRESERVE);
    this.options = { ...options, clientAddress: seen };
    this.settings = { proxyProtocol: proxyProtocol === true };
    this.replicas = replicas ?? DEFAULT_REPLICAS;
    // the Service has a port for the Gateway's own listener, too
    this.portsPerBalancer = (maxPorts ?? FRONT_PORTS[controller?.name] ?? LAST_PORT) - 1;
    const sourceRanges = proxyProtocol === true || seen === ClientAddress.PRESERVE;
    this.powers = { hostnames: true, sourceRanges, connections: true, bandwidth: false };
  }

  /** Replicas that are no number would divide limits by nothing. */
  public get faults(): readonly EngineFault[] {
    return Number.isInteger(this.replicas) && this.replicas > 0
      ? []
      : [{ ruleId: 'engine-replicas', what: `replicas is ${this.replicas}`, remedy: 'have one proxy or more' }];
  }

  public readonly publish = (attachment: Attachment) => envoyDocuments(attachment, this.settings);

  public readonly faultsOf = envoyFaults;

  public readonly portsBeside = portsBeside;

  public makeBalancer(scope: Construct, ask: BalancerAsk): void {
    const { options, settings } = this;
    const { name, namespace } = ask;
    const serviceNamespace = options.serviceNamespace ?? ENVOY_GATEWAY_NAMESPACE;
    balancedEnvoyProxy(scope, { ask, options, replicas: this.replicas, serviceNamespace });
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
  const render = renderingOf(proxy);
  const service = new BalancedObject(
    scope,
    { chart: Chart.of(scope), kind: 'Service', name: serviceName, metadata: { namespace: serviceNamespace } },
    { rendered: () => serviceOf(render(), ports, { name: serviceName, namespace: serviceNamespace }) },
    bound.plan,
    bound.problems,
    [],
    new ServiceJudge(controller, request.kubernetes, bound.plan.finalizers),
  );
  renderBy(proxy, () => {
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
