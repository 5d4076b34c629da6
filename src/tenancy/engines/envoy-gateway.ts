import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { ClientAddress } from '../../contract/client-address';
import type { Attachment } from '../attachment/attachment';
import {
  ENVOY_DANGEROUS_KINDS,
  ENVOY_GATEWAY_CLASS,
  ENVOY_GATEWAY_CONTROLLER,
  ENVOY_GATEWAY_NAMESPACE,
  ENVOY_OWN_PORTS,
} from './envoy-gateway.facts';
import { envoyFaults } from './envoy-gateway.faults';
import { envoyDocuments, envoyParametersRef, gatewayClientPolicy } from './envoy-gateway.objects';
import type { EnvoyGatewayEngineOptions } from './envoy-gateway.options';
import { portsBeside } from './envoy-gateway.ports';
import { balancedEnvoyProxy } from './envoy-gateway.service';
import { ALL_PORTS, FRONT_PORTS } from './front-limits.facts';
import { gatewayClassOf, makeGateway } from './gateway-balancer';
import type { BalancerAsk, EngineFault, SharedEngine } from './shared-engine';

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
    this.portsPerBalancer = (maxPorts ?? FRONT_PORTS[controller?.name] ?? ALL_PORTS) - 1;
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
