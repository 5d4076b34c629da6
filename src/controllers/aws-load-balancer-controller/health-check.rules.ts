import { HealthCheckProtocol } from '../../contract/health-check';
import type { Rule } from '../../rules/rule';
import { portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/annotations';
import { AWS } from './annotations';
import { LBC_FILES } from './product.annotations';
import { hasIpTargets, hasUdpPort, isInstanceLocal, listenersOf, present } from './reading';
import { AWS_ATTRIBUTES, error, warning } from './rule';

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
