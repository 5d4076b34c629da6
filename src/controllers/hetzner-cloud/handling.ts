import type { Json } from '../../contract/json';
import { handled, type PortHandling } from '../../rules/port-handling';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { HCLOUD } from './annotations';

/** What annotations of this controller make of connections. */
export function handlingByHcloud(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  const protocol = HCLOUD.protocol.on(annotations) ?? 'tcp';
  const checkedBy = HCLOUD.healthCheckProtocol.on(annotations) ?? 'tcp';
  const checked = HCLOUD.healthCheckPort.on(annotations);
  return portsOf(service).flatMap(({ port, nodePort }) => [
    ...(HCLOUD.usesProxyProtocol.on(annotations)
      ? [handled(service, port, 'proxy-protocol', HCLOUD.usesProxyProtocol.key())]
      : []),
    ...(protocol === 'tcp' ? [] : [handled(service, port, 'speaks-http', HCLOUD.protocol.key())]),
    ...(checkedBy !== 'tcp' && (checked === undefined || checked === nodePort)
      ? [handled(service, port, 'checks-by-http', HCLOUD.healthCheckProtocol.key())]
      : []),
  ]);
}
