import { type Json, list } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { portsOf } from '../../rules/service-json';
import { SECURITY_GROUP_QUOTAS, tooManyRules } from '../aws/security-group';
import { AWS } from './annotations';
import { PRESERVE_CLIENT_IP } from './attributes';
import { LBC_FILES } from './product.annotations';
import { attributesOf, hasIpTargets, present, protocolOf, sourceRangesOf } from './reading';
import { error, warning } from './rule';

const GROUPS_WITHOUT_GROUPS = error(
  'groups-without-groups',
  'a balancer without security groups takes no setting for them',
  LBC_FILES.loadBalancer,
  (_, annotations) =>
    AWS.disableNlbSg.on(annotations) === true
      ? present(
          [AWS.securityGroups, AWS.securityGroupPrefixLists, AWS.inboundSgRulesOnPrivateLinkTraffic].map(
            (entry) =>
              annotations[entry.key()] !== undefined && {
                what: `${entry.key()} is void on a balancer without security groups`,
                remedy: `remove it, or ${AWS.disableNlbSg.key()}`,
                value: annotations[entry.key()],
              },
          ),
        )
      : undefined,
  { reads: [AWS.disableNlbSg] },
);

const SOURCE_RANGES_WITHOUT_GROUP = warning(
  'source-ranges-without-group',
  'without security groups, source ranges hold only where targets see the address of the client',
  LBC_FILES.targetGroup,
  (service, annotations) => {
    const ranges = AWS.disableNlbSg.on(annotations) === true ? sourceRangesOf(service, annotations) : [];
    const seen = (port: Json) =>
      attributesOf(annotations, String(port.port)).preserveClientIp ?? !hasIpTargets(annotations);
    const unruled = AWS.manageBackendSecurityGroupRules.on(annotations) === false;
    const open = portsOf(service).some((port) => protocolOf(port) === 'TCP' && !seen(port));
    return ranges.length > 0 && (open || unruled)
      ? {
          what: `source ranges ${ranges.join(', ')} keep nobody out of a balancer without security groups whose targets do not see the client`,
          remedy: `set ${PRESERVE_CLIENT_IP}=true, or let the controller make a security group`,
          value: ranges.join(', '),
        }
      : undefined;
  },
  { reads: [AWS.disableNlbSg] },
);

/** What is void where a balancer has no security groups. */
export const WITHOUT_SECURITY_GROUPS: readonly Rule[] = [GROUPS_WITHOUT_GROUPS, SOURCE_RANGES_WITHOUT_GROUP];

/** Contradictions among annotations alone. */
export const AWS_SECURITY_CONTRADICTIONS: readonly Rule[] = [
  GROUPS_WITHOUT_GROUPS,
  error(
    'source-ranges-with-own-groups',
    'source ranges and prefix lists are for the security group that the controller makes: own groups make them void',
    LBC_FILES.securityGroup,
    (service, annotations) => {
      const groups = AWS.securityGroups.on(annotations);
      const ranges = [...sourceRangesOf(service, annotations), ...(AWS.securityGroupPrefixLists.on(annotations) ?? [])];
      return groups && ranges.length > 0
        ? {
            what: `sources ${ranges.join(', ')} are ignored, because the balancer has security groups of its own, ${groups.join(', ')}`,
            remedy: 'write the sources as rules of those groups, or leave the groups to the controller',
            value: ranges.join(', '),
          }
        : undefined;
    },
    { reads: [AWS.securityGroups] },
  ),
];

const SECURITY_GROUP_FULL = warning(
  'security-group-full',
  'the security group that the controller makes has a rule for each port and source: one too many, and there is no balancer',
  SECURITY_GROUP_QUOTAS,
  (service, annotations) => {
    if (AWS.securityGroups.key() in annotations || AWS.disableNlbSg.on(annotations) === true) {
      return undefined;
    }
    const prefixLists = AWS.securityGroupPrefixLists.on(annotations) ?? [];
    const sources = [...sourceRangesOf(service, annotations), ...prefixLists];
    return tooManyRules(portsOf(service).length, sources, 'with one more than that no balancer is made');
  },
);

/** The rules about who may connect. */
export const AWS_SECURITY_RULES: readonly Rule[] = [
  ...AWS_SECURITY_CONTRADICTIONS,
  warning(
    'source-ranges-twice',
    'source ranges by annotation are not read where the field stands',
    LBC_FILES.securityGroup,
    (service, annotations) => {
      const old = AWS.sourceRanges.on(annotations);
      const field = list(service.spec?.loadBalancerSourceRanges);
      return old && field.length > 0 && String(old) !== String(field)
        ? {
            what: `source ranges ${old.join(', ')} of the annotation are not read beside spec.loadBalancerSourceRanges`,
            remedy: 'keep the field alone',
            value: old.join(', '),
          }
        : undefined;
    },
    { reads: [AWS.sourceRanges] },
  ),
  SOURCE_RANGES_WITHOUT_GROUP,
  SECURITY_GROUP_FULL,
];
