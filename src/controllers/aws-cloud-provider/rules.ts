import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { HAND_OVER_PAGE } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { Rule } from '../../rules/rule';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { SUBNET_SIZES, twiceInSubnet } from '../aws/rules';
import {
  AWS_CLOUD,
  AWS_CLOUD_FILES,
  AWS_CLOUD_SOURCE,
  CLASSIC_ONLY,
  NLB_ONLY,
  NLB_SECURITY_GROUPS_REFUSED_SINCE,
  NLB_SECURITY_GROUPS_SINCE,
  NLB_TYPE,
} from './annotations';
import { AwsBackendProtocol } from './options';
import { type AwsCloudKnown, isInternal, isNlb, kindOfBalancer, protocolOf, rangesOf, textOf } from './reading';
import { AWS_CLOUD_TARGET_RULES } from './rules.targets';

/** The rules about addresses, and who may connect to them. */
export const AWS_CLOUD_ADDRESSES_RULES: readonly Rule[] = [
  {
    id: 'aws-cloud-load-balancer-ip',
    severity: 'error',
    says: 'spec.loadBalancerIP is refused',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const ip: unknown = service.spec?.loadBalancerIP;
      const remedy = `leave it out, or fix the addresses of a Network Load Balancer by ${AWS_CLOUD.eipAllocations.key()} or ${AWS_CLOUD.privateIpv4Addresses.key()}`;
      return ip ? { what: `spec.loadBalancerIP '${ip}' is refused`, remedy, value: String(ip) } : undefined;
    },
  },
  {
    id: 'aws-cloud-addresses-of-scheme',
    severity: 'error',
    says: 'elastic IP addresses are for public balancers, private addresses for internal ones',
    source: AWS_CLOUD_FILES.loadBalancer,
    judge(service) {
      const wrong = isInternal(service) ? AWS_CLOUD.eipAllocations : AWS_CLOUD.privateIpv4Addresses;
      const value = textOf(service, wrong);
      return isNlb(service) && value !== undefined
        ? {
            what: `${wrong.key()} does not fit ${isInternal(service) ? 'an internal' : 'a public'} balancer`,
            remedy: `leave it out, or change ${AWS_CLOUD.internal.key()}`,
            value,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-address-count',
    severity: 'error',
    says: 'there must be one fixed address for each subnet',
    source: AWS_CLOUD_FILES.loadBalancer,
    judge(service) {
      const annotations = annotationsOf(service);
      const subnets = AWS_CLOUD.subnets.on(annotations)?.length;
      if (!isNlb(service) || subnets === undefined) {
        return undefined;
      }
      return [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses]
        .map((entry) => ({ key: entry.key(), addresses: entry.on(annotations) ?? [] }))
        .filter(({ addresses }) => addresses.length > 0 && addresses.length !== subnets)
        .map(({ key, addresses }) => ({
          what: `${key} names ${addresses.length} for ${subnets} subnets`,
          remedy: `name as many as subnets, which get them in the order in which AWS lists them, ids before names, and not in that of ${AWS_CLOUD.subnets.key()}`,
          value: addresses.join(','),
        }));
    },
  },
  {
    id: 'aws-cloud-one-address-a-subnet',
    severity: 'error',
    says: 'a Network Load Balancer has one subnet in each zone, and one address in each subnet',
    source: SUBNET_SIZES,
    judge(service) {
      const annotations = annotationsOf(service);
      return isNlb(service)
        ? [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses].flatMap(
            (entry) => twiceInSubnet(entry.key(), entry.on(annotations) ?? []) ?? [],
          )
        : undefined;
    },
  },
  {
    id: 'aws-cloud-source-ranges-ignored',
    severity: 'error',
    says: 'source ranges have no effect on a Classic Load Balancer with security groups of your own',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const ranges = rangesOf(service);
      const groups = AWS_CLOUD.securityGroups.on(annotationsOf(service));
      return !isNlb(service) && groups && ranges.length > 0
        ? {
            what: `source ranges have no effect beside ${AWS_CLOUD.securityGroups.key()}: the rules of those groups decide who connects`,
            remedy: 'write the ranges into the security groups, or leave the annotation out',
            value: ranges.join(','),
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-ipv6-source-range',
    severity: 'error',
    says: 'source ranges must be IPv4',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const range = rangesOf(service).find(isIpv6);
      return range === undefined
        ? undefined
        : { what: `source range '${range}' is IPv6`, remedy: 'use IPv4 ranges', value: range };
    },
  },
];

/** The entries that are present and have no meaning here. */
const present = (service: Json, entries: readonly AnyAnnotation[]) =>
  entries.filter((entry) => textOf(service, entry) !== undefined);

/** Those whose presence is not ignored but refused. */
const REFUSED: readonly unknown[] = [AWS_CLOUD.extraSecurityGroups, AWS_CLOUD.targetGroupAttributes];

/** Security groups that a Network Load Balancer is to have. */
const groupsOfNlb = (service: Json) => (isNlb(service) ? textOf(service, AWS_CLOUD.securityGroups) : undefined);

/** What is known of the controller as it is installed. */
function knownOf(controller: ILoadBalancerController | undefined): AwsCloudKnown {
  return (controller as { _known?: AwsCloudKnown } | undefined)?._known ?? {};
}

const reaches = (version: KubernetesVersion, minor: string) => version.isAtLeast(KubernetesVersion.of(minor));

const strays = (service: Json) => present(service, isNlb(service) ? CLASSIC_ONLY : NLB_ONLY);

/** What the AWS cloud provider refuses, and what it takes in silence and in another sense. */
export const AWS_CLOUD_RULES: readonly Rule[] = [
  {
    id: 'aws-cloud-mixed-protocols',
    severity: 'error',
    says: 'all ports of a Service must have one protocol',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const protocols = [...new Set(portsOf(service).map(protocolOf))].join(' and ');
      return protocols.includes(' and ')
        ? { what: `the ports mix ${protocols}`, remedy: 'make one Service for each protocol', value: protocols }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-protocol',
    severity: 'error',
    says: 'a Classic Load Balancer balances TCP only, a Network Load Balancer TCP and UDP',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const known = isNlb(service) ? ['TCP', 'UDP'] : ['TCP'];
      const odd = portsOf(service).find((port) => !known.includes(protocolOf(port)));
      return (
        odd && {
          what: `port ${odd.port} is ${odd.protocol}, and ${kindOfBalancer(service)} balances ${known.join(' and ')} only`,
          remedy:
            odd.protocol === 'UDP' ? `use a Network Load Balancer (type ${NLB_TYPE})` : `balance ${known.join(' or ')}`,
          value: String(odd.protocol),
        }
      );
    },
  },
  {
    id: 'aws-cloud-session-affinity',
    severity: 'error',
    says: 'sessionAffinity must be None',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const affinity: unknown = service.spec?.sessionAffinity;
      return affinity && affinity !== 'None'
        ? { what: `sessionAffinity ${affinity} is refused`, remedy: 'leave it out', value: String(affinity) }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-unknown-type',
    severity: 'warning',
    says: `a type other than '${NLB_TYPE}' makes a Classic Load Balancer`,
    source: AWS_CLOUD_FILES.loadBalancer,
    judge(service) {
      const type = AWS_CLOUD.type.on(annotationsOf(service));
      return type !== undefined && type !== NLB_TYPE
        ? {
            what: `type '${type}' is not '${NLB_TYPE}', so a Classic Load Balancer is made`,
            remedy: `leave the annotation out for a Classic Load Balancer, or write '${NLB_TYPE}' before one is made: on a live one that is refused, and a Service deleted with it leaves the balancer behind; a live one is handed over as ${HAND_OVER_PAGE} says`,
            value: type,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-refused-annotation',
    severity: 'error',
    says: 'a Network Load Balancer refuses extra-security-groups, a Classic one target-group-attributes',
    source: AWS_CLOUD_FILES.validations,
    judge: (service) =>
      strays(service)
        .filter((entry) => REFUSED.includes(entry))
        .map((entry) => ({
          what: `${entry.key()} is refused for ${kindOfBalancer(service)}`,
          remedy: 'leave it out',
          value: textOf(service, entry),
        })),
  },
  {
    id: 'aws-cloud-nlb-security-groups-version',
    severity: 'error',
    says: `a Network Load Balancer has security groups of the user's from ${NLB_SECURITY_GROUPS_SINCE} on; older versions refuse them, or make it without any`,
    source: AWS_CLOUD_FILES.validations,
    judge(service, { controller }) {
      const { version } = knownOf(controller);
      return groupsOfNlb(service) === undefined || version === undefined || reaches(version, NLB_SECURITY_GROUPS_SINCE)
        ? undefined
        : {
            what: `${AWS_CLOUD.securityGroups.key()} is ${reaches(version, NLB_SECURITY_GROUPS_REFUSED_SINCE) ? 'refused' : 'ignored without a word'} for a Network Load Balancer by version ${version.version}`,
            remedy: `leave it out, or use version ${NLB_SECURITY_GROUPS_SINCE}`,
            value: groupsOfNlb(service),
          };
    },
  },
  {
    id: 'aws-cloud-nlb-security-groups',
    severity: 'warning',
    says: 'security groups of a Network Load Balancer need version 1.37 and NLBSecurityGroupMode = Managed',
    source: { ...AWS_CLOUD_SOURCE, version: 'v1.37.0', file: 'docs/nlb_security_groups.md' },
    judge(service, { controller }) {
      const { version, managesGroups } = knownOf(controller);
      const isKnown = version !== undefined && (managesGroups || !reaches(version, NLB_SECURITY_GROUPS_SINCE));
      return groupsOfNlb(service) === undefined || isKnown
        ? undefined
        : {
            what: `${AWS_CLOUD.securityGroups.key()} counts for a Network Load Balancer only from version ${NLB_SECURITY_GROUPS_SINCE} on and where the cloud config says NLBSecurityGroupMode = Managed: elsewhere the balancer has no group, or is refused`,
            remedy:
              'take nlb() of AwsCloudControllerManagerInstallation with nlbSecurityGroups, or acknowledge this where the controller is configured so',
            value: groupsOfNlb(service),
          };
    },
  },
  {
    id: 'aws-cloud-ignored-annotation',
    severity: 'warning',
    says: 'annotations of the other kind of balancer have no effect',
    source: AWS_CLOUD_SOURCE,
    judge: (service) =>
      strays(service)
        .filter((entry) => !REFUSED.includes(entry))
        .map((entry) => ({
          what: `${entry.key()} has no effect on ${kindOfBalancer(service)}`,
          remedy: 'leave it out',
          value: textOf(service, entry),
        })),
  },
  {
    id: 'aws-cloud-nlb-backend-protocol',
    severity: 'warning',
    says: 'of the backend protocols a Network Load Balancer knows ssl only',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const protocol = AWS_CLOUD.backendProtocol.on(annotationsOf(service));
      const idle = protocol === AwsBackendProtocol.HTTP || protocol === AwsBackendProtocol.HTTPS;
      return isNlb(service) && idle
        ? {
            what: `backend protocol '${protocol}' has no effect on a Network Load Balancer`,
            remedy: `leave it out, or use '${AwsBackendProtocol.SSL}' behind TLS listeners`,
            value: protocol,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-access-log-bucket',
    severity: 'error',
    says: 'access logs need a bucket',
    source: AWS_CLOUD_FILES.loadBalancer,
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_CLOUD.accessLogEnabled.on(annotations) === true && !textOf(service, AWS_CLOUD.accessLogS3BucketName)
        ? {
            what: 'access logs are switched on without a bucket',
            remedy: `name one in ${AWS_CLOUD.accessLogS3BucketName.key()}`,
            value: 'true',
          }
        : undefined;
    },
  },
  ...AWS_CLOUD_ADDRESSES_RULES,
  ...AWS_CLOUD_TARGET_RULES,
];
