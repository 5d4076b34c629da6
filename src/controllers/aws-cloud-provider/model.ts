import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Json, list } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { BalancerHealthCheck, LoadBalancerModel } from '../../contract/load-balancer-model';
import { HealthCheckProtocol } from '../../contract/options';
import type { BackendNodes } from '../../rules/controller-definition';
import {
  annotationsOf,
  type Handling,
  isLocal,
  type PortHandling,
  portHandling,
  portsOf,
} from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/facts';
import { classicModel, clientsOfNlb, groupOfRules, healthCheckBy, isHttp, nlbModel, zonesBy } from '../aws/model';
import {
  answererOnNode,
  clientsOfProxy,
  healthCheckNodePortOf,
  labelsUnlessNone,
  nodePortOf,
  ON_TRAFFIC_PORT,
  schemeBy,
} from '../shared/model';
import { AWS_CLOUD, AWS_CLOUD_SOURCE } from './annotations';
import { SSL_CHECK } from './codecs';
import { AWS_CLOUD_CHECKS, IMPLEMENTED_ELSEWHERE, NLB_TYPE } from './facts';
import { AwsBackendProtocol } from './options';

export function awsCloudModelOf(service: Json, controller?: object): LoadBalancerModel | undefined {
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
    return classicModel({
      ...known,
      header: AWS_CLOUD.proxyProtocol.on(annotations) === true,
      zones: zonesBy(subnets),
      healthCheck: checkByClassic(service),
      ...(ownGroup ? {} : { group: groupOfRules(ports, rangesOf(service)) }),
    });
  }
  const attributes = AWS_CLOUD.targetGroupAttributes.on(annotations);
  const { managesGroups } = (controller as { _writer?: { known: AwsCloudKnown } } | undefined)?._writer?.known ?? {};
  const hasOwnGroups = managesGroups === true && AWS_CLOUD.securityGroups.on(annotations) !== undefined;
  return nlbModel(service, {
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

function portOf(service: Json, onTraffic: string): string {
  const written = AWS_CLOUD.healthCheckPort.on(annotationsOf(service));
  if (written === undefined) {
    return isLocal(service) ? healthCheckNodePortOf(service) : onTraffic;
  }
  return written === TRAFFIC_PORT ? onTraffic : written;
}

function checkByNlb(service: Json): BalancerHealthCheck {
  return checkOf(
    service,
    HealthCheckProtocol.TCP,
    ON_TRAFFIC_PORT,
    AWS_CLOUD_CHECKS[isLocal(service) ? 'local' : 'cluster'],
  );
}

function checkByClassic(service: Json): BalancerHealthCheck {
  const backend = AWS_CLOUD.backendProtocol.on(annotationsOf(service));
  const isTls = backend === AwsBackendProtocol.HTTPS || backend === AwsBackendProtocol.SSL;
  const protocol = isTls ? SSL_CHECK : HealthCheckProtocol.TCP;
  return checkOf(service, protocol, nodePortOf(portsOf(service)[0]), AWS_CLOUD_CHECKS.classic);
}

function checkOf(
  service: Json,
  byCluster: HealthCheckProtocol,
  onTraffic: string,
  figures: { readonly interval: number; readonly failures: number },
): BalancerHealthCheck {
  const port = portOf(service, onTraffic);
  const protocol = isLocal(service) ? HealthCheckProtocol.HTTP : byCluster;
  const asked = { port, answeredBy: answererOnNode(service, port) };
  return healthCheckBy(AWS_CLOUD, annotationsOf(service), asked, { ...figures, protocol, isLocal: isLocal(service) });
}

// Reading of finished Services of this controller.

export interface AwsCloudKnown {
  readonly version?: KubernetesVersion;
  /** True if its cloud config has it manage security groups of Network Load Balancers. */
  readonly managesGroups?: boolean;
}

export const textOf = (service: Json, entry: AnyAnnotation): string | undefined => {
  const text: unknown = annotationsOf(service)[entry.key()];
  return typeof text === 'string' ? text : undefined;
};

export const isNlb = (service: Json) => AWS_CLOUD.type.on(annotationsOf(service)) === NLB_TYPE;

export const kindOfBalancer = (service: Json) =>
  isNlb(service) ? 'a Network Load Balancer' : 'a Classic Load Balancer';

export const protocolOf = (port: Json): string => port.protocol ?? 'TCP';

/** True if the balancer is internal, as the controller reads it: every text but `false` and the empty one. */
export const isInternal = (service: Json) => !['', 'false', undefined].includes(textOf(service, AWS_CLOUD.internal));

export const schemeOf = (service: Json) => schemeBy(service, [AWS_CLOUD.internal], isInternal(service));

export function backendNodes(service: Json): BackendNodes {
  const labels = AWS_CLOUD.targetNodeLabels.on(annotationsOf(service)) ?? {};
  return {
    labels: Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== '')),
    restrictedBy: textOf(service, AWS_CLOUD.targetNodeLabels),
  };
}

export const rangesOf = (service: Json): string[] => {
  const ranges = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
  return ranges.length > 0 ? ranges : (AWS_CLOUD.sourceRanges.on(annotationsOf(service)) ?? []);
};

export function clientsOfAwsCloud(service: Json): string {
  const annotations = annotationsOf(service);
  if (!isNlb(service)) {
    return clientsOfProxy(AWS_CLOUD.proxyProtocol.on(annotations) === true);
  }
  const attributes = AWS_CLOUD.targetGroupAttributes.on(annotations) ?? {};
  return clientsOfNlb(service, {
    toPods: false,
    header: attributes.proxyProtocolV2 === true,
    preserves: () => attributes.preserveClientIp,
  });
}

export function handlingByAwsCloud(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  return portsOf(service).flatMap((port) => {
    const says = (does: Handling, key: string) => portHandling(service, port.port, does, key);
    const checks = isHttp(AWS_CLOUD.healthCheckProtocol.on(annotations)) && checksOwnPort(service, port);
    return [
      ...headerKeys(service).map((key) => says('proxy-protocol', key)),
      ...backendProtocolOf(service, port).map(([does, key]) => says(does, key)),
      ...(checks ? [says('checks-by-http', AWS_CLOUD.healthCheckProtocol.key())] : []),
    ];
  });
}

function headerKeys(service: Json): string[] {
  const annotations = annotationsOf(service);
  if (isNlb(service)) {
    const attributes = AWS_CLOUD.targetGroupAttributes.on(annotations);
    return attributes?.proxyProtocolV2 ? [AWS_CLOUD.targetGroupAttributes.key()] : [];
  }
  return AWS_CLOUD.proxyProtocol.on(annotations) ? [AWS_CLOUD.proxyProtocol.key()] : [];
}

/** True if a listener speaks TLS; a port with blanks is none. pkg/providers/v1/aws.go, getPortSets and buildListener */
export function endsTls(service: Json, port: Json): boolean {
  const [ports, certificate] = [AWS_CLOUD.sslPorts, AWS_CLOUD.sslCert].map(
    (entry) => textOf(service, entry) || undefined,
  );
  const names = ports === '*' ? undefined : ports?.split(',');
  const isNamed = names?.some((one) => one === port.name || one === String(port.port)) ?? true;
  return certificate !== undefined && port.protocol !== 'UDP' && isNamed;
}

function backendProtocolOf(service: Json, port: Json): [Handling, string][] {
  const annotations = annotationsOf(service);
  const backend = AWS_CLOUD.backendProtocol.on(annotations);
  const isTls = endsTls(service, port);
  const isHttpBackend = backend === AwsBackendProtocol.HTTP || (isTls && backend === AwsBackendProtocol.HTTPS);
  if (!isNlb(service) && isHttpBackend) {
    return [['speaks-http', AWS_CLOUD.backendProtocol.key()]];
  }
  const ends: [Handling, string][] = isTls ? [['terminates-tls', AWS_CLOUD.sslCert.key()]] : [];
  return isTls && backend === AwsBackendProtocol.SSL
    ? [...ends, ['encrypts-again', AWS_CLOUD.backendProtocol.key()]]
    : ends;
}

function checksOwnPort(service: Json, { nodePort }: Json): boolean {
  const checked = AWS_CLOUD.healthCheckPort.on(annotationsOf(service));
  return checked === undefined ? !isLocal(service) : [TRAFFIC_PORT, String(nodePort)].includes(checked);
}
