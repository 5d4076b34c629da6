import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { portsOf } from '../../rules/service-json';
import { AWS } from './annotations';
import { NlbBackendProtocol } from './listener.options';
import { LBC_FILES, lbcFile } from './product.annotations';
import { type Annotations, hasIpTargets, lacks, listenersOf, portsIn, present, protocolOf } from './reading';
import { AWS_ATTRIBUTES, error, warning } from './rule';

/** Contradictions among annotations alone. */
export const AWS_LISTENER_CONTRADICTIONS: readonly Rule[] = [
  error(
    'quic-with-instance-targets',
    'QUIC needs ip targets',
    lbcFile('webhooks/elbv2/targetgroupbinding_validator.go'),
    (_, annotations) => {
      const ports = AWS.quicEnabledPorts.on(annotations);
      return ports && !hasIpTargets(annotations)
        ? { what: `QUIC ports ${ports} have instance targets`, remedy: 'use ip targets', value: String(ports) }
        : undefined;
    },
    { reads: [AWS.quicEnabledPorts] },
  ),
];

/** The rules about listeners. */
export const AWS_LISTENER_RULES: readonly Rule[] = [
  ...AWS_LISTENER_CONTRADICTIONS,
  error(
    'sctp',
    'a Network Load Balancer has no SCTP listeners',
    lbcFile('pkg/model/elbv2/listener.go'),
    (service) =>
      portsOf(service).some(isSctp) &&
      portsOf(service)
        .filter(isSctp)
        .map((port) => ({ what: `port ${port.port} is SCTP`, remedy: 'balance TCP and UDP only', value: 'SCTP' })),
  ),
  error(
    'tcp-and-udp-on-one-port',
    'a TCP and a UDP port of one number are one listener, or one of them is lost',
    LBC_FILES.listener,
    (service, annotations) => {
      const numbers =
        portsOf(service).length < 2 ? [] : listenersOf(service, annotations).map((listener) => listener.port);
      const twice = numbers.filter((number, at) => numbers.indexOf(number) !== at);
      return twice.map((number) => ({
        what: `port ${number} stands for two protocols, of which one is lost`,
        remedy: `set ${AWS.enableTcpUdpListener.key()} to true for TCP and UDP, or use two numbers`,
        value: number,
      }));
    },
  ),
  error(
    'too-many-listeners',
    'a balancer has at most 50 listeners, which AWS does not raise',
    { ...AWS_ATTRIBUTES, file: 'network/load-balancer-limits.html' },
    (service, annotations) => {
      const count = portsOf(service).length > 50 ? listenersOf(service, annotations).length : 0;
      return count > 50
        ? {
            what: `${count} ports need ${count} listeners, more than 50`,
            remedy: 'use several Services',
            value: String(count),
          }
        : undefined;
    },
  ),
  error(
    'ssl-port-unknown',
    'a TLS port is a port of the Service, by name or number',
    LBC_FILES.listener,
    (service, annotations) =>
      AWS.sslPorts
        .on(annotations)
        ?.filter((port) => lacks(service, port))
        .map((port) => ({
          what: `TLS port '${port}' is no port of the Service`,
          remedy: `use one of ${portsIn(service)}`,
          value: port,
        })),
    { reads: [AWS.sslPorts] },
  ),
  error(
    'quic-needs-udp',
    'QUIC ports are UDP ports',
    LBC_FILES.listener,
    (service, annotations) =>
      AWS.quicEnabledPorts.on(annotations) &&
      listenersOf(service, annotations)
        .filter(({ isQuic, hasUdp }) => isQuic && !hasUdp)
        .map(({ port, protocol }) => ({
          what: `QUIC port ${port} is ${protocol}`,
          remedy: 'make it UDP, or take it out of the QUIC ports',
          value: port,
        })),
    { reads: [AWS.quicEnabledPorts] },
  ),
  warning(
    'tls-without-certificate',
    'without a certificate no listener speaks TLS',
    LBC_FILES.listener,
    (_, annotations) =>
      annotations[AWS.sslCert.key()] === undefined
        ? present(
            [AWS.sslPorts, AWS.sslNegotiationPolicy, AWS.alpnPolicy, AWS.backendProtocol].map((entry) => {
              const value = annotations[entry.key()];
              return (
                value !== undefined &&
                value !== NlbBackendProtocol.TCP && {
                  what: `${entry.key()} has no effect without a certificate: the listeners speak plain TCP`,
                  remedy: `name one in ${AWS.sslCert.key()}, or remove it`,
                  value,
                }
              );
            }),
          )
        : undefined,
    { reads: [AWS.sslPorts, AWS.sslNegotiationPolicy, AWS.alpnPolicy, AWS.backendProtocol] },
  ),
  warning(
    'setting-for-a-missing-port',
    'a setting for one port is for a port that the Service has',
    LBC_FILES.listener,
    (service, annotations) => {
      const listed = [
        ...(AWS.proxyProtocolPerTargetGroup.on(annotations) ?? []).map(String),
        ...(AWS.quicEnabledPorts.on(annotations) ?? []),
      ].filter((port) => lacks(service, port));
      return [...listed, ...keysForNoListener(service, annotations)].map((value) => ({
        what: `'${value}' is for a port that the Service lacks, and ignored`,
        remedy: `name one of ${portsIn(service)}, with the protocol of its listener`,
        value,
      }));
    },
    {
      reads: [
        AWS.proxyProtocolPerTargetGroup,
        AWS.quicEnabledPorts,
        AWS.targetGroupAttributesPerPort,
        AWS.listenerAttributes,
        AWS.actions,
      ],
    },
  ),
];

const isSctp = (port: Json) => protocolOf(port) === 'SCTP';

/** Keys with a port, or with protocol and port, that are those of no listener. */
function keysForNoListener(service: Json, annotations: Annotations): string[] {
  const found: string[] = [];
  for (const key of Object.keys(annotations)) {
    const port = AWS.targetGroupAttributesPerPort.match(key)?.port;
    if (port !== undefined && !portsOf(service).some((other) => String(other.port) === port)) {
      found.push(key);
    }
    const listener = AWS.listenerAttributes.match(key) ?? AWS.actions.match(key);
    if (
      listener &&
      !listenersOf(service, annotations).some((l) => l.port === listener.port && l.protocol === listener.protocol)
    ) {
      found.push(key);
    }
  }
  return found;
}
