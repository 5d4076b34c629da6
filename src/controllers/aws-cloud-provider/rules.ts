import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { HAND_OVER_PAGE } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { Rule } from '../../rules/rule';
import { annotationsOf, portAt, portsOf } from '../../rules/service-json';
import { certificateRule, tlsWithoutCertificate } from '../aws/rules.certificates';
import { AWS_CLOUD, AWS_CLOUD_GROUPS, AWS_CLOUD_SOURCE } from './annotations';
import {
  AWS_CLOUD_FILES,
  NLB_SECURITY_GROUPS_REFUSED_SINCE,
  NLB_SECURITY_GROUPS_SINCE,
  NLB_TYPE,
  TARGET_GROUP_ATTRIBUTES_SINCE,
} from './facts';
import { AwsBackendProtocol } from './options';
import { type AwsCloudKnown, isNlb, kindOfBalancer, protocolOf, textOf } from './reading';
import { AWS_CLOUD_ADDRESSES_RULES } from './rules.addresses';
import { AWS_CLOUD_TARGET_RULES } from './rules.targets';

/** The entries that are present and have no meaning here. */
const present = (service: Json, entries: readonly AnyAnnotation[]) =>
  entries.filter((entry) => textOf(service, entry) !== undefined);

/** The minor versions from which the presence of an annotation is not ignored but refused. */
const REFUSED_SINCE: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [AWS_CLOUD.extraSecurityGroups, NLB_SECURITY_GROUPS_REFUSED_SINCE],
  [AWS_CLOUD.targetGroupAttributes, TARGET_GROUP_ATTRIBUTES_SINCE],
]);

/** Security groups that a Network Load Balancer is to have. */
const groupsOfNlb = (service: Json) => (isNlb(service) ? textOf(service, AWS_CLOUD.securityGroups) : undefined);

/** What is known of the controller as it is installed. */
function knownOf(controller: ILoadBalancerController | undefined): AwsCloudKnown {
  return (controller as { _known?: AwsCloudKnown } | undefined)?._known ?? {};
}

const reaches = (version: KubernetesVersion, minor: string) => version.isAtLeast(KubernetesVersion.of(minor));

/** What is of the other kind of balancer, and refused or ignored by the version that is installed. */
function straysOf(service: Json, controller: ILoadBalancerController | undefined, effect: 'refused' | 'ignored') {
  const { version } = knownOf(controller);
  return present(service, isNlb(service) ? AWS_CLOUD_GROUPS.classic : AWS_CLOUD_GROUPS.network).filter((entry) => {
    const since = REFUSED_SINCE.get(entry);
    const isRefused = since !== undefined && (version === undefined || reaches(version, since));
    return isRefused === (effect === 'refused');
  });
}

/** What the AWS cloud provider refuses, and what it takes in silence and in another sense. */
export const AWS_CLOUD_RULES: readonly Rule[] = [
  certificateRule(AWS_CLOUD.sslCert),
  tlsWithoutCertificate({
    certificate: AWS_CLOUD.sslCert,
    settings: [AWS_CLOUD.sslPorts, AWS_CLOUD.sslNegotiationPolicy, AWS_CLOUD.backendProtocol],
    // HTTP needs no certificate, and TCP is no setting of TLS
    isPlain: (text, service) => ['', 'http', 'tcp', ...(isNlb(service) ? ['https'] : [])].includes(text.toLowerCase()),
    source: AWS_CLOUD_SOURCE,
  }),
  {
    id: 'aws-cloud-mixed-protocols',
    severity: 'error',
    effect: 'refused',
    says: 'several protocols in one Service',
    source: AWS_CLOUD_SOURCE,
    on: ['spec.ports'],
    judge(service) {
      const protocols = [...new Set(portsOf(service).map(protocolOf))].join(' and ');
      return protocols.includes(' and ')
        ? {
            what: `cloud-provider-aws refuses ports of ${protocols} in one Service, and makes or changes no balancer for it`,
            remedy: 'make one Service for each protocol',
            value: protocols,
            at: portAt(service, 'protocol', (port) => protocolOf(port) !== protocolOf(portsOf(service)[0])),
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-protocol',
    severity: 'error',
    effect: 'refused',
    says: 'protocol that this kind of balancer does not support',
    source: AWS_CLOUD_SOURCE,
    on: ['spec.ports'],
    judge(service) {
      const known = isNlb(service) ? ['TCP', 'UDP'] : ['TCP'];
      const protocols = new Set(portsOf(service).map(protocolOf));
      // a mix is refused as a whole, on either balancer
      const odd = protocols.size > 1 ? undefined : portsOf(service).find((port) => !known.includes(protocolOf(port)));
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
    effect: 'refused',
    says: 'sessionAffinity other than None',
    source: AWS_CLOUD_SOURCE,
    on: ['spec.sessionAffinity'],
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
    says: `type other than '${NLB_TYPE}' makes a Classic Load Balancer`,
    source: AWS_CLOUD_FILES.loadBalancer,
    reads: [AWS_CLOUD.type],
    judge(service) {
      const type = AWS_CLOUD.type.on(annotationsOf(service));
      return type !== undefined && type !== NLB_TYPE
        ? {
            what: `type '${type}' is not '${NLB_TYPE}', so a Classic Load Balancer is made`,
            remedy: `leave the annotation out for a Classic Load Balancer, or write '${NLB_TYPE}' before one is made: on a live one it leaves the old balancer behind, at once before v1.36, and when the Service is deleted from then on; a live one is handed over as ${HAND_OVER_PAGE} says`,
            value: type,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-refused-annotation',
    severity: 'error',
    effect: 'refused',
    says: 'annotation that this kind of balancer refuses',
    source: AWS_CLOUD_FILES.validations,
    reads: [...AWS_CLOUD_GROUPS.classic, ...AWS_CLOUD_GROUPS.network],
    judge: (service, { controller }) =>
      straysOf(service, controller, 'refused').map((entry) => ({
        what: `${entry.key()} is refused for ${kindOfBalancer(service)}${knownOf(controller).version ? '' : ` from version ${REFUSED_SINCE.get(entry)} on, and not read before`}`,
        remedy: 'leave it out',
        value: textOf(service, entry),
      })),
  },
  {
    id: 'aws-cloud-nlb-security-groups-version',
    severity: 'error',
    says: `security groups on a Network Load Balancer before version ${NLB_SECURITY_GROUPS_SINCE}`,
    source: AWS_CLOUD_FILES.validations,
    reads: [AWS_CLOUD.securityGroups],
    judge(service, { controller }) {
      const { version } = knownOf(controller);
      return groupsOfNlb(service) === undefined || version === undefined || reaches(version, NLB_SECURITY_GROUPS_SINCE)
        ? undefined
        : {
            what: `${AWS_CLOUD.securityGroups.key()} is ${reaches(version, NLB_SECURITY_GROUPS_REFUSED_SINCE) ? 'refused' : 'silently ignored'} for a Network Load Balancer by version ${version.version}`,
            remedy: `leave it out, or use version ${NLB_SECURITY_GROUPS_SINCE}`,
            value: groupsOfNlb(service),
            effect: reaches(version, NLB_SECURITY_GROUPS_REFUSED_SINCE) ? 'refused' : 'ignored',
          };
    },
  },
  {
    id: 'aws-cloud-nlb-security-groups',
    severity: 'warning',
    says: 'security groups on a Network Load Balancer without NLBSecurityGroupMode = Managed',
    source: { ...AWS_CLOUD_SOURCE, version: 'v1.37.0', file: 'docs/nlb_security_groups.md' },
    reads: [AWS_CLOUD.securityGroups],
    judge(service, { controller }) {
      const { version, managesGroups } = knownOf(controller);
      const isKnown = version !== undefined && (managesGroups || !reaches(version, NLB_SECURITY_GROUPS_SINCE));
      return groupsOfNlb(service) === undefined || isKnown
        ? undefined
        : {
            what: `${AWS_CLOUD.securityGroups.key()} counts for a Network Load Balancer only from version ${NLB_SECURITY_GROUPS_SINCE} on and with NLBSecurityGroupMode = Managed in the cloud config: elsewhere the balancer has no group, or is refused`,
            remedy:
              'take nlb() of AwsCloudControllerManagerInstallation with nlbSecurityGroups, or acknowledge this where the controller is configured so',
            value: groupsOfNlb(service),
          };
    },
  },
  {
    id: 'aws-cloud-ignored-annotation',
    severity: 'warning',
    effect: 'ignored',
    says: 'annotation that this kind of balancer ignores',
    source: AWS_CLOUD_SOURCE,
    reads: [...AWS_CLOUD_GROUPS.classic, ...AWS_CLOUD_GROUPS.network],
    judge: (service, { controller }) =>
      straysOf(service, controller, 'ignored').map((entry) => ({
        what: `${entry.key()} has no effect on ${kindOfBalancer(service)}`,
        remedy:
          entry === AWS_CLOUD.proxyProtocol
            ? `write ${AWS_CLOUD.targetGroupAttributes.key()}: proxy_protocol_v2.enabled=true in its place, which versions from ${TARGET_GROUP_ATTRIBUTES_SINCE} on read`
            : 'leave it out',
        value: textOf(service, entry),
      })),
  },
  {
    id: 'aws-cloud-nlb-backend-protocol',
    severity: 'warning',
    effect: 'ignored',
    says: 'backend protocol other than ssl on a Network Load Balancer',
    source: AWS_CLOUD_SOURCE,
    reads: [AWS_CLOUD.backendProtocol],
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
    effect: 'refused',
    says: 'access logs without a bucket',
    source: AWS_CLOUD_FILES.loadBalancer,
    reads: [AWS_CLOUD.accessLogEnabled],
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
