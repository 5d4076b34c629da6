import type { Json } from '../../contract/json';
import { handled, type PortHandling } from '../../rules/port-handling';
import { AZURE } from './annotations';
import { AzureReading } from './reading';

/** What annotations of this controller make of connections. */
export function handlingByAzure(service: Json): PortHandling[] {
  const reading = new AzureReading(service);
  const headers = reading.isOn(AZURE.plsCreate) && reading.isOn(AZURE.plsProxyProtocol) ? reading.ports : [];
  return [
    ...headers.map(({ port }) => handled(service, port, 'proxy-protocol', AZURE.plsProxyProtocol.key())),
    ...reading.probed
      .filter((port) => reading.probeProtocol(port) !== 'tcp' && asksItself(reading, port))
      .map((port) => handled(service, port.port, 'checks-by-http', keyOf(reading, port))),
  ];
}

/** Whether the probe of a port goes to that port. */
function asksItself(reading: AzureReading, port: Json): boolean {
  const probed = reading.probePort(port);
  return probed === undefined || reading.isOwnPort(probed) || probed === String(port.nodePort);
}

/** The annotation that says by which protocol a port is probed. */
function keyOf({ annotations }: AzureReading, { port }: Json): string {
  const own = AZURE.portHealthProbeProtocol.key({ port: String(port) });
  return annotations[own] === undefined ? AZURE.healthProbeProtocol.key() : own;
}
