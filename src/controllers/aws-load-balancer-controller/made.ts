import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { BalancerHealthCheck, MadeBalancer } from '../../contract/made-balancer';
import { HealthCheckProtocol, PortProtocol } from '../../contract/options';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/facts';
import { groupOfRules, madeNlb, zonesBy } from '../aws/made';
import { isHttp } from '../aws/reading';
import {
  answererOnNode,
  healthCheckNodePortOf,
  labelsUnlessNone,
  nodePortOf,
  ON_TRAFFIC_PORT,
  successesBy,
} from '../shared/made';
import { HEALTH_CHECK_NODE_PORT_PATH } from '../shared/made.facts';
import { AWS_LBC, AWS_LBC_SOURCE } from './annotations';
import { LBC_READINESS_GATES } from './facts';
import {
  type Annotations,
  attributesOf,
  backendNodes,
  hasIpTargets,
  headerKey,
  isInstanceLocal,
  listenersOf,
  preservedBy,
  schemeReading,
  sourceRangesOf,
} from './reading';

const LBC_CHECKS = {
  /** Nodes with policy Local. */
  local: { interval: 10, failures: 2 },
  others: { interval: 10, failures: 3 },
};

/** What AWS defaults to: a zone has its own targets alone. network/edit-target-group-attributes.html, 2026-11-21 */
const CROSS_ZONE_BY_DEFAULT = false;

/** The attribute of a target group that wins over that of its balancer, unless it names no truth. */
const CROSS_ZONE_OF_GROUP = 'load_balancing.cross_zone.enabled';

/** What the AWS Load Balancer Controller makes of a finished Service. */
export function madeByLbc(service: Json): MadeBalancer {
  const annotations = annotationsOf(service);
  const listeners = listenersOf(service, annotations);
  const toPods = hasIpTargets(annotations);
  const hasOwnGroups = AWS_LBC.securityGroups.key() in annotations || AWS_LBC.disableNlbSg.on(annotations) === true;
  const sources = [
    ...sourceRangesOf(service, annotations),
    ...(AWS_LBC.securityGroupPrefixLists.on(annotations) ?? []),
  ];
  return madeNlb(service, {
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

/** Whether zones have the targets of all: target groups win over the balancer; nothing where they differ among themselves. */
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

/**
 * How the targets of the first listener are asked.
 *
 * @param toPods whether pods are the targets
 */
export function healthCheckByLbc(service: Json, annotations: Annotations, toPods: boolean): BalancerHealthCheck {
  const isLocal = !toPods && isInstanceLocal(service, annotations);
  const protocol =
    AWS_LBC.healthCheckProtocol.on(annotations) ?? (isLocal ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP);
  const port = portIn(service, AWS_LBC.healthCheckPort.on(annotations), toPods) ?? defaultPort(service, isLocal);
  const { interval, failures } = isLocal ? LBC_CHECKS.local : LBC_CHECKS.others;
  const path = AWS_LBC.healthCheckPath.on(annotations) ?? (isLocal ? HEALTH_CHECK_NODE_PORT_PATH : '/');
  return {
    answeredBy: toPods ? 'pod' : answererOnNode(service, port),
    protocol: protocol.toUpperCase(),
    port,
    ...(isHttp(protocol) ? { path } : {}),
    interval: AWS_LBC.healthCheckInterval.on(annotations)?.toSeconds() ?? interval,
    failures: AWS_LBC.healthCheckUnhealthyThreshold.on(annotations) ?? failures,
    ...successesBy(AWS_LBC.healthCheckHealthyThreshold.on(annotations)),
  };
}

const defaultPort = (service: Json, isLocal: boolean) => (isLocal ? healthCheckNodePortOf(service) : ON_TRAFFIC_PORT);

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
