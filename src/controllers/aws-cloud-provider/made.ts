import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { BalancerHealthCheck, MadeBalancer } from '../../contract/made-balancer';
import { HealthCheckProtocol } from '../../contract/options';
import { annotationsOf, isLocal, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/facts';
import { groupOfRules, madeClassic, madeNlb, zonesBy } from '../aws/made';
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
import { AWS_CLOUD, AWS_CLOUD_SOURCE } from './annotations';
import { SSL_CHECK } from './codecs';
import { AWS_CLOUD_CHECKS, IMPLEMENTED_ELSEWHERE } from './facts';
import { AwsBackendProtocol } from './options';
import { type AwsCloudKnown, backendNodes, isNlb, rangesOf, schemeOf, textOf } from './reading';

/** What the AWS cloud provider makes of a finished Service; nothing of one that it leaves to others. */
export function madeByAwsCloud(
  service: Json,
  controller: ILoadBalancerController | undefined,
): MadeBalancer | undefined {
  if (IMPLEMENTED_ELSEWHERE.includes(String(textOf(service, AWS_CLOUD.type)))) {
    return undefined;
  }
  const annotations = annotationsOf(service);
  const ports = portsOf(service).length;
  const known = {
    scheme: schemeOf(service).scheme,
    listeners: ports,
    crossZone: AWS_CLOUD.crossZoneLoadBalancingEnabled.on(annotations) ?? false,
    nodeLabels: labelsUnlessNone(backendNodes(service).labels),
    source: AWS_CLOUD_SOURCE,
    confidence: Confidence.SOURCE,
  };
  const subnets = AWS_CLOUD.subnets.on(annotations);
  if (!isNlb(service)) {
    const ownGroup = AWS_CLOUD.securityGroups.on(annotations) !== undefined;
    return madeClassic({
      ...known,
      header: AWS_CLOUD.proxyProtocol.on(annotations) === true,
      zones: zonesBy(subnets),
      healthCheck: checkByClassic(service),
      ...(ownGroup ? {} : { group: groupOfRules(ports, rangesOf(service)) }),
    });
  }
  const attributes = AWS_CLOUD.targetGroupAttributes.on(annotations);
  const { managesGroups } = (controller as { _known?: AwsCloudKnown } | undefined)?._known ?? {};
  const hasOwnGroups = managesGroups === true && AWS_CLOUD.securityGroups.on(annotations) !== undefined;
  return madeNlb(service, {
    ...known,
    clients: { toPods: false, preserves: () => attributes?.preserveClientIp },
    // its attributes of target groups do not have this one
    endsHeld: () => 'use AwsLoadBalancerController.nlb()',
    hasHeader: () => attributes?.proxyProtocolV2 === true,
    zones: zonesBy(subnets, AWS_CLOUD.eipAllocations.on(annotations), AWS_CLOUD.privateIpv4Addresses.on(annotations)),
    healthCheck: checkByNlb(service),
    // without groups of its own every balancer has its ports opened in that of the nodes
    ...(hasOwnGroups
      ? {}
      : { group: groupOfRules(ports, rangesOf(service), managesGroups ? 'the balancer' : 'the nodes') }),
  });
}

function checkOf(
  service: Json,
  protocol: HealthCheckProtocol,
  port: string,
  defaults: { readonly interval: number; readonly failures: number },
): BalancerHealthCheck {
  const annotations = annotationsOf(service);
  const path = AWS_CLOUD.healthCheckPath.on(annotations) ?? (isLocal(service) ? HEALTH_CHECK_NODE_PORT_PATH : '/');
  const checked = AWS_CLOUD.healthCheckProtocol.on(annotations) ?? protocol;
  return {
    answeredBy: answererOnNode(service, port),
    protocol: checked.toUpperCase(),
    port,
    ...(isHttp(checked) ? { path } : {}),
    interval: AWS_CLOUD.healthCheckInterval.on(annotations)?.toSeconds() ?? defaults.interval,
    failures: AWS_CLOUD.healthCheckUnhealthyThreshold.on(annotations) ?? defaults.failures,
    ...successesBy(AWS_CLOUD.healthCheckHealthyThreshold.on(annotations)),
  };
}

/** The port of the traffic, unless one is written or policy Local has one of its own. */
function portOf(service: Json, onTraffic: string): string {
  const written = AWS_CLOUD.healthCheckPort.on(annotationsOf(service));
  if (written === undefined) {
    return isLocal(service) ? healthCheckNodePortOf(service) : onTraffic;
  }
  return written === TRAFFIC_PORT ? onTraffic : written;
}

function checkByNlb(service: Json): BalancerHealthCheck {
  const [protocol, defaults] = isLocal(service)
    ? [HealthCheckProtocol.HTTP, AWS_CLOUD_CHECKS.local]
    : [HealthCheckProtocol.TCP, AWS_CLOUD_CHECKS.cluster];
  return checkOf(service, protocol, portOf(service, ON_TRAFFIC_PORT), defaults);
}

function checkByClassic(service: Json): BalancerHealthCheck {
  const backend = AWS_CLOUD.backendProtocol.on(annotationsOf(service));
  const isTls = backend === AwsBackendProtocol.HTTPS || backend === AwsBackendProtocol.SSL;
  const cluster = isTls ? SSL_CHECK : HealthCheckProtocol.TCP;
  const protocol = isLocal(service) ? HealthCheckProtocol.HTTP : cluster;
  return checkOf(service, protocol, portOf(service, nodePortOf(portsOf(service)[0])), AWS_CLOUD_CHECKS.classic);
}
