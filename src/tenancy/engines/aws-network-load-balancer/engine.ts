import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json, list } from '../../../contract/json';
import { cidrFault } from '../../../contract/kubernetes-syntax';
import { RenderStage, renderBy, renderingOf } from '../../../contract/late-rendering';
import { RULES_PER_SECURITY_GROUP } from '../../../controllers/aws/facts';
import {
  AWS_GATEWAY_GROUP,
  AWS_GATEWAY_VERSION,
  NLB_CONFIGURATION_KIND,
  NLB_GATEWAY_CONTROLLER,
  TARGET_GROUPS_KIND,
} from '../../../controllers/aws-load-balancer-controller/facts';
import { NLB_CONFIGURATION_RULE_SET, TARGET_GROUPS_RULE_SET } from '../../../gateway/aws-rules';
import { BalancedObject, validateByRules } from '../../../rules/synth-object';
import { type Fault, faultsIn, rulesOf } from '../../fault';
import { NLB_DANGEROUS_KINDS } from '../../guard/guard.facts';
import { denyPolicy, requirePolicySupport } from '../../guard/policy';
import { policyOf } from '../../guard/policy-template';
import { changeOf, keepIsolating, namespaceSelector, protectFields } from '../../guard/rules';
import {
  type BalancerOptions,
  type EngineChecks,
  type EngineIsolation,
  type EnginePolicyScope,
  ISOLATED,
  NO_CHECKS,
  NO_RESERVED_PORTS,
  type ProtectBalancer,
  type SharedEngine,
} from '../contract/engine';
import type { Attachment, Document } from '../contract/publishing';
import { gatewayClassOf, makeGateway, OWN_GATEWAY_RULE_SET } from '../gateway/gateway';
import { nlbDocuments, type TargetSettings, targetProperties } from './documents';
import * as facts from './facts';
import type { AwsNetworkLoadBalancerEngineOptions } from './options';
import { NLB_RULES } from './rules.facts';

export const NLB = rulesOf(NLB_RULES);

function optionFaults({ securityGroups, sourceRanges }: AwsNetworkLoadBalancerEngineOptions): Fault[] {
  const wrong = securityGroups && securityGroupsFault(securityGroups);
  const faults = list<string>(sourceRanges).flatMap((range) => cidrFault(String(range)) ?? []);
  return faultsIn(NLB, {
    'nlb-security-groups-invalid': wrong !== undefined && { wrong },
    'nlb-source-ranges-ignored': !!securityGroups?.length && sourceRanges !== undefined,
    'nlb-source-range-invalid': faults.map((fault) => ({ fault })),
  });
}

/** Faults of security groups, as text; the controller looks for those that are no ids by name. */
function securityGroupsFault(groups: readonly unknown[]): string | undefined {
  const wrong = groups.find((group) => !isGroup(group));
  const twice = groups.find((group, i) => groups.indexOf(group) !== i);
  return wrong !== undefined
    ? `has ${JSON.stringify(wrong)}, which is not a valid id or name`
    : twice !== undefined
      ? `has ${JSON.stringify(twice)} twice`
      : undefined;
}

function isGroup(group: unknown): boolean {
  return (
    typeof group === 'string' &&
    (group.startsWith('sg-') ? facts.SECURITY_GROUP_ID.test(group) : facts.SECURITY_GROUP_NAME.test(group))
  );
}

function configurationWeakness({ spec }: Json): string | undefined {
  const groups = list(spec?.securityGroups);
  if (groups.length === 0) {
    return `spec.securityGroups is missing, and the group that the controller makes is full with ${RULES_PER_SECURITY_GROUP} rules`;
  }
  const fault = securityGroupsFault(groups);
  return fault === undefined ? undefined : `spec.securityGroups ${fault}`;
}

function targetWeakness({ kind, spec }: Document): string | undefined {
  const configurations = kind === 'TargetGroupConfiguration' ? list<Json>(spec?.routeConfigurations) : [];
  const at = configurations.findIndex((one) => !isMap(one) || one.targetGroupProps?.targetType !== 'ip');
  return at < 0 ? undefined : `spec.routeConfigurations[${at}].targetGroupProps.targetType is not ip`;
}

export class AwsNetworkLoadBalancerEngine implements SharedEngine {
  public readonly name = 'the NLB gateway of the AWS Load Balancer Controller';
  public readonly limits = {
    powers: { hostnames: false, sourceRanges: false, connections: false, bandwidth: false },
    instead: facts.INSTEAD,
    replicas: 1,
    perPort: true,
  };
  public readonly isolation: EngineIsolation = {
    ...ISOLATED,
    isByItself: false,
    dangerous: NLB_DANGEROUS_KINDS,
    weaknessOf: targetWeakness,
    makePolicies: ipFamilyPolicy,
  };
  public readonly ports;
  public readonly publishing;
  public readonly checks: EngineChecks;
  /** kubernetes-sigs/aws-load-balancer-controller v3.5.0: controllers/gateway/gateway_controller.go watches no namespaces */
  public readonly watching = { touchesListenerSets: true };

  public constructor(private readonly options: AwsNetworkLoadBalancerEngineOptions) {
    const { securityGroups, sourceRanges, preserveClientIp, proxyProtocol } = options;
    this.ports = {
      ...NO_RESERVED_PORTS,
      // the Gateway's own listener has no route, so the balancer has none for it; rules count in the controller's own group
      perBalancer: portCapacity({
        listeners: facts.NLB_LISTENERS,
        rules: securityGroups?.length ? undefined : RULES_PER_SECURITY_GROUP,
        rulesPerPort: Math.max(1, sourceRanges?.length ?? 1),
      }),
    };
    this.publishing = {
      throughGateway: true,
      publish: (attachment: Attachment) => nlbDocuments(attachment, options),
      atRunTime: { publisher: 'aws-network-load-balancer', settings: { preserveClientIp, proxyProtocol } },
    };
    this.checks = {
      ...NO_CHECKS,
      faults: optionFaults(options),
      isolationFaults: faultsIn(NLB, {
        'isolation-security-groups-missing': !securityGroups?.length && {
          rulesPerSecurityGroup: RULES_PER_SECURITY_GROUP,
        },
      }),
    };
  }

  public makeBalancer(scope: Construct, ask: BalancerOptions): ProtectBalancer {
    const { name, namespace } = ask;
    const defaultTargetGroupConfiguration = { name: defaultTargets(scope, ask, this.options) };
    const identity = {
      apiVersion: AWS_GATEWAY_VERSION,
      kind: NLB_CONFIGURATION_KIND,
      metadata: { name, namespace },
    };
    const configuration = new ApiObject(scope, 'Configuration', {
      ...identity,
      spec: { ...this.configuration(), defaultTargetGroupConfiguration },
    });
    validateByRules(configuration, NLB_CONFIGURATION_RULE_SET);
    const made = { ...identity, spec: { defaultTargetGroupConfiguration } };
    keepIsolating({
      object: configuration,
      weaknessOf: (finished) =>
        changeOf(made, finished, true) ??
        // options that are wrong by themselves are reported already
        (this.hasFaults ? undefined : configurationWeakness(finished)),
    });
    const gateway = makeGateway(scope, {
      ask,
      className:
        this.options.gatewayClassName ?? gatewayClassOf(scope, facts.NLB_GATEWAY_CLASS, NLB_GATEWAY_CONTROLLER),
      parameters: { group: AWS_GATEWAY_GROUP, kind: NLB_CONFIGURATION_KIND, name },
    });
    const rendering = { rendered: renderingOf(gateway, RenderStage.WRITE) };
    const check = { check: (json: Json) => OWN_GATEWAY_RULE_SET.check(json, {}) };
    const balanced = new BalancedObject(scope, gateway, rendering, { owner: OWNER }, [], [], check);
    renderBy(gateway, RenderStage.WRITE, () => balanced.write());
    return () => balanced.protect(gateway);
  }

  private get hasFaults(): boolean {
    return this.checks.faults.length + this.checks.isolationFaults.length > 0;
  }

  private configuration(): Json {
    const { scheme, securityGroups, sourceRanges, subnets, loadBalancerAttributes, tags } = this.options;
    return {
      scheme: scheme ?? 'internal',
      securityGroups,
      // pods let the balancer in; with groups of the platform the controller does not see to it by default
      manageBackendSecurityGroupRules: securityGroups ? true : undefined,
      sourceRanges,
      loadBalancerSubnets: subnets?.map((identifier) => ({ identifier })),
      loadBalancerAttributes: loadBalancerAttributes && asList(loadBalancerAttributes),
      tags,
    };
  }
}

const OWNER = 'aws-load-balancer-controller';

/** `rules` are those of the security group of the balancer; a port needs one for each range of clients. */
export function portCapacity(limits: { listeners: number; rules?: number; rulesPerPort?: number }): number {
  const { listeners, rules, rulesPerPort = 1 } = limits;
  return rules === undefined ? listeners : Math.min(listeners, Math.floor(rules / rulesPerPort));
}

function asList(map: { readonly [key: string]: string }): Json[] {
  return Object.keys(map)
    .sort()
    .map((key) => ({ key, value: map[key] }));
}

/**
 * Makes pods the targets of every Service without target settings of its own, so that a route to a Service that is not
 * attached freezes no balancer. It refers to no Service: only then does the controller take it as a default.
 *
 * @returns its name, in the namespace of the balancer
 */
function defaultTargets(scope: Construct, { name, namespace }: BalancerOptions, settings: TargetSettings): string {
  const targets = `${name}-default-targets`;
  const made = {
    apiVersion: AWS_GATEWAY_VERSION,
    kind: TARGET_GROUPS_KIND,
    metadata: { name: targets, namespace },
    spec: { defaultConfiguration: targetProperties(settings) },
  };
  const object = new ApiObject(scope, 'DefaultTargets', made);
  validateByRules(object, TARGET_GROUPS_RULE_SET);
  protectFields(object, made);
  return targets;
}

/** No identity is exempt, since each of them freezes the balancer. */
function ipFamilyPolicy(scope: Construct, { name, namespaceLabels, kubernetes }: EnginePolicyScope): void {
  requirePolicySupport(scope, kubernetes, undefined);
  denyPolicy(scope, 'Families', {
    ...policyOf(facts.IP_FAMILIES),
    name: `${name}-ip-families`,
    namespaceSelector: namespaceSelector(scope, namespaceLabels),
    exempt: [],
  });
}
