import type { Json } from '../../contract/json';
import { type Handling, handled, type PortHandling } from '../../rules/port-handling';
import { annotationsOf, isLocal, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/annotations';
import { isHttp } from '../aws/health-check';
import { AWS_CLOUD } from './annotations';
import { AwsBackendProtocol } from './options';
import { isNlb } from './reading';

/** What annotations of this controller make of connections. */
export function handlingByAwsCloud(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  return portsOf(service).flatMap((port) => {
    const says = (does: Handling, key: string) => handled(service, port.port, does, key);
    const checks = isHttp(AWS_CLOUD.healthCheckProtocol.on(annotations)) && checksOwnPort(service, port);
    return [
      ...headerKeys(service).map((key) => says('proxy-protocol', key)),
      ...protocolOf(service, port).map(([does, key]) => says(does, key)),
      ...(checks ? [says('checks-by-http', AWS_CLOUD.healthCheckProtocol.key())] : []),
    ];
  });
}

/** Each kind of balancer has an annotation of its own for the header of the PROXY protocol. */
function headerKeys(service: Json): string[] {
  const annotations = annotationsOf(service);
  if (isNlb(service)) {
    const attributes = AWS_CLOUD.targetGroupAttributes.on(annotations);
    return attributes?.proxyProtocolV2 ? [AWS_CLOUD.targetGroupAttributes.key()] : [];
  }
  return AWS_CLOUD.proxyProtocol.on(annotations) ? [AWS_CLOUD.proxyProtocol.key()] : [];
}

/** What the listener of a port speaks: without a certificate only `http` is heeded, and a Network Load Balancer knows `ssl`. */
function protocolOf(service: Json, port: Json): [Handling, string][] {
  const annotations = annotationsOf(service);
  const backend = AWS_CLOUD.backendProtocol.on(annotations);
  const ports = AWS_CLOUD.sslPorts.on(annotations) ?? ['*'];
  const isTls =
    AWS_CLOUD.sslCert.on(annotations) !== undefined &&
    ports.some((one) => one === '*' || one === port.name || one === String(port.port));
  const isHttpBackend = backend === AwsBackendProtocol.HTTP || (isTls && backend === AwsBackendProtocol.HTTPS);
  if (!isNlb(service) && isHttpBackend) {
    return [['speaks-http', AWS_CLOUD.backendProtocol.key()]];
  }
  const ends: [Handling, string][] = isTls ? [['terminates-tls', AWS_CLOUD.sslCert.key()]] : [];
  return isTls && backend === AwsBackendProtocol.SSL
    ? [...ends, ['encrypts-again', AWS_CLOUD.backendProtocol.key()]]
    : ends;
}

/** Whether the health check goes to the port of the traffic, and not to one of kube-proxy or of somebody else. */
function checksOwnPort(service: Json, { nodePort }: Json): boolean {
  const checked = AWS_CLOUD.healthCheckPort.on(annotationsOf(service));
  return checked === undefined ? !isLocal(service) : [TRAFFIC_PORT, String(nodePort)].includes(checked);
}
