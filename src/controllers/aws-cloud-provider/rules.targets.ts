import { HealthCheckProtocol } from '../../contract/health-check';
import { PortProtocol } from '../../contract/load-balancer-port';
import type { Rule } from '../../rules/rule';
import { annotationsOf, isLocal, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/annotations';
import { SECURITY_GROUP_QUOTAS, tooManyRules } from '../aws/rules';
import { AWS_CLOUD, AWS_CLOUD_SOURCE } from './annotations';
import { SSL_CHECK } from './codecs';
import { AWS_CLOUD_FILES } from './facts';
import { isNlb, protocolOf, rangesOf, textOf } from './reading';

/** The rules about targets: nodes, what they see, and their health checks. */
export const AWS_CLOUD_TARGET_RULES: readonly Rule[] = [
  {
    id: 'aws-cloud-no-node-ports',
    severity: 'error',
    says: 'port without a node port is left out of the balancer',
    source: AWS_CLOUD_SOURCE,
    on: ['spec.allocateLoadBalancerNodePorts'],
    judge(service) {
      const lost = portsOf(service).find((port) => !port.nodePort);
      return lost && service.spec?.allocateLoadBalancerNodePorts === false
        ? {
            what: `port ${lost.port} gets no node port, so the balancer leaves it out`,
            remedy: 'leave allocateLoadBalancerNodePorts out',
            value: 'false',
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-any-label-value',
    severity: 'warning',
    says: 'target node label without a value matches every value',
    source: AWS_CLOUD_FILES.loadBalancer,
    reads: [AWS_CLOUD.targetNodeLabels],
    judge(service) {
      const labels = AWS_CLOUD.targetNodeLabels.on(annotationsOf(service)) ?? {};
      const loose = Object.keys(labels).find((key) => labels[key] === '');
      return loose === undefined
        ? undefined
        : {
            what: `target node label '${loose}' has no value and matches every node that has the label`,
            remedy: 'write the value',
            value: `${loose}=`,
          };
    },
  },
  {
    id: 'aws-cloud-udp-client-address',
    severity: 'error',
    effect: 'refused',
    says: 'preserve_client_ip.enabled=false on a UDP port',
    source: AWS_CLOUD_FILES.validations,
    reads: [AWS_CLOUD.targetGroupAttributes],
    judge(service) {
      const preserve = AWS_CLOUD.targetGroupAttributes.on(annotationsOf(service))?.preserveClientIp;
      const udp = portsOf(service).find((port) => protocolOf(port) === 'UDP');
      return isNlb(service) && preserve === false && udp
        ? {
            what: `port ${udp.port} is UDP, whose client address cannot be taken away`,
            remedy: `leave preserve_client_ip.enabled out of ${AWS_CLOUD.targetGroupAttributes.key()}`,
            value: 'false',
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-health-check-path',
    severity: 'warning',
    effect: 'ignored',
    says: 'path of a TCP or SSL health check',
    source: AWS_CLOUD_SOURCE,
    reads: [AWS_CLOUD.healthCheckPath],
    judge(service) {
      const annotations = annotationsOf(service);
      const path = AWS_CLOUD.healthCheckPath.on(annotations);
      const fallback = isLocal(service) ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP;
      const protocol = AWS_CLOUD.healthCheckProtocol.on(annotations) ?? fallback;
      return path !== undefined && (protocol === HealthCheckProtocol.TCP || protocol === SSL_CHECK)
        ? {
            what: `health check path '${path}' has no effect on a ${protocol.toUpperCase()} check`,
            remedy: `set ${AWS_CLOUD.healthCheckProtocol.key()} to ${AWS_CLOUD.healthCheckProtocol.encode(HealthCheckProtocol.HTTP)}, or leave the path out`,
            value: path,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-nlb-health-check-protocol',
    severity: 'error',
    effect: 'refused',
    says: 'health check by SSL on a Network Load Balancer',
    source: AWS_CLOUD_SOURCE,
    reads: [AWS_CLOUD.healthCheckProtocol],
    judge(service) {
      const value = textOf(service, AWS_CLOUD.healthCheckProtocol);
      return isNlb(service) && AWS_CLOUD.healthCheckProtocol.on(annotationsOf(service)) === SSL_CHECK
        ? {
            what: `health check protocol '${value}' is refused for a Network Load Balancer`,
            remedy: 'use TCP, HTTP or HTTPS',
            value,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-health-check-capitals',
    severity: 'warning',
    says: 'health check protocol is not in capitals',
    source: AWS_CLOUD_FILES.loadBalancer,
    reads: [AWS_CLOUD.healthCheckProtocol],
    judge(service) {
      const value = textOf(service, AWS_CLOUD.healthCheckProtocol);
      const protocol = AWS_CLOUD.healthCheckProtocol.on(annotationsOf(service));
      return !isNlb(service) && protocol !== undefined && value !== AWS_CLOUD.healthCheckProtocol.encode(protocol)
        ? {
            what: `health check protocol '${value}' reaches the API of AWS as it is, which names its protocols in capitals`,
            remedy: `write '${AWS_CLOUD.healthCheckProtocol.encode(protocol)}'`,
            value,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-udp-health-check',
    severity: 'warning',
    says: 'UDP port is checked by TCP at its own node port',
    source: AWS_CLOUD_SOURCE,
    on: ['spec.ports'],
    judge(service) {
      const ports = portsOf(service);
      const port = textOf(service, AWS_CLOUD.healthCheckPort) ?? (isLocal(service) ? undefined : TRAFFIC_PORT);
      const udp = ports.every((each) => protocolOf(each) === PortProtocol.UDP);
      const key = AWS_CLOUD.healthCheckPort.key();
      return isNlb(service) && ports.length > 0 && udp && port === TRAFFIC_PORT
        ? {
            what: `port ${ports[0].port} is UDP, and its health check asks the same node port by TCP, where mostly nothing listens`,
            remedy: isLocal(service)
              ? `leave ${key} out`
              : `set externalTrafficPolicy to Local, or ${key} to one that answers by TCP on every node, such as 10256 of kube-proxy`,
            value: PortProtocol.UDP,
          }
        : undefined;
    },
  },
  {
    id: 'aws-cloud-security-group-full',
    severity: 'warning',
    says: 'more ports and source ranges than a security group has rules',
    source: SECURITY_GROUP_QUOTAS,
    on: ['spec.ports'],
    judge: (service) => tooManyRules(portsOf(service).length, rangesOf(service), 'beyond that clients are not let in'),
  },
];
