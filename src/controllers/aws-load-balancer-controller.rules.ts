import type { Annotation } from '../contract/annotation-catalogue';
import { HealthCheckProtocol } from '../contract/health-check';
import type { Citation } from '../contract/kubernetes.facts';
import { isIpv6 } from '../contract/kubernetes-syntax';
import type { Json } from '../contract/late-rendering';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import type { Rule, Verdict } from '../rules/rule';
import { annotationsOf, classOf, isLocal, list, portsOf } from '../rules/service-json';
import {
  AWS,
  AWS_LBC_SOURCE,
  NLB_ATTRIBUTES,
  NLB_TRAFFIC_PORT,
  OTHER_NLB_ATTRIBUTES,
  PRESERVE_CLIENT_IP,
} from './aws-load-balancer-controller.annotations';
import {
  AwsLoadBalancerType,
  NlbBackendProtocol,
  NlbIpAddressType,
  type NlbTargetGroupAttributes,
  NlbTargetType,
} from './aws-load-balancer-controller.options';

type Annotations = Readonly<Record<string, string>>;
type Said = Verdict | readonly Verdict[] | false | undefined;
type Judge = (service: Json, annotations: Annotations) => Said;

const LOAD_BALANCER = 'pkg/service/model_build_load_balancer.go';
const LISTENER = 'pkg/service/model_build_listener.go';
const TARGET_GROUP = 'pkg/service/model_build_target_group.go';
const SECURITY_GROUP = 'pkg/service/model_build_managed_sg.go';

const AWS_ATTRIBUTES: Citation = {
  repository: 'AWS Elastic Load Balancing User Guide',
  version: '2026-11-21',
  file: 'network/edit-target-group-attributes.html',
};

function rule(severity: Rule['severity']) {
  return (id: string, says: string, source: string | Citation, judge: Judge): Rule => ({
    id,
    severity,
    says,
    source: typeof source === 'string' ? { ...AWS_LBC_SOURCE, file: source } : source,
    judge: (service) => judge(service, annotationsOf(service)) || undefined,
  });
}

const error = rule('error');
const warning = rule('warning');

/** Whether pods are the targets, as the controller decides it. */
export function hasIpTargets(annotations: Annotations): boolean {
  return (
    annotations[AWS.targetType.key()] === NlbTargetType.IP || annotations[AWS.type.key()] === AwsLoadBalancerType.NLB_IP
  );
}

function isInstanceLocal(service: Json, annotations: Annotations): boolean {
  return isLocal(service) && !hasIpTargets(annotations);
}

/** The scheme by annotation; nothing where none can be read. */
function schemeOf(annotations: Annotations): LoadBalancerScheme | undefined {
  if (annotations[AWS.scheme.key()] !== undefined) {
    return AWS.scheme.on(annotations);
  }
  return AWS.internal.on(annotations) === false ? LoadBalancerScheme.INTERNET_FACING : LoadBalancerScheme.INTERNAL;
}

function sourceRangesOf(service: Json, annotations: Annotations): string[] {
  const ranges = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
  return ranges.length > 0 ? ranges : (AWS.sourceRanges.on(annotations) ?? []);
}

const protocolOf = (port: Json) => String(port.protocol ?? 'TCP');

/** What a listener of the balancer is made of. */
interface Listener {
  readonly port: string;
  readonly protocol: string;
  readonly isTls: boolean;
  readonly hasUdp: boolean;
  /** Whether QUIC is asked for. */
  readonly isQuic: boolean;
}

/** The listeners, as the controller makes them of the ports. */
function listenersOf(service: Json, annotations: Annotations): Listener[] {
  const ports = portsOf(service);
  const merges = AWS.enableTcpUdpListener.on(annotations) === true;
  const certificate = AWS.sslCert.on(annotations);
  const tls = AWS.sslPorts.on(annotations);
  const quic = AWS.quicEnabledPorts.on(annotations);
  const protocols = new Map<string, Set<string>>();
  for (const port of ports) {
    const number = String(port.port);
    protocols.set(number, (protocols.get(number) ?? new Set()).add(protocolOf(port)));
  }
  const found = new Map<string, Listener>();
  for (const { name, ...port } of ports) {
    const number = String(port.port);
    const lists = (listed: string[] | undefined) => listed?.some((one) => one === name || one === number) === true;
    const merged = merges && protocols.get(number)?.size === 2;
    const plain = merged ? 'TCP_UDP' : protocolOf(port);
    const isTls = plain === 'TCP' && certificate !== undefined && (!tls || lists(tls));
    const hasUdp = plain.endsWith('UDP');
    const isQuic = lists(quic);
    const protocol = isTls ? 'TLS' : hasUdp && isQuic ? plain.replace('UDP', 'QUIC') : plain;
    found.set(`${number}/${plain}`, { port: number, protocol, isTls, hasUdp, isQuic });
  }
  return [...found.values()];
}

function hasUdpPort(service: Json): boolean {
  return portsOf(service).some((port) => port.protocol === 'UDP');
}

/** The target group attributes of a port: its own win over those of all. */
function attributesOf(annotations: Annotations, port: string): NlbTargetGroupAttributes {
  return {
    ...AWS.targetGroupAttributes.on(annotations),
    ...AWS.targetGroupAttributesPerPort.on(annotations, { port }),
  };
}

function lacks(service: Json, port: string): boolean {
  return !portsOf(service).some((other) => other.name === port || String(other.port) === port);
}

const portsIn = (service: Json) =>
  portsOf(service)
    .map((port) => port.port)
    .join(', ');

const present = <T>(verdicts: readonly (T | undefined | false)[]) =>
  verdicts.filter((verdict): verdict is T => verdict !== undefined && verdict !== false);

const PER_SUBNET: readonly Annotation<string[]>[] = [
  AWS.eipAllocations,
  AWS.privateIpv4Addresses,
  AWS.ipv6Addresses,
  AWS.sourceNatIpv6Prefixes,
];

/** Needs the scheme. */
const ADDRESSES_AND_SCHEME = error(
  'addresses-and-scheme',
  'elastic IPs are for internet-facing balancers, private addresses for internal ones',
  LOAD_BALANCER,
  (_, annotations) => {
    const scheme = schemeOf(annotations);
    const eips = AWS.eipAllocations.on(annotations);
    const addresses = AWS.privateIpv4Addresses.on(annotations);
    return present<Verdict>([
      eips &&
        scheme === LoadBalancerScheme.INTERNAL && {
          what: `elastic IPs ${eips.join(', ')} stand on an internal balancer`,
          wayOut: 'make it internet-facing, or use private IPv4 addresses',
          value: eips.join(', '),
        },
      addresses &&
        scheme === LoadBalancerScheme.INTERNET_FACING && {
          what: `private addresses ${addresses.join(', ')} stand on an internet-facing balancer`,
          wayOut: 'make it internal, or use elastic IPs',
          value: addresses.join(', '),
        },
    ]);
  },
);

/** Needs the address type. */
const IPV6_WITHOUT_DUALSTACK = error(
  'ipv6-without-dualstack',
  'everything of IPv6 needs a dualstack balancer',
  LOAD_BALANCER,
  (service, annotations) => {
    const type = annotations[AWS.ipAddressType.key()];
    if (type !== undefined && type !== NlbIpAddressType.IPV4) {
      return undefined;
    }
    const ranges = AWS.securityGroups.on(annotations) ? [] : sourceRangesOf(service, annotations);
    const needs: readonly [string, unknown][] = [
      ['IP family IPv6', list(service.spec?.ipFamilies).includes('IPv6')],
      ...ranges.filter(isIpv6).map((range): [string, unknown] => [`source range ${range}`, true]),
      ['fixed IPv6 addresses', AWS.ipv6Addresses.on(annotations)],
      ['IPv6 source NAT', AWS.enablePrefixForIpv6SourceNat.on(annotations)],
    ];
    return needs
      .filter(([, needed]) => needed)
      .map(([what]) => ({
        what: `the balancer is of IPv4, and ${what} cannot be had without dualstack`,
        wayOut: `set ${AWS.ipAddressType.key()} to ${NlbIpAddressType.DUALSTACK}`,
        value: type,
      }));
  },
);

/** Contradictions among annotations alone: options that make one of these are refused at once. */
const CONTRADICTIONS: readonly Rule[] = [
  error(
    'node-labels-with-ip-targets',
    'node labels choose among instance targets only: with ip targets every pod is a target, wherever it runs',
    TARGET_GROUP,
    (_, annotations) => {
      const labels = annotations[AWS.targetNodeLabels.key()];
      return labels !== undefined && hasIpTargets(annotations)
        ? {
            what: `node labels '${labels}' are ignored with ip targets, so pods on any node are targets`,
            wayOut: 'use instance targets, or pin the pods by NodePool.pin and remove the labels',
            value: labels,
          }
        : undefined;
    },
  ),
  error(
    'quic-with-instance-targets',
    'QUIC needs ip targets',
    'webhooks/elbv2/targetgroupbinding_validator.go',
    (_, annotations) => {
      const ports = AWS.quicEnabledPorts.on(annotations);
      return ports && !hasIpTargets(annotations)
        ? { what: `QUIC ports ${ports} have instance targets`, wayOut: 'use ip targets', value: String(ports) }
        : undefined;
    },
  ),
  error(
    'groups-without-groups',
    'a balancer without security groups takes no setting for them',
    LOAD_BALANCER,
    (_, annotations) =>
      AWS.disableNlbSg.on(annotations) === true
        ? present(
            [AWS.securityGroups, AWS.securityGroupPrefixLists, AWS.inboundSgRulesOnPrivateLinkTraffic].map(
              (entry) =>
                annotations[entry.key()] !== undefined && {
                  what: `${entry.key()} is void on a balancer without security groups`,
                  wayOut: `remove it, or ${AWS.disableNlbSg.key()}`,
                  value: annotations[entry.key()],
                },
            ),
          )
        : undefined,
  ),
  error(
    'source-ranges-with-own-groups',
    'source ranges and prefix lists are for the security group that the controller makes: own groups make them void',
    SECURITY_GROUP,
    (service, annotations) => {
      const groups = AWS.securityGroups.on(annotations);
      const ranges = [...sourceRangesOf(service, annotations), ...(AWS.securityGroupPrefixLists.on(annotations) ?? [])];
      return groups && ranges.length > 0
        ? {
            what: `sources ${ranges.join(', ')} are ignored, because the balancer has security groups of its own, ${groups.join(', ')}`,
            wayOut: 'write the sources as rules of those groups, or leave the groups to the controller',
            value: ranges.join(', '),
          }
        : undefined;
    },
  ),
  error(
    'source-nat-prefixes-without-source-nat',
    'source NAT prefixes need IPv6 source NAT to be on',
    'pkg/networking/utils.go',
    (_, annotations) =>
      AWS.sourceNatIpv6Prefixes.on(annotations) && AWS.enablePrefixForIpv6SourceNat.on(annotations) !== true
        ? {
            what: 'IPv6 source NAT prefixes are given, but IPv6 source NAT is off',
            wayOut: `set ${AWS.enablePrefixForIpv6SourceNat.key()} to on`,
          }
        : undefined,
  ),
  error('addresses-and-subnets', 'fixed addresses are as many as subnets', LOAD_BALANCER, (_, annotations) => {
    const subnets = AWS.subnets.on(annotations);
    return (
      subnets &&
      present(
        PER_SUBNET.map((entry) => {
          const given = entry.on(annotations);
          return (
            given &&
            given.length !== subnets.length && {
              what: `${entry.key()} has ${given.length} entries for ${subnets.length} subnets`,
              wayOut: 'give one for each subnet',
              value: given.join(', '),
            }
          );
        }),
      )
    );
  }),
  error('access-logs-without-bucket', 'access logs need a bucket', AWS_ATTRIBUTES, (_, annotations) => {
    const attributes = AWS.loadBalancerAttributes.on(annotations);
    const old = AWS.accessLogEnabled.on(annotations) === true;
    const bucket = attributes?.accessLogsS3Bucket ?? (old ? AWS.accessLogBucket.on(annotations) : undefined);
    return (old || attributes?.accessLogsS3Enabled === true) && bucket === undefined
      ? {
          what: 'access logs are switched on without a bucket',
          wayOut: 'name the bucket, in the region of the balancer',
        }
      : undefined;
  }),
];

const errors: readonly Rule[] = [
  ...CONTRADICTIONS,
  ADDRESSES_AND_SCHEME,
  IPV6_WITHOUT_DUALSTACK,
  error(
    'udp-on-dualstack',
    'UDP on a dualstack balancer needs IPv6 source NAT',
    'docs/guide/service/annotations.md',
    (service, annotations) =>
      AWS.ipAddressType.on(annotations) === NlbIpAddressType.DUALSTACK &&
      AWS.enablePrefixForIpv6SourceNat.on(annotations) !== true &&
      listenersOf(service, annotations).some((listener) => listener.hasUdp)
        ? {
            what: 'a UDP port stands on a dualstack balancer without IPv6 source NAT',
            wayOut: `set ${AWS.enablePrefixForIpv6SourceNat.key()} to on`,
          }
        : undefined,
  ),
  error(
    'instance-targets-need-node-ports',
    'instance targets are reached at node ports',
    TARGET_GROUP,
    (service, annotations) =>
      service.spec?.allocateLoadBalancerNodePorts === false && !hasIpTargets(annotations)
        ? portsOf(service)
            .filter((port) => !port.nodePort)
            .map((port) => ({
              what: `port ${port.port} has no node port, and instance targets are reached by it`,
              wayOut: 'let node ports be allocated, fix one, or use ip targets',
              value: String(port.port),
            }))
        : undefined,
  ),
  error('sctp', 'a Network Load Balancer has no SCTP listeners', 'pkg/model/elbv2/listener.go', (service) =>
    portsOf(service)
      .filter((port) => protocolOf(port) === 'SCTP')
      .map((port) => ({ what: `port ${port.port} is SCTP`, wayOut: 'balance TCP and UDP only', value: 'SCTP' })),
  ),
  error(
    'tcp-and-udp-on-one-port',
    'a TCP and a UDP port of one number are one listener, or one of them is lost',
    LISTENER,
    (service, annotations) => {
      const numbers =
        portsOf(service).length < 2 ? [] : listenersOf(service, annotations).map((listener) => listener.port);
      const twice = numbers.filter((number, at) => numbers.indexOf(number) !== at);
      return twice.map((number) => ({
        what: `port ${number} stands for two protocols, of which one is lost`,
        wayOut: `set ${AWS.enableTcpUdpListener.key()} to true for TCP and UDP, or use two numbers`,
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
            wayOut: 'use several Services',
            value: String(count),
          }
        : undefined;
    },
  ),
  error(
    'ssl-port-unknown',
    'a TLS port is a port of the Service, by name or number',
    LISTENER,
    (service, annotations) =>
      AWS.sslPorts
        .on(annotations)
        ?.filter((port) => lacks(service, port))
        .map((port) => ({
          what: `TLS port '${port}' is no port of the Service`,
          wayOut: `use one of ${portsIn(service)}`,
          value: port,
        })),
  ),
  error(
    'quic-needs-udp',
    'QUIC ports are UDP ports',
    LISTENER,
    (service, annotations) =>
      AWS.quicEnabledPorts.on(annotations) &&
      listenersOf(service, annotations)
        .filter(({ isQuic, hasUdp }) => isQuic && !hasUdp)
        .map(({ port, protocol }) => ({
          what: `QUIC port ${port} is ${protocol}`,
          wayOut: 'make it UDP, or take it out of the QUIC ports',
          value: port,
        })),
  ),
  error(
    'health-check-port-unknown',
    'a health check port is a number, traffic-port, or the name of a port whose target the controller can tell',
    TARGET_GROUP,
    (service, annotations) => {
      const name = AWS.healthCheckPort.on(annotations);
      if (name === undefined || name === NLB_TRAFFIC_PORT || /^\d+$/.test(name)) {
        return undefined;
      }
      const port = portsOf(service).find((other) => other.name === name);
      if (!port) {
        return {
          what: `health check port '${name}' names no port of the Service`,
          wayOut: 'use a number or a name of one',
          value: name,
        };
      }
      return hasIpTargets(annotations) && typeof port.targetPort === 'string'
        ? {
            what: `health check port '${name}' has the target '${port.targetPort}', a name, which ip targets do not resolve`,
            wayOut: 'use the number of the port',
            value: name,
          }
        : undefined;
    },
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
          wayOut: `say it for the TCP ports only, by ${AWS.targetGroupAttributesPerPort.fact.option}`,
          value: 'false',
        })),
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
          wayOut: 'end TLS in the pods, or do without stickiness',
          value: port,
        })),
  ),
];

const warnings: readonly Rule[] = [
  warning(
    'local-without-pool',
    'with policy Local, instance targets without a pod fail their health checks: a pool keeps them out of the balancer',
    TARGET_GROUP,
    (service, annotations) =>
      isInstanceLocal(service, annotations) && annotations[AWS.targetNodeLabels.key()] === undefined
        ? {
            what: 'policy Local has instance targets on every node, and nodes without a pod fail their health checks',
            wayOut: 'pin the pods to a NodePool, or use ip targets',
            value: 'Local',
          }
        : undefined,
  ),
  warning('local-without-effect', 'policy Local means nothing to ip targets', TARGET_GROUP, (service, annotations) =>
    isLocal(service) && hasIpTargets(annotations)
      ? {
          what: 'policy Local has no effect on a balancer with ip targets, which sends to the pods themselves',
          wayOut: `leave it out; the client's address is kept by ${PRESERVE_CLIENT_IP}`,
          value: 'Local',
        }
      : undefined,
  ),
  warning(
    'local-health-check-defeated',
    'with policy Local, the health check of instance targets asks kube-proxy whether the node has a ready pod',
    TARGET_GROUP,
    (service, annotations) => {
      const port = AWS.healthCheckPort.on(annotations);
      const protocol = AWS.healthCheckProtocol.on(annotations);
      const ownPort = port !== undefined && port !== String(service.spec?.healthCheckNodePort);
      return isInstanceLocal(service, annotations) && (ownPort || (protocol && protocol !== HealthCheckProtocol.HTTP))
        ? {
            what: `with policy Local the health check (${[protocol, port].filter(Boolean).join(' ')}) does not tell nodes with a ready pod from others`,
            wayOut: 'leave protocol and port of the health check to the controller, or use ip targets',
            value: port ?? protocol,
          }
        : undefined;
    },
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
            wayOut: 'use ip targets, or policy Cluster',
          }
        : undefined,
  ),
  warning(
    'udp-health-check',
    'a UDP port is checked by TCP, so something must answer TCP',
    TARGET_GROUP,
    (service, annotations) => {
      const port = annotations[AWS.healthCheckPort.key()] ?? NLB_TRAFFIC_PORT;
      return port === NLB_TRAFFIC_PORT && hasUdpPort(service) && !isInstanceLocal(service, annotations)
        ? listenersOf(service, annotations)
            .filter(({ hasUdp, protocol }) => hasUdp && !protocol.startsWith('TCP'))
            .map((listener) => ({
              what: `port ${listener.port} is ${listener.protocol} and its health check is TCP to the same port, where nothing may listen`,
              wayOut: `set ${AWS.healthCheckPort.key()} to a port that answers TCP or HTTP`,
              value: listener.port,
            }))
        : undefined;
    },
  ),
  warning(
    'session-affinity-without-effect',
    'the balancer does not know spec.sessionAffinity',
    TARGET_GROUP,
    (service) =>
      service.spec?.sessionAffinity === 'ClientIP'
        ? {
            what: 'sessionAffinity ClientIP does not reach the balancer, which spreads the connections of a client',
            wayOut: `set stickiness.enabled=true,stickiness.type=source_ip in ${AWS.targetGroupAttributes.key()}`,
            value: 'ClientIP',
          }
        : undefined,
  ),
  warning('load-balancer-ip-ignored', 'spec.loadBalancerIP is not read', LOAD_BALANCER, (service) =>
    service.spec?.loadBalancerIP
      ? {
          what: `loadBalancerIP ${service.spec.loadBalancerIP} is ignored`,
          wayOut: `use ${AWS.eipAllocations.key()} or ${AWS.privateIpv4Addresses.key()}`,
          value: String(service.spec.loadBalancerIP),
        }
      : undefined,
  ),
  warning(
    'deletion-protection',
    'a protected balancer keeps its Service from being deleted',
    'pkg/service/model_builder.go',
    (_, annotations) =>
      AWS.loadBalancerAttributes.on(annotations)?.deletionProtection === true
        ? {
            what: 'deletion protection is on: a deleted Service, and its namespace, hang until it is edited to false',
            wayOut: 'set it to false before the Service is deleted',
            value: 'true',
          }
        : undefined,
  ),
  warning(
    'class-and-type',
    'the type annotation is not consulted where there is a class',
    'pkg/service/service_utils.go',
    (service, annotations) => {
      const type = annotations[AWS.type.key()];
      return type !== undefined && classOf(service) !== undefined
        ? {
            what: `the class ${classOf(service)} decides who owns the Service, and type '${type}' beside it does not`,
            wayOut: 'remove the annotation',
            value: type,
          }
        : undefined;
    },
  ),
  warning(
    'old-beside-new',
    'an old spelling and its successor stand together, and one of them is not read',
    LOAD_BALANCER,
    (_, annotations) => {
      const attributes = AWS.loadBalancerAttributes.on(annotations);
      const has = (entry: { key(): string }) => annotations[entry.key()] !== undefined;
      const logs = attributes?.accessLogsS3Enabled ?? attributes?.accessLogsS3Bucket ?? attributes?.accessLogsS3Prefix;
      const twice: readonly [boolean, string, string][] = [
        [has(AWS.internal) && has(AWS.scheme), AWS.internal.key(), AWS.scheme.key()],
        [
          has(AWS.crossZone) && attributes?.crossZone !== undefined,
          'load_balancing.cross_zone.enabled',
          AWS.crossZone.key(),
        ],
        [
          AWS.accessLogEnabled.on(annotations) === true && logs !== undefined,
          'access_logs.s3',
          AWS.accessLogEnabled.key(),
        ],
      ];
      return twice
        .filter(([both]) => both)
        .map(([, unread, read]) => ({
          what: `${unread} stands beside ${read}, which wins`,
          wayOut: 'keep the attribute or the newer spelling alone',
          value: unread,
        }));
    },
  ),
  warning(
    'access-log-settings-unread',
    'the old spellings of bucket and prefix are read only where the old switch is on',
    LOAD_BALANCER,
    (_, annotations) =>
      AWS.accessLogEnabled.on(annotations) !== true
        ? present(
            [AWS.accessLogBucket, AWS.accessLogPrefix].map(
              (entry) =>
                annotations[entry.key()] !== undefined && {
                  what: `${entry.key()} is not read without ${AWS.accessLogEnabled.key()}`,
                  wayOut: `use ${AWS.loadBalancerAttributes.key()}`,
                  value: annotations[entry.key()],
                },
            ),
          )
        : undefined,
  ),
  warning('tls-without-certificate', 'without a certificate no listener speaks TLS', LISTENER, (_, annotations) =>
    annotations[AWS.sslCert.key()] === undefined
      ? present(
          [AWS.sslPorts, AWS.sslNegotiationPolicy, AWS.alpnPolicy, AWS.backendProtocol].map((entry) => {
            const value = annotations[entry.key()];
            return (
              value !== undefined &&
              value !== NlbBackendProtocol.TCP && {
                what: `${entry.key()} has no effect without a certificate: the listeners speak plain TCP`,
                wayOut: `name one in ${AWS.sslCert.key()}, or remove it`,
                value,
              }
            );
          }),
        )
      : undefined,
  ),
  warning(
    'health-check-path-with-tcp',
    'a TCP health check has no path and no status codes',
    TARGET_GROUP,
    (service, annotations) => {
      const byDefault = isInstanceLocal(service, annotations) ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP;
      return (AWS.healthCheckProtocol.on(annotations) ?? byDefault) === HealthCheckProtocol.TCP
        ? present(
            [AWS.healthCheckPath, AWS.healthCheckSuccessCodes].map(
              (entry) =>
                annotations[entry.key()] !== undefined && {
                  what: `${entry.key()} '${annotations[entry.key()]}' is ignored, because the health check is TCP`,
                  wayOut: `set ${AWS.healthCheckProtocol.key()} to http or https, or remove it`,
                  value: annotations[entry.key()],
                },
            ),
          )
        : undefined;
    },
  ),
  warning(
    'proxy-protocol-twice',
    'proxy protocol for all ports wins over a list of ports',
    TARGET_GROUP,
    (_, annotations) =>
      AWS.proxyProtocol.on(annotations) && annotations[AWS.proxyProtocolPerTargetGroup.key()] !== undefined
        ? {
            what: `${AWS.proxyProtocolPerTargetGroup.key()} is not read beside ${AWS.proxyProtocol.key()}, which is for every port`,
            wayOut: 'keep one',
            value: annotations[AWS.proxyProtocolPerTargetGroup.key()],
          }
        : undefined,
  ),
  warning(
    'setting-for-a-missing-port',
    'a setting for one port is for a port that the Service has',
    LISTENER,
    (service, annotations) => {
      const listed = [
        ...(AWS.proxyProtocolPerTargetGroup.on(annotations) ?? []).map(String),
        ...(AWS.quicEnabledPorts.on(annotations) ?? []),
      ].filter((port) => lacks(service, port));
      return [...listed, ...keysForNoListener(service, annotations)].map((value) => ({
        what: `'${value}' is for a port that the Service lacks, and ignored`,
        wayOut: `name one of ${portsIn(service)}, with the protocol of its listener`,
        value,
      }));
    },
  ),
  warning(
    'source-ranges-twice',
    'source ranges by annotation are not read where the field stands',
    SECURITY_GROUP,
    (service, annotations) => {
      const old = AWS.sourceRanges.on(annotations);
      const field = list(service.spec?.loadBalancerSourceRanges);
      return old && field.length > 0 && String(old) !== String(field)
        ? {
            what: `source ranges ${old.join(', ')} of the annotation are not read beside spec.loadBalancerSourceRanges`,
            wayOut: 'keep the field alone',
            value: old.join(', '),
          }
        : undefined;
    },
  ),
  warning(
    'source-ranges-without-group',
    'without security groups, source ranges hold only where targets see the address of the client',
    TARGET_GROUP,
    (service, annotations) => {
      const ranges = AWS.disableNlbSg.on(annotations) === true ? sourceRangesOf(service, annotations) : [];
      const seen = (port: Json) =>
        attributesOf(annotations, String(port.port)).preserveClientIp ?? !hasIpTargets(annotations);
      const unruled = AWS.manageBackendSecurityGroupRules.on(annotations) === false;
      const open = portsOf(service).some((port) => protocolOf(port) === 'TCP' && !seen(port));
      return ranges.length > 0 && (open || unruled)
        ? {
            what: `source ranges ${ranges.join(', ')} keep nobody out of a balancer without security groups whose targets do not see the client`,
            wayOut: `set ${PRESERVE_CLIENT_IP}=true, or let the controller make a security group`,
            value: ranges.join(', '),
          }
        : undefined;
    },
  ),
  warning(
    'client-address-of-other-family',
    'the address of a client is lost where its family is converted',
    'docs/guide/service/annotations.md',
    (service, annotations) =>
      AWS.ipAddressType.on(annotations) === NlbIpAddressType.DUALSTACK &&
      AWS.targetGroupAttributes.on(annotations)?.preserveClientIp === true
        ? {
            what: `clients of ${list(service.spec?.ipFamilies).includes('IPv6') ? 'IPv4' : 'IPv6'} are converted to the family of the targets, which then see the balancer`,
            wayOut: 'use one family, or proxy protocol',
            value: NlbIpAddressType.DUALSTACK,
          }
        : undefined,
  ),
  warning(
    'unknown-load-balancer-attribute',
    'an attribute that AWS does not know leaves a balancer without listeners',
    { ...AWS_ATTRIBUTES, file: 'APIReference/API_LoadBalancerAttribute.html' },
    (_, annotations) =>
      Object.keys(AWS.loadBalancerAttributes.on(annotations)?.additional ?? {})
        .filter((key) => !OTHER_NLB_ATTRIBUTES.includes(key))
        .map((key) => ({
          what: `attribute '${key}' is unknown here; one that AWS does not know leaves a balancer without listeners`,
          wayOut: `check its spelling; known are ${[...NLB_ATTRIBUTES, ...OTHER_NLB_ATTRIBUTES].join(', ')}`,
          value: key,
        })),
  ),
];

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

/** What can never be right among the annotations of options, whatever a request adds to them. */
export function contradictionsIn(annotations: Annotations): readonly Rule[] {
  return [
    ...CONTRADICTIONS,
    ...(AWS.scheme.key() in annotations || AWS.internal.key() in annotations ? [ADDRESSES_AND_SCHEME] : []),
    ...(AWS.ipAddressType.key() in annotations ? [IPV6_WITHOUT_DUALSTACK] : []),
  ];
}

/** The rules of this controller for finished Services. */
export const AWS_LBC_RULES: readonly Rule[] = [...errors, ...warnings];
