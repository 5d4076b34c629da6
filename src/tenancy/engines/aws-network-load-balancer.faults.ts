import { isMap, type Json, list } from '../../contract/json';
import { cidrFault } from '../../contract/kubernetes-syntax';
import { RULES_PER_SECURITY_GROUP } from '../../controllers/aws/rules';
import type { Document } from '../attachment/attachment';
import { SECURITY_GROUP_ID, SECURITY_GROUP_NAME } from './aws-network-load-balancer.facts';
import type { AwsNetworkLoadBalancerEngineOptions } from './aws-network-load-balancer.options';
import type { EngineFault } from './shared-engine';

/** What is wrong with the options of an NLB of tenants. */
export function nlbFaults({ securityGroups, sourceRanges }: AwsNetworkLoadBalancerEngineOptions): EngineFault[] {
  const own = securityGroups && securityGroups.length > 0;
  const groups = own ? securityGroupsFault(securityGroups) : undefined;
  const faults: (EngineFault | undefined)[] = [
    own
      ? undefined
      : {
          ruleId: 'fence-security-groups',
          what: `the balancer has no security group of its own, and the one that the controller makes holds ${RULES_PER_SECURITY_GROUP} rules, one for each port and range: the tenant whose port is one too many freezes all others`,
          remedy: 'pass securityGroups to the engine, or say oneTeam where all tenants are one team',
        },
    groups === undefined
      ? undefined
      : {
          ruleId: 'nlb-security-groups',
          what: `securityGroups ${groups}`,
          remedy: "write ids such as 'sg-0123456789abcdef0', or names of groups, each once",
        },
    own && sourceRanges
      ? {
          ruleId: 'ranges-of-own-groups',
          what: 'sourceRanges and securityGroups are both given, and the controller reads ranges for its own group alone',
          remedy: 'put the ranges in your security groups',
        }
      : undefined,
    ...list<string>(sourceRanges).map((range) => {
      const fault = cidrFault(String(range));
      return fault === undefined
        ? undefined
        : {
            ruleId: 'nlb-source-ranges',
            what: `sourceRanges: ${fault}, and the controller would change nothing of the balancer any more`,
            remedy: "write an address with a prefix, such as '10.0.0.0/16'",
          };
    }),
  ];
  return faults.filter((fault) => fault !== undefined);
}

/** What is wrong with security groups, in words; the controller looks for those that are no ids by name. */
function securityGroupsFault(groups: readonly unknown[]): string | undefined {
  const wrong = groups.find((group) => !isGroup(group));
  const twice = groups.find((group, i) => groups.indexOf(group) !== i);
  return wrong !== undefined
    ? `has ${JSON.stringify(wrong)}, which is neither the id nor the name of one`
    : twice !== undefined
      ? `has ${JSON.stringify(twice)} twice`
      : undefined;
}

function isGroup(group: unknown): boolean {
  return (
    typeof group === 'string' &&
    (group.startsWith('sg-') ? SECURITY_GROUP_ID.test(group) : SECURITY_GROUP_NAME.test(group))
  );
}

/** Where the finished settings of a balancer leave it to the security group of the controller, or to none. */
export function configurationWeakness({ spec }: Json): string | undefined {
  const groups = list(spec?.securityGroups);
  if (groups.length === 0) {
    return `spec.securityGroups is missing, and the group that the controller makes is full with ${RULES_PER_SECURITY_GROUP} rules`;
  }
  const fault = securityGroupsFault(groups);
  return fault === undefined ? undefined : `spec.securityGroups ${fault}`;
}

/** Where a Service has targets of a kind that freezes the whole balancer: for some routes alone. */
export function targetWeakness({ kind, spec }: Document): string | undefined {
  const configurations = kind === 'TargetGroupConfiguration' ? list<Json>(spec?.routeConfigurations) : [];
  const at = configurations.findIndex((one) => !isMap(one) || one.targetGroupProps?.targetType !== 'ip');
  return at < 0 ? undefined : `spec.routeConfigurations[${at}].targetGroupProps.targetType is not ip`;
}
