import { type Json, list } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { annotationsOf, classOf, portsOf } from '../../rules/service-json';
import { SECURITY_GROUP_QUOTAS, tooManyRules } from '../aws/rules';
import { AWS_LBC } from './annotations';
import { PRESERVE_CLIENT_IP } from './codecs';
import { AWS_ATTRIBUTES, LBC_FILES, lbcFile } from './facts';
import { attributesOf, hasIpTargets, lacksNodePorts, present, protocolOf, sourceRangesOf } from './reading';

/** Contradictions among annotations alone. */
export const AWS_BALANCER_CONTRADICTIONS: readonly Rule[] = [
  {
    id: 'access-logs-without-bucket',
    severity: 'error',
    effect: 'refused',
    says: 'access logs without a bucket',
    source: AWS_ATTRIBUTES,
    reads: [AWS_LBC.loadBalancerAttributes, AWS_LBC.accessLogEnabled],
    judge(service) {
      const annotations = annotationsOf(service);
      const attributes = AWS_LBC.loadBalancerAttributes.on(annotations);
      const old = AWS_LBC.accessLogEnabled.on(annotations) === true;
      const bucket = attributes?.accessLogsS3Bucket ?? (old ? AWS_LBC.accessLogBucket.on(annotations) : undefined);
      return (old || attributes?.accessLogsS3Enabled === true) && bucket === undefined
        ? {
            what: 'access logs are switched on without a bucket',
            remedy: 'name the bucket, in the region of the balancer',
          }
        : undefined;
    },
  },
];

/** The rules about the balancer as a whole. */
export const AWS_BALANCER_RULES: readonly Rule[] = [
  {
    id: 'aws-other-type',
    severity: 'warning',
    says: 'annotations make a load balancer for a Service of another type',
    source: LBC_FILES.claims,
    reads: [AWS_LBC.type],
    judge: (service) => {
      const { spec } = service;
      return spec?.type === 'LoadBalancer' || (lacksNodePorts(service) && !hasIpTargets(annotationsOf(service)))
        ? undefined
        : {
            what: `the Service is of type ${spec?.type ?? 'ClusterIP'}, and gets a Network Load Balancer all the same, unless the controller runs with the feature gate ServiceTypeLoadBalancerOnly`,
            remedy: `take ${AWS_LBC.type.key()} out where no balancer is meant, or make the type LoadBalancer`,
            value: String(spec?.type ?? 'ClusterIP'),
          };
    },
  },
  ...AWS_BALANCER_CONTRADICTIONS,
  {
    id: 'deletion-protection',
    severity: 'warning',
    says: 'deletion protection keeps the Service from being deleted',
    source: lbcFile('pkg/service/model_builder.go'),
    reads: [AWS_LBC.loadBalancerAttributes],
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_LBC.loadBalancerAttributes.on(annotations)?.deletionProtection === true
        ? {
            what: 'deletion protection is on: a deleted Service, and its namespace, hang until it is edited to false',
            remedy: 'set it to false before the Service is deleted',
            value: 'true',
          }
        : undefined;
    },
  },
  {
    id: 'class-and-type',
    severity: 'warning',
    effect: 'ignored',
    says: 'type annotation is ignored beside a class',
    source: LBC_FILES.claims,
    reads: [AWS_LBC.type],
    judge(service) {
      const annotations = annotationsOf(service);
      const type = annotations[AWS_LBC.type.key()];
      return type !== undefined && classOf(service) !== undefined
        ? {
            what: `the class ${classOf(service)} decides who owns the Service, and type '${type}' beside it does not`,
            remedy: 'remove the annotation',
            value: type,
          }
        : undefined;
    },
  },
  {
    id: 'old-beside-new',
    severity: 'warning',
    effect: 'ignored',
    says: 'obsolete annotation wins over the attribute beside it',
    source: LBC_FILES.loadBalancer,
    reads: [AWS_LBC.loadBalancerAttributes],
    judge(service) {
      const annotations = annotationsOf(service);
      const attributes = AWS_LBC.loadBalancerAttributes.on(annotations);
      const logs = attributes?.accessLogsS3Enabled ?? attributes?.accessLogsS3Bucket ?? attributes?.accessLogsS3Prefix;
      const twice: readonly [boolean, string, string][] = [
        [
          annotations[AWS_LBC.crossZone.key()] !== undefined && attributes?.crossZone !== undefined,
          'load_balancing.cross_zone.enabled',
          AWS_LBC.crossZone.key(),
        ],
        [
          AWS_LBC.accessLogEnabled.on(annotations) === true && logs !== undefined,
          'access_logs.s3',
          AWS_LBC.accessLogEnabled.key(),
        ],
      ];
      return twice
        .filter(([both]) => both)
        .map(([, unread, read]) => ({
          what: `${unread} is set beside ${read}, which wins`,
          remedy: 'keep the attribute alone',
          value: unread,
        }));
    },
  },
];

const GROUPS_WITHOUT_GROUPS: Rule = {
  id: 'groups-without-groups',
  severity: 'error',
  says: 'security group settings on a balancer without security groups',
  source: LBC_FILES.loadBalancer,
  reads: [AWS_LBC.disableNlbSg],
  judge(service) {
    const annotations = annotationsOf(service);
    return AWS_LBC.disableNlbSg.on(annotations) === true
      ? present(
          [AWS_LBC.securityGroups, AWS_LBC.securityGroupPrefixLists, AWS_LBC.inboundSgRulesOnPrivateLinkTraffic].map(
            (entry) =>
              annotations[entry.key()] !== undefined && {
                what: `${entry.key()} is void on a balancer without security groups`,
                remedy: `remove it, or ${AWS_LBC.disableNlbSg.key()}`,
                value: annotations[entry.key()],
              },
          ),
        )
      : undefined;
  },
};

const SOURCE_RANGES_WITHOUT_GROUP: Rule = {
  id: 'source-ranges-without-group',
  severity: 'warning',
  says: 'source ranges have no effect without a security group and the client address',
  source: LBC_FILES.targetGroup,
  reads: [AWS_LBC.disableNlbSg],
  judge(service) {
    const annotations = annotationsOf(service);
    const ranges = AWS_LBC.disableNlbSg.on(annotations) === true ? sourceRangesOf(service, annotations) : [];
    const seen = (port: Json) =>
      attributesOf(annotations, String(port.port)).preserveClientIp ?? !hasIpTargets(annotations);
    const unruled = AWS_LBC.manageBackendSecurityGroupRules.on(annotations) === false;
    const open = portsOf(service).some((port) => protocolOf(port) === 'TCP' && !seen(port));
    return ranges.length > 0 && (open || unruled)
      ? {
          what: `source ranges ${ranges.join(', ')} keep no client out of a balancer without security groups whose targets do not see the client`,
          remedy: `set ${PRESERVE_CLIENT_IP}=true, or let the controller make a security group`,
          value: ranges.join(', '),
        }
      : undefined;
  },
};

/** What is void where a balancer has no security groups. */
export const WITHOUT_SECURITY_GROUPS: readonly Rule[] = [GROUPS_WITHOUT_GROUPS, SOURCE_RANGES_WITHOUT_GROUP];

/** Contradictions among annotations alone. */
export const AWS_SECURITY_CONTRADICTIONS: readonly Rule[] = [
  GROUPS_WITHOUT_GROUPS,
  {
    id: 'source-ranges-with-own-groups',
    severity: 'error',
    effect: 'ignored',
    says: 'source ranges are ignored beside security groups of your own',
    source: LBC_FILES.securityGroup,
    reads: [AWS_LBC.securityGroups],
    judge(service) {
      const annotations = annotationsOf(service);
      const groups = AWS_LBC.securityGroups.on(annotations);
      const ranges = [
        ...sourceRangesOf(service, annotations),
        ...(AWS_LBC.securityGroupPrefixLists.on(annotations) ?? []),
      ];
      return groups && ranges.length > 0
        ? {
            what: `sources ${ranges.join(', ')} are ignored, because the balancer has security groups of its own, ${groups.join(', ')}`,
            remedy: 'write the sources as rules of those groups, or leave the groups to the controller',
            value: ranges.join(', '),
          }
        : undefined;
    },
  },
];

const SECURITY_GROUP_FULL: Rule = {
  id: 'security-group-full',
  severity: 'warning',
  says: 'more ports and source ranges than a security group has rules',
  source: SECURITY_GROUP_QUOTAS,
  on: ['spec.ports'],
  judge(service) {
    const annotations = annotationsOf(service);
    if (AWS_LBC.securityGroups.key() in annotations || AWS_LBC.disableNlbSg.on(annotations) === true) {
      return undefined;
    }
    const prefixLists = AWS_LBC.securityGroupPrefixLists.on(annotations) ?? [];
    const sources = [...sourceRangesOf(service, annotations), ...prefixLists];
    return tooManyRules(portsOf(service).length, sources, 'with one more than that no balancer is made');
  },
};

/** The rules about who may connect. */
export const AWS_SECURITY_RULES: readonly Rule[] = [
  ...AWS_SECURITY_CONTRADICTIONS,
  {
    id: 'source-ranges-twice',
    severity: 'warning',
    effect: 'ignored',
    says: 'source ranges in the field and in an annotation',
    source: LBC_FILES.securityGroup,
    reads: [AWS_LBC.sourceRanges],
    judge(service) {
      const annotations = annotationsOf(service);
      const old = AWS_LBC.sourceRanges.on(annotations);
      const field = list(service.spec?.loadBalancerSourceRanges);
      return old && field.length > 0 && String(old) !== String(field)
        ? {
            what: `source ranges ${old.join(', ')} of the annotation are not read beside spec.loadBalancerSourceRanges`,
            remedy: 'keep the field alone',
            value: old.join(', '),
          }
        : undefined;
    },
  },
  SOURCE_RANGES_WITHOUT_GROUP,
  SECURITY_GROUP_FULL,
];
