import { isIPv4 } from 'node:net';
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

/** Where AWS documents the number. */
export const SECURITY_GROUP_QUOTAS: Citation = {
  repository: 'Amazon VPC User Guide',
  version: '2026-11-22',
  file: 'amazon-vpc-limits.html',
};

/** The sources of the family that has more of them: everybody counts as one. */
function sourcesOfFamily(sources: readonly string[]): number {
  return Math.max(sources.filter(isIpv6).length, sources.filter((source) => !isIpv6(source)).length, 1);
}

/** The rules of one family of a security group that has one for each port and source. */
export const rulesOfGroup = (ports: number, sources: readonly string[]) => ports * sourcesOfFamily(sources);

/** What is wrong with a security group that has a rule for each port and source. */
export function tooManyRules(ports: number, sources: readonly string[], fate: string): Finding | undefined {
  const ofFamily = sourcesOfFamily(sources);
  const rules = rulesOfGroup(ports, sources);
  return rules <= RULES_PER_SECURITY_GROUP
    ? undefined
    : {
        what: `${ports} ${ports === 1 ? 'port' : 'ports'} with ${ofFamily} source ${ofFamily === 1 ? 'range' : 'ranges'} need ${rules} rules of a security group, which has ${RULES_PER_SECURITY_GROUP} unless AWS raised the quota: ${fate}`,
        remedy:
          'join the ranges or use a prefix list, spread the ports over several Services, or have the quota raised',
        value: String(rules),
      };
}

/** How small a subnet can be: 16 addresses of IPv4, and a range of length 64 of IPv6. */
export const SUBNET_SIZES: Citation = {
  repository: 'Amazon VPC User Guide',
  version: '2026-11-22',
  file: 'subnet-sizing.html',
};

/** What is named twice where each subnet, or zone, has one: the subnet itself, an address, or two addresses of one subnet. */
export function twiceInSubnet(key: string, values: readonly string[]): Finding | undefined {
  const blocks = values.map(smallestSubnet);
  const at = blocks.findIndex((block, i) => blocks.indexOf(block) < i);
  if (at < 0) {
    return undefined;
  }
  const first = values[blocks.indexOf(blocks[at])];
  const second = values[at];
  return {
    what: `${key} names ${first === second ? `${first} twice` : `${first} and ${second}, which are of one subnet`}, and a balancer has one of each subnet and zone: it is never made`,
    remedy: 'name one for each subnet, each subnet in another zone',
    value: second,
  };
}

/** The smallest subnet that can hold an address; anything else for itself. */
function smallestSubnet(value: string): string {
  if (isIPv4(value)) {
    const [a, b, c, d] = value.split('.').map(Number);
    return `${a}.${b}.${c}.${d & 0xf0}/28`;
  }
  return isIpv6(value) && !value.includes('/') ? `${groupsOf(value).slice(0, 4).join(':')}/64` : value;
}

/** The eight groups of an address of IPv6. */
function groupsOf(address: string): string[] {
  const [head, tail] = address
    .toLowerCase()
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...(tail ?? [])].map((group) => group.replace(/^0+(?=.)/, ''));
}
