import type { AnyAnnotation } from '../contract/annotation-catalogue';
import { HealthCheckProtocol } from '../contract/health-check';
import { isIpv6 } from '../contract/kubernetes-syntax';
import type { Json } from '../contract/late-rendering';
import type { Rule } from '../rules/rule';
import { annotationsOf, isLocal, list, portsOf } from '../rules/service-json';
import { AWS_CLOUD, AWS_CLOUD_SOURCE, CLASSIC_ONLY, NLB_ONLY, NLB_TYPE } from './aws-cloud-provider.annotations';
import { AwsBackendProtocol } from './aws-cloud-provider.options';

const VALIDATIONS = { ...AWS_CLOUD_SOURCE, file: 'pkg/providers/v1/aws_validations.go' };
const LOAD_BALANCER = { ...AWS_CLOUD_SOURCE, file: 'pkg/providers/v1/aws_loadbalancer.go' };

const textOf = (service: Json, entry: AnyAnnotation): string | undefined => {
  const text: unknown = annotationsOf(service)[entry.key()];
  return typeof text === 'string' ? text : undefined;
};

const isNlb = (service: Json) => AWS_CLOUD.type.on(annotationsOf(service)) === NLB_TYPE;
const kindOfBalancer = (service: Json) => (isNlb(service) ? 'a Network Load Balancer' : 'a Classic Load Balancer');
const protocolOf = (port: Json): string => port.protocol ?? 'TCP';

/** As the controller reads it: every text but `false` and the empty one. */
const isInternal = (service: Json) => !['', 'false', undefined].includes(textOf(service, AWS_CLOUD.internal));

const rangesOf = (service: Json): string[] => {
  const ranges = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
  return ranges.length > 0 ? ranges : (AWS_CLOUD.sourceRanges.on(annotationsOf(service)) ?? []);
};

/** The entries that are present and have no meaning here. */
const present = (service: Json, entries: readonly AnyAnnotation[]) =>
  entries.filter((entry) => textOf(service, entry) !== undefined);

/** Those whose presence is not ignored but refused. */
const REFUSED: readonly unknown[] = [AWS_CLOUD.extraSecurityGroups, AWS_CLOUD.targetGroupAttributes];

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
        ? { what: `the ports mix ${protocols}`, wayOut: 'make one Service for each protocol', value: protocols }
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
          wayOut:
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
        ? { what: `sessionAffinity ${affinity} is refused`, wayOut: 'leave it out', value: String(affinity) }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-load-balancer-ip',
    severity: 'error',
    says: 'spec.loadBalancerIP is refused',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const ip: unknown = service.spec?.loadBalancerIP;
      const wayOut = `leave it out, or fix the addresses of a Network Load Balancer by ${AWS_CLOUD.eipAllocations.key()} or ${AWS_CLOUD.privateIpv4Addresses.key()}`;
      return ip ? { what: `spec.loadBalancerIP '${ip}' is refused`, wayOut, value: String(ip) } : undefined;
    },
  },
  {
    id: 'aws-cloud-no-node-ports',
    severity: 'error',
    says: 'a port without a node port is left out of the balancer: targets are always instances',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const lost = portsOf(service).find((port) => !port.nodePort);
      return lost && service.spec?.allocateLoadBalancerNodePorts === false
        ? {
            what: `port ${lost.port} gets no node port, so the balancer leaves it out`,
            wayOut: 'leave allocateLoadBalancerNodePorts out',
            value: 'false',
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-unknown-type',
    severity: 'warning',
    says: `a type other than '${NLB_TYPE}' makes a Classic Load Balancer`,
    source: LOAD_BALANCER,
    judge(service) {
      const type = AWS_CLOUD.type.on(annotationsOf(service));
      return type !== undefined && type !== NLB_TYPE
        ? {
            what: `type '${type}' is not '${NLB_TYPE}', so a Classic Load Balancer is made`,
            wayOut: `write '${NLB_TYPE}', or leave the annotation out for a Classic Load Balancer`,
            value: type,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-refused-annotation',
    severity: 'error',
    says: 'a Network Load Balancer refuses extra-security-groups, a Classic one target-group-attributes',
    source: VALIDATIONS,
    judge: (service) =>
      strays(service)
        .filter((entry) => REFUSED.includes(entry))
        .map((entry) => ({
          what: `${entry.key()} is refused for ${kindOfBalancer(service)}`,
          wayOut: 'leave it out',
          value: textOf(service, entry),
        })),
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
          wayOut: 'leave it out',
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
            wayOut: `leave it out, or use '${AwsBackendProtocol.SSL}' behind TLS listeners`,
            value: protocol,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-addresses-of-scheme',
    severity: 'error',
    says: 'elastic IP addresses are for public balancers, private addresses for internal ones',
    source: LOAD_BALANCER,
    judge(service) {
      const wrong = isInternal(service) ? AWS_CLOUD.eipAllocations : AWS_CLOUD.privateIpv4Addresses;
      const value = textOf(service, wrong);
      return isNlb(service) && value !== undefined
        ? {
            what: `${wrong.key()} does not fit ${isInternal(service) ? 'an internal' : 'a public'} balancer`,
            wayOut: `leave it out, or change ${AWS_CLOUD.internal.key()}`,
            value,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-address-count',
    severity: 'error',
    says: 'there must be one fixed address for each subnet',
    source: LOAD_BALANCER,
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
          wayOut: 'name as many as subnets, in their order',
          value: addresses.join(','),
        }));
    },
  },
  {
    id: 'aws-cloud-udp-client-address',
    severity: 'error',
    says: 'the client address cannot be taken away from UDP',
    source: VALIDATIONS,
    judge(service) {
      const preserve = AWS_CLOUD.targetGroupAttributes.on(annotationsOf(service))?.preserveClientIp;
      const udp = portsOf(service).find((port) => protocolOf(port) === 'UDP');
      return isNlb(service) && preserve === false && udp
        ? {
            what: `port ${udp.port} is UDP, whose client address cannot be taken away`,
            wayOut: `leave preserve_client_ip.enabled out of ${AWS_CLOUD.targetGroupAttributes.key()}`,
            value: 'false',
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-any-label-value',
    severity: 'warning',
    says: 'a node label without a value matches every node that has the label',
    source: LOAD_BALANCER,
    judge(service) {
      const labels = AWS_CLOUD.targetNodeLabels.on(annotationsOf(service)) ?? {};
      const loose = Object.keys(labels).find((key) => labels[key] === '');
      return loose === undefined
        ? undefined
        : {
            what: `target node label '${loose}' has no value and matches every node that has the label`,
            wayOut: 'write the value',
            value: `${loose}=`,
          };
    },
  },
  {
    id: 'aws-cloud-access-log-bucket',
    severity: 'error',
    says: 'access logs need a bucket',
    source: LOAD_BALANCER,
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_CLOUD.accessLogEnabled.on(annotations) === true && !textOf(service, AWS_CLOUD.accessLogS3BucketName)
        ? {
            what: 'access logs are switched on without a bucket',
            wayOut: `name one in ${AWS_CLOUD.accessLogS3BucketName.key()}`,
            value: 'true',
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-health-check-path',
    severity: 'warning',
    says: 'a path has no effect on a TCP health check',
    source: AWS_CLOUD_SOURCE,
    judge(service) {
      const annotations = annotationsOf(service);
      const path = AWS_CLOUD.healthCheckPath.on(annotations);
      const protocol = textOf(service, AWS_CLOUD.healthCheckProtocol)?.toLowerCase();
      const tcp = protocol === HealthCheckProtocol.TCP || (protocol === undefined && !isLocal(service));
      return path !== undefined && tcp
        ? {
            what: `health check path '${path}' has no effect on a TCP check`,
            wayOut: `set ${AWS_CLOUD.healthCheckProtocol.key()} to ${HealthCheckProtocol.HTTP}, or leave the path out`,
            value: path,
          }
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
            wayOut: 'write the ranges into the security groups, or leave the annotation out',
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
        : { what: `source range '${range}' is IPv6`, wayOut: 'use IPv4 ranges', value: range };
    },
  },
];
