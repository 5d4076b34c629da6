import { ownValue } from '../../../contract/own-value';
import { errorRules, type Fault, warningRules } from '../../fault';
import { ENVOY_DANGEROUS_KINDS, NLB_DANGEROUS_KINDS } from '../../guard/guard.facts';
import { NLB_GATEWAY_CONTROLLER } from '../aws-network-load-balancer/facts';
import {
  type DangerousKind,
  type EngineChecks,
  type EngineIsolation,
  type EngineLimits,
  type EnginePorts,
  ISOLATED,
  NO_CHECKS,
  NO_RESERVED_PORTS,
  type SharedEngine,
} from '../contract/engine';
import { ENVOY_GATEWAY_CONTROLLER } from '../envoy-gateway/facts';
import { gatewayDocuments } from '../gateway/documents';
import type { ExistingGatewayEngineOptions } from './options';

export const EXISTING = {
  ...errorRules({
    'isolation-existing-gateway': 'an existing NLB Gateway is shared, and tenants are not one team',
    'existing-gateway-namespace': 'the namespace of an existing Gateway is unknown',
  }),
  ...warningRules({
    'gateway-controller-unknown': 'the controller of an existing Gateway is unknown',
  }),
};

export class ExistingGatewayEngine implements SharedEngine {
  public readonly name: string;
  public readonly limits: EngineLimits;
  public readonly ports: EnginePorts;
  public readonly publishing = {
    throughGateway: true,
    publish: gatewayDocuments,
    atRunTime: { publisher: 'existing-gateway', settings: {} },
  };
  public readonly isolation: EngineIsolation;
  public readonly checks: EngineChecks;
  public readonly existing: { readonly name: string; readonly namespace?: string };

  public constructor({ gateway, routesBySni, maxListeners, httpRoutes }: ExistingGatewayEngineOptions) {
    const { gatewayName, namespace, controllerName } = gateway;
    const isNlb = controllerName === NLB_GATEWAY_CONTROLLER;
    this.name = `Gateway ${namespace === undefined ? '' : `${namespace}/`}${gatewayName}`;
    this.existing = { name: gatewayName, namespace };
    this.limits = {
      powers: { hostnames: routesBySni, sourceRanges: false, connections: false, bandwidth: false },
      instead: INSTEAD,
      replicas: 1,
      perPort: true,
    };
    this.ports = { perBalancer: maxListeners ?? USUAL_LISTENERS, balancers: 1, ...NO_RESERVED_PORTS };
    this.isolation = {
      ...ISOLATED,
      isByItself: !isNlb,
      dangerous: ownValue(KINDS_OF, controllerName) ?? [],
      httpRoutes: httpRoutes === true,
    };
    this.checks = {
      ...NO_CHECKS,
      isolationFaults: isNlb ? [NO_ISOLATION] : [],
      faults: namespace === undefined ? [NO_NAMESPACE] : [],
      warnings: controllerName === undefined ? [UNKNOWN_CONTROLLER] : [],
    };
  }

  public makeBalancer(): undefined {
    return undefined; // it exists
  }
}

const KINDS_OF: Readonly<Record<string, readonly DangerousKind[]>> = {
  [NLB_GATEWAY_CONTROLLER]: NLB_DANGEROUS_KINDS,
  [ENVOY_GATEWAY_CONTROLLER]: ENVOY_DANGEROUS_KINDS,
};

const INSTEAD = {
  hostnames: 'set routesBySni if its implementation does, or publish a port for each Service',
  sourceRanges: 'the Gateway API has no source ranges: use an engine that is made here',
  connections: 'the Gateway API has no limits: use an engine that is made here',
  bandwidth: 'the Gateway API has no limits: use an engine that is made here',
};

/** What one ListenerSet can hold, and a Gateway by itself. kubernetes-sigs/gateway-api v1.6.1: apis/v1/gateway_types.go */
const USUAL_LISTENERS = 64;

const NO_ISOLATION: Fault = {
  rule: EXISTING['isolation-existing-gateway'],
  what: 'its controller does not isolate tenants: it takes a port of another tenant silently, and a Service without target settings freezes all',
  remedy: 'use awsNetworkLoadBalancer(), which comes with policies, or set oneTeam if all tenants are one team',
};

const NO_NAMESPACE: Fault = {
  rule: EXISTING['existing-gateway-namespace'],
  what: 'its namespace is unknown, and each ListenerSet would look for it in the namespace of its tenant',
  remedy:
    "name it, as in Gateway.fromName('edge', { namespace: 'infra' }), or in the chart that the Gateway is made in",
};

const UNKNOWN_CONTROLLER: Fault = {
  rule: EXISTING['gateway-controller-unknown'],
  what: 'the controller of the Gateway is unknown, and so whether it reports ports that two tenants request',
  remedy: 'set its controllerName',
};
