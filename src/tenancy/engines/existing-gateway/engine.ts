import { NLB_DANGEROUS_KINDS } from '../../guard/dangerous-kinds.facts';
import { controllerFaults } from '../aws-network-load-balancer/controllers';
import { NLB_GATEWAY_CONTROLLER } from '../aws-network-load-balancer/facts';
import type { EngineFault, SharedEngine } from '../contract/engine';
import { gatewayDocuments } from '../gateway/documents';
import type { ExistingGatewayEngineOptions } from './options';

/** A Gateway that somebody else made. */
export class ExistingGatewayEngine implements SharedEngine {
  public readonly name: string;
  public readonly powers: SharedEngine['powers'];
  public readonly instead = {
    hostnames: 'say routesBySni where its implementation does, or publish a port for each Service',
    sourceRanges: 'the Gateway API has no words for source ranges: use an engine that is made here',
    connections: 'the Gateway API has no words for limits: use an engine that is made here',
    bandwidth: 'the Gateway API has no words for limits: use an engine that is made here',
  };
  public readonly portsPerBalancer: number;
  public readonly balancers = 1;
  public readonly replicas = 1;
  public readonly limitsPorts = true;
  public readonly gateways = true;
  public readonly isolates: boolean;
  public readonly publisher = 'existing-gateway';
  public readonly publish = gatewayDocuments;
  public readonly dangerous: SharedEngine['dangerous'];
  public readonly existing: { readonly name: string; readonly namespace?: string };
  public readonly faults: readonly EngineFault[];
  public readonly faultsInApp: SharedEngine['faultsInApp'];
  public readonly remarks: readonly EngineFault[];

  public constructor({ gateway, routesBySni, maxListeners }: ExistingGatewayEngineOptions) {
    const { gatewayName, namespace, controllerName } = gateway;
    const isNlb = controllerName === NLB_GATEWAY_CONTROLLER;
    this.name = `Gateway ${namespace === undefined ? '' : `${namespace}/`}${gatewayName}`;
    this.existing = { name: gatewayName, namespace };
    this.powers = { hostnames: routesBySni, sourceRanges: false, connections: false, bandwidth: false };
    this.portsPerBalancer = maxListeners ?? USUAL_LISTENERS;
    this.isolates = !isNlb;
    this.dangerous = isNlb ? NLB_DANGEROUS_KINDS : [];
    this.faults = [...(isNlb ? [UNFENCED] : []), ...(namespace === undefined ? [NOWHERE] : [])];
    this.faultsInApp = isNlb ? controllerFaults : undefined;
    this.remarks = controllerName === undefined ? [UNKNOWN] : [];
  }

  public makeBalancer(): void {
    // it exists
  }
}

/** What one ListenerSet can hold, and a Gateway by itself. kubernetes-sigs/gateway-api v1.6.1: apis/v1/gateway_types.go */
const USUAL_LISTENERS = 64;

const UNFENCED: EngineFault = {
  ruleId: 'fence-existing-gateway',
  what: 'its controller isolates no tenants: a foreign port is taken without a word, and a Service without target settings freezes all',
  remedy: 'use awsNetworkLoadBalancer(), which comes with the fences, or say oneTeam where all tenants are one team',
};

const NOWHERE: EngineFault = {
  ruleId: 'existing-gateway-namespace',
  what: 'its namespace is not said, and without one each ListenerSet would look for it in the namespace of its tenant',
  remedy: "say it, as in Gateway.fromName('edge', { namespace: 'infra' }), or in the chart that the Gateway is made in",
};

const UNKNOWN: EngineFault = {
  ruleId: 'gateway-controller-unknown',
  what: 'the controller of the Gateway is not known, so neither is whether it tells tenants when two want one port',
  remedy: 'say its controllerName',
};
