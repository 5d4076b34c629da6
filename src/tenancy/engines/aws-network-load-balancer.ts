import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { RULES_PER_SECURITY_GROUP } from '../../controllers/aws/rules';
import type { Attachment } from '../attachment/attachment';
import { changeOf } from '../guard/as-made';
import { rememberFence } from '../guard/fence';
import { portCapacity } from '../ports/port-capacity';
import { controllerFaults } from './aws-controllers-in-app';
import { nlbDocuments } from './aws-network-load-balancer.documents';
import {
  AWS_GATEWAY_GROUP,
  AWS_GATEWAY_VERSION,
  DANGEROUS_KINDS,
  NLB_GATEWAY_CLASS,
  NLB_GATEWAY_CONTROLLER,
  NLB_LISTENERS,
} from './aws-network-load-balancer.facts';
import { configurationWeakness, nlbFaults, targetWeakness } from './aws-network-load-balancer.faults';
import { serviceFences } from './aws-network-load-balancer.fences';
import type { AwsNetworkLoadBalancerEngineOptions } from './aws-network-load-balancer.options';
import { defaultTargets } from './aws-network-load-balancer.targets';
import { balanceObject } from './balance-object';
import { gatewayClassOf, makeGateway } from './gateway-balancer';
import type { BalancerAsk, EngineFault, SharedEngine } from './shared-engine';

/** A Gateway that the AWS Load Balancer Controller makes an NLB of: no hop more, and no limit for a tenant by itself. */
export class AwsNetworkLoadBalancerEngine implements SharedEngine {
  public readonly name = 'the NLB gateway of the AWS Load Balancer Controller';
  public readonly powers = { hostnames: false, sourceRanges: false, connections: false, bandwidth: false };
  public readonly instead = {
    hostnames: 'it does not route by SNI: publish a port for each Service, or use an engine that routes by SNI',
    sourceRanges:
      'a balancer has the same clients on all its ports: say them once in the engine, or use an engine with source ranges for each Service',
    connections: 'use an engine that counts connections',
    bandwidth: 'use an engine that limits bandwidth',
  };
  public readonly replicas = 1;
  public readonly limitsPorts = true;
  public readonly gateways = true;
  public readonly isolates = false;
  public readonly publisher = 'aws-network-load-balancer';
  public readonly dangerous = DANGEROUS_KINDS;
  public readonly remarks: readonly EngineFault[] = [];

  public readonly settings: Readonly<Record<string, unknown>>;

  public constructor(private readonly options: AwsNetworkLoadBalancerEngineOptions) {
    const { preserveClientIp, proxyProtocol } = options;
    this.settings = { preserveClientIp, proxyProtocol };
  }

  public readonly weaknessOf = targetWeakness;
  public readonly faultsInApp = controllerFaults;
  public readonly makeFences = serviceFences;
  public readonly publish = (attachment: Attachment) => nlbDocuments(attachment, this.options);

  /** The Gateway's own listener has no route, so the balancer has none for it; rules count in the controller's own group. */
  public get portsPerBalancer(): number {
    const { securityGroups, sourceRanges } = this.options;
    return securityGroups?.length
      ? NLB_LISTENERS
      : portCapacity({
          listeners: NLB_LISTENERS,
          rules: RULES_PER_SECURITY_GROUP,
          rulesPerPort: Math.max(1, sourceRanges?.length ?? 1),
        });
  }

  /** Whether tenants are kept apart as far as the engine itself can do it. */
  public get faults(): readonly EngineFault[] {
    return nlbFaults(this.options);
  }

  public makeBalancer(scope: Construct, ask: BalancerAsk): void {
    const { name, namespace } = ask;
    const defaultTargetGroupConfiguration = { name: defaultTargets(scope, ask, this.options) };
    const identity = {
      apiVersion: AWS_GATEWAY_VERSION,
      kind: 'LoadBalancerConfiguration',
      metadata: { name, namespace },
    };
    const configuration = new ApiObject(scope, 'Configuration', {
      ...identity,
      spec: { ...this.configuration(), defaultTargetGroupConfiguration },
    });
    const made = { ...identity, spec: { defaultTargetGroupConfiguration } };
    rememberFence({
      object: configuration,
      weaknessOf: (finished) =>
        changeOf(made, finished, { additions: true }) ??
        // options that are wrong by themselves are told already
        (this.faults.length > 0 ? undefined : configurationWeakness(finished)),
    });
    const gateway = makeGateway(scope, {
      ask,
      className: this.options.gatewayClassName ?? gatewayClassOf(scope, NLB_GATEWAY_CLASS, NLB_GATEWAY_CONTROLLER),
      parameters: { group: AWS_GATEWAY_GROUP, kind: 'LoadBalancerConfiguration', name },
    });
    balanceObject(scope, gateway, { owner: OWNER });
  }

  private configuration(): Json {
    const { scheme, securityGroups, sourceRanges, subnets, loadBalancerAttributes, tags } = this.options;
    return {
      scheme: scheme ?? 'internal',
      securityGroups,
      // pods let the balancer in; with groups of somebody else the controller does not see to it unless it is told to
      manageBackendSecurityGroupRules: securityGroups ? true : undefined,
      sourceRanges,
      loadBalancerSubnets: subnets?.map((identifier) => ({ identifier })),
      loadBalancerAttributes: loadBalancerAttributes && asList(loadBalancerAttributes),
      tags,
    };
  }
}

const OWNER = 'aws-load-balancer-controller';

function asList(map: { readonly [key: string]: string }): Json[] {
  return Object.keys(map)
    .sort()
    .map((key) => ({ key, value: map[key] }));
}
