import { HealthCheckProtocol } from '../../contract/health-check';
import { list } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { isLocal, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/annotations';
import { AWS, AWS_ATTRIBUTES, LBC_FILES, lbcFile } from './annotations';
import { PRESERVE_CLIENT_IP } from './codecs';
import { NlbIpAddressType } from './options';
import { attributesOf, hasIpTargets, hasUdpPort, isInstanceLocal, listenersOf, present } from './reading';
import { error, warning } from './rule';

/** Contradictions among annotations alone. */
export const AWS_TARGET_GROUP_CONTRADICTIONS: readonly Rule[] = [
  warning(
    'node-labels-with-ip-targets',
    'node labels choose among instance targets only: with ip targets every pod is a target, wherever it runs',
    LBC_FILES.targetGroup,
    (_, annotations) => {
      const labels = annotations[AWS.targetNodeLabels.key()];
      return labels !== undefined && hasIpTargets(annotations)
        ? {
            what: `node labels '${labels}' are ignored with ip targets, so pods on any node are targets`,
            remedy: 'use instance targets, or pin the pods by NodePool.pin and remove the labels',
            value: labels,
          }
        : undefined;
    },
    { reads: [AWS.targetNodeLabels] },
  ),
];

/** The rules about target groups. */
export const AWS_TARGET_GROUP_RULES: readonly Rule[] = [
  ...AWS_TARGET_GROUP_CONTRADICTIONS,
  error(
    'instance-targets-need-node-ports',
    'instance targets are reached at node ports',
    LBC_FILES.targetGroup,
    (service, annotations) =>
      service.spec?.allocateLoadBalancerNodePorts === false && !hasIpTargets(annotations)
        ? portsOf(service)
            .filter((port) => !port.nodePort)
            .map((port) => ({
              what: `port ${port.port} has no node port, and instance targets are reached by it`,
              remedy: 'let node ports be allocated, fix one, or use ip targets',
              value: String(port.port),
            }))
        : undefined,
    { on: ['spec.allocateLoadBalancerNodePorts'] },
  ),
  error(
    'client-address-of-udp',
    `${PRESERVE_CLIENT_IP} cannot be false where there is UDP`,
    AWS_ATTRIBUTES,
    (service, annotations) =>
      hasUdpPort(service) &&
      listenersOf(service, annotations)
        .filter(({ hasUdp, port }) => hasUdp && attributesOf(annotations, port).preserveClientIp === false)
        .map(({ port, protocol }) => ({
          what: `${PRESERVE_CLIENT_IP} cannot be false for port ${port}, which is ${protocol}`,
          remedy: `say it for the TCP ports only, by ${AWS.targetGroupAttributesPerPort.fact.option}`,
          value: 'false',
        })),
    { reads: [AWS.targetGroupAttributes, AWS.targetGroupAttributesPerPort] },
  ),
  error(
    'stickiness-with-tls',
    'TLS listeners keep no client on its target',
    AWS_ATTRIBUTES,
    (service, annotations) =>
      annotations[AWS.sslCert.key()] !== undefined &&
      listenersOf(service, annotations)
        .filter(({ isTls, port }) => isTls && attributesOf(annotations, port).stickiness === true)
        .map(({ port }) => ({
          what: `port ${port} speaks TLS, where stickiness is not supported`,
          remedy: 'end TLS in the pods, or do without stickiness',
          value: port,
        })),
    { reads: [AWS.sslCert] },
  ),
  warning(
    'local-without-effect',
    'policy Local means nothing to ip targets',
    LBC_FILES.targetGroup,
    (service, annotations) =>
      isLocal(service) && hasIpTargets(annotations)
        ? {
            what: 'policy Local has no effect on a balancer with ip targets, which sends to the pods themselves',
            remedy: `leave it out; the client's address is kept by ${PRESERVE_CLIENT_IP}`,
            value: 'Local',
          }
        : undefined,
    { on: ['spec.externalTrafficPolicy'] },
  ),
  warning(
    'session-affinity-without-effect',
    'the balancer does not know spec.sessionAffinity',
    LBC_FILES.targetGroup,
    (service) =>
      service.spec?.sessionAffinity === 'ClientIP'
        ? {
            what: 'sessionAffinity ClientIP does not reach the balancer, which spreads the connections of a client',
            remedy: `set stickiness.enabled=true,stickiness.type=source_ip in ${AWS.targetGroupAttributes.key()}`,
            value: 'ClientIP',
          }
        : undefined,
    { on: ['spec.sessionAffinity'] },
  ),
  warning(
    'proxy-protocol-twice',
    'proxy protocol for all ports wins over a list of ports',
    LBC_FILES.targetGroup,
    (_, annotations) =>
      AWS.proxyProtocol.on(annotations) && annotations[AWS.proxyProtocolPerTargetGroup.key()] !== undefined
        ? {
            what: `${AWS.proxyProtocolPerTargetGroup.key()} is not read beside ${AWS.proxyProtocol.key()}, which is for every port`,
            remedy: 'keep one',
            value: annotations[AWS.proxyProtocolPerTargetGroup.key()],
          }
        : undefined,
    { reads: [AWS.proxyProtocolPerTargetGroup] },
  ),
  warning(
    'client-address-of-other-family',
    'the address of a client is lost where its family is converted',
    lbcFile('docs/guide/service/annotations.md'),
    (service, annotations) =>
      AWS.ipAddressType.on(annotations) === NlbIpAddressType.DUALSTACK &&
      AWS.targetGroupAttributes.on(annotations)?.preserveClientIp === true
        ? {
            what: `clients of ${list(service.spec?.ipFamilies).includes('IPv6') ? 'IPv4' : 'IPv6'} are converted to the family of the targets, which then see the balancer`,
            remedy: 'use one family, or proxy protocol',
            value: NlbIpAddressType.DUALSTACK,
          }
        : undefined,
    { reads: [AWS.ipAddressType] },
  ),
];

/** The rules about health checks. */
export const AWS_HEALTH_CHECK_RULES: readonly Rule[] = [
  error(
    'health-check-port-unknown',
    'a health check port is a number, traffic-port, or the name of a port whose target the controller can tell',
    LBC_FILES.targetGroup,
    (service, annotations) => {
      const name = AWS.healthCheckPort.on(annotations);
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
    { reads: [AWS.healthCheckPort] },
  ),
  warning(
    'local-health-check-defeated',
    'with policy Local, the health check of instance targets asks kube-proxy whether the node has a ready pod',
    LBC_FILES.targetGroup,
    (service, annotations) => {
      const port = AWS.healthCheckPort.on(annotations);
      const protocol = AWS.healthCheckProtocol.on(annotations);
      const ownPort = port !== undefined && port !== String(service.spec?.healthCheckNodePort);
      return isInstanceLocal(service, annotations) && (ownPort || (protocol && protocol !== HealthCheckProtocol.HTTP))
        ? {
            what: `with policy Local the health check (${[protocol, port].filter(Boolean).join(' ')}) does not tell nodes with a ready pod from others`,
            remedy: 'leave protocol and port of the health check to the controller, or use ip targets',
            value: port ?? protocol,
          }
        : undefined;
    },
    { on: ['spec.externalTrafficPolicy'] },
  ),
  warning(
    'proxy-protocol-with-local',
    'with policy Local, instance targets are checked at a port of kube-proxy, which does not understand proxy protocol',
    AWS_ATTRIBUTES,
    (service, annotations) =>
      isInstanceLocal(service, annotations) &&
      annotations[AWS.healthCheckPort.key()] === undefined &&
      (AWS.proxyProtocol.on(annotations) ??
        AWS.proxyProtocolPerTargetGroup.on(annotations) ??
        AWS.targetGroupAttributes.on(annotations)?.proxyProtocolV2)
        ? {
            what: 'health checks carry the proxy protocol header too, which kube-proxy does not understand, so every node may fail them',
            remedy: 'use ip targets, or policy Cluster',
          }
        : undefined,
    { on: ['spec.externalTrafficPolicy'] },
  ),
  warning(
    'udp-health-check',
    'a UDP port is checked by TCP, so something must answer TCP',
    LBC_FILES.targetGroup,
    (service, annotations) => {
      const port = annotations[AWS.healthCheckPort.key()] ?? TRAFFIC_PORT;
      return port === TRAFFIC_PORT && hasUdpPort(service) && !isInstanceLocal(service, annotations)
        ? listenersOf(service, annotations)
            .filter(({ hasUdp, protocol }) => hasUdp && !protocol.startsWith('TCP'))
            .map((listener) => ({
              what: `port ${listener.port} is ${listener.protocol} and its health check is TCP to the same port, where nothing may listen`,
              remedy: `set ${AWS.healthCheckPort.key()} to a port that answers TCP or HTTP`,
              value: listener.port,
            }))
        : undefined;
    },
  ),
  warning(
    'health-check-path-with-tcp',
    'a TCP health check has no path and no status codes',
    LBC_FILES.targetGroup,
    (service, annotations) => {
      const byDefault = isInstanceLocal(service, annotations) ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP;
      return (AWS.healthCheckProtocol.on(annotations) ?? byDefault) === HealthCheckProtocol.TCP
        ? present(
            [AWS.healthCheckPath, AWS.healthCheckSuccessCodes].map(
              (entry) =>
                annotations[entry.key()] !== undefined && {
                  what: `${entry.key()} '${annotations[entry.key()]}' is ignored, because the health check is TCP`,
                  remedy: `set ${AWS.healthCheckProtocol.key()} to http or https, or remove it`,
                  value: annotations[entry.key()],
                },
            ),
          )
        : undefined;
    },
    { reads: [AWS.healthCheckPath, AWS.healthCheckSuccessCodes] },
  ),
];
