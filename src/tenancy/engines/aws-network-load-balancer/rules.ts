import { isMap, type Json, list } from '../../../contract/json';
import { cidrFault } from '../../../contract/kubernetes-syntax';
import { RULES_PER_SECURITY_GROUP } from '../../../controllers/aws/rules';
import { errorRule, type Fault } from '../../fault';
import type { Document } from '../contract/attachment';
import { SECURITY_GROUP_ID, SECURITY_GROUP_NAME } from './facts';
import type { AwsNetworkLoadBalancerEngineOptions } from './options';

export const NLB_SECURITY_GROUPS = errorRule(
  'nlb-security-groups',
  'the security groups of an NLB of tenants are ids or names, at least one, each once',
);
export const NLB_SOURCE_RANGES = errorRule('nlb-source-ranges', 'the source ranges of an NLB of tenants are CIDRs');
export const ISOLATION_SECURITY_GROUPS = errorRule(
  'isolation-security-groups',
  'an NLB of tenants has security groups of the platform, unless all tenants are one team: the group of the controller is full with 60 rules, and then nothing changes for any tenant',
);
export const RANGES_OF_OWN_GROUPS = errorRule(
  'ranges-of-own-groups',
  'an NLB has source ranges where the controller makes its security group',
);

/** What is wrong with the options of an NLB of tenants, unless all tenants are one team. */
export function isolationFaults({ securityGroups }: AwsNetworkLoadBalancerEngineOptions): Fault[] {
  return securityGroups && securityGroups.length > 0
    ? []
    : [
        {
          rule: ISOLATION_SECURITY_GROUPS,
          what: `the balancer has no security group of its own, and the controller's holds ${RULES_PER_SECURITY_GROUP} rules, one for each port and range: one port too many of one tenant freezes all others`,
          remedy: 'pass securityGroups to the engine, or set oneTeam if all tenants are one team',
        },
      ];
}

/** What is wrong with the options of an NLB of tenants. */
export function optionFaults({ securityGroups, sourceRanges }: AwsNetworkLoadBalancerEngineOptions): Fault[] {
  const faults: Fault[] = [];
  if (securityGroups && securityGroups.length > 0) {
    const wrong = securityGroupsFault(securityGroups);
    if (wrong !== undefined) {
      const remedy = "pass ids such as 'sg-0123456789abcdef0', or names of groups, each once";
      faults.push({ rule: NLB_SECURITY_GROUPS, what: `securityGroups ${wrong}`, remedy });
    }
    if (sourceRanges) {
      faults.push({
        rule: RANGES_OF_OWN_GROUPS,
        what: 'sourceRanges and securityGroups are both set, and the controller reads ranges for its own group alone',
        remedy: 'put the ranges into your security groups',
      });
    }
  }
  for (const range of list<string>(sourceRanges)) {
    const fault = cidrFault(String(range));
    if (fault !== undefined) {
      faults.push({
        rule: NLB_SOURCE_RANGES,
        what: `sourceRanges: ${fault}, and the controller would no longer change the balancer`,
        remedy: "write an address with a prefix, such as '10.0.0.0/16'",
      });
    }
  }
  return faults;
}

/** What is wrong with security groups, as text; the controller looks for those that are no ids by name. */
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
