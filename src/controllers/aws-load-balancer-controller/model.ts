import { flag } from '../../contract/annotation-codec';
import { type Json, list } from '../../contract/json';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import type { BalancerHealthCheck, LoadBalancerModel } from '../../contract/load-balancer-model';
import { HealthCheckProtocol, LoadBalancerScheme, PortProtocol } from '../../contract/options';
import type { BackendNodes } from '../../rules/controller-definition';
import {
  annotationsOf,
  isLocal,
  type PortHandling,
  portHandling,
  portsOf,
  type SchemeReading,
} from '../../rules/service-json';
import { DELETION_PROTECTION, TRAFFIC_PORT } from '../aws/facts';
import { clientsOfNlb, groupOfRules, healthCheckBy, isHttp, type NlbClients, nlbModel, zonesBy } from '../aws/model';
import {
  answererOnNode,
  healthCheckNodePortOf,
  labelsUnlessNone,
  nodePortOf,
  ON_TRAFFIC_PORT,
  schemeBy,
} from '../shared/model';
import { AWS_LBC, AWS_LBC_SOURCE } from './annotations';
import { LBC_READINESS_GATES } from './facts';
import { AwsLoadBalancerType, NlbBackendProtocol, type NlbTargetGroupAttributes, NlbTargetType } from './options';

const LBC_CHECKS = {
  local: { interval: 10, failures: 2 },
  others: { interval: 10, failures: 3 },
};

/** Default of AWS: a zone only sends to its own targets. network/edit-target-group-attributes.html, 2026-11-21 */
const CROSS_ZONE_BY_DEFAULT = false;

/** The attribute of a target group that wins over that of its balancer, unless it names no truth. */
const CROSS_ZONE_OF_GROUP = 'load_balancing.cross_zone.enabled';

export function lbcModel(service: Json): LoadBalancerModel {
  const annotations = annotationsOf(service);
  const listeners = listenersOf(service, annotations);
  const toPods = hasIpTargets(annotations);
  const hasOwnGroups = AWS_LBC.securityGroups.key() in annotations || AWS_LBC.disableNlbSg.on(annotations) === true;
  const sources = [
    ...sourceRangesOf(service, annotations),
    ...(AWS_LBC.securityGroupPrefixLists.on(annotations) ?? []),
  ];
  return nlbModel(service, {
    scheme: schemeReading(service).scheme,
    gates: LBC_READINESS_GATES,
    endsHeld: ({ port }) =>
      attributesOf(annotations, String(port)).unhealthyConnectionTermination === false
        ? undefined
        : portsOf(service).some(({ protocol }) => protocol === PortProtocol.UDP)
          ? 'balance UDP by a Service of its own: its target groups have no such attribute'
          : 'set unhealthyConnectionTermination of targetGroupAttributes to false',
    clients: { toPods, preserves: preservedBy(service, annotations) },
    hasHeader: ({ port }) => headerKey(annotations, String(port)) !== undefined,
    listeners: listeners.length,
    crossZone: crossZoneOf(
      annotations,
      listeners.map(({ port }) => port),
    ),
    zones: zonesBy(
      ...[AWS_LBC.subnets, AWS_LBC.eipAllocations, AWS_LBC.privateIpv4Addresses, AWS_LBC.ipv6Addresses].map((entry) =>
        entry.on(annotations),
      ),
    ),
    healthCheck: healthCheckByLbc(service, annotations, toPods),
    nodeLabels: labelsUnlessNone(backendNodes(service)?.labels),
    ...(hasOwnGroups ? {} : { group: groupOfRules(listeners.length, sources) }),
    source: AWS_LBC_SOURCE,
    confidence: Confidence.SOURCE,
  });
}

/** True if zones have the targets of all: target groups win over the balancer; nothing where they differ among themselves. */
export function crossZoneOf(annotations: Annotations, ports: readonly string[]): boolean | undefined {
  const ofBalancer =
    AWS_LBC.crossZone.on(annotations) ??
    AWS_LBC.loadBalancerAttributes.on(annotations)?.crossZone ??
    CROSS_ZONE_BY_DEFAULT;
  const ofGroups = ports.map((port) => {
    const own = attributesOf(annotations, port).additional?.[CROSS_ZONE_OF_GROUP];
    return own === 'true' || (own !== 'false' && ofBalancer);
  });
  const [first = ofBalancer, ...others] = ofGroups;
  return others.every((other) => other === first) ? first : undefined;
}

export function healthCheckByLbc(service: Json, annotations: Annotations, toPods: boolean): BalancerHealthCheck {
  const isLocal = !toPods && isInstanceLocal(service, annotations);
  const byDefault = isLocal ? healthCheckNodePortOf(service) : ON_TRAFFIC_PORT;
  const port = portIn(service, AWS_LBC.healthCheckPort.on(annotations), toPods) ?? byDefault;
  const asked = { port, answeredBy: toPods ? ('pod' as const) : answererOnNode(service, port) };
  return healthCheckBy(AWS_LBC, annotations, asked, {
    protocol: isLocal ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP,
    isLocal,
    ...(isLocal ? LBC_CHECKS.local : LBC_CHECKS.others),
  });
}

function portIn(service: Json, text: string | undefined, toPods: boolean): string | undefined {
  if (text === undefined || /^\d+$/.test(text)) {
    return text;
  }
  const named = text === TRAFFIC_PORT ? undefined : portsOf(service).find(({ name }) => name === text);
  return toPods && typeof named?.targetPort === 'number'
    ? String(named.targetPort)
    : named && !toPods
      ? nodePortOf(named)
      : ON_TRAFFIC_PORT;
}

// Reading of finished Services of this controller.

export const lbcFile = (file: string): Citation => ({ ...AWS_LBC_SOURCE, file });

export type Annotations = Readonly<Record<string, string>>;

export function hasIpTargets(annotations: Annotations): boolean {
  return (
    annotations[AWS_LBC.targetType.key()] === NlbTargetType.IP ||
    annotations[AWS_LBC.type.key()] === AwsLoadBalancerType.NLB_IP
  );
}

export function lacksNodePorts({ spec }: Json): boolean {
  return !['NodePort', 'LoadBalancer'].includes(spec?.type);
}

export function isProtected(service: Json): boolean {
  const text: unknown = annotationsOf(service)[AWS_LBC.loadBalancerAttributes.key()];
  const entries = typeof text === 'string' ? text.split(',').map((entry) => entry.trim().split('=')) : [];
  const [, value] = entries.find(([key]) => key === DELETION_PROTECTION) ?? [];
  const read = flag().decode(value ?? '');
  return 'value' in read && read.value;
}

export function isInstanceLocal(service: Json, annotations: Annotations): boolean {
  return isLocal(service) && !hasIpTargets(annotations);
}

export function backendNodes(service: Json): BackendNodes | undefined {
  const annotations = annotationsOf(service);
  return hasIpTargets(annotations)
    ? undefined
    : {
        labels: AWS_LBC.targetNodeLabels.on(annotations) ?? {},
        restrictedBy: annotations[AWS_LBC.targetNodeLabels.key()],
        instead: 'use ip targets',
      };
}

export function schemeOf(annotations: Annotations): LoadBalancerScheme | undefined {
  if (annotations[AWS_LBC.scheme.key()] !== undefined) {
    return AWS_LBC.scheme.on(annotations);
  }
  return AWS_LBC.internal.on(annotations) === false ? LoadBalancerScheme.INTERNET_FACING : LoadBalancerScheme.INTERNAL;
}

export function schemeReading(service: Json): SchemeReading {
  const isInternal = schemeOf(annotationsOf(service)) !== LoadBalancerScheme.INTERNET_FACING;
  return schemeBy(service, [AWS_LBC.scheme, AWS_LBC.internal], isInternal);
}

export function sourceRangesOf(service: Json, annotations: Annotations): string[] {
  const ranges = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
  return ranges.length > 0 ? ranges : (AWS_LBC.sourceRanges.on(annotations) ?? []);
}

export const protocolOf = (port: Json) => String(port.protocol ?? 'TCP');

export interface Listener {
  readonly port: string;
  readonly protocol: string;
  readonly isTls: boolean;
  readonly hasUdp: boolean;
  readonly isQuic: boolean;
}

export function listenersOf(service: Json, annotations: Annotations): Listener[] {
  const ports = portsOf(service);
  const merges = AWS_LBC.enableTcpUdpListener.on(annotations) === true;
  const certificate = AWS_LBC.sslCert.on(annotations);
  const tls = AWS_LBC.sslPorts.on(annotations);
  const quic = AWS_LBC.quicEnabledPorts.on(annotations);
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

export function hasUdpPort(service: Json): boolean {
  return portsOf(service).some((port) => port.protocol === 'UDP');
}

export function attributesOf(annotations: Annotations, port: string): NlbTargetGroupAttributes {
  return {
    ...AWS_LBC.targetGroupAttributes.on(annotations),
    ...AWS_LBC.targetGroupAttributesPerPort.on(annotations, { port }),
  };
}

export function lacks(service: Json, port: string): boolean {
  return !portsOf(service).some((other) => other.name === port || String(other.port) === port);
}

export const portsIn = (service: Json) =>
  portsOf(service)
    .map((port) => port.port)
    .join(', ');

export function clientsOfLbc(service: Json): string {
  const annotations = annotationsOf(service);
  const toPods = hasIpTargets(annotations);
  const header = AWS_LBC.proxyProtocol.on(annotations) !== undefined;
  return clientsOfNlb(service, { toPods, header, preserves: preservedBy(service, annotations) });
}

/** True if the client of a port is kept as annotations say; one listener of TCP and UDP keeps it as that of UDP does. */
export function preservedBy(service: Json, annotations: Annotations): NlbClients['preserves'] {
  const listeners = listenersOf(service, annotations);
  return ({ port }) =>
    listeners.some((listener) => listener.port === String(port) && listener.protocol.startsWith('TCP_')) ||
    attributesOf(annotations, String(port)).preserveClientIp;
}

export function handlingByAwsLbc(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  return listenersOf(service, annotations).flatMap((listener) => {
    const says = (does: PortHandling['does'], key: string) => portHandling(service, listener.port, does, key);
    const header = headerKey(annotations, listener.port);
    return [
      ...(header === undefined ? [] : [says('proxy-protocol', header)]),
      ...(listener.isTls ? [says('terminates-tls', AWS_LBC.sslCert.key())] : []),
      ...(listener.isTls && AWS_LBC.backendProtocol.on(annotations) === NlbBackendProtocol.SSL
        ? [says('encrypts-again', AWS_LBC.backendProtocol.key())]
        : []),
      ...(isHttp(AWS_LBC.healthCheckProtocol.on(annotations)) && checksOwnPort(service, annotations, listener)
        ? [says('checks-by-http', AWS_LBC.healthCheckProtocol.key())]
        : []),
    ];
  });
}

export function headerKey(annotations: Annotations, port: string): string | undefined {
  if (AWS_LBC.proxyProtocol.on(annotations)) {
    return AWS_LBC.proxyProtocol.key();
  }
  const listed = AWS_LBC.proxyProtocolPerTargetGroup.on(annotations);
  if (listed) {
    return listed.includes(Number(port)) ? AWS_LBC.proxyProtocolPerTargetGroup.key() : undefined;
  }
  if (!attributesOf(annotations, port).proxyProtocolV2) {
    return undefined;
  }
  const ofPort = AWS_LBC.targetGroupAttributesPerPort.on(annotations, { port });
  return ofPort?.proxyProtocolV2
    ? AWS_LBC.targetGroupAttributesPerPort.key({ port })
    : AWS_LBC.targetGroupAttributes.key();
}

function checksOwnPort(service: Json, annotations: Annotations, listener: Listener): boolean {
  const checked = AWS_LBC.healthCheckPort.on(annotations);
  if (checked === undefined) {
    return !isInstanceLocal(service, annotations);
  }
  const port = portsOf(service).find((one) => String(one.port) === listener.port);
  return [TRAFFIC_PORT, listener.port, port?.name, String(port?.nodePort)].includes(checked);
}

/** Annotations that only a health check by HTTP or HTTPS reads. pkg/service/model_build_target_group.go */
export const HTTP_CHECK = [AWS_LBC.healthCheckPath, AWS_LBC.healthCheckSuccessCodes];

export function isCheckedByTcp(service: Json, annotations: Annotations): boolean {
  const byDefault = isInstanceLocal(service, annotations) ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP;
  return (AWS_LBC.healthCheckProtocol.on(annotations) ?? byDefault) === HealthCheckProtocol.TCP;
}

/**
 * The keys whose values are not looked at: a Service that is not claimed by its type is claimed by a class, beside which the type
 * is not consulted, and without a certificate no listener speaks TLS, which alone has an ALPN policy.
 * pkg/service/service_utils.go; pkg/service/model_build_listener.go, buildListenerALPNPolicy
 */
export function ignoredByAwsLbc(service: Json): readonly string[] {
  const annotations = annotationsOf(service);
  return [
    AWS_LBC.type.key(),
    ...(isCheckedByTcp(service, annotations) ? HTTP_CHECK.map((entry) => entry.key()) : []),
    ...(annotations[AWS_LBC.sslCert.key()] === undefined ? [AWS_LBC.alpnPolicy.key()] : []),
  ];
}
