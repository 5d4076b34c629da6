import { HealthCheckProtocol } from '../../contract/health-check';
import { list } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { annotationsOf, isLocal, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/annotations';
import { AWS_LBC } from './annotations';
import { PRESERVE_CLIENT_IP } from './codecs';
import { AWS_ATTRIBUTES, LBC_FILES, lbcFile } from './facts';
import { NlbIpAddressType } from './options';
import {
  attributesOf,
  HTTP_CHECK,
  hasIpTargets,
  hasUdpPort,
  isCheckedByTcp,
  isInstanceLocal,
  lacksNodePorts,
  listenersOf,
  present,
} from './reading';

/** Contradictions among annotations alone. */
export const AWS_TARGET_GROUP_CONTRADICTIONS: readonly Rule[] = [
  {
    id: 'node-labels-with-ip-targets',
    severity: 'warning',
    effect: 'ignored',
    says: 'target node labels are ignored with ip targets',
    source: LBC_FILES.targetGroup,
    reads: [AWS_LBC.targetNodeLabels],
    judge(service) {
      const annotations = annotationsOf(service);
      const labels = annotations[AWS_LBC.targetNodeLabels.key()];
      return labels !== undefined && hasIpTargets(annotations)
        ? {
            what: `node labels '${labels}' are ignored with ip targets, so pods on any node are targets`,
            remedy: 'use instance targets, or pin the pods to those nodes and remove the labels',
            value: labels,
          }
        : undefined;
    },
  },
];

/** The rules about target groups. */
export const AWS_TARGET_GROUP_RULES: readonly Rule[] = [
  ...AWS_TARGET_GROUP_CONTRADICTIONS,
  {
    id: 'instance-targets-need-node-ports',
    severity: 'error',
    effect: 'refused',
    says: 'instance targets without node ports',
    source: LBC_FILES.targetGroup,
    on: ['spec.type', 'spec.allocateLoadBalancerNodePorts'],
    judge(service) {
      if (hasIpTargets(annotationsOf(service))) {
        return undefined;
      }
      if (lacksNodePorts(service)) {
        const type = String(service.spec?.type ?? 'ClusterIP');
        return {
          what: `a Service of type ${type} has no node ports, and instance targets are reached by them`,
          remedy: `take ${AWS_LBC.type.key()} out where no balancer is meant, or use type NodePort or ip targets`,
          value: type,
          at: '/spec/type',
        };
      }
      return service.spec?.allocateLoadBalancerNodePorts === false
        ? portsOf(service)
            .filter((port) => !port.nodePort)
            .map((port) => ({
              what: `port ${port.port} has no node port, and instance targets are reached by it`,
              remedy: 'let node ports be allocated, fix one, or use ip targets',
              value: String(port.port),
            }))
        : undefined;
    },
  },
  {
    id: 'client-address-of-udp',
    severity: 'error',
    effect: 'refused',
    says: `${PRESERVE_CLIENT_IP}=false with a UDP port`,
    source: AWS_ATTRIBUTES,
    reads: [AWS_LBC.targetGroupAttributes, AWS_LBC.targetGroupAttributesPerPort],
    judge(service) {
      const annotations = annotationsOf(service);
      return listenersOf(service, annotations)
        .filter(({ hasUdp, port }) => hasUdp && attributesOf(annotations, port).preserveClientIp === false)
        .map(({ port, protocol }) => ({
          what: `${PRESERVE_CLIENT_IP} cannot be false for port ${port}, which is ${protocol}`,
          remedy: `set it for the TCP ports only, with ${AWS_LBC.targetGroupAttributesPerPort.fact.option}`,
          value: 'false',
        }));
    },
  },
  {
    id: 'stickiness-with-tls',
    severity: 'error',
    effect: 'refused',
    says: 'stickiness with a TLS listener',
    source: AWS_ATTRIBUTES,
    reads: [AWS_LBC.sslCert],
    judge(service) {
      const annotations = annotationsOf(service);
      return listenersOf(service, annotations)
        .filter(({ isTls, port }) => isTls && attributesOf(annotations, port).stickiness === true)
        .map(({ port }) => ({
          what: `port ${port} speaks TLS, where stickiness is not supported`,
          remedy: 'end TLS in the pods, or do without stickiness',
          value: port,
        }));
    },
  },
  {
    id: 'local-without-effect',
    severity: 'warning',
    effect: 'ignored',
    says: 'policy Local has no effect with ip targets',
    source: LBC_FILES.targetGroup,
    on: ['spec.externalTrafficPolicy'],
    judge(service) {
      const annotations = annotationsOf(service);
      return isLocal(service) && hasIpTargets(annotations)
        ? {
            what: 'policy Local has no effect on a balancer with ip targets, which sends to the pods themselves',
            remedy: `use traffic policy Cluster; the client's address is kept by ${PRESERVE_CLIENT_IP}`,
            value: 'Local',
          }
        : undefined;
    },
  },
  {
    id: 'session-affinity-without-effect',
    severity: 'warning',
    effect: 'ignored',
    says: 'spec.sessionAffinity has no effect on the balancer',
    source: LBC_FILES.targetGroup,
    on: ['spec.sessionAffinity'],
    judge: (service) =>
      service.spec?.sessionAffinity === 'ClientIP'
        ? {
            what: 'sessionAffinity ClientIP does not reach the balancer, which spreads the connections of a client',
            remedy: `set stickiness.enabled=true,stickiness.type=source_ip in ${AWS_LBC.targetGroupAttributes.key()}`,
            value: 'ClientIP',
          }
        : undefined,
  },
  {
    id: 'proxy-protocol-twice',
    severity: 'warning',
    effect: 'ignored',
    says: 'proxy protocol for all ports and for a list of ports',
    source: LBC_FILES.targetGroup,
    reads: [AWS_LBC.proxyProtocolPerTargetGroup],
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_LBC.proxyProtocol.on(annotations) &&
        annotations[AWS_LBC.proxyProtocolPerTargetGroup.key()] !== undefined
        ? {
            what: `${AWS_LBC.proxyProtocolPerTargetGroup.key()} is not read beside ${AWS_LBC.proxyProtocol.key()}, which is for every port`,
            remedy: 'keep one',
            value: annotations[AWS_LBC.proxyProtocolPerTargetGroup.key()],
          }
        : undefined;
    },
  },
  {
    id: 'client-address-of-other-family',
    severity: 'warning',
    says: 'client address is lost because its family is converted',
    source: lbcFile('docs/guide/service/annotations.md'),
    reads: [AWS_LBC.ipAddressType],
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_LBC.ipAddressType.on(annotations) === NlbIpAddressType.DUALSTACK &&
        AWS_LBC.targetGroupAttributes.on(annotations)?.preserveClientIp === true
        ? {
            what: `clients of ${list(service.spec?.ipFamilies).includes('IPv6') ? 'IPv4' : 'IPv6'} are converted to the family of the targets, which then see the balancer`,
            remedy: 'use one family, or proxy protocol',
            value: NlbIpAddressType.DUALSTACK,
          }
        : undefined;
    },
  },
];

/** The rules about health checks. */
export const AWS_HEALTH_CHECK_RULES: readonly Rule[] = [
  {
    id: 'health-check-port-unknown',
    severity: 'error',
    effect: 'refused',
    says: 'health check port that the Service does not have',
    source: LBC_FILES.targetGroup,
    reads: [AWS_LBC.healthCheckPort],
    judge(service) {
      const annotations = annotationsOf(service);
      const name = AWS_LBC.healthCheckPort.on(annotations);
      if (name === undefined || name === TRAFFIC_PORT || /^\d+$/.test(name)) {
        return undefined;
      }
      const port = portsOf(service).find((other) => other.name === name);
      if (!port) {
        return {
          what: `health check port '${name}' names no port of the Service`,
          remedy: 'use a number or a name of one',
          value: name,
        };
      }
      return hasIpTargets(annotations) && typeof port.targetPort === 'string'
        ? {
            what: `health check port '${name}' has the target '${port.targetPort}', a name, which ip targets do not resolve`,
            remedy: 'use the number of the port',
            value: name,
          }
        : undefined;
    },
  },
  {
    id: 'local-health-check-defeated',
    severity: 'warning',
    says: 'health check does not keep nodes without pods out with policy Local',
    source: LBC_FILES.targetGroup,
    on: ['spec.externalTrafficPolicy'],
    judge(service) {
      const annotations = annotationsOf(service);
      const port = AWS_LBC.healthCheckPort.on(annotations);
      const protocol = AWS_LBC.healthCheckProtocol.on(annotations);
      const ownPort = port !== undefined && port !== String(service.spec?.healthCheckNodePort);
      return isInstanceLocal(service, annotations) && (ownPort || (protocol && protocol !== HealthCheckProtocol.HTTP))
        ? {
            what: `with policy Local the health check (${[protocol, port].filter(Boolean).join(' ')}) does not distinguish nodes with a ready pod from others`,
            remedy: 'leave protocol and port of the health check to the controller, or use ip targets',
            value: port ?? protocol,
          }
        : undefined;
    },
  },
  {
    id: 'proxy-protocol-with-local',
    severity: 'warning',
    says: 'proxy protocol breaks the health check of policy Local',
    source: AWS_ATTRIBUTES,
    on: ['spec.externalTrafficPolicy'],
    judge(service) {
      const annotations = annotationsOf(service);
      return isInstanceLocal(service, annotations) &&
        annotations[AWS_LBC.healthCheckPort.key()] === undefined &&
        (AWS_LBC.proxyProtocol.on(annotations) ??
          AWS_LBC.proxyProtocolPerTargetGroup.on(annotations) ??
          AWS_LBC.targetGroupAttributes.on(annotations)?.proxyProtocolV2)
        ? {
            what: 'health checks carry the proxy protocol header too, which kube-proxy does not understand, so every node may fail them',
            remedy: 'use ip targets, or policy Cluster',
          }
        : undefined;
    },
  },
  {
    id: 'udp-health-check',
    severity: 'warning',
    says: 'UDP port is checked by TCP at the same port',
    source: LBC_FILES.targetGroup,
    on: ['spec.ports'],
    judge(service) {
      const annotations = annotationsOf(service);
      const port = annotations[AWS_LBC.healthCheckPort.key()] ?? TRAFFIC_PORT;
      return port === TRAFFIC_PORT && hasUdpPort(service) && !isInstanceLocal(service, annotations)
        ? listenersOf(service, annotations)
            .filter(({ hasUdp, protocol }) => hasUdp && !protocol.startsWith('TCP'))
            .map((listener) => ({
              what: `port ${listener.port} is ${listener.protocol} and its health check is TCP to the same port, where nothing may listen`,
              remedy: `set ${AWS_LBC.healthCheckPort.key()} to a port that answers TCP or HTTP`,
              value: listener.port,
            }))
        : undefined;
    },
  },
  {
    id: 'health-check-path-with-tcp',
    severity: 'warning',
    effect: 'ignored',
    says: 'path or status codes of a TCP health check',
    source: LBC_FILES.targetGroup,
    reads: HTTP_CHECK,
    judge(service) {
      const annotations = annotationsOf(service);
      return isCheckedByTcp(service, annotations)
        ? present(
            HTTP_CHECK.map(
              (entry) =>
                annotations[entry.key()] !== undefined && {
                  what: `${entry.key()} '${annotations[entry.key()]}' is ignored, because the health check is TCP`,
                  remedy: `set ${AWS_LBC.healthCheckProtocol.key()} to http or https, or remove it`,
                  value: annotations[entry.key()],
                },
            ),
          )
        : undefined;
    },
  },
];
