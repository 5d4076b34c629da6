import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import type { RuleContext } from '../../rules/rule-context';
import { annotationsOf, portAt, portsOf } from '../../rules/service-json';
import { certificateRules, tlsWithoutCertificate } from '../aws/rules.certificates';
import { AWS_LBC } from './annotations';
import { AWS_ATTRIBUTES, LBC_FILES, lbcFile } from './facts';
import { NlbBackendProtocol } from './options';
import { type Annotations, hasIpTargets, lacks, lacksNodePorts, listenersOf, portsIn, protocolOf } from './reading';

/** Contradictions among annotations alone. */
export const AWS_LISTENER_CONTRADICTIONS: readonly Rule[] = [
  {
    id: 'quic-with-instance-targets',
    severity: 'error',
    effect: 'refused',
    says: 'QUIC with instance targets',
    source: lbcFile('webhooks/elbv2/targetgroupbinding_validator.go'),
    reads: [AWS_LBC.quicEnabledPorts],
    judge(service) {
      const annotations = annotationsOf(service);
      const ports = AWS_LBC.quicEnabledPorts.on(annotations);
      return ports && !hasIpTargets(annotations)
        ? { what: `QUIC ports ${ports} have instance targets`, remedy: 'use ip targets', value: String(ports) }
        : undefined;
    },
  },
];

/** The rules about listeners. */
export const AWS_LISTENER_RULES: readonly Rule[] = [
  ...AWS_LISTENER_CONTRADICTIONS,
  ...certificateRules(AWS_LBC.sslCert),
  {
    id: 'sctp',
    severity: 'error',
    effect: 'refused',
    says: 'SCTP port on a Network Load Balancer',
    source: lbcFile('pkg/model/elbv2/listener.go'),
    on: ['spec.ports'],
    judge: (service) =>
      portsOf(service)
        .filter(isSctp)
        .map((port) => ({ what: `port ${port.port} is SCTP`, remedy: 'balance TCP and UDP only', value: 'SCTP' })),
  },
  {
    id: 'tcp-and-udp-on-one-port',
    severity: 'error',
    says: 'TCP and UDP on one port number lose one of the two',
    source: LBC_FILES.listener,
    on: ['spec.ports'],
    judge(service) {
      const annotations = annotationsOf(service);
      const numbers =
        portsOf(service).length < 2 ? [] : listenersOf(service, annotations).map((listener) => listener.port);
      const twice = numbers.filter((number, at) => numbers.indexOf(number) !== at);
      return twice.map((number) => ({
        what: `port ${number} has two protocols, of which one is lost`,
        remedy: `set ${AWS_LBC.enableTcpUdpListener.key()} to true for TCP and UDP, or use two numbers`,
        value: number,
        at: portAt(service, 'port', ({ port }) => String(port) === String(number)),
      }));
    },
  },
  {
    id: 'too-many-listeners',
    severity: 'error',
    effect: 'refused',
    says: 'more than 50 listeners',
    source: { ...AWS_ATTRIBUTES, file: 'network/load-balancer-limits.html' },
    on: ['spec.ports'],
    judge(service) {
      const annotations = annotationsOf(service);
      const count = portsOf(service).length > 50 ? listenersOf(service, annotations).length : 0;
      return count > 50
        ? {
            what: `${count} ports need ${count} listeners, more than 50`,
            remedy: 'use several Services',
            value: String(count),
          }
        : undefined;
    },
  },
  {
    id: 'ssl-port-unknown',
    severity: 'error',
    effect: 'refused',
    says: 'TLS port that the Service does not have',
    source: LBC_FILES.listener,
    reads: [AWS_LBC.sslPorts],
    judge(service) {
      const annotations = annotationsOf(service);
      return AWS_LBC.sslPorts
        .on(annotations)
        ?.filter((port) => lacks(service, port))
        .map((port) => ({
          what: `TLS port '${port}' is not a port of the Service`,
          remedy: `use one of ${portsIn(service)}`,
          value: port,
        }));
    },
  },
  {
    id: 'quic-needs-udp',
    severity: 'error',
    says: 'QUIC port that is not UDP',
    source: LBC_FILES.listener,
    reads: [AWS_LBC.quicEnabledPorts],
    judge(service) {
      const annotations = annotationsOf(service);
      return (
        AWS_LBC.quicEnabledPorts.on(annotations) &&
        listenersOf(service, annotations)
          .filter(({ isQuic, hasUdp }) => isQuic && !hasUdp)
          .map(({ port, protocol }) => ({
            what: `QUIC port ${port} is ${protocol}`,
            remedy: 'make it UDP, or take it out of the QUIC ports',
            value: port,
          }))
      );
    },
  },
  tlsWithoutCertificate({
    certificate: AWS_LBC.sslCert,
    settings: [AWS_LBC.sslPorts, AWS_LBC.sslNegotiationPolicy, AWS_LBC.alpnPolicy, AWS_LBC.backendProtocol],
    isPlain: (text) => text === NlbBackendProtocol.TCP,
    source: LBC_FILES.listener,
  }),
  {
    id: 'setting-for-a-missing-port',
    severity: 'warning',
    effect: 'ignored',
    says: 'setting for a port that the Service does not have',
    source: LBC_FILES.listener,
    reads: [
      AWS_LBC.proxyProtocolPerTargetGroup,
      AWS_LBC.quicEnabledPorts,
      AWS_LBC.targetGroupAttributesPerPort,
      AWS_LBC.listenerAttributes,
      AWS_LBC.actions,
    ],
    judge(service) {
      const annotations = annotationsOf(service);
      const listed = [
        ...(AWS_LBC.proxyProtocolPerTargetGroup.on(annotations) ?? []).map(String),
        ...(AWS_LBC.quicEnabledPorts.on(annotations) ?? []),
      ].filter((port) => lacks(service, port));
      return [...listed, ...keysForNoListener(service, annotations)].map((value) => ({
        what: `'${value}' is for a port that the Service lacks, and ignored`,
        remedy: `name one of ${portsIn(service)}, with the protocol of its listener`,
        value,
      }));
    },
  },
];

const isSctp = (port: Json) => protocolOf(port) === 'SCTP';

/** Keys with a port, or with protocol and port, that are those of no listener. */
function keysForNoListener(service: Json, annotations: Annotations): string[] {
  const found: string[] = [];
  for (const key of Object.keys(annotations)) {
    const port = AWS_LBC.targetGroupAttributesPerPort.match(key)?.port;
    if (port !== undefined && !portsOf(service).some((other) => String(other.port) === port)) {
      found.push(key);
    }
    const listener = AWS_LBC.listenerAttributes.match(key) ?? AWS_LBC.actions.match(key);
    if (
      listener &&
      !listenersOf(service, annotations).some((l) => l.port === listener.port && l.protocol === listener.protocol)
    ) {
      found.push(key);
    }
  }
  return found;
}

/** A Service to which an action forwards. */
interface Target {
  readonly serviceName: string;
  readonly servicePort?: string;
}

function targetsIn(annotations: Annotations): Target[] {
  return Object.keys(annotations).flatMap((key) => {
    const listener = AWS_LBC.actions.match(key);
    const groups = listener && AWS_LBC.actions.on(annotations, listener)?.targetGroups;
    return (groups ?? []).flatMap(({ serviceName, servicePort }) =>
      serviceName ? [{ serviceName, servicePort }] : [],
    );
  });
}

/** What is asked of each target, beside those of its name that are known; nothing where that is unknown. */
function eachTarget(look: (target: Target, found: readonly Json[], annotations: Annotations) => Finding | undefined) {
  return (service: Json, { among }: RuleContext): Finding[] => {
    const annotations = annotationsOf(service);
    return targetsIn(annotations).flatMap((target) => {
      const { name, namespace } = service.metadata ?? {};
      const key = { name: target.serviceName, namespace };
      const others = among?.index.beside(among, '', 'Service', key).map(({ json }) => json);
      const found = target.serviceName === name ? [service] : others;
      return (found && look(target, found, annotations)) ?? [];
    });
  };
}

/** The rules about the Services to which listeners forward. */
export const AWS_FORWARD_ACTION_RULES: readonly Rule[] = [
  {
    id: 'action-target',
    severity: 'error',
    effect: 'refused',
    says: 'action forwards to a port that the Service does not have, or that nodes do not reach',
    source: LBC_FILES.targetGroup,
    reads: [AWS_LBC.actions],
    judge: eachTarget(({ serviceName, servicePort }, found, annotations) => {
      if (found.length !== 1) {
        return undefined;
      }
      const [target] = found;
      const { type = 'ClusterIP' } = target.spec ?? {};
      if (lacksNodePorts(target) && !hasIpTargets(annotations)) {
        return {
          what: `an action forwards to Service ${serviceName}, which is of type ${type} and has no node ports for instance targets`,
          remedy: 'use ip targets, or make it a Service of type NodePort',
          value: serviceName,
        };
      }
      const ports = portsOf(target);
      return servicePort === undefined || ports.some(({ name, port }) => [name, String(port)].includes(servicePort))
        ? undefined
        : {
            what: `an action forwards to port '${servicePort}' of Service ${serviceName}, which has ${portsIn(target) || 'none'}`,
            remedy: 'name a port of that Service, by its name or number',
            value: servicePort,
          };
    }),
  },
  {
    id: 'action-target-elsewhere',
    severity: 'warning',
    says: 'action forwards to a Service that is not in the namespace',
    source: LBC_FILES.listener,
    reads: [AWS_LBC.actions],
    judge: eachTarget(({ serviceName }, found) =>
      found.length > 0
        ? undefined
        : {
            what: `an action forwards to Service ${serviceName}, which is not in this namespace of the app: where it does not exist, no balancer is made`,
            remedy: 'make it in the namespace of the Service, or see to it that it exists before',
            value: serviceName,
          },
    ),
  },
];
