import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../../contract/json';
import { renderBy, renderingOf } from '../../../contract/late-rendering';
import type { LoadBalancerPlan } from '../../../contract/load-balancer-plan';
import { RULES_PER_SECURITY_GROUP } from '../../../controllers/aws/security-group';
import { BalancedObject } from '../../../rules/balanced-object';
import { Judgement } from '../../../rules/rule';
import { AWS_GATEWAY_GROUP, NLB_DANGEROUS_KINDS } from '../../guard/dangerous-kinds.facts';
import { denyPolicy, mustJudge } from '../../guard/deny-policy';
import { changeOf, rememberAsMade, rememberFence } from '../../guard/isolation';
import { namespaceSelector } from '../../guard/namespaces';
import type { Attachment } from '../contract/attachment';
import type { BalancerAsk, EngineFault, EngineFences, SharedEngine } from '../contract/engine';
import { gatewayClassOf, makeGateway } from '../gateway/gateway';
import { controllerFaults } from './controllers';
import { nlbDocuments, type TargetSettings, targetProperties } from './documents';
import { AWS_GATEWAY_VERSION, NLB_GATEWAY_CLASS, NLB_GATEWAY_CONTROLLER, NLB_LISTENERS } from './facts';
import type { AwsNetworkLoadBalancerEngineOptions } from './options';
import { configurationWeakness, nlbFaults, targetWeakness } from './rules';

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
  public readonly dangerous = NLB_DANGEROUS_KINDS;
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

/**
 * Says for every Service without words of its own that its pods are the targets, so that a route to one that nobody
 * attached freezes no balancer. It refers to no Service: the controller takes it as a default then alone.
 *
 * @returns its name, in the namespace of the balancer
 */
function defaultTargets(scope: Construct, { name, namespace }: BalancerAsk, settings: TargetSettings): string {
  const targets = `${name}-default-targets`;
  const made = {
    apiVersion: AWS_GATEWAY_VERSION,
    kind: 'TargetGroupConfiguration',
    metadata: { name: targets, namespace },
    spec: { defaultConfiguration: targetProperties(settings) },
  };
  rememberAsMade(new ApiObject(scope, 'DefaultTargets', made), made);
  return targets;
}

/** Whether a Service could be a backend, and has a family that the balancer has not: without ports nothing leads to it. */
function hurts(service: string): string {
  return `size(${service}.spec.?ports.orValue([])) > 0 && ${service}.spec.?ipFamilies.orValue([]).exists(f, f == 'IPv6')`;
}

/**
 * Services of tenants with ports have no IPv6: the balancer has IPv4 alone, and where a route leads to a Service with another family
 * the controller changes nothing of the whole balancer any more. It is the API server that gives both families to a Service
 * that has neither an address nor a selector. Nobody is exempt, since it freezes the balancer whoever did it.
 */
function serviceFences(scope: Construct, { name, namespaceLabels, kubernetes }: EngineFences): void {
  mustJudge(scope, kubernetes, undefined);
  const says =
    "'spec.ipFamilies must be IPv4 alone, since the shared load balancer has no IPv6 and could change nothing for any tenant: set spec.ipFamilyPolicy to SingleStack and spec.ipFamilies to IPv4'";
  denyPolicy(scope, 'Families', {
    name: `${name}-ip-families`,
    namespaceSelector: namespaceSelector(scope, namespaceLabels),
    exempt: [],
    rules: [{ apiGroups: [''], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['services'] }],
    // what was there before the fence stays, and can be deleted
    conditions: [{ name: 'not-before', expression: `oldObject == null || !(${hurts('oldObject')})` }],
    faults: [{ when: hurts('object'), says }],
    message: 'the Service has IPv6, which the shared load balancer has not',
  });
}

/** Has an object counted that a controller makes a balancer of. */
function balanceObject(host: Construct, object: ApiObject, plan: LoadBalancerPlan): void {
  const balanced = new BalancedObject(host, object, { rendered: renderingOf(object) }, plan, [], [], SILENT);
  renderBy(object, () => balanced.write());
}

const SILENT = { judge: () => new Judgement() };

/** What a balancer is limited by. */
interface PortLimits {
  /** Listeners of a balancer. */
  readonly listeners: number;
  /** Rules of its security group, where each port is opened by rules of its own. */
  readonly rules?: number;
  /** Rules that a port needs: one for each range of clients. */
  readonly rulesPerPort?: number;
}

/** How many ports one balancer carries: whichever limit is met first. */
export function portCapacity({ listeners, rules, rulesPerPort = 1 }: PortLimits): number {
  return rules === undefined ? listeners : Math.min(listeners, Math.floor(rules / rulesPerPort));
}
