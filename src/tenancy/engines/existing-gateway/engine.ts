import { ownValue } from '../../../contract/json';
import { NLB_GATEWAY_CONTROLLER } from '../../../controllers/aws-load-balancer-controller/facts';
import { faultsIn, rulesOf } from '../../fault';
import { ENVOY_DANGEROUS_KINDS, NLB_DANGEROUS_KINDS } from '../../guard/guard.facts';
import type { GuardedKind } from '../../guard/options';
import {
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
import { EXISTING_RULES, INSTEAD } from './rules.facts';

export const EXISTING = rulesOf(EXISTING_RULES);

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
      isolationFaults: faultsIn(EXISTING, { 'isolation-unsupported-by-gateway': isNlb }),
      faults: faultsIn(EXISTING, { 'existing-gateway-namespace-unknown': namespace === undefined }),
      warnings: faultsIn(EXISTING, { 'existing-gateway-controller-unknown': controllerName === undefined }),
    };
  }

  public makeBalancer(): undefined {
    return undefined; // it exists
  }
}

const KINDS_OF: Readonly<Record<string, readonly GuardedKind[]>> = {
  [NLB_GATEWAY_CONTROLLER]: NLB_DANGEROUS_KINDS,
  [ENVOY_GATEWAY_CONTROLLER]: ENVOY_DANGEROUS_KINDS,
};

/** Maximum number of listeners of a ListenerSet and of a Gateway. kubernetes-sigs/gateway-api v1.6.1: apis/v1/gateway_types.go */
const USUAL_LISTENERS = 64;
