import { HealthCheckProtocol } from '../contract/health-check';
import type { Rule } from '../rules/rule';
import { annotationsOf, isLocal, portsOf } from '../rules/service-json';
import { AWS_CLOUD } from './aws-cloud-provider.annotations';
import { AWS_CLOUD_FILES, AWS_CLOUD_SOURCE } from './aws-cloud-provider.product.annotations';
import { isNlb, protocolOf, textOf } from './aws-cloud-provider.reading';

/** The rules about targets: nodes, what they see, and their health checks. */
export const AWS_CLOUD_TARGET_RULES: readonly Rule[] = [
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
    id: 'aws-cloud-any-label-value',
    severity: 'warning',
    says: 'a node label without a value matches every node that has the label',
    source: AWS_CLOUD_FILES.loadBalancer,
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
    id: 'aws-cloud-udp-client-address',
    severity: 'error',
    says: 'the client address cannot be taken away from UDP',
    source: AWS_CLOUD_FILES.validations,
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
];
