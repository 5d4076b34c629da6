import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { labelsIn } from '../../contract/annotation-codecs-lists';
import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import {
  BalancerChoice,
  type BalancerHealthCheck,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../contract/load-balancer-model';
import { HealthCheckProtocol } from '../../contract/options';
import type { BackendNodes } from '../../rules/controller-definition';
import { annotationsOf, type PortHandling, portHandling, portsOf, type SchemeReading } from '../../rules/service-json';
import { answererOnNode, labelsUnlessNone, limitsBy, nodePortOf, schemeBy } from '../shared/model';
import { HCLOUD, HCLOUD_SOURCE } from './annotations';
import { HCLOUD_CHECK, HCLOUD_DEFAULT_TYPE, HCLOUD_LIMITS } from './facts';
import { HetznerProtocol } from './options';

export function hcloudModel(service: Json): LoadBalancerModel {
  const annotations = annotationsOf(service);
  const type = (HCLOUD.type.on(annotations) ?? HCLOUD_DEFAULT_TYPE).toLowerCase();
  const listeners = servicesOf(service).length;
  const header = HCLOUD.usesProxyProtocol.on(annotations) === true;
  return {
    product: `hetzner/${type}`,
    name: `Hetzner Cloud Load Balancer ${type.toUpperCase()}`,
    scheme: schemeOf(service).scheme,
    target: BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    clientAddress: header ? ClientAddressMeans.PROXY_PROTOCOL : ClientAddressMeans.NONE,
    healthCheck: healthCheckOf(service),
    nodeLabels: labelsUnlessNone(backendNodes(service).labels),
    listeners,
    publicAddresses: { count: HCLOUD.disablePublicNetwork.on(annotations) === true ? 0 : 1, perZone: false },
    limits: Object.hasOwn(HCLOUD_LIMITS, type) ? limitsBy(HCLOUD_LIMITS[type], listeners) : [],
    source: HCLOUD_SOURCE,
    confidence: Confidence.SOURCE,
  };
}

function servicesOf(service: Json): Json[] {
  return portsOf(service).filter(({ protocol }) => (protocol ?? 'TCP') === 'TCP');
}

/** That of the first port: it goes to the node port unless another one is written. */
function healthCheckOf(service: Json): BalancerHealthCheck {
  const annotations = annotationsOf(service);
  const written = HCLOUD.healthCheckPort.on(annotations);
  const port = written === undefined ? nodePortOf(servicesOf(service)[0]) : String(written);
  const interval = HCLOUD.healthCheckInterval.on(annotations)?.toSeconds({ integral: false });
  const failures = HCLOUD.healthCheckRetries.on(annotations);
  const timeout = HCLOUD.healthCheckTimeout.on(annotations);
  // any annotation of the check brings the protocol of the balancer
  const isSet = [written, interval, failures, timeout].some((each) => each !== undefined);
  const ofBalancer = isSet ? HCLOUD.protocol.on(annotations) : undefined;
  const protocol = HCLOUD.healthCheckProtocol.on(annotations) ?? ofBalancer ?? HealthCheckProtocol.TCP;
  return {
    answeredBy: answererOnNode(service, port),
    protocol: protocol.toUpperCase(),
    port,
    ...(protocol === HealthCheckProtocol.TCP ? {} : { path: HCLOUD.healthCheckHttpPath.on(annotations) ?? '/' }),
    interval: interval ?? HCLOUD_CHECK.interval,
    failures: failures ?? HCLOUD_CHECK.failures,
  };
}

export function schemeOf(service: Json): SchemeReading {
  const annotations = annotationsOf(service);
  const reading = schemeBy(
    service,
    [HCLOUD.disablePublicNetwork],
    HCLOUD.disablePublicNetwork.on(annotations) === true,
  );
  const isWritten = annotations[HCLOUD.disablePublicNetwork.key()] !== undefined;
  return isWritten
    ? reading
    : { ...reading, because: `${reading.because}, unless the controller is configured otherwise` };
}

export function backendNodes(service: Json): BackendNodes {
  const selector = HCLOUD.nodeSelector.on(annotationsOf(service));
  return { labels: labelsIn(selector), restrictedBy: selector };
}

export function handlingByHcloud(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  const protocol = HCLOUD.protocol.on(annotations) ?? HetznerProtocol.TCP;
  const checkedBy = HCLOUD.healthCheckProtocol.on(annotations) ?? HealthCheckProtocol.TCP;
  const checked = HCLOUD.healthCheckPort.on(annotations);
  return portsOf(service).flatMap(({ port, nodePort }) => [
    ...(HCLOUD.usesProxyProtocol.on(annotations)
      ? [portHandling(service, port, 'proxy-protocol', HCLOUD.usesProxyProtocol.key())]
      : []),
    ...(protocol === HetznerProtocol.TCP ? [] : [portHandling(service, port, 'speaks-http', HCLOUD.protocol.key())]),
    ...(checkedBy !== HealthCheckProtocol.TCP && (checked === undefined || checked === nodePort)
      ? [portHandling(service, port, 'checks-by-http', HCLOUD.healthCheckProtocol.key())]
      : []),
  ]);
}

/** Annotations that only a health check by HTTP or HTTPS reads. internal/hcops/load_balancer.go, extractHealthCheck */
export const HTTP_CHECK: readonly AnyAnnotation[] = [
  HCLOUD.healthCheckHttpPath,
  HCLOUD.healthCheckHttpDomain,
  HCLOUD.healthCheckHttpValidateCertificate,
  HCLOUD.httpStatusCodes,
];

/** The keys whose values are not looked at, since the health check is one of TCP. */
export function ignoredByHcloud(service: Json): readonly string[] {
  const annotations = annotationsOf(service);
  const protocol = HCLOUD.healthCheckProtocol.on(annotations) ?? HCLOUD.protocol.on(annotations);
  return protocol === undefined || protocol === HealthCheckProtocol.TCP
    ? HTTP_CHECK.map((entry) => entry.key()).filter((key) => annotations[key] !== undefined)
    : [];
}
