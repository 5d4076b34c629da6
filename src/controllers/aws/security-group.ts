import type { Finding } from '../../contract/finding';
import type { Citation } from '../../contract/kubernetes.facts';
import { isIpv6 } from '../../contract/kubernetes-syntax';

/**
 * Rules of a security group of AWS in one direction and of one family of addresses; the quota can be raised. Where the
 * controller makes the group, each port has a rule for each range of clients.
 * https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html; two rules a port were seen to fill the group
 * before the listeners were full, under kubernetes-sigs/aws-load-balancer-controller v3.5.0
 */
export const RULES_PER_SECURITY_GROUP = 60;

/** Where the number stands. */
export const SECURITY_GROUP_QUOTAS: Citation = {
  repository: 'Amazon VPC User Guide',
  version: '2026-11-22',
  file: 'amazon-vpc-limits.html',
};

/** What is wrong with a security group that has a rule for each port and source. */
export function tooManyRules(ports: number, sources: readonly string[], fate: string): Finding | undefined {
  const ofFamily = Math.max(sources.filter(isIpv6).length, sources.filter((source) => !isIpv6(source)).length, 1);
  const rules = ports * ofFamily;
  return rules <= RULES_PER_SECURITY_GROUP
    ? undefined
    : {
        what: `${ports} ${ports === 1 ? 'port' : 'ports'} with ${ofFamily} source ${ofFamily === 1 ? 'range' : 'ranges'} need ${rules} rules of a security group, which has ${RULES_PER_SECURITY_GROUP} unless AWS raised the quota: ${fate}`,
        remedy:
          'join the ranges or use a prefix list, spread the ports over several Services, or have the quota raised',
        value: String(rules),
      };
}
