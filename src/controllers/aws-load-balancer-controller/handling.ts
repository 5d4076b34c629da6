import type { Json } from '../../contract/json';
import { handled, type PortHandling } from '../../rules/port-handling';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/annotations';
import { isHttp } from '../aws/health-check';
import { AWS } from './annotations';
import { NlbBackendProtocol } from './listener.options';
import { type Annotations, attributesOf, isInstanceLocal, type Listener, listenersOf } from './reading';

/** What annotations of this controller make of connections. */
export function handlingByAwsLbc(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  return listenersOf(service, annotations).flatMap((listener) => {
    const says = (does: PortHandling['does'], key: string) => handled(service, listener.port, does, key);
    const header = headerKey(annotations, listener.port);
    return [
      ...(header === undefined ? [] : [says('proxy-protocol', header)]),
      ...(listener.isTls ? [says('terminates-tls', AWS.sslCert.key())] : []),
      ...(listener.isTls && AWS.backendProtocol.on(annotations) === NlbBackendProtocol.SSL
        ? [says('encrypts-again', AWS.backendProtocol.key())]
        : []),
      ...(isHttp(AWS.healthCheckProtocol.on(annotations)) && checksOwnPort(service, annotations, listener)
        ? [says('checks-by-http', AWS.healthCheckProtocol.key())]
        : []),
    ];
  });
}

/** The annotation that has the header of the PROXY protocol sent to the targets of a port. */
function headerKey(annotations: Annotations, port: string): string | undefined {
  if (AWS.proxyProtocol.on(annotations)) {
    return AWS.proxyProtocol.key();
  }
  const listed = AWS.proxyProtocolPerTargetGroup.on(annotations);
  if (listed) {
    return listed.includes(Number(port)) ? AWS.proxyProtocolPerTargetGroup.key() : undefined;
  }
  if (!attributesOf(annotations, port).proxyProtocolV2) {
    return undefined;
  }
  const ofPort = AWS.targetGroupAttributesPerPort.on(annotations, { port });
  return ofPort?.proxyProtocolV2 ? AWS.targetGroupAttributesPerPort.key({ port }) : AWS.targetGroupAttributes.key();
}

/** Whether the health check goes to the port of the traffic, and not to one of kube-proxy or of somebody else. */
function checksOwnPort(service: Json, annotations: Annotations, listener: Listener): boolean {
  const checked = AWS.healthCheckPort.on(annotations);
  if (checked === undefined) {
    return !isInstanceLocal(service, annotations);
  }
  const port = portsOf(service).find((one) => String(one.port) === listener.port);
  return [TRAFFIC_PORT, listener.port, port?.name, String(port?.nodePort)].includes(checked);
}
