import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { labelsIn } from '../../contract/annotation-codecs-lists';
import type { Json } from '../../contract/json';
import { HealthCheckProtocol } from '../../contract/options';
import type { BackendNodes } from '../../rules/controller-definition';
import { annotationsOf, handled, type PortHandling, portsOf, type SchemeReading } from '../../rules/service-json';
import { schemeBy } from '../shared/reading';
import { HCLOUD } from './annotations';
import { HetznerProtocol } from './options';

// How this controller reads a finished Service.

/** Public unless the annotation switches that off, or the controller is configured to. */
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

/** Every node, or those of a selector. */
export function backendNodes(service: Json): BackendNodes {
  const selector = HCLOUD.nodeSelector.on(annotationsOf(service));
  return { labels: labelsIn(selector), restrictedBy: selector };
}

/** What annotations of this controller make of connections. */
export function handlingByHcloud(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  const protocol = HCLOUD.protocol.on(annotations) ?? HetznerProtocol.TCP;
  const checkedBy = HCLOUD.healthCheckProtocol.on(annotations) ?? HealthCheckProtocol.TCP;
  const checked = HCLOUD.healthCheckPort.on(annotations);
  return portsOf(service).flatMap(({ port, nodePort }) => [
    ...(HCLOUD.usesProxyProtocol.on(annotations)
      ? [handled(service, port, 'proxy-protocol', HCLOUD.usesProxyProtocol.key())]
      : []),
    ...(protocol === HetznerProtocol.TCP ? [] : [handled(service, port, 'speaks-http', HCLOUD.protocol.key())]),
    ...(checkedBy !== HealthCheckProtocol.TCP && (checked === undefined || checked === nodePort)
      ? [handled(service, port, 'checks-by-http', HCLOUD.healthCheckProtocol.key())]
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
